import { ownValue } from '@ghanti/contract/own-values.ts'
import { nepaliOf as nepaliOfServer } from '@ghanti/contract/nepali/texts.ts'
import { ownFailures } from '../api/error.ts'

export { saidInLatin, textsInLatin } from './latin-digits.ts'
export { nepaliAreas } from './nepali-areas.ts'

const nepali = {
  unreachable: 'सर्भरसँग सम्पर्क हुन सकेन। आफ्नो जडान जाँचेर फेरि प्रयास गर्नुहोस्।',
  timedOut: 'सर्भरले समयमा जवाफ दिएन। कृपया फेरि प्रयास गर्नुहोस्।',
  notUnderstood: 'सर्भरको जवाफ बुझिएन। कृपया पृष्ठ फेरि लोड गर्नुहोस्।',
} satisfies Record<keyof typeof ownFailures, string>
const translated: Record<string, string> = nepali
const own = new Map<string, string | undefined>(
  Object.entries(ownFailures).map(([key, english]) => [english, ownValue(translated, key)]),
)

/** Texts of the server, and those for failures without an answer. */
export function nepaliOf(english: string): string {
  return own.get(english) ?? nepaliOfServer(english)
}
