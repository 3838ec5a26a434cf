/** Errors of set-ups. Placeholders: fields.ts. */
export const setupTexts: readonly [RegExp | string, string][] = [
  ['is the name of another of your set-ups', 'तपाईँको अर्को सेटअपको नाम हो'],
  [
    /^is one too many: an account has at most (\d+) set-ups, delete one that you do not need$/,
    'अब थप्न मिल्दैन: एउटा खातामा बढीमा {#1} सेटअप हुन्छन्, नचाहिने मेटाउनुहोस्',
  ],
]
