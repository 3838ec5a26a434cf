/** Changes to campaigns that have not begun. Placeholders: fields.ts. */
export const planTexts: readonly [RegExp | string, string][] = [
  [/^is (.+), only (.+) can be changed$/, '{~1} अवस्थामा छ, बदल्न मिल्ने अवस्था: {~2}'],
  ['is over: the time in which it may call has passed', 'सकिएको छ: कल गर्न मिल्ने समय बितिसक्यो'],
  ['is over: the time in which it may send has passed', 'सकिएको छ: सन्देश पठाउन मिल्ने समय बितिसक्यो'],
  [
    'follows the calls of its campaign: change that one, and its messages move with it',
    'आफ्नो अभियानका कलपछि चल्छ: त्यो अभियान बदल्नुहोस्, सन्देश पनि सँगै सर्छन्',
  ],
  [/^leaves more than (\d+) days$/, '{#1} दिनभन्दा बढी हुन्छ'],
  ['must be after the start', 'सुरु हुने समयभन्दा पछिको हुनुपर्छ'],
  ['is after the last day on which the campaign may call', 'अभियानले कल गर्न मिल्ने अन्तिम दिनभन्दा पछिको छ'],
  ['is after the last day on which the campaign may send', 'अभियानले सन्देश पठाउन मिल्ने अन्तिम दिनभन्दा पछिको छ'],
  ['must look like 2026-11-20 14:30:00, or be none', '2026-11-20 14:30:00 जस्तो वा none हुनुपर्छ'],
]
