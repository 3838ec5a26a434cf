/** About repeating campaigns. Placeholders: fields.ts. */
export const repeatTexts: readonly [RegExp | string, string][] = [
  ['is the name of another of your repeating campaigns', 'तपाईँको अर्को दोहोरिने अभियानको नाम हो'],
  [
    /^is one too many: an account has at most (\d+) repeating campaigns, delete one that has ended$/,
    'अब थप्न मिल्दैन: एउटा खातामा बढीमा {#1} दोहोरिने अभियान हुन्छन्, सकिएको मेटाउनुहोस्',
  ],
  ['is not a set-up of yours', 'तपाईँको सेटअप होइन'],
  ['leaves no day: every one has passed, or none is chosen', 'सम्म कुनै दिन बाँकी रहँदैन: सबै बितिसके, वा कुनै छानिएको छैन'],
  ['is over: its last day has passed', 'सकियो: यसको अन्तिम दिन बितिसक्यो'],
  ['has not ended: end it first', 'सकिएको छैन: पहिले अन्त्य गर्नुहोस्'],
  ['was not composed: the account is disabled', 'बनेन: खाता निष्क्रिय पारिएको छ'],
  ['was not composed: the server failed several times', 'बनेन: सर्भरमा धेरै पटक गडबड भयो'],
  ['is active and cannot be resumed', 'सक्रिय छ, त्यसैले फेरि सुरु गर्न मिल्दैन'],
  ['is paused and cannot be paused', 'रोकिएको छ, त्यसैले रोक्न मिल्दैन'],
  ['is ended and cannot be paused', 'सकिएको छ, त्यसैले रोक्न मिल्दैन'],
  ['is ended and cannot be resumed', 'सकिएको छ, त्यसैले फेरि सुरु गर्न मिल्दैन'],
  ['is ended and cannot be ended', 'पहिले नै सकिएको छ'],
  ['is not a column of the contact file', 'सम्पर्क फाइलको स्तम्भ होइन'],
  ['must be weekly or column', 'weekly वा column हुनुपर्छ'],
  ['must be a list of days of the week, 0 (Sunday) to 6', 'हप्ताका दिनहरूको सूची हुनुपर्छ, ० (आइतबार) देखि ६'],
  ['must look like 10:00', 'को ढाँचा 10:00 जस्तो हुनुपर्छ'],
  [
    /^is called again by (.+): end the repeating campaign first$/s,
    'मा {1} ले फेरि कल गर्छ: पहिले दोहोरिने अभियान अन्त्य गर्नुहोस्',
  ],
]
