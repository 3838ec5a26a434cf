import * as z from 'zod/mini'
import { oneLine, orRequired, wireInt } from './values.ts'

export const lostTextMax = 200
const Sentence = z
  .string(orRequired('must be text'))
  .check(z.trim(), oneLine, z.maxLength(lostTextMax, { error: `is longer than ${lostTextMax} characters` }))

/** Another engine that takes the calls over needs almost five. */
const secondsMin = 5

/**
 * What a dialer does with its calls when no engine is left: after so many seconds it says these sentences, one after the other, and hangs up. An empty
 * one is not said.
 */
export const LostServer = z.strictObject({
  seconds: wireInt(secondsMin, 999),
  nepali: z._default(Sentence, ''),
  english: z._default(Sentence, ''),
})
export type LostServer = z.output<typeof LostServer>

export const lostServerDefault: LostServer = {
  seconds: 5,
  nepali: 'माफ गर्नुहोला। प्राविधिक समस्याले गर्दा यो कल यहीँ रोकिन्छ। धन्यवाद।',
  english: '',
}
