/** Webhooks: why one is refused, and what became of a delivery. Placeholders: fields.ts. */
export const hookTexts: readonly [RegExp | string, string][] = [
  ['must begin with https://', 'https:// बाट सुरु हुनुपर्छ'],
  ['is not an address', 'ठेगाना होइन'],
  ['must name at least one', 'कम्तीमा एउटा छान्नुपर्छ'],
  ['has no address: its events are read by a program', 'को ठेगाना छैन: यसका घटना प्रोग्रामले पढ्छ'],
  [
    /^would be the (\d+)th webhook: an account has (\d+) at most\. Delete one first$/,
    '{#1} औँ वेबहुक हुन्थ्यो: एउटा खातामा बढीमा {#2} हुन्छन्। पहिले एउटा मेटाउनुहोस्',
  ],
  ['is deleted: its campaign was deleted', 'मेटिएको छ: यसको अभियान मेटाइयो'],
  ['must be deliveryId or failedSince, one of both', 'deliveryId वा failedSince मध्ये एउटा हुनुपर्छ'],
  ['it answered 410: it wants no more', 'त्यहाँको जवाफ 410 आयो: अब पठाउनु नपर्ने भयो'],
  [/^it did not answer in (\d+) s$/, 'त्यहाँबाट {#1} सेकेन्डमा जवाफ आएन'],
  ['the connection was lost before it answered', 'जवाफ आउनुअघि जडान टुट्यो'],
  ['its address cannot be read any more: enter it again', 'यसको ठेगाना अब पढ्न सकिँदैन: फेरि लेख्नुहोस्'],
  ['nothing arrived there for three days', 'त्यहाँ तीन दिन केही पुगेन'],
  ['the owner of the account reported a stranger', 'खातावालाले अर्कै कोही पसेको भने'],
]
