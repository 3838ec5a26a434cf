import { contactColumnsMax } from '@ghanti/contract/contacts.ts'
import { dialable } from '@ghanti/contract/phone.ts'
import { textMax } from '@ghanti/contract/values.ts'
import { headOf, textOf } from '../rows/worker-file.ts'
import { isCards } from '../rows/rules-format.ts'
import type { Row } from './rules-found.ts'
import type { Source } from './worker-table.ts'

/** Of a line with those that continue it: pictures are longer, and of no interest. */
const lineMax = 4 * textMax
const numbersMax = contactColumnsMax - 2

/** Whether a file, which is a text, holds contacts as telephones export them (vCard). */
export async function isFileOfCards(source: Source): Promise<boolean> {
  return isCards((await headOf(source)).text)
}

/** A row for each card, at the line in which it begins: its number, its name, its further numbers. */
export async function* cardsOf(source: Source): AsyncGenerator<Row[]> {
  const reader = new CardReader()
  for await (const piece of textOf(source, await headOf(source))) {
    reader.write(piece)
    yield reader.take()
  }
  reader.end()
  yield reader.take()
}

/** The names of the columns of the widest card. */
export async function cardColumns(rows: AsyncIterable<Row[]>): Promise<string[]> {
  let most = 2
  for await (const batch of rows) for (const { cells } of batch) most = Math.max(most, cells.length)
  return ['mobile', 'name', ...Array.from({ length: most - 2 }, (_, at) => `phone ${at + 2}`)]
}

type Card = { line: number; name: string; parts: string; numbers: string[] }

/** Reads vCards of versions 2.1, 3.0 and 4.0: folded lines, quoted-printable, groups. Memory holds one line and the rows of a piece. */
class CardReader {
  #rows: Row[] = []
  #rest = ''
  #line = 0
  #property = ''
  #card: Card | null = null

  write(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = (lines.pop() ?? '').slice(0, lineMax)
    for (const line of lines) this.#takeLine(line.endsWith('\r') ? line.slice(0, -1) : line)
  }

  end(): void {
    this.#takeLine(this.#rest)
    this.#takeProperty()
    this.#endCard()
  }

  take(): Row[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  #takeLine(line: string): void {
    this.#line++
    const isContinued = isQuoted(this.#property) && this.#property.endsWith('=')
    if (isContinued) this.#append(this.#property.slice(0, -1), line)
    else if (line.startsWith(' ') || line.startsWith('\t')) this.#append(this.#property, line.slice(1))
    else {
      this.#takeProperty()
      this.#property = line.slice(0, lineMax)
      if (/^begin:vcard\s*$/i.test(this.#property)) this.#begin()
    }
  }

  #append(property: string, more: string): void {
    this.#property = (property + more).slice(0, lineMax)
  }

  /** A card within a card (AGENT) ends the one around it. */
  #begin(): void {
    this.#endCard()
    this.#card = { line: this.#line, name: '', parts: '', numbers: [] }
  }

  #takeProperty(): void {
    const colon = this.#property.indexOf(':')
    const [name = '', ...settings] = this.#property.slice(0, Math.max(0, colon)).split(';')
    const written = this.#property.slice(colon + 1)
    this.#property = ''
    const card = this.#card
    if (!card) return
    switch (name.slice(name.indexOf('.') + 1).toUpperCase()) {
      case 'FN':
        card.name ||= plain(valueOf(settings, written))
        break
      case 'N':
        card.parts ||= nameOf(valueOf(settings, written))
        break
      case 'TEL':
        card.numbers.push(numberOf(plain(valueOf(settings, written))))
        break
      case 'END':
        this.#endCard()
    }
  }

  #endCard(): void {
    const card = this.#card
    this.#card = null
    if (!card) return
    const { line, name, parts, numbers } = card
    const phones = new Map(numbers.map((number) => [dialable(number)?.e164 ?? '', number]))
    const written = [...phones].flatMap(([e164, number]) => (e164 === '' ? [] : [number]))
    const first = written.find((number) => dialable(number)?.kind === 'mobile') ?? written[0] ?? numbers[0] ?? ''
    const others = written.filter((number) => number !== first).slice(0, numbersMax)
    this.#rows.push({ line, cells: [first, name || parts, ...others] })
  }
}

const isQuoted = (property: string): boolean => /^[^:]*;(?:encoding=)?quoted-printable[;:]/i.test(property)

/** Decodes quoted-printable in the character set that is named, UTF-8 where none is. */
function valueOf(settings: readonly string[], written: string): string {
  if (!settings.some((one) => /^(?:encoding=)?quoted-printable$/i.test(one))) return written
  const charset = settings.map((one) => /^charset=(.+)$/i.exec(one)?.[1]).find((one) => one !== undefined)
  const bytes = Buffer.from(
    written.replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  )
  try {
    return new TextDecoder(charset ?? 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    return written
  }
}

/** 'Sharma;Sita;;;' → 'Sita Sharma' */
function nameOf(value: string): string {
  const [family = '', given = '', middle = ''] = value.split(/(?<!\\);/)
  return plain([given, middle, family].filter((part) => part.trim() !== '').join(' '))
}

/** 'tel:+977-9841000001;ext=1' → '+977-9841000001' */
function numberOf(value: string): string {
  return /^tel:/i.test(value) ? (value.slice('tel:'.length).split(';', 1)[0] ?? '') : value
}

function plain(value: string): string {
  return value
    .replace(/\\n/gi, ' ')
    .replace(/\\([\\,;:])/g, '$1')
    .replace(/[\r\n]+/g, ' ')
    .trim()
}
