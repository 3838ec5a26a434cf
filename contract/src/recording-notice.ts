import * as z from 'zod/mini'
import { promptMaxBytes } from './prompts.ts'
import { file, json, upload } from './route.ts'
import { languages } from './templates.ts'
import { Message, orRequired, Paragraph } from './values.ts'

const Language = z.enum(languages, orRequired('must be ne or en'))
/** Longer notices would outlast some conversations. */
export const noticeSecondsMax = 30
export const noticeTextMax = 500

/** What both sides hear before a conversation is recorded, and whether they do. */
const Notice = z.object({
  on: z.boolean(),
  sounds: z.array(
    z.object({
      language: Language,
      durationMs: z.number(),
      /** What the speech engine was given; null when a file was uploaded. */
      text: z.nullable(z.string()),
      changedAt: z.string(),
    }),
  ),
})
export type RecordingNotice = z.output<typeof Notice>

export const recordingNoticeRoutes = {
  read: json({ method: 'GET', path: '/api/obd/recordingnotice', reply: Notice }),
  /** Applies to recordings that begin later. It cannot be turned on without both sounds. */
  turn: json({
    method: 'POST',
    path: '/api/obd/recordingnotice/turn',
    input: z.object({ on: z.boolean(orRequired('must be true or false')) }),
    reply: Message,
  }),
  /** Replaces the sound of that language. */
  upload: upload({
    path: '/api/obd/recordingnotice/upload',
    input: z.object({ language: Language }),
    files: { waveFile: { maxBytes: promptMaxBytes, required: true } },
    /** `notes`: what the sender should know about the sound, where there is anything. */
    reply: z.object({ message: z.string(), notes: z.optional(z.array(z.string())) }),
  }),
  /** Replaces it with the text as the speech engine says it. */
  speak: json({
    method: 'POST',
    path: '/api/obd/recordingnotice/speak',
    input: z.object({ language: Language, text: Paragraph(noticeTextMax) }),
    reply: Message,
  }),
  listen: file({ path: '/api/obd/recordingnotice/:language', input: z.object({ language: Language }) }),
}
