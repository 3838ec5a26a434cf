import * as z from 'zod/mini'
import { file, json } from './route.ts'
import { Message, OneLine, RecordingDays } from './values.ts'

const like = (example: string) => ({ error: `must look like ${example}` })
const text = { error: 'must be text' }

export const recordingRoutes = {
  /** The conversation with an agent; `uuID` of the attempts' list. */
  listen: file({
    path: '/rec/:recording',
    input: z.object({
      recording: OneLine(text).check(
        z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.wav$/i, like('01234567-89ab-cdef-0123-456789abcdef.wav')),
      ),
    }),
  }),
  /** For good, by the account whose conversation it was, or a super admin. */
  delete: json({
    method: 'DELETE',
    path: '/api/obd/recording/:uuID',
    input: z.object({
      uuID: OneLine(text).check(
        z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, like('01234567-89ab-cdef-0123-456789abcdef')),
      ),
    }),
    reply: Message,
  }),
  /** How long the own recordings are kept; at most as long as the platform keeps them. */
  keepDays: json({
    method: 'POST',
    path: '/api/obd/recording/days',
    input: z.object({ recordingDays: RecordingDays }),
    reply: Message,
  }),
}
