import { partsOfText } from '../sms-text.ts'

/** What stands in the examples in place of somebody's own. */
export type ExampleOf = {
  /** Of the installation, without a slash at its end. */
  address: string
  to: string
  from: string
  /** A saved text with a value for each of its columns; null: `text` is sent as it is. */
  template: { id: number; values: Readonly<Record<string, string>> } | null
  text: string
  /** What the program calls the message. */
  reference: string
  messageId: string
}

export const exampleParts = ['install', 'send', 'read', 'find', 'events', 'verify'] as const
type ExamplePart = (typeof exampleParts)[number]
/** Of one language. */
export type Examples = Readonly<Record<ExamplePart, (of: ExampleOf) => string>>

/** The fields of a message, in the order in which examples name them. */
export function bodyOf({ to, from, template, text, reference }: ExampleOf) {
  const said = template === null ? { text } : { template: template.id, ...valuesOf(template.values) }
  return { to, from, ...said, reference }
}
const valuesOf = (values: Readonly<Record<string, string>>) => (Object.keys(values).length > 0 ? { values } : {})

/** The columns that a text needs values for; `{mobile}` is the number itself. */
export function columnsOf(text: string): string[] {
  const named = partsOfText(text).flatMap((part) => ('column' in part ? [part.column] : []))
  return [...new Set(named)].filter((column) => column.toLowerCase() !== 'mobile')
}

const samples: readonly (readonly [RegExp, string])[] = [
  [/code|otp|pin|कोड/i, '471108'],
  [/date|day|मिति/i, '2026-12-01'],
  [/time|समय/i, '10:30'],
  [/name|नाम/i, 'Sita'],
  [/amount|balance|due|total|rs|रकम/i, '1,250.00'],
]
/** A value that a column of this name may have. */
export const sampleOf = (column: string): string => samples.find(([names]) => names.test(column))?.[1] ?? '4711'

/** A value as JSON, over several lines where it is an object; Python and TypeScript read it, too. */
export const literal = (value: unknown, indent = 2): string => JSON.stringify(value, null, indent)

/** `text` with each line but the first as deep as `depth` says. */
export const indented = (text: string, depth: string): string => text.replaceAll('\n', `\n${depth}`)
