/** What is wrong with a field of a trunk. Placeholders: fields.ts. */
export const trunkFieldTexts: readonly [RegExp | string, string][] = [
  ['is required to register others', 'अरू प्रयोगकर्ता पनि रजिस्टर गर्न आवश्यक छ'],
  ['is required with a name for authentication', 'लगइन नाम राख्दा आवश्यक छ'],
  ['must be an IP address or a host name, with a port or without', 'IP ठेगाना वा होस्ट नाम हुनुपर्छ, पोर्टसहित वा पोर्टबिना'],
  ['must be a telephone number: digits, with or without a +', 'टेलिफोन नम्बर हुनुपर्छ: अङ्क मात्र, अगाडि + हुन सक्छ'],
  ['must be a domain, whose servers DNS names', 'डोमेन हुनुपर्छ, जसका सर्भर DNS ले बताउँछ'],
  ['must be left out: DNS gives it', 'खाली छोड्नुपर्छ: यो DNS ले बताउँछ'],
  ['is for when the host does not answer, which is missing', 'होस्टले जवाफ नदिँदाका लागि हो, तर होस्ट नै छैन'],
  ['must be left out with DNS or an outbound proxy', 'DNS वा आउटबाउन्ड प्रोक्सी राख्दा खाली छोड्नुपर्छ'],
  ['is for TLS alone', 'TLS का लागि मात्र हो'],
  ['must be 0, or 5 to 3600', '० वा ५ देखि ३६०० सम्म हुनुपर्छ'],
  [
    'must hold only small letters, digits and hyphens, at most 40',
    'मा साना अङ्ग्रेजी अक्षर, अङ्क र हाइफन मात्र हुन सक्छन्, बढीमा ४०',
  ],
  ['must be off with an outbound proxy', 'आउटबाउन्ड प्रोक्सी राख्दा बन्द हुनुपर्छ'],
  [/^has one that is not a host: (.+)$/s, 'मा होस्ट हुन नसक्ने एउटा छ: {1}'],
  ['must be a list', 'सूची हुनुपर्छ'],
  [/^has more than (\d+)$/, 'मा {#1} भन्दा बढी छन्'],
  ['has an empty one', 'मा एउटा खाली छ'],
  ['has one twice', 'मा एउटै दुई पटक छ'],
  [/^has one that is not a user of a SIP address: (.+)$/s, 'मा SIP ठेगानाको प्रयोगकर्ता हुन नसक्ने एउटा छ: {1}'],
  [
    /^has one that is not an IP address or network like 203\.0\.113\.0\/29: (.+)$/s,
    'मा IP ठेगाना वा 203.0.113.0/29 जस्तो नेटवर्क नभएको एउटा छ: {1}',
  ],
  [/^must hold only letters, digits, @ and (- .+)$/s, 'मा अक्षर, अङ्क, @ र {1} मात्र हुन सक्छन्'],
]
