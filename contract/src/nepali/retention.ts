/** Campaigns that are archived or deleted. Placeholders: fields.ts. */
export const retentionTexts: readonly [RegExp | string, string][] = [
  ['was deleted', 'मेटाइसकिएको छ'],
  [
    'has calls that were archived: download them from its page',
    'का केही कल अभिलेखमा सारिएका छन्: ती यसको पृष्ठबाट डाउनलोड गर्नुहोस्',
  ],
  ['cannot be called: its number was deleted with its campaign', 'कल गर्न मिल्दैन: यसको नम्बर अभियानसँगै मेटियो'],
  ['is not the name of this campaign', 'यो अभियानको नाम होइन'],
  ['has calls under way: delete it when they have ended', 'का कल चलिरहेका छन्: ती सकिएपछि मेटाउनुहोस्'],
  [
    'has an SMS campaign that still sends its texts: stop that one first',
    'का सन्देश पठाउने SMS अभियान चलिरहेको छ: पहिले त्यो बन्द गर्नुहोस्',
  ],
  [
    'has messages whose fate is not known yet: delete it when it is, at the latest 72 hours after they were sent',
    'का केही सन्देशको नतिजा थाहा भएको छैन: थाहा भएपछि, बढीमा पठाएको ७२ घण्टापछि मेटाउनुहोस्',
  ],
  [
    'follows the calls of a campaign: delete that one, and its texts go with it',
    'कुनै अभियानका कलपछि जान्छ: त्यो अभियान मेटाउनुहोस्, यसका सन्देश सँगै मेटिन्छन्',
  ],
  [/^is (.+), only (.+) can be archived$/, '{~1} अवस्थामा छ, अभिलेखमा राख्न मिल्ने अवस्था: {~2}'],
  [/^is (.+), only (.+) can be deleted$/, '{~1} अवस्थामा छ, मेटाउन मिल्ने अवस्था: {~2}'],
]
