import * as path from 'node:path'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { contactColumnsMax } from '@ghanti/contract/contacts.ts'
import type { MoreNumbers } from '@ghanti/contract/more-numbers.ts'
import { lostFormula } from '@ghanti/contract/phone.ts'
import { nameMax, textMax } from '@ghanti/contract/values.ts'
import { spreadsheetIn, whyUnsupported } from '../rows/rules-format.ts'
import { hasNumberBeside } from '../rows/rules-numbers.ts'
import { unsupported } from '../rows/worker-file.ts'
import {
  columnAt,
  emptyFormula,
  isoText,
  numberStyle,
  numberText,
  plainStyle,
  unescaped,
  type NumberStyle,
} from './rules-cells.ts'
import { Refused, readPart, readWholePart, Unpacked, type Attributes, type Handlers } from './worker-part.ts'
import { SharedTexts } from './worker-strings.ts'

const rowsMax = 1_048_576
const entriesMax = 10_000
const sheetsMax = 1000
/** One more than a contact file may have, so that the validation of rows sees and refuses a row with too many. */
const cellsMax = contactColumnsMax + 1
const cellMax = textMax + 1

/** `isHidden`: by a filter or by hand. */
export type SheetRow = { row: number; cells: string[]; isHidden: boolean }
type Sheet = { name: string; entry: Entry }

const isTrue = (attribute: string | undefined): boolean => attribute === '1' || attribute === 'true'

const typeEnds = { sheet: '/worksheet', texts: '/sharedStrings', styles: '/styles' } as const

/** Reads the sheets of an .xlsx file row by row. Memory holds the shared strings and one piece of a sheet. */
export class Workbook {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #unpacked = new Unpacked()
  readonly #texts = new SharedTexts()
  readonly #styles: NumberStyle[] = []
  #from1904 = false
  readonly sheets: Sheet[] = []
  readonly hiddenSheets: Sheet[] = []

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  static async open(file: string): Promise<Workbook> {
    const zip = await openPromise(file, { autoClose: false })
    try {
      const entries = new Map<string, Entry>()
      for await (const entry of zip.eachEntry()) {
        entries.set(entry.fileName.toLowerCase(), entry)
        if (entries.size > entriesMax) throw new Refused('is not an Excel file')
      }
      const other = spreadsheetIn(entries.keys())
      if (other !== null) throw unsupported(other, whyUnsupported(other))
      const workbook = new Workbook(zip, entries)
      await workbook.#readHead()
      return workbook
    } catch (error) {
      zip.close()
      throw error
    }
  }

  close(): void {
    this.#zip.close()
  }

  get #source() {
    return { zip: this.#zip, unpacked: this.#unpacked }
  }

  async #readHead(): Promise<void> {
    const [main] = await this.#relations('_rels/.rels', '', '/officeDocument')
    const file = main?.target ?? 'xl/workbook.xml'
    const entry = this.#entries.get(file.toLowerCase())
    if (!entry) throw new Refused('is not an Excel file')
    const folder = path.posix.dirname(file)
    const relationsOf = `${folder}/_rels/${path.posix.basename(file)}.rels`
    const parts = new Map(
      (await this.#relations(relationsOf, folder, typeEnds.sheet)).map((one) => [one.id, one.target]),
    )
    await readWholePart(this.#source, entry, {
      open: (tag, attributes) => {
        if (tag === 'workbookPr') this.#from1904 = isTrue(attributes['date1904'])
        if (tag !== 'sheet') return
        const sheets = (attributes['state'] ?? 'visible') === 'visible' ? this.sheets : this.hiddenSheets
        const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
        const part = this.#entries.get((parts.get(id) ?? '').toLowerCase())
        if (part) sheets.push({ name: (attributes['name'] ?? '').slice(0, nameMax), entry: part })
        if (sheets.length > sheetsMax) throw new Refused('has too many sheets: split it', 'too_large')
      },
    })
    for (const { target } of await this.#relations(relationsOf, folder, typeEnds.styles)) await this.#readStyles(target)
    for (const { target } of await this.#relations(relationsOf, folder, typeEnds.texts)) await this.#readTexts(target)
  }

  async #relations(file: string, folder: string, typeEnd: string): Promise<{ id: string; target: string }[]> {
    const entry = this.#entries.get(file.toLowerCase())
    const found: { id: string; target: string }[] = []
    if (!entry) return found
    await readWholePart(this.#source, entry, {
      open(tag, { Id: id = '', Type: type = '', Target: target = '' }) {
        if (tag === 'Relationship' && type.endsWith(typeEnd))
          found.push({ id, target: target.startsWith('/') ? target.slice(1) : path.posix.join(folder, target) })
      },
    })
    return found
  }

  async #readStyles(target: string): Promise<void> {
    const entry = this.#entries.get(target.toLowerCase())
    if (!entry) return
    const codes = new Map<number, string>()
    let inCells = false
    await readWholePart(this.#source, entry, {
      open: (tag, attributes) => {
        if (tag === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '')
        if (tag === 'cellXfs') inCells = true
        if (tag !== 'xf' || !inCells) return
        const id = Number(attributes['numFmtId'] ?? 0)
        this.#styles.push(numberStyle(id, codes.get(id)))
      },
      close(tag) {
        if (tag === 'cellXfs') inCells = false
      },
    })
  }

  async #readTexts(target: string): Promise<void> {
    const entry = this.#entries.get(target.toLowerCase())
    if (!entry) return
    const text = new TextOfTags()
    await readWholePart(this.#source, entry, {
      open: (tag) => text.open(tag),
      text: (piece) => text.add(piece),
      close: (tag) => {
        text.close(tag)
        if (tag === 'si') this.#texts.add(text.take())
      },
    })
  }

  async *rows({ entry }: Sheet): AsyncGenerator<SheetRow[]> {
    const reader = new RowsOfSheet((type, style, written) => this.#textOf(type, style, written))
    const handlers: Handlers = {
      open: (tag, attributes) => reader.open(tag, attributes),
      text: (piece) => reader.text(piece),
      close: (tag) => reader.close(tag),
    }
    for await (const _ of readPart(this.#source, entry, handlers)) {
      const rows = reader.take()
      if (rows.length > 0) yield rows
    }
    yield reader.take()
  }

  #textOf(type: string, style: number, written: string): string {
    if (type === 's') return this.#texts.at(Number(written))
    if (type === 'inlineStr') return written
    if (type === 'str') return unescaped(written)
    if (type === 'b') return written === '1' ? 'TRUE' : 'FALSE'
    if (type === 'd') return isoText(written)
    if (type === 'e') return written
    return numberText(written, this.#styles[style] ?? plainStyle, this.#from1904)
  }
}

/** Collects the text of `t` elements, cut at the length of a value. Leaves out phonetic guides (`rPh`). */
class TextOfTags {
  #text = ''
  #isText = false
  #isAside = false

  open(tag: string): void {
    if (tag === 't') this.#isText = true
    if (tag === 'rPh') this.#isAside = true
  }

  add(piece: string): void {
    if (this.#isText && !this.#isAside && this.#text.length < cellMax) this.#text += piece.slice(0, cellMax)
  }

  close(tag: string): void {
    if (tag === 't') this.#isText = false
    if (tag === 'rPh') this.#isAside = false
  }

  take(): string {
    const text = unescaped(this.#text).slice(0, cellMax)
    this.#text = ''
    return text
  }
}

type TextOf = (type: string, style: number, written: string) => string

class RowsOfSheet {
  readonly #textOf: TextOf
  #rows: SheetRow[] = []
  #row = 0
  #cells: string[] = []
  #at = -1
  #type = ''
  #style = 0
  #value = ''
  #isValue = false
  #hasValue = false
  #isFormula = false
  #isHidden = false
  #inData = false
  readonly #inline = new TextOfTags()

  constructor(textOf: TextOf) {
    this.#textOf = textOf
  }

  take(): SheetRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  open(tag: string, attributes: Attributes): void {
    if (tag === 'sheetData') this.#inData = true
    else if (!this.#inData) return
    else if (tag === 'c') this.#openCell(attributes)
    else if (tag === 'v') this.#isValue = this.#hasValue = true
    else if (tag === 'f') this.#isFormula = true
    else if (tag === 'row') this.#openRow(attributes)
    else this.#inline.open(tag)
  }

  #openRow({ r, hidden = '0', ht = '' }: Attributes): void {
    const row = r === undefined ? this.#row + 1 : Number(r)
    if (!Number.isInteger(row) || row <= this.#row || row > rowsMax)
      throw new Refused(`has rows in no order below row ${this.#row}`)
    this.#row = row
    this.#isHidden = isTrue(hidden) || (ht !== '' && Number(ht) === 0)
    this.#at = -1
  }

  #openCell({ r = '', t = '', s = '0' }: Attributes): void {
    this.#at = columnAt(r) ?? this.#at + 1
    this.#type = t
    this.#style = Number(s)
    this.#value = ''
    this.#hasValue = this.#isFormula = false
  }

  text(piece: string): void {
    if (!this.#inData) return
    if (this.#isValue) this.#value = this.#value.length < cellMax ? this.#value + piece : this.#value
    else this.#inline.add(piece)
  }

  close(tag: string): void {
    if (tag === 'sheetData') this.#inData = false
    else if (!this.#inData) return
    else if (tag === 'v') this.#isValue = false
    else if (tag === 'c') this.#closeCell()
    else if (tag === 'row') this.#closeRow()
    else this.#inline.close(tag)
  }

  #closeCell(): void {
    const text = this.#textOfCell()
    if (text.trim() === '') return
    const at = Math.min(this.#at, cellsMax - 1)
    while (this.#cells.length < at) this.#cells.push('')
    this.#cells[at] = text
  }

  #textOfCell(): string {
    const written = this.#type === 'inlineStr' ? this.#inline.take() : this.#value
    // Each row becomes one line of the contact file's text.
    if (written !== '') return this.#textOf(this.#type, this.#style, written).replace(/[\r\n\u2028\u2029]+/g, ' ')
    if (!this.#isFormula) return ''
    return this.#type === 'str' && this.#hasValue ? emptyFormula : lostFormula
  }

  #closeRow(): void {
    if (this.#cells.length > 0) this.#rows.push({ row: this.#row, cells: this.#cells, isHidden: this.#isHidden })
    this.#cells = []
  }
}

/** More rows than people type; nobody waits for all of a workbook of which one sheet was asked for. */
const otherRowsMax = 20_000

/** In how many rows of its other sheets numbers stand, of all of them in the first rows. What cannot be read there is none. */
export async function numbersInOthers(workbook: Workbook, read: Sheet): Promise<MoreNumbers> {
  const found: MoreNumbers = []
  let left = otherRowsMax
  const count = async (sheets: readonly Sheet[], place: 'sheet' | 'hiddenSheet'): Promise<void> => {
    for (const sheet of sheets.filter((one) => one !== read)) {
      let rows = 0
      for await (const batch of workbook.rows(sheet)) {
        rows += batch.filter(({ cells }) => cells.some((cell) => hasNumberBeside(cell))).length
        left -= batch.length
        if (left <= 0) break
      }
      if (rows > 0) found.push({ column: sheet.name, rows, place })
    }
  }
  try {
    await count(workbook.sheets, 'sheet')
    await count(workbook.hiddenSheets, 'hiddenSheet')
  } catch (error) {
    if (error instanceof TypeError) throw error
  }
  return found
}
