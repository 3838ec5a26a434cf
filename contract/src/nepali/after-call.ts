/** Of messages after a call: why an address is refused, and what became of a message. Placeholders: fields.ts. */
export const afterCallTexts: readonly [RegExp | string, string][] = [
  ['must not hold a user name or a password before its host', 'मा होस्टअगाडि प्रयोगकर्ता नाम वा पासवर्ड राख्न मिल्दैन'],
  ['is no address, or has {PHONE} in its host', 'ठेगाना होइन, वा यसको होस्टमा {PHONE} छ'],
  ['must have {PHONE} in the place of the number, behind its host', 'मा होस्टपछि नम्बरको ठाउँमा {PHONE} हुनुपर्छ'],
  ['must be success, fail or dtmf', 'success, fail वा dtmf हुनुपर्छ'],
  ['must be a list of hosts', 'होस्टहरूको सूची हुनुपर्छ'],
  ['must be a host like sms.example.com or 10.0.0.7:8080', 'sms.example.com वा 10.0.0.7:8080 जस्तो होस्ट हुनुपर्छ'],
  [/^has more than (\d+) hosts$/, 'मा {#1} भन्दा बढी होस्ट छन्'],
  [
    'leads to a private address, or to this server itself, which the operator has not allowed',
    'भित्री नेटवर्क वा यही सर्भरको ठेगाना हो, जसको अनुमति सञ्चालकले दिएका छैनन्',
  ],
  [
    'must use port 80 or 443: the operator has not allowed another one for this host',
    'मा पोर्ट 80 वा 443 हुनुपर्छ: यो होस्टका लागि सञ्चालकले अरू पोर्टको अनुमति दिएका छैनन्',
  ],
  [
    'leads to no host that the demo may ask: a super admin lists those on this machine in the settings',
    'डेमोले सोध्न पाउने होस्ट होइन: यही मेसिनका त्यस्ता होस्ट सुपर एडमिनले सेटिङमा राख्छन्',
  ],
  ['cannot be used: this template takes no keys', 'प्रयोग गर्न मिल्दैन: यो टेम्प्लेटले अङ्क लिँदैन'],
  ['cannot stand beside a text of this occasion: choose one of them', 'यही अवस्थाको पाठसँगै राख्न मिल्दैन: एउटा छान्नुहोस्'],
  ['is required for this occasion', 'यस अवस्थाका लागि आवश्यक छ'],
  ['is no mobile number: a message would not reach it', 'मोबाइल नम्बर होइन: सन्देश पुग्दैन'],
  ['test messages', 'परीक्षण सन्देश'],
  [/^it answered (\d+)$/, 'सेवाको जवाफ {#1} आयो'],
  [/^it answered (\d+) with another address, which is not followed$/, 'सेवाले अर्कै ठेगाना देखायो ({#1}), त्यहाँ गइँदैन'],
  [/^it answered (\d+): whether it sent the message is not known$/, 'सेवाको जवाफ {#1} आयो: सन्देश गयो वा गएन, थाहा छैन'],
  [
    /^it did not answer in (\d+) s: whether it sent the message is not known$/,
    'सेवाले {#1} सेकेन्डमा जवाफ दिएन: सन्देश गयो वा गएन, थाहा छैन',
  ],
  [
    'the connection was lost before it answered: whether it sent the message is not known',
    'जवाफ आउनुअघि जडान टुट्यो: सन्देश गयो वा गएन, थाहा छैन',
  ],
  [
    'the server was cut off while it was asked: whether it sent the message is not known',
    'अनुरोध जाँदै गर्दा सर्भर रोकियो: सन्देश गयो वा गएन, थाहा छैन',
  ],
  [/^it cannot be reached: (.+); it is tried again$/s, 'त्यहाँ पुग्न सकिएन: {~1}; फेरि प्रयास हुन्छ'],
  [
    'its address is private, or this server’s own, which the operator has not allowed',
    'यसको ठेगाना भित्री नेटवर्कको वा यही सर्भरको हो, जसको अनुमति सञ्चालकले दिएका छैनन्',
  ],
  ['the operator does not allow this host any more', 'सञ्चालकले यो होस्टको अनुमति अब दिएका छैनन्'],
  ['its address cannot be read any more: compose the campaign again', 'यसको ठेगाना अब पढ्न मिल्दैन: अभियान फेरि बनाउनुहोस्'],
  ['the campaign was stopped before it was sent', 'पठाउनुअघि नै अभियान रोकियो'],
  ['the number is a landline, which no message reaches', 'नम्बर ल्यान्डलाइन हो, त्यहाँ सन्देश पुग्दैन'],
  ['the number was blacklisted before it was sent', 'पठाउनुअघि नै नम्बर कालोसूचीमा पर्‍यो'],
  ['it could not be sent within 24 hours of the call', 'कल भएको २४ घण्टाभित्र पठाउन सकिएन'],
]
