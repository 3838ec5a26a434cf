import * as z from 'zod/mini'
import { messages } from './messages.ts'

/** Limits of WIRE.md. Text anywhere at most 10,000 characters, names 100. */
export const nameMax = 100
export const textMax = 10_000

/** What is said of a field: that it is missing, or what is wrong with it. */
export function orRequired(wrong: string, required = 'is required') {
  return { error: ({ input }: { input?: unknown }) => (input === undefined ? required : wrong) }
}

/** Numbers and digits in a string; `error` for all else. */
function digits(pattern: RegExp, error: string) {
  return z.union([z.number({ error }), z.string({ error }).check(z.regex(pattern, { error }))], orRequired(error))
}

const noId = { error: 'must be a number' }
/** An id as number or as digits in a string (WIRE.md, Replies). */
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

// Half a surrogate pair is refused too: no UTF-8 can hold it.
// oxlint-disable-next-line no-control-regex -- control characters are just what is refused
const noControls = z.regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Cs}]*$/u, {
  error: 'has control characters',
})

/** Text that a person typed: trimmed, not empty; no control characters. */
export function Text(max: number = textMax, requiredError = 'is required') {
  return z
    .string(orRequired('must be text', requiredError))
    .check(
      z.trim(),
      z.minLength(1, { error: requiredError }),
      z.maxLength(max, { error: `is longer than ${max} characters` }),
      noControls,
    )
}
export const Name = Text(nameMax)

/** Calls at once of a dialer, trunk or caller ID. */
export const channelsMax = 100_000

export const passwordMin = 8
/** A password that is given from now on: blanks at its ends are its own. */
export function NewPassword(requiredError?: string) {
  const short = { error: messages.passwordShort }
  return z
    .string(orRequired('must be text', requiredError))
    .check(z.minLength(passwordMin, short), z.maxLength(1000, { error: 'is longer than 1000 characters' }), noControls)
}

/** What a list is searched for; as it was typed, blanks too. */
export const Search = z
  .string({ error: 'must be text' })
  .check(z.maxLength(100, { error: 'is longer than 100 characters' }), noControls)

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

/** JSON, or JSON as text: WIRE.md accepts both for agentRows, prompts and cliRows. */
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
export const NepalTime = z
  .string(orRequired('must look like 2026-11-20 14:30:00'))
  .check(z.regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, { error: 'must look like 2026-11-20 14:30:00' }))

export const Message = z.object({ message: z.string() })
export const UserIdInput = z.object({ userId: Id })

const kibibyte = 1024
export const mebibyte = 1024 * kibibyte
