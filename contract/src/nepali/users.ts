/** Of accounts; as in fields.ts. */
export const userTexts: readonly [RegExp | string, string][] = [
  [
    'must be of Latin letters and digits or of Devanagari ones, not of both, with blanks and the signs of a keyboard',
    'ल्याटिन अक्षर र अङ्क वा देवनागरी अक्षर र अङ्कको हुनुपर्छ, दुवैको होइन; खाली ठाउँ र किबोर्डका चिह्न मिल्छन्',
  ],
  [
    'is easy to guess: use several words that have nothing to do with each other',
    'सजिलै अनुमान गर्न सकिन्छ: आपसमा सम्बन्ध नभएका धेरै शब्द प्रयोग गर्नुहोस्',
  ],
  [
    'is made of names that others know: of the account, its owner or the company',
    'अरूलाई थाहा भएका नामबाट बनेको छ: खाता, धनी वा कम्पनीको',
  ],
  ['must be an e-mail address', 'इमेल ठेगाना हुनुपर्छ'],
  ['must be reseller or user', 'reseller वा user हुनुपर्छ'],
  ['must look like 2026-11-20', 'को ढाँचा 2026-11-20 जस्तो हुनुपर्छ'],
  ['is no day of the calendar', 'पात्रोमा नभएको दिन हो'],
  ['is before today', 'आजभन्दा अघिको हो'],
  ['must be that of your own account', 'तपाईंको आफ्नै खाताको जस्तै हुनुपर्छ'],
  [/^are more than the (\d+) that are free$/, 'बाँकी {#1} भन्दा बढी छन्'],
  [/^are fewer than the (\d+) that the accounts below have$/, 'मुनिका खाताले पाएका {#1} भन्दा कम छन्'],
  [/^cannot change: there are the accounts (.+)$/, 'बदल्न मिल्दैन: मुनि यी खाता छन्: {~1}'],
  ['cannot change: there are campaigns', 'बदल्न मिल्दैन: अभियानहरू छन्'],
  ['cannot be said together with a new domain', 'नयाँ डोमेनसँगै भन्न मिल्दैन'],
  ['is your own account', 'तपाईंको आफ्नै खाता हो'],
  ['is a super admin', 'मुख्य प्रशासक हो'],
  [/^belongs to '(.+)': only he can do this$/, "'{1}' को हो: उनले मात्र यो गर्न सक्छन्"],
  ['is disabled already', 'पहिले नै निष्क्रिय छ'],
  ['is the last super admin who can sign in', 'साइन इन गर्न सक्ने अन्तिम सुपर एडमिन हो'],
  ['is not disabled', 'निष्क्रिय छैन'],
  [
    'was disabled by the platform: only a super admin can enable it',
    'प्लेटफर्मले निष्क्रिय पारेको हो: मुख्य प्रशासकले मात्र सक्रिय पार्न सक्छन्',
  ],
  [/^has the accounts (.+): delete them first$/, 'मुनि यी खाता छन्: {~1}। पहिले ती मेटाउनुहोस्'],
  [/^has the unfinished campaigns (.+): stop them first$/, 'का यी अभियान सकिएका छैनन्: {~1}। पहिले ती बन्द गर्नुहोस्'],
  [
    /^has Rs (.+) reserved by calls: wait until they are settled$/,
    'को रु {#1} कलका लागि रोक्का छ: हिसाब मिलेपछि मात्र मेटाउन मिल्छ',
  ],
]
