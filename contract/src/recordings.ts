import * as z from 'zod/mini'
import { file } from './route.ts'
import { OneLine } from './values.ts'

export const recordingRoutes = {
  /** The conversation with an agent; `uuID` of the attempts' list. */
  listen: file({
    path: '/rec/:recording',
    input: z.object({
      recording: OneLine({ error: 'must be text' }).check(
        z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.wav$/i, {
          error: 'must look like 01234567-89ab-cdef-0123-456789abcdef.wav',
        }),
      ),
    }),
  }),
}
