/**
 * How a message is encoded (GSM 03.38, 03.40): in seven bits if GSM-7 has every character, otherwise in UCS-2. A single segment holds 160
 * septets or 70 UTF-16 units; in a longer message, a header takes six bytes of each.
 */
type SmsEncoding = 'GSM-7' | 'UCS-2'

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
/** Each takes an escape and one more septet. */
const extension = '\f^{}\\[~]|€'

const septets = new Map<string, 1 | 2>([
  ...[...basic].map((character) => [character, 1] as const),
  ...[...extension].map((character) => [character, 2] as const),
])
const septetsOf = (character: string): number => septets.get(character) ?? 1

/** The characters of a GSM-7 text that count as two, each once. */
export function doubledIn(text: string): string[] {
  return [...new Set(text)].filter((character) => septetsOf(character) === 2)
}

/** Units of a segment: alone, and as a part of several. */
const capacity = { 'GSM-7': { alone: 160, part: 153 }, 'UCS-2': { alone: 70, part: 67 } } as const

/** Operators and old telephones lose parts of longer messages. */
export const smsSegmentsMax = 10

export type SmsSize = {
  encoding: SmsEncoding
  /** The first character that GSM-7 lacks; null when it has all of them. */
  unicodeSign: string | null
  /** As people count them: an emoji of several code points, or a conjunct, is one. */
  characters: number
  /** Septets, or UTF-16 units. */
  units: number
  segments: number
  /** Units that still fit before another segment starts. */
  left: number
}

export function unicodeSignOf(text: string): string | null {
  for (const character of text) if (!septets.has(character)) return character
  return null
}

export function smsEncodingOf(text: string): SmsEncoding {
  return unicodeSignOf(text) === null ? 'GSM-7' : 'UCS-2'
}

/**
 * The parts in which a text is sent. No part ends between an escape and its character, within a surrogate pair, or within what readers see
 * as one character (a conjunct, an emoji), unless that alone is longer than a segment.
 */
export function splitSms(text: string): string[] {
  if (text === '') return []
  const encoding = smsEncodingOf(text)
  if (unitsOf(text, encoding) <= capacity[encoding].alone) return [text]
  const ends = encoding === 'GSM-7' ? septetEnds(text) : clusterEnds(text)
  return ends.map((end, index) => text.slice(index === 0 ? 0 : ends[index - 1], end))
}

/** How many segments a text is sent, and charged, as. */
export function segmentsOf(text: string): number {
  return splitSms(text).length
}

export function smsSizeOf(text: string): SmsSize {
  const unicodeSign = unicodeSignOf(text)
  const encoding = unicodeSign === null ? 'GSM-7' : 'UCS-2'
  const parts = splitSms(text)
  const room = capacity[encoding][parts.length > 1 ? 'part' : 'alone']
  return {
    encoding,
    unicodeSign,
    characters: encoding === 'GSM-7' ? text.length : charactersOf(text),
    units: unitsOf(text, encoding),
    segments: parts.length,
    left: room - unitsOf(parts.at(-1) ?? '', encoding),
  }
}

function unitsOf(text: string, encoding: SmsEncoding): number {
  if (encoding === 'UCS-2') return text.length
  let units = 0
  for (const character of text) units += septetsOf(character)
  return units
}

function septetEnds(text: string): number[] {
  const ends: number[] = []
  let used = 0
  for (let index = 0; index < text.length; index += 1) {
    const units = septetsOf(text.charAt(index))
    if (used + units > capacity['GSM-7'].part) {
      ends.push(index)
      used = 0
    }
    used += units
  }
  return [...ends, text.length]
}

// A fixed locale, because the default is the machine's; it does not affect grapheme clusters.
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })

function clusterEnds(text: string): number[] {
  const ends: number[] = []
  const segments = clusters.segment(text)
  let start = 0
  while (text.length - start > capacity['UCS-2'].part) {
    const limit = start + capacity['UCS-2'].part
    const cluster = segments.containing(limit)?.index ?? limit
    start = cluster > start ? cluster : limit - (isPairAt(text, limit - 1) ? 1 : 0)
    ends.push(start)
  }
  return [...ends, text.length]
}

function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff
}

function charactersOf(text: string): number {
  return Array.from(clusters.segment(text)).length
}

/** Literal text, or a column's name from braces. */
export type TextPart = { text: string } | { column: string }

const placeholder = /\{([^{}\n]{1,100})\}/g

/** Parses a personalised text once for all rows. Empty braces and single ones are literal. */
export function partsOfText(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(placeholder)) {
    const column = match[1]?.trim() ?? ''
    if (column === '') continue
    if (match.index > from) parts.push({ text: text.slice(from, match.index) })
    parts.push({ column })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}

/** Columns that the text names and the file lacks, each once, as written. Ignores case. */
export function unknownColumns(parts: readonly TextPart[], columns: readonly string[]): string[] {
  const known = new Set(columns.map((column) => column.toLowerCase()))
  const named = parts.flatMap((part) => ('column' in part ? [part.column] : []))
  return [...new Set(named)].filter((column) => !known.has(column.toLowerCase()))
}

/** The text of one row. `values`: by column name in lower case; missing ones are empty. */
export function filledText(parts: readonly TextPart[], values: ReadonlyMap<string, string>): string {
  return parts.map((part) => ('text' in part ? part.text : (values.get(part.column.toLowerCase()) ?? ''))).join('')
}
