import { contactColumnsMax } from '@ghanti/contract/contacts.ts'
import { dialable } from '@ghanti/contract/phone.ts'
import { fromSpreadsheet } from '../../../lib/csv.ts'
import type { FileEnd } from './worker-file.ts'

export class Unreadable extends Error {
  readonly end: Exclude<FileEnd, { kind: 'read' }>
  constructor(end: Exclude<FileEnd, { kind: 'read' }>) {
    super(end.kind)
    this.end = end
  }
}

/** Gets each record with the line in which it begins. */
export type TakeRecord = (cells: string[], line: number) => void

const cellsMax = 10_000
/** Of all cells together, and so of each. */
const lettersMax = 1_000_000

const [quote, newline, carriageReturn] = ['"', '\n', '\r'].map((sign) => sign.charCodeAt(0)) as [number, number, number]

/** `closing`: after a quote inside quotes, which is one of a pair unless the cell ends. */
type Place = 'begin' | 'plain' | 'quoted' | 'closing'

/**
 * Splits text into records, piece by piece: RFC 4180, any line end, and quotes that are not doubled taken as they are. No record grows
 * beyond its limits.
 *
 * Each number of a list is a record, and counts as a line. A list is a record of nothing but three or more numbers of one kind, or two alone in a
 * file or below lines of one, where no columns are named and no values stand above; and wherever it stands, one of more numbers than a row has columns.
 * A landline beside a mobile makes no list: it may be a customer's number of nine digits. What lacks a digit among them is a record, to be refused.
 */
export class RecordReader {
  readonly #take: TakeRecord
  readonly #separator: number
  #cells: string[] = []
  #cell = ''
  #letters = 0
  #place: Place = 'begin'
  #isList = false
  /** No record but blank ones came yet. */
  #isFirst = true
  /** A record named columns, or had values: no list follows. */
  #isOfRows = false
  /** Two numbers in the first record: a list if it stays the only one, else a number and what stands in another column. */
  #pair: { cells: string[]; line: number } | null = null
  /** The last piece ended with '\r': a '\n' belongs to it. */
  #isAfterReturn = false
  #line = 1
  #linesInCells = 0

  constructor(take: TakeRecord, separator: string) {
    this.#take = take
    this.#separator = separator.charCodeAt(0)
  }

  write(text: string): void {
    let at = 0
    while (at < text.length) at = this.#step(text, at)
  }

  end(): void {
    if (this.#place === 'quoted') throw this.#tooLong('')
    if (this.#place === 'closing' || this.#cell !== '' || this.#cells.length > 0) this.#endCell(newline)
    if (this.#pair === null) return
    this.#line = this.#pair.line
    for (const number of this.#pair.cells) if (isWritten.test(number)) this.#takeNumber(number)
  }

  /** Where to go on. */
  #step(text: string, at: number): number {
    const sign = text.charCodeAt(at)
    switch (this.#place) {
      case 'begin':
        if (this.#isAfterReturn) {
          this.#isAfterReturn = false
          if (sign === newline) return at + 1
        }
        this.#place = sign === quote ? 'quoted' : 'plain'
        return sign === quote ? at + 1 : at
      case 'plain': {
        let end = at
        while (end < text.length && !this.#endsCell(text.charCodeAt(end))) end++
        this.#add(text.slice(at, end))
        if (end < text.length) this.#endCell(text.charCodeAt(end))
        return end + 1
      }
      case 'quoted': {
        const end = text.indexOf('"', at)
        this.#add(text.slice(at, end < 0 ? text.length : end))
        if (end < 0) return text.length
        this.#place = 'closing'
        return end + 1
      }
      case 'closing':
        if (this.#endsCell(sign)) this.#endCell(sign)
        else if (sign === quote) {
          this.#add('"')
          this.#place = 'quoted'
        } else {
          this.#cell = `"${this.#cell}"`
          this.#place = 'plain'
          return at
        }
        return at + 1
    }
  }

  #endsCell(sign: number): boolean {
    return sign === this.#separator || sign === newline || sign === carriageReturn
  }

  #add(text: string): void {
    this.#cell += text
    this.#letters += text.length
    if (this.#letters > lettersMax) throw this.#tooLong(`more than ${inWords(lettersMax)} letters`)
  }

  #tooLong(what: string): Unreadable {
    const { kind, where } = { kind: 'broken', where: `in line ${this.#line}` } as const
    if (this.#place === 'quoted') return new Unreadable({ kind, why: `has a quote ${where} that is never closed` })
    return new Unreadable({ kind, why: `has ${what} ${where}` })
  }

  #endCell(sign: number): void {
    const cell = this.#cell
    if (this.#place === 'closing' || cell.startsWith('"')) this.#linesInCells += cell.match(/\r\n|\n|\r/g)?.length ?? 0
    this.#cell = ''
    this.#place = 'begin'
    if (this.#isList) this.#takeNumber(cell)
    else this.#addCell(cell)
    if (sign !== this.#separator) this.#endRecord(sign)
  }

  #addCell(cell: string): void {
    this.#cells.push(cell)
    const count = this.#cells.length
    if (count > cellsMax) throw this.#tooLong(`more than ${inWords(cellsMax)} cells`)
    if (count !== contactColumnsMax + 1) return
    const cells = fromSpreadsheet(this.#cells)
    if (!cells.every((one) => dialable(one) !== null)) return
    this.#isList = true
    this.#cells = []
    for (const number of cells) this.#takeNumber(number)
  }

  #takeRecord(cells: string[]): void {
    const written = this.#isOfRows ? [] : writtenIn(cells)
    const isFirst = this.#isFirst
    if (written.length > 0) this.#isFirst = false
    if (written.length === 0) this.#take(cells, this.#line++)
    else if (this.#pair !== null) {
      this.#isOfRows = true
      this.#take(this.#pair.cells, this.#pair.line)
      this.#pair = null
      this.#take(cells, this.#line++)
    } else if (written.length > 1 && areNumbers(written)) {
      if (isFirst && written.length === 2) this.#pair = { cells, line: this.#line++ }
      else for (const number of written) this.#takeNumber(number)
    } else {
      this.#isOfRows = cells.length > 1 || dialable(cells[0] ?? '') === null
      this.#take(cells, this.#line++)
    }
  }

  #takeNumber(cell: string): void {
    this.#letters = 0
    this.#take(fromSpreadsheet([cell]), this.#line++)
  }

  /** Every line end of the file is either between two records or inside a cell, so lines are counted here, blank ones too. */
  #endRecord(sign: number): void {
    this.#isAfterReturn = sign === carriageReturn
    if (!this.#isList) this.#takeRecord(fromSpreadsheet(this.#cells))
    this.#line += this.#linesInCells
    this.#cells = []
    this.#letters = 0
    this.#linesInCells = 0
    this.#isList = false
  }
}

const isWritten = /[\p{L}\p{N}]/u
/** Longer than two numbers. */
const severalMin = 2 * 10 + 1

/** The cells with something in them; blanks may part the numbers of a line that has no other separator. */
function writtenIn(cells: readonly string[]): string[] {
  const written = cells.filter((cell) => isWritten.test(cell))
  const [only = ''] = written
  if (cells.length > 1 || only.length < severalMin) return written
  const parts = only.trim().split(/\s+/)
  return parts.length > 2 && areNumbers(parts) ? parts : written
}

/** Digits that are no number to call, but are written like one. */
const miswritten = /^\s*\+?[\d\u0966-\u096f\s-]{7,16}$/
function areNumbers(cells: readonly string[]): boolean {
  const kinds = cells.flatMap((cell) => dialable(cell)?.kind ?? (miswritten.test(cell) ? [] : ['none']))
  return kinds.length >= Math.min(3, cells.length) && new Set(kinds).size === 1 && !kinds.includes('none')
}

const inWords = (count: number): string => count.toLocaleString('en')
