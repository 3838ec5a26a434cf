import { partsOfText, segmentsOf, smsSegmentsMax, unknownColumns } from '@ghanti/contract/sms-text.ts'

/** The error, as on the wire, or null. `columns` null: unknown, or the text names none. */
export function problemOfText(text: string, columns: readonly string[] | null): string | null {
  if (text.trim() === '') return 'is required'
  const segments = segmentsOf(text)
  if (segments > smsSegmentsMax) return `has ${segments} segments, and ${smsSegmentsMax} are allowed`
  const missing = columns === null ? [] : unknownColumns(partsOfText(text), columns)
  if (missing.length === 0 || columns === null) return null
  const inBraces = (names: readonly string[]) => names.map((name) => `{${name}}`).join(', ')
  return `names ${inBraces(missing)}, and the file has ${inBraces(columns)}`
}
