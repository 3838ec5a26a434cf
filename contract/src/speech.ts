import * as z from 'zod/mini'
import { json } from './route.ts'
import { calendars, languages, spokenKinds } from './templates.ts'
import { orRequired } from './values.ts'

/** Which voice speaks a kind of value: a recorded pack or the speech engine. */
const SpeakingVoice = z.object({
  kind: z.enum(spokenKinds),
  source: z.enum(['pack', 'engine']),
  name: z.string(),
  /** Null when the engine speaks. */
  packId: z.nullable(z.number()),
})
export type SpeakingVoice = z.output<typeof SpeakingVoice>

export const speechRoutes = {
  voices: json({
    method: 'GET',
    path: '/api/obd/voices',
    input: z.object({
      language: z.enum(languages, orRequired('must be ne or en')),
      calendar: z.enum(calendars, orRequired('must be ad or bs')),
    }),
    reply: z.array(SpeakingVoice),
  }),
}
