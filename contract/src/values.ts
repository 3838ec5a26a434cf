import * as z from 'zod/mini'
import { messages } from './messages.ts'
import { withoutMarks } from './phone.ts'

/** Sizes are in docs/api.md#sizes. Text anywhere at most 10,000 characters, names 100. */
export const nameMax = 100
export const textMax = 10_000

/** What is said of a field: that it is missing, or what is wrong with it. */
export function orRequired(wrong: string, required = 'is required') {
  return { error: ({ input }: { input?: unknown }) => (input === undefined ? required : wrong) }
}

/** Numbers and digits in a string; `error` for all else. */
function digits(pattern: RegExp, error: string) {
  return z.union([z.number({ error }), OneLine({ error }).check(z.regex(pattern, { error }))], orRequired(error))
}

// Half a surrogate pair is refused too: no UTF-8 can hold it. Marks that turn the direction of writing make a text read as another one.
/** Of every text that is one line: nothing that begins another line, in a mail's header, a log or a file as little as on screen. */
export const oneLine = z.regex(
  // oxlint-disable-next-line no-control-regex -- control characters are just what is refused
  /^[^\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]*$/u,
  { error: 'has line breaks or control characters', abort: true },
)
/** Of a text of several lines: line breaks and tabs are all the control that it has. */
export const severalLines = z.regex(
  // oxlint-disable-next-line no-control-regex -- as above
  /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Cs}]*$/u,
  { error: 'has control characters', abort: true },
)

/** Any string that is one line: every string that a request says is made of it, but for those of several lines. */
export function OneLine(error: Parameters<typeof z.string>[0]) {
  return z.string(error).check(oneLine)
}

/** A number as somebody wrote it or copied it, without the invisible marks that telephones put around numbers. */
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
/** An id as number or as digits in a string. */
export const Id = z.pipe(
  digits(/^\d{1,15}$/, noId.error),
  z.pipe(
    z.transform((value: string | number) => Number(value)),
    z.number(noId).check(z.int(noId), z.minimum(1, noId), z.maximum(2_147_483_647, noId)),
  ),
)

/** A whole number between two bounds, as number or as digits in a string. */
export function wireInt(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`
  return z.pipe(
    digits(/^-?\d{1,15}$/, error),
    z.pipe(
      z.transform((value: string | number) => Number(value)),
      z.number({ error }).check(z.int({ error }), z.minimum(min, { error }), z.maximum(max, { error })),
    ),
  )
}

function typed(max: number, requiredError: string, lines: typeof oneLine) {
  return z
    .string(orRequired('must be text', requiredError))
    .check(
      z.trim(),
      lines,
      z.minLength(1, { error: requiredError }),
      z.maxLength(max, { error: `is longer than ${max} characters` }),
    )
}

/** One line that a person typed: trimmed, not empty. */
export function Text(max: number = textMax, requiredError = 'is required') {
  return typed(max, requiredError, oneLine)
}
/** A reason, a note, an address: trimmed, not empty, of several lines if its writer likes. */
export function Paragraph(max: number) {
  return typed(max, 'is required', severalLines)
}
export const Name = Text(nameMax)

/** How long a telephone may ring. */
export const RingSeconds = wireInt(5, 120)
export const ringSecondsDefault = 45

/** Calls at once of a dialer, trunk or caller ID. */
export const channelsMax = 100_000

export const passwordMin = 8
const passwordMax = 200
/** A password that is given from now on: blanks at its ends are its own. */
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

/** Words inside long texts are searched for from so many letters on: among millions no index finds shorter ones. */
export const searchedWordsMin = 3

/** What a list is searched for; as it was typed, blanks too. */
export const Search = OneLine({ error: 'must be text' }).check(
  z.maxLength(100, { error: 'is longer than 100 characters' }),
)

type Fields = Record<string, unknown>
/** A rule between fields of an object, said beside what is wrong with each of them alone: a form shows everything at once. */
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

/** JSON, or JSON as text: both are accepted, for agentRows, prompts and cliRows (docs/api.md#requests). */
export function jsonOr<S extends z.ZodMiniType>(schema: S) {
  return z.pipe(
    z.transform((value: unknown) => {
      if (typeof value !== 'string') return value
      try {
        return JSON.parse(value) as unknown
      } catch {
        return value
      }
    }),
    schema,
  )
}

/** 'yyyy-MM-dd HH:mm:ss' in Nepal time. */
export const NepalTime = OneLine(orRequired('must look like 2026-11-20 14:30:00')).check(
  z.regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, { error: 'must look like 2026-11-20 14:30:00' }),
)

export const Message = z.object({ message: z.string() })
export const UserIdInput = z.object({ userId: Id })

const kibibyte = 1024
export const mebibyte = 1024 * kibibyte

/** Recordings go so many days after they were made; the platform may keep them for fewer. */
export const RecordingDays = wireInt(1, 3650)
