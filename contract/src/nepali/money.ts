/** Plans and credits. Placeholders: fields.ts. */
export const moneyTexts: readonly [RegExp | string, string][] = [
  [/^Balance of the deleted account (.+)$/, 'मेटाइएको खाता {1} को ब्यालेन्स'],
  [/^must be one of (.+) seconds$/, '{#1} सेकेन्डमध्ये एक हुनुपर्छ'],
  [
    /^is one too many: an account has at most (\d+) plans, delete one that you do not need$/,
    'अब थप्न मिल्दैन: एउटा खातामा बढीमा {#1} प्लान हुन्छन्, नचाहिने मेटाउनुहोस्',
  ],
  [/^is too low: you pay (\d+) paisa a segment yourself$/, 'धेरै कम छ: तपाईँ आफैँ प्रति खण्ड {#1} पैसा तिर्नुहुन्छ'],
  [/^is too low: (.+)$/s, 'धेरै कम छ: {~1}'],
  [/^is too cheap: you pay (\d+) paisa a segment yourself$/, 'धेरै सस्तो छ: तपाईँ आफैँ प्रति खण्ड {#1} पैसा तिर्नुहुन्छ'],
  [/^is too cheap: (.+)$/s, 'धेरै सस्तो छ: {~1}'],
  [/^calls of ([\d, -]+) s would earn less than they cost: (.+)$/s, '{#1} सेकेन्डका कलबाट लागतभन्दा कम आम्दानी हुन्छ: {~2}'],
  [
    /^calls of ([\d, -]+) s and so on would earn less than they cost: (.+)$/s,
    '{#1} सेकेन्डलगायतका कलबाट लागतभन्दा कम आम्दानी हुन्छ: {~2}',
  ],
  [
    /^a call of (\d+) s would cost Rs ([\d.,]+), you pay Rs ([\d.,]+) for it yourself; at least (\d+) paisa per (\d+) s would do$/,
    '{#1} सेकेन्डको कल रु {#2} पर्छ, तर तपाईँ आफैँ रु {#3} तिर्नुहुन्छ; {#5} सेकेन्डको कम्तीमा {#4} पैसा राखे पुग्छ',
  ],
  [
    /^is too expensive: a call of (\d+) s costs (.+) Rs ([\d.,]+) by '(.+)', this account Rs ([\d.,]{1,20}); at most (\d{1,15}) paisa per (\d{1,15}) s would do$/s,
    'धेरै महँगो छ: {#1} सेकेन्डको कल “{4}” अनुसार {2} लाई रु {#3} पर्छ, यो खातालाई रु {#5}; {#7} सेकेन्डको बढीमा {#6} पैसा भए हुन्छ',
  ],
  [
    /^is too expensive: a segment costs (.+) (\d{1,15}) paisa by '(.+)', this account (\d{1,15}) paisa$/s,
    'धेरै महँगो छ: प्रति खण्ड “{3}” अनुसार {1} लाई {#2} पैसा पर्छ, यो खातालाई {#4} पैसा',
  ],
  ['is not one of your plans', 'तपाईँको प्लान होइन'],
  ['cannot be given: you have no plan yourself', 'दिन मिल्दैन: तपाईँको आफ्नै प्लान छैन'],
  ['cannot be compared: you have no plan yourself', 'तुलना गर्न मिल्दैन: तपाईँको आफ्नै प्लान छैन'],
  [/^is more than the Rs ([\d.,]+) that are free$/, 'खर्च गर्न मिल्ने रु {#1} भन्दा बढी छ'],
  [
    'must be an amount in rupees with at most two decimals, below 1000000000',
    'रुपैयाँमा, दशमलवपछि बढीमा दुई अङ्क भएको, एक अर्बभन्दा कम रकम हुनुपर्छ',
  ],
  ['must look like 2026-11', 'को ढाँचा 2026-11 जस्तो हुनुपर्छ'],
  [/^belongs to (.+), who recharges it$/s, '{1} को खाता हो, रिचार्ज उहाँले मात्र गर्नुहुन्छ'],
  [/^Rs ([\d.,]+) were added$/, 'रु {#1} थपियो'],
  [/^Rs ([\d.,]+) were taken back$/, 'रु {#1} फिर्ता लिइयो'],
  [/^cannot be given by '(.+)': (.+)$/s, '“{1}” ले दिन मिल्दैन: {~2}'],
  ['cannot be recharged by itself', 'आफ्नै खाता आफैँले रिचार्ज गर्न मिल्दैन'],
  [/^is used by (.+): give them another plan first$/s, '{~1} ले प्रयोग गरिरहेका छन्: पहिले तिनलाई अर्को प्लान दिनुहोस्'],
]
