import * as z from 'zod/mini'
import { choice } from './filters.ts'
import { file, json, list, upload } from './route.ts'
import { calendars, languages, spokenKinds } from './templates.ts'
import { Id, mebibyte, Message, Name, OneLine, orRequired, Paragraph } from './values.ts'

export const wordMaxBytes = mebibyte
export const wordSecondsMax = 5
export const zipMaxBytes = 20 * mebibyte
export const zipFilesMax = 400
export const packsMax = 10

const Language = z.enum(languages, orRequired('must be ne or en'))
const PackIdInput = z.object({ packId: Id })
const Key = OneLine(orRequired('must be text')).check(
  z.regex(/^[a-z0-9-]{1,40}$/, { error: 'is not a word of the list' }),
)

const packColumns = {
  packId: z.number(),
  name: z.string(),
  language: z.enum(languages),
  /** Null: the platform's. */
  username: z.nullable(z.string()),
  /** Words of the lexicon: approved, waiting for a decision (replacements included), all. */
  approvedWords: z.number(),
  pendingWords: z.number(),
  allWords: z.number(),
  /** Why the last recordings were rejected; null when they were not, or no reason was given. */
  rejectReason: z.nullable(z.string()),
  createdAt: z.string(),
}
const PackRow = z.object({
  ...packColumns,
  isOwn: z.boolean(),
})
export type VoicePackRow = z.output<typeof PackRow>

const Word = z.object({
  key: z.string(),
  word: z.string(),
  kinds: z.array(z.enum(spokenKinds)),
  /** Set when only dates of this calendar need it. */
  calendar: z.nullable(z.enum(calendars)),
  /** Of the approved recording; null when there is none. */
  durationMs: z.nullable(z.number()),
  pendingMs: z.nullable(z.number()),
})
export type VoicePackWord = z.output<typeof Word>

/** Whether the pack can say every value of a kind; dates by calendar. */
const Coverage = z.object({
  kind: z.enum(spokenKinds),
  calendar: z.nullable(z.enum(calendars)),
  words: z.number(),
  approved: z.number(),
  missing: z.number(),
})
export type VoiceCoverage = z.output<typeof Coverage>

const PackDetail = z.object({
  ...PackRow.shape,
  /** Identifies the pack's state; a decision sends it back. */
  change: z.number(),
  words: z.array(Word),
  coverage: z.array(Coverage),
})
export type VoicePackDetail = z.output<typeof PackDetail>

const Refused = z.object({ fileName: z.string(), why: z.string() })
const Uploaded = z.object({
  message: z.string(),
  /** `notes`: what the sender should know about the recording, where there is anything. */
  taken: z.array(
    z.object({ fileName: z.string(), key: z.string(), word: z.string(), notes: z.optional(z.array(z.string())) }),
  ),
  refused: z.array(Refused),
})
export type VoiceUpload = z.output<typeof Uploaded>

const Decision = { packId: Id, change: Id }

export const voiceRoutes = {
  list: list({
    path: '/api/obd/voice-packs',
    filters: { waiting: choice(['1']), language: choice(languages) },
    row: PackRow,
    sort: ['-packId', 'name', 'language', 'username'],
  }),
  create: json({
    method: 'POST',
    path: '/api/obd/voice-pack',
    input: z.object({ name: Name, language: Language }),
    reply: z.object({ message: z.string(), packId: z.number() }),
  }),
  /** Columns: key, word, where it is needed, file name. */
  wordList: file({ path: '/api/obd/voice-pack/words.csv', input: z.object({ language: Language }) }),
  /** One wav, whose word is `key` or its file name, or a zip of wavs named by their words or keys. */
  upload: upload({
    path: '/api/obd/voice-pack/upload',
    input: z.object({ packId: Id, key: z.optional(Key) }),
    files: { voiceFile: { maxBytes: zipMaxBytes, required: true } },
    reply: Uploaded,
  }),
  deleteWord: json({
    method: 'DELETE',
    path: '/api/obd/voice-pack/word',
    input: z.object({ packId: Id, key: Key }),
    reply: Message,
  }),
  approve: json({
    method: 'POST',
    path: '/api/obd/voice-pack/approve/:packId',
    input: z.object(Decision),
    reply: Message,
  }),
  reject: json({
    method: 'POST',
    path: '/api/obd/voice-pack/reject/:packId',
    input: z.object({ ...Decision, reason: z.optional(Paragraph(500)) }),
    reply: Message,
  }),
  detail: json({ method: 'GET', path: '/api/obd/voice-pack/:packId', input: PackIdInput, reply: PackDetail }),
  delete: json({ method: 'DELETE', path: '/api/obd/voice-pack/:packId', input: PackIdInput, reply: Message }),
  /** The approved recording, or the waiting one. */
  listen: file({
    path: '/api/obd/voice-pack/:packId/word/:key',
    input: z.object({ packId: Id, key: Key, which: z.optional(z.enum(['approved', 'pending'])) }),
  }),
}
