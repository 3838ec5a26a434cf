import * as z from 'zod/mini'
import { file, json } from './route.ts'
import { Message, OneLine, RecordingDays } from './values.ts'

const like = (example: string) => ({ error: `must look like ${example}` })
const text = { error: 'must be text' }

export const recordingRoutes = {
  /** `recording` is the `uuID` in the list of attempts. */
  listen: file({
    path: '/rec/:recording',
    input: z.object({
      recording: OneLine(text).check(
        z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.wav$/i, like('01234567-89ab-cdef-0123-456789abcdef.wav')),
      ),
    }),
  }),
  /** Irrevocable; allowed to the account that had the conversation and to super admins. */
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
  /** How many days to keep the caller's own recordings, at most the platform's number. */
  keepDays: json({
    method: 'POST',
    path: '/api/obd/recording/days',
    input: z.object({ recordingDays: RecordingDays }),
    reply: Message,
  }),
}
