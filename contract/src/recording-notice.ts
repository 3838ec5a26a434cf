import * as z from 'zod/mini'
import { promptMaxBytes } from './prompts.ts'
import { file, json, upload } from './route.ts'
import { languages } from './templates.ts'
import { Message, orRequired, Paragraph } from './values.ts'

const Language = z.enum(languages, orRequired('must be ne or en'))
/** A longer notice would be the whole talk of some. */
export const noticeSecondsMax = 30
export const noticeTextMax = 500

/** What both sides hear before they are recorded, and whether they do. */
const Notice = z.object({
  on: z.boolean(),
  sounds: z.array(
    z.object({
      language: Language,
      durationMs: z.number(),
      /** What the speech engine was given; null: a file was uploaded. */
      text: z.nullable(z.string()),
      changedAt: z.string(),
    }),
  ),
})
export type RecordingNotice = z.output<typeof Notice>

export const recordingNoticeRoutes = {
  read: json({ method: 'GET', path: '/api/obd/recordingnotice', reply: Notice }),
  /** Of calls that begin to be recorded from now on; without both sounds it cannot be turned on. */
  turn: json({
    method: 'POST',
    path: '/api/obd/recordingnotice/turn',
    input: z.object({ on: z.boolean(orRequired('must be true or false')) }),
    reply: Message,
  }),
  /** In place of the sound of that language. */
  upload: upload({
    path: '/api/obd/recordingnotice/upload',
    input: z.object({ language: Language }),
    files: { waveFile: { maxBytes: promptMaxBytes, required: true } },
    reply: Message,
  }),
  /** The same, said by the speech engine. */
  speak: json({
    method: 'POST',
    path: '/api/obd/recordingnotice/speak',
    input: z.object({ language: Language, text: Paragraph(noticeTextMax) }),
    reply: Message,
  }),
  listen: file({ path: '/api/obd/recordingnotice/:language', input: z.object({ language: Language }) }),
}
