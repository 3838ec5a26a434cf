/** What an alert is about and what caused it. Placeholders: fields.ts. */
export const alertTexts: readonly [RegExp | string, string][] = [
  ['dialer', 'डायलर'],
  ['calls', 'कल'],
  ['messages', 'सन्देश'],
  ['transfers', 'कारोबार'],
  [
    /^the partition after id (\d+) is missing: when the ids reach it nothing more can be stored$/,
    'आईडी {#1} पछिको पार्टिसन छैन: आईडी त्यहाँ पुगेपछि केही राख्न मिल्दैन',
  ],
  [/^(.+) of (.+) differs from what was stored: nothing was removed$/, '{2} को {1} राखिएकोभन्दा फरक छ: केही हटाइएको छैन'],
  [/^user (\d+)$/, 'खाता {#1}'],
  [
    /^it sent more than (\d+) messages today: further ones are not kept$/,
    'आज {#1} भन्दा बढी सन्देश पठायो: थप सन्देश राखिएका छैनन्',
  ],
  [
    /^(.+) sent more than (\d+) messages today: further ones are not kept$/,
    '{1} बाट आज {#2} भन्दा बढी सन्देश आए: थप सन्देश राखिएका छैनन्',
  ],
  [
    /^a prompt was not heard after the answer: (.+); such calls are ended and not charged$/s,
    'कल उठेपछि भ्वाइस फाइल बजेन: {~1}; यस्ता कल काटिन्छन् र शुल्क लाग्दैन',
  ],
  [/^(\d+) paisa above its reservation$/, 'रोक्काभन्दा {#1} पैसा बढी'],
  ['the mail server did not take it', 'इमेल सर्भरले लिएन'],
  [/^'(.+)' is not a mail address$/s, '“{1}” इमेल ठेगाना होइन'],

  // The dialer's recordings and its record.
  [
    /^it holds (\d+) that belong to no call of this installation; they stay there$/,
    'त्यहाँ यहाँको कुनै कलका नभएका {#1} रेकर्डिङ छन्; ती त्यहीँ रहन्छन्',
  ],
  [
    /^given up after (\d+) tries, it stays on the dialer as (\S+): (.+)$/s,
    '{#1} पटक प्रयास गरेर छोडियो, डायलरमा {2} नामले रहन्छ: {~3}',
  ],
  ['its file was removed with an older one of the same bytes', 'उस्तै पुरानो फाइलसँगै यसको फाइल हटाइयो'],
  ['it is no wav file', 'यो WAV फाइल होइन'],
  ['it is empty', 'यो खाली छ'],
  ['it is cut', 'यो बीचमै काटिएको छ'],
  ['it holds no sound', 'यसमा ध्वनि छैन'],
  [
    /^(the customer|the agents): ([^;]+) by the dialer’s record, ([^;]+) in history$/,
    '{~1}: डायलरको रेकर्डमा {~2}, यहाँको इतिहासमा {~3}',
  ],
  ['the customer', 'ग्राहक'],
  ['the agents', 'एजेन्ट'],
  [/^(the customer: .+); (the agents: .+)$/, '{~1}; {~2}'],
  ['no answer', 'कल उठेन'],
  [/^(\d+) ms$/, '{#1} मिलिसेकेन्ड'],

  // Rules that were broken.
  ['it was begun before', 'यो पहिले नै सुरु भइसकेको थियो'],
  [/^(\S+) is in call of the campaign already$/, '{1} मा यही अभियानको कल पहिले नै चलिरहेको छ'],
  [/^row (\d+) had its final outcome$/, 'पङ्क्ति {#1} को अन्तिम नतिजा आइसकेको थियो'],
  [/^(\S+) is blacklisted$/, '{1} ब्ल्याकलिस्टमा छ'],
  [/^begun at (\S+)$/, '{1} मा सुरु भयो'],
  [/^attempt (\d+) of (\d+)$/, '{#2} मध्ये प्रयास {#1}'],
  [/^(.+) is no outcome$/, '{1} नतिजा होइन'],
  [/^(.+) is to be dialled again$/, '{1} भएर पनि फेरि डायल हुँदै छ'],
  [/^it is over with (\d+) calls up$/, '{#1} कल चलिरहेकै बेला यो सकियो'],
  [/^(\d+) attempts ended, (\d+) are counted$/, '{#1} प्रयास सकिए, गनिएका {#2}'],
  [/^(\d+) channels of (\d+) are taken$/, '{#2} मध्ये {#1} च्यानल लिइएका छन्'],
  [/^(\d+) calls began within a second, (\d+) may$/, 'एक सेकेन्डमा {#1} कल सुरु भए, हुन पाउने {#2}'],
  [/^([A-Z ]+) with (\d+) ms$/, '{1}, तर अवधि {#2} मिलिसेकेन्ड'],
  [/^([A-Z ]+) with null ms$/, '{1}, तर अवधि छैन'],
  ['an agent without a customer', 'ग्राहकबिनाको एजेन्ट'],
  [/^it costs (\d+) paisa, (\d+) are reserved$/, 'यसमा {#1} पैसा लाग्छ, रोक्का {#2} छ'],
]
