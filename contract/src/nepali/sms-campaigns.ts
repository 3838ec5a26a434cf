/** SMS campaigns, their files and texts. Placeholders: fields.ts. */
export const smsCampaignTexts: readonly [RegExp | string, string][] = [
  ['is the name of another of your SMS campaigns', 'तपाईँको अर्को SMS अभियानको नाम हो'],
  ['cannot be sent together with baseId: name one of them', 'baseId सँगै पठाउन मिल्दैन: एउटा मात्र दिनुहोस्'],
  ['is missing: no file was uploaded in the last hour', 'छैन: पछिल्लो एक घण्टामा कुनै फाइल अपलोड भएको छैन'],
  ['is not there any more: upload the file again', 'अब छैन: फाइल फेरि अपलोड गर्नुहोस्'],
  ['is not a file that was uploaded', 'अपलोड गरिएको फाइल होइन'],
  [/^has ([\d,]+) segments, and (\d+) are allowed$/, 'मा {#1} खण्ड छन्, {#2} सम्म मिल्छ'],
  [/^names (.+), and the file has (.+)$/s, 'मा {1} लेखिएको छ, तर फाइलमा {2} छन्'],
  [/^the sender ID is not approved for (.+)$/, 'सेन्डर आईडी {1} का लागि स्वीकृत छैन'],
  ['the message is empty, since its columns are', 'स्तम्भ खाली भएकाले सन्देश खाली हुन्छ'],
  [/^the message has (\d+) segments, and (\d+) are allowed$/, 'सन्देशमा {#1} खण्ड छन्, {#2} सम्म मिल्छ'],
  ['a landline takes no messages', 'ल्यान्डलाइनमा SMS जाँदैन'],
  ['the number is on a blacklist', 'नम्बर ब्ल्याकलिस्टमा छ'],
  ['is required for one key at least', 'कम्तीमा एउटा बटनका लागि आवश्यक छ'],
  ['is required: the sender ID of the messages after the call', 'चाहिन्छ: कलपछि जाने सन्देशको सेन्डर आईडी'],
  [/^is for key (.), which the campaign does not take$/, 'बटन {1} का लागि हो, जुन अभियानले लिँदैन'],
  ['is not a key: keys are 0 to 9 and *', 'बटन होइन: ० देखि ९ र * मात्र मिल्छ'],
  ['must name a text by key', 'मा हरेक बटनको सन्देश हुनुपर्छ'],
  ['must have a name by key', 'मा बटनअनुसार नाम हुनुपर्छ'],
  [
    'follows the calls of its campaign: each of its messages is sent once',
    'आफ्नो अभियानका कलपछि जान्छ: यसका हरेक सन्देश एक पटक मात्र पठाइन्छ',
  ],
  ['has no message left that failed or expired', 'मा असफल भएको वा म्याद सकिएको कुनै SMS छैन'],
  [
    /^would make '([^']+)' of (\S+) cheaper for messages than '([^']+)' of (\S+)$/,
    '{2} को {1} भन्ने प्लान SMS मा {4} को {3} भन्दा सस्तो हुन्छ',
  ],
  [
    /^'([^']+)' of (\S+) is cheaper for messages than '([^']+)' of (\S+): it has to be changed$/,
    '{2} को प्लान “{1}” मा SMS को मूल्य {4} को “{3}” भन्दा कम छ: यसलाई बदल्नुपर्छ',
  ],
]
