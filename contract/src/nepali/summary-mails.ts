/** Errors of summaries by mail. Placeholders: fields.ts. */
export const summaryMailTexts: readonly [RegExp | string, string][] = [
  ['wants no more: it can be asked again after 30 days', 'ले अब इमेल चाहँदैन: ३० दिनपछि फेरि सोध्न मिल्छ'],
  ['gets no more links today: try again tomorrow', 'मा आज अरू लिङ्क जाँदैन: भोलि फेरि प्रयास गर्नुहोस्'],
  [/^is one too many: an account has at most (\d+)$/, 'अब थप्न मिल्दैन: एउटा खातामा बढीमा {#1} हुन्छन्'],
  ['is one too many: this account has named too many addresses', 'अब थप्न मिल्दैन: यो खाताले धेरै ठेगाना दिइसकेको छ'],
  ['has expired: ask the account for another one', 'को म्याद सकियो: पठाउनेसँग अर्को लिङ्क माग्नुहोस्'],
  ['must be a mail address, like name@example.com', 'इमेल ठेगाना हुनुपर्छ, जस्तै name@example.com'],
  ['is not mailed: this server sends no mail', 'पठाइँदैन: यो सर्भरले इमेल पठाउँदैन'],
  ['has an address that its reader has not confirmed', 'मा पुष्टि नभएको ठेगाना छ'],
  [/^would be more than the (\d+) mails of this day$/, 'पठाउँदा दिनको {#1} इमेलभन्दा बढी हुन्थ्यो'],
]
