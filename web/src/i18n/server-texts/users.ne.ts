/** Of accounts; as in fields.ne.ts. */
export const userTexts: readonly [RegExp | string, string][] = [
  ['is your own account', 'तपाईंको आफ्नै खाता हो'],
  ['is a super admin', 'मुख्य प्रशासक हो'],
  [/^belongs to '(.+)': only he can do this$/, "'{1}' को हो: उनले मात्र यो गर्न सक्छन्"],
  ['is disabled already', 'पहिले नै निष्क्रिय छ'],
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
