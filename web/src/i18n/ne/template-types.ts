import type { TemplateId } from '@ghanti/contract/template-names.ts'
import type { templateTypes as english } from '../en/template-types.ts'

type Words = { type: string; card?: string; does?: string }

/** The Nepali of contract/src/template-names.ts, and of the cards in screens/compose/templates/. Does not compile when one is missing. */
const words: Record<TemplateId, Words> = {
  0: { type: 'साधारण IVR', does: 'एउटा रेकर्डिङ बजाउँछ' },
  1: { type: 'DTMF', card: 'DTMF इनपुट', does: 'थिचेको बटन लिन्छ' },
  2: { type: 'एजेन्टसँग जोड्ने', does: 'एजेन्टसँग जोड्छ' },
  3: { type: 'सर्भिसिङको समय' },
  4: { type: 'टेस्ट ड्राइभपछि' },
  5: { type: 'सर्भिसिङ रिमाइन्डर', card: 'गाडी सर्भिसिङ', does: 'मिति र टोकन भन्छ, जवाफ सोध्छ' },
  6: { type: 'प्रिमियम रिमाइन्डर', does: 'रकम र मिति भन्छ' },
  7: { type: 'सेवा रिमाइन्डर', does: 'नाम, सेवा, रकम र महिना भन्छ' },
  8: { type: 'कन्सल्टेन्सी', does: 'पाँच प्रश्न सोध्छ' },
}

function byId<Value>(valueOf: (words: Words) => Value): Readonly<Record<TemplateId, Value>> {
  return Object.fromEntries(Object.entries(words).map(([id, of]) => [id, valueOf(of)])) as Record<TemplateId, Value>
}

export const templateTypes: typeof english = byId(({ type }) => type)

/** Of the card that shows each template. */
export const templateCards = byId(({ type, card = type, does = '' }) => ({ label: card, does }))
