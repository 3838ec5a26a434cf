/** Of messages: gateways, routes, sender IDs and saved texts. Placeholders: fields.ts. */
export const smsTexts: readonly [RegExp | string, string][] = [
  [
    'must be 1 to 11 characters that every telephone shows (no Nepali letters), or a number of 3 to 15 digits',
    '१ देखि ११ वटा अङ्ग्रेजी अक्षर वा अङ्क (नेपाली अक्षर होइन), वा ३ देखि १५ अङ्कको नम्बर हुनुपर्छ',
  ],
  ['sender IDs and texts', 'सेन्डर आईडी र पाठ'],
  ['must be a list of operators', 'अपरेटरहरूको सूची हुनुपर्छ'],
  ['must be a list of words', 'शब्दहरूको सूची हुनुपर्छ'],
  [/^has more than (\d+) words$/, 'मा {#1} भन्दा बढी शब्द छन्'],
  ['must be a list of prefixes', 'सुरुका अङ्कहरूको सूची हुनुपर्छ'],
  [/^has more than (\d+) prefixes$/, 'मा {#1} भन्दा बढी सुरुका अङ्क छन्'],
  ['must be the first 2 to 9 digits of mobile numbers, like 984', 'मोबाइल नम्बरका सुरुका २ देखि ९ अङ्क हुनुपर्छ, जस्तै 984'],
  [/^(\d+) stands there twice$/, '{1} दुई पटक छ'],
  [
    /^An account has at most (\d+) sender IDs: delete one that you do not need$/,
    'एउटा खातामा बढीमा {#1} सेन्डर आईडी हुन्छन्: नचाहिने मेटाउनुहोस्',
  ],
  [
    /^An account has at most (\d+) saved texts: delete one that you do not need$/,
    'एउटा खातामा बढीमा {#1} पाठ राख्न मिल्छ: नचाहिने मेटाउनुहोस्',
  ],
  [/^'(.+)' is among your sender IDs already$/s, "'{1}' तपाईंका सेन्डर आईडीमा छँदैछ"],
  ['is approved for just these operators already', 'यिनै अपरेटरका लागि स्वीकृत भइसकेको छ'],
  ['is rejected already', 'अस्वीकृत भइसकेको छ'],
  ['is not one of your sender IDs', 'तपाईंको सेन्डर आईडी होइन'],
  [/^'(.+)' waits for approval$/s, "'{1}' स्वीकृत हुन बाँकी छ"],
  [/^'(.+)' is rejected$/s, "'{1}' अस्वीकृत छ"],
  [/^'(.+)' is the name of another of your texts$/s, "'{1}' तपाईंको अर्को पाठको नाम हो"],
  [
    /^has the word '(.+)' and must be approved first: save it as a text and wait for the approval$/s,
    "मा '{1}' शब्द छ, त्यसैले पहिले स्वीकृत हुनुपर्छ: पाठका रूपमा सेभ गरेर स्वीकृति पर्खनुहोस्",
  ],
  [
    'must be approved first: save it as a text and wait for the approval',
    'पहिले स्वीकृत हुनुपर्छ: पाठका रूपमा सेभ गरेर स्वीकृति पर्खनुहोस्',
  ],
  [/^waits for approval: it is your text '(.+)'$/s, "स्वीकृत हुन बाँकी छ: यो तपाईंको पाठ '{1}' हो"],
  [/^was rejected: it is your text '(.+)'$/s, "अस्वीकृत भइसकेको छ: यो तपाईंको पाठ '{1}' हो"],
]
