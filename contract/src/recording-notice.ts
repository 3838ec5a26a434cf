import * as z from 'zod/mini'
import { promptMaxBytes } from './prompts.ts'
import { file, json, upload } from './route.ts'
import { languages } from './templates.ts'
import { Message, orRequired, Paragraph } from './values.ts'

const Language = z.enum(languages, orRequired('must be ne or en'))
/** Longer notices would outlast some conversations. */
export const noticeSecondsMax = 30
export const noticeTextMax = 500

/** To both sides, before a conversation is recorded. */
const Notice = z.object({
  on: z.boolean(),
  sounds: z.array(
    z.object({
      language: Language,
      durationMs: z.number(),
      /** For the speech engine; null: a file was uploaded. */
      text: z.nullable(z.string()),
      changedAt: z.string(),
    }),
  ),
})
export type RecordingNotice = z.output<typeof Notice>

export const recordingNoticeRoutes = {
  read: json({ method: 'GET', path: '/api/obd/recordingnotice', reply: Notice }),
  /** For recordings that begin later. Cannot be turned on without both sounds. */
  turn: json({
    method: 'POST',
    path: '/api/obd/recordingnotice/turn',
    input: z.object({ on: z.boolean(orRequired('must be true or false')) }),
    reply: Message,
  }),
  /** In that language. */
  upload: upload({
    path: '/api/obd/recordingnotice/upload',
    input: z.object({ language: Language }),
    files: { waveFile: { maxBytes: promptMaxBytes, required: true } },
    reply: Message,
  }),
  /** By the speech engine. */
  speak: json({
    method: 'POST',
    path: '/api/obd/recordingnotice/speak',
    input: z.object({ language: Language, text: Paragraph(noticeTextMax) }),
    reply: Message,
  }),
  listen: file({ path: '/api/obd/recordingnotice/:language', input: z.object({ language: Language }) }),
}
