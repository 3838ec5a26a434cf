import * as z from 'zod/mini'
import { messages } from './messages.ts'
import { withoutMarks } from './phone.ts'
import { plainNumber } from './written-number.ts'

/** docs/api.md#sizes: any text at most 10,000 characters, names 100. */
export const nameMax = 100
export const textMax = 10_000

/** An error that distinguishes a missing field from a wrong one. */
export function orRequired(wrong: string, required = 'is required') {
  return { error: ({ input }: { input?: unknown }) => (input === undefined ? required : wrong) }
}

function digits(pattern: RegExp, error: string) {
  return z.union([z.number({ error }), OneLine({ error }).check(z.regex(pattern, { error }))], orRequired(error))
}

// Also refuses lone surrogates, which UTF-8 cannot encode, and bidirectional marks, which make a text read as another.
/** For every single-line text: nothing that starts another line in a mail header, a log, a file or on screen. */
export const oneLine = z.regex(
  // oxlint-disable-next-line no-control-regex -- control characters are just what is refused
  /^[^\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]*$/u,
  { error: 'has line breaks or control characters', abort: true },
)
/** For texts of several lines: the only control characters are line breaks and tabs. */
export const severalLines = z.regex(
  // oxlint-disable-next-line no-control-regex -- as above
  /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Cs}]*$/u,
  { error: 'has control characters', abort: true },
)

/** Every string in a request is built on this, except texts of several lines. */
export function OneLine(error: Parameters<typeof z.string>[0]) {
  return z.string(error).check(oneLine)
}

/** A number as written or copied, without the invisible marks that telephones put around numbers. */
export function WrittenNumber(max = 40, error: Parameters<typeof z.string>[0] = orRequired('must be text')) {
  return z
    .string(error)
    .check(
      z.overwrite(withoutMarks),
      z.trim(),
      oneLine,
      z.maxLength(max, { error: `is longer than ${max} characters` }),
    )
}

const noId = { error: 'must be a number' }
export const Id = z.pipe(
  digits(/^\d{1,15}$/, noId.error),
  z.pipe(
    z.transform((value: string | number) => Number(value)),
    z.number(noId).check(z.int(noId), z.minimum(1, noId), z.maximum(2_147_483_647, noId)),
  ),
)

/** A whole number, as number or in a string, also grouped as people write it. */
export function wireInt(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`
  const written = OneLine({ error }).check(z.overwrite(plainNumber), z.regex(/^-?\d{1,15}$/, { error }))
  return z.pipe(
    z.union([z.number({ error }), written], orRequired(error)),
    z.pipe(
      z.transform((value: string | number) => Number(value)),
      z.number({ error }).check(z.int({ error }), z.minimum(min, { error }), z.maximum(max, { error })),
    ),
  )
}

/** Something of the text is seen: blanks, marks, joiners and fillers alone look like an empty cell. */
export const seen = (error: string) => z.regex(/[^\s\p{M}\p{DI}\u2800]/u, { error })

function typed(max: number, requiredError: string, lines: typeof oneLine) {
  return z
    .string(orRequired('must be text', requiredError))
    .check(z.trim(), lines, seen(requiredError), z.maxLength(max, { error: `is longer than ${max} characters` }))
}

/** One line, trimmed, not empty. */
export function Text(max: number = textMax, requiredError = 'is required') {
  return typed(max, requiredError, oneLine)
}
/** Several lines, trimmed, not empty. */
export function Paragraph(max: number) {
  return typed(max, 'is required', severalLines)
}
export const Name = Text(nameMax)

export const RingSeconds = wireInt(5, 120)
export const ringSecondsDefault = 45

/** Of caller IDs in one request. */
export const cliRowsMax = 500
export const channelsMax = 100_000
/** The name of a caller ID group, which stands wherever a caller ID would. */
export const groupNameMax = 40

export const passwordMin = 8
const passwordMax = 200
/** For new passwords; not trimmed. */
export function NewPassword(requiredError?: string) {
  const short = { error: messages.passwordShort }
  return z
    .string(orRequired('must be text', requiredError))
    .check(
      oneLine,
      z.minLength(passwordMin, short),
      z.maxLength(passwordMax, { error: `is longer than ${passwordMax} characters` }),
    )
}

/** Long texts are searched only for at least this many letters: no index finds shorter words. */
export const searchedWordsMin = 3

/** Not trimmed. */
export const Search = OneLine({ error: 'must be text' }).check(
  z.maxLength(100, { error: 'is longer than 100 characters' }),
)

type Fields = Record<string, unknown>
/** A rule between fields, checked even when one of them is invalid, so that a form shows every error at once. */
export function between(
  field: string,
  holds: (fields: Fields) => boolean,
  text: string | ((fields: Fields) => string),
) {
  return z.refine<Fields>(holds, {
    path: [field],
    when: ({ value }) => typeof value === 'object' && value !== null,
    error: ({ input }) => (typeof text === 'string' ? text : text(input as Fields)),
  })
}

/** 'yyyy-MM-dd HH:mm:ss' in Nepal time. */
export const NepalTime = OneLine(orRequired('must look like 2026-11-20 14:30:00')).check(
  z.regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, { error: 'must look like 2026-11-20 14:30:00' }),
)

export const EndOrNone = z.union([z.literal('none'), NepalTime], {
  error: 'must look like 2026-11-20 14:30:00, or be none',
})

export const Message = z.object({ message: z.string() })
export const UserIdInput = z.object({ userId: Id })

export const kibibyte = 1024
export const mebibyte = 1024 * kibibyte

/** The platform may keep recordings for fewer days. */
export const RecordingDays = wireInt(1, 3650)
