/** Call Now: why it is refused and how it ended. Placeholders: fields.ts. */
export const followupTexts: readonly [RegExp | string, string][] = [
  // The name under which it is charged.
  ['Call Now', 'अहिले कल'],
  [/^Call Now: (.+)$/s, 'अहिले कल: {1}'],
  ['calls by Call Now', 'अहिले कल'],
  ['must wait: another Call Now of yours is under way', 'पर्खनुपर्छ: तपाईँको अर्को “अहिले कल” चलिरहेको छ'],
  [
    'had no agent, and your profile has no number that can be called: ask for one to be entered there',
    'मा एजेन्ट थिएन, र तपाईँको प्रोफाइलमा कल गर्न मिल्ने नम्बर छैन: त्यहाँ नम्बर राख्न लगाउनुहोस्',
  ],
  [
    'is the number in your own profile: nobody can be joined with it',
    'तपाईँको आफ्नै प्रोफाइलको नम्बर हो: त्यससँग कसैलाई जोड्न मिल्दैन',
  ],
  ['is missing: your account has no active caller ID', 'छैन: तपाईँको खातामा सक्रिय कलर आईडी छैन'],
  ['is on a blacklist', 'ब्ल्याकलिस्टमा छ'],
  [
    /^cannot be called: (\S+), the agent’s number, is on a blacklist$/,
    'मा कल गर्न मिल्दैन: एजेन्टको नम्बर {1} ब्ल्याकलिस्टमा छ',
  ],
  [/^'(\S+)' is on a blacklist$/, '‘{1}’ ब्ल्याकलिस्टमा छ'],
  ['the call could not be made within a minute', 'एक मिनेटभित्र कल गर्न सकिएन'],
  ['nobody knows how this call ended', 'यो कल कसरी सकियो थाहा छैन'],
  ['the call was stopped', 'कल रोकियो'],
  ['the number is on a blacklist', 'नम्बर ब्ल्याकलिस्टमा छ'],
  ['the call could not be made', 'कल गर्न सकिएन'],
  ['the agent’s number is in another call', 'एजेन्टको नम्बर अर्को कलमा छ'],
  ['the operator could not carry the call to the agent', 'अपरेटरले एजेन्टलाई कल पुर्‍याउन सकेन'],
  ['the agent hung up before the customer answered', 'ग्राहकले उठाउनुअघि नै एजेन्टले फोन काटे'],
  ['there was no money for the call to the customer', 'ग्राहकलाई कल गर्न पैसा पुगेन'],
  ['no channel was free for the call to the customer', 'ग्राहकलाई कल गर्न कुनै च्यानल खाली थिएन'],
  ['the customer’s number is busy', 'ग्राहकको नम्बर व्यस्त छ'],
  ['the customer did not answer', 'ग्राहकले फोन उठाएनन्'],
  ['the customer’s number does not exist', 'ग्राहकको नम्बर अस्तित्वमा छैन'],
  ['the call to the customer was rejected', 'ग्राहकलाई गरेको कल अस्वीकार भयो'],
  ['the operator could not carry the call to the customer', 'अपरेटरले ग्राहकलाई कल पुर्‍याउन सकेन'],
]
