import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { csvStream, fromSpreadsheet } from '../../lib/csv.ts'
import { escapeMarkup } from '../../lib/escape-markup.ts'
import { workbook } from '../../testing/files/workbook.ts'
import { openTable } from '../exports/worker-formats.ts'
import { validateFile } from './rows/worker-file.ts'
import { SpokenValues } from './rows/worker-spoken.ts'
import { columnsOfTemplate, type AcceptedRow, type RefusedRow, type RequiredColumns } from './rules.ts'
import { dateText } from './tables/rules-cells.ts'
import { readTable, recordsOf } from './tables/worker-table.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-round-trip-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
let files = 0
const place = (): string => path.join(folder, String(++files))
const sizeMax = 1 << 20

/** A cell as a workbook has it, without its place, and the text that people see in it, as far as a contact file keeps it. */
type Cell = { attributes: string; content: string; text: string }

const amountFormats = [
  '#,##0.00',
  '"Rs. "#,##0.00',
  '0.00" /-"',
  '[Red]0.00',
  '"977"0',
  '0.00" (24 days)"',
  '[$रु-461] #,##0.00',
]
const formats = [...amountFormats, 'dd/mm/yyyy', 'yyyy\\-mm\\-dd\\ hh:mm', '00000']
const styleOf = (format: string): string => `s="${formats.indexOf(format) + 1}"`

const paisa = fc.integer({ min: 1, max: 9_999_999_99 })
const texts = fc.oneof(
  fc.constantFrom(
    'Sharma & Sons',
    "D'Souza",
    'Al-Amin',
    'Rs. 1,25,000/-',
    '007',
    '12E5',
    '=1+1',
    '-5 off',
    '@home',
    '+977',
  ),
  fc.constantFrom(
    "'quoted",
    '"quoted"',
    '="012"',
    'two\nlines',
    '_x0041_',
    'राम प्रसाद',
    '1234567890123',
    '2083 Mangsir',
    'AB-12',
    '#N/A',
  ),
  fc.string({ unit: fc.constantFrom(...`aR5 .,;"-=+@&/()\t\n|राँ\u00a0`), maxLength: 12 }),
)
/** Behind a blank, a formula in quotes is a text until it is stored without the blank. */
const isOneText = ({ text: of }: Cell): boolean => !/^\s+=/.test(of)
const text = (content: string): string => `<is><t xml:space="preserve">${content}</t></is>`
/** What Excel writes for a text that looks like its own code of a sign. */
const inWorkbook = (of: string): string => escapeMarkup(of.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_'))
const plain = (of: number): string => String(of / 100)

const cells: Record<string, fc.Arbitrary<Cell>> = {
  number: fc
    .tuple(paisa, fc.constantFrom('', ...amountFormats.map(styleOf)))
    .map(([of, style]) => ({ attributes: style, content: `<v>${of / 100}</v>`, text: plain(of) })),
  padded: fc.integer({ min: 0, max: 99_999 }).map((of) => ({
    attributes: styleOf('00000'),
    content: `<v>${of}</v>`,
    text: String(of).padStart(5, '0'),
  })),
  date: fc.integer({ min: 40_000, max: 48_000 }).map((of) => ({
    attributes: styleOf('dd/mm/yyyy'),
    content: `<v>${of}</v>`,
    text: dateText(of, false) ?? '',
  })),
  dateTime: fc
    .tuple(fc.integer({ min: 40_000, max: 48_000 }), fc.integer({ min: 1, max: 1439 }))
    .map(([day, minute]) => {
      const of = day + minute / 1440
      return { attributes: styleOf('yyyy\\-mm\\-dd\\ hh:mm'), content: `<v>${of}</v>`, text: dateText(of, false) ?? '' }
    }),
  boolean: fc
    .boolean()
    .map((of) => ({ attributes: 't="b"', content: `<v>${Number(of)}</v>`, text: of ? 'TRUE' : 'FALSE' })),
  formulaOfNumber: paisa.map((of) => ({ attributes: '', content: `<f>A1*2</f><v>${of / 100}</v>`, text: plain(of) })),
  formulaOfText: texts.map((of) => ({
    attributes: 't="str"',
    content: `<f>A1&amp;""</f><v>${inWorkbook(of)}</v>`,
    text: of,
  })),
  error: fc.constant({ attributes: 't="e"', content: '<v>#N/A</v>', text: '#N/A' }),
  richText: fc.tuple(texts, texts).map(([one, two]) => ({
    attributes: 't="inlineStr"',
    content: `<is><r><t xml:space="preserve">${inWorkbook(one)}</t></r><r><rPr><b/></rPr><t xml:space="preserve">${inWorkbook(two)}</t></r></is>`,
    text: one + two,
  })),
  text: texts.map((of) => ({ attributes: 't="inlineStr"', content: text(inWorkbook(of)), text: of })),
}
const columns = ['date', 'token', 'client_name', 'service_name', 'amount', 'month', 'note']
const row = fc.array(fc.oneof(...Object.values(cells)).filter(isOneText), {
  minLength: columns.length,
  maxLength: columns.length,
})
const mobileOf = (at: number): string => String(9_841_000_001 + at)

function sheetOf(rows: readonly (readonly Cell[])[]): string {
  const letter = (at: number): string => String.fromCharCode(65 + at)
  const header = ['mobile', ...columns].map((name, at) => `<c r="${letter(at)}1" t="inlineStr">${text(name)}</c>`)
  const lines = rows.map((of, at) => {
    const rest = of.map(({ attributes, content }, n) => `<c r="${letter(n + 1)}${at + 2}" ${attributes}>${content}</c>`)
    return `<row r="${at + 2}"><c r="A${at + 2}"><v>${mobileOf(at)}</v></c>${rest.join('')}</row>`
  })
  return `<row r="1">${header.join('')}</row>${lines.join('')}`
}

/** The text that a file is stored as. */
async function imported(source: string): Promise<string> {
  const target = place()
  const end = await readTable({ path: source, declaredType: '', sizeMax, want: 'text', target, askColumns: false })
  expect(['same', 'text']).toContain(end.kind)
  return end.kind === 'same' ? source : target
}

async function rowsIn(source: string, required: RequiredColumns) {
  const rows: { accepted: AcceptedRow[]; refused: RefusedRow[] } = { accepted: [], refused: [] }
  const batches = validateFile({ path: source, declaredType: '', sizeMax, required })
  for (;;) {
    const next = await batches.next()
    if (next.done) {
      if (next.value.kind !== 'read') throw new Error(JSON.stringify(next.value))
      return { ...rows, totals: next.value.totals }
    }
    rows.accepted.push(...next.value.accepted)
    rows.refused.push(...next.value.refused)
  }
}

/**
 * Contact files keep no blanks around a value and no line breaks of a workbook's cells, and what makes a spreadsheet show a text is no part of it.
 */
const seen = (cell: string): string => (fromSpreadsheet([cell.replace(/[\r\n]+/g, ' ')])[0] ?? '').trim()
const valuesOf = ({ accepted }: { accepted: readonly AcceptedRow[] }): string[][] =>
  accepted.map(({ values }) => columns.map((column) => values[column] ?? ''))

test('every kind of cell comes through import, spoken values and exports, and is the same when it is imported again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (rows) => {
      const book = place()
      fs.writeFileSync(book, await workbook([{ name: 'June', rows: sheetOf(rows) }], { formats }))
      const stored = await imported(book)
      const values = valuesOf(await rowsIn(stored, 'any'))
      expect(values).toEqual(rows.map((of) => of.map((cell) => seen(cell.text))))

      for (const templateId of [3, 4, 6, 7]) {
        const { accepted, refused, totals } = await rowsIn(stored, columnsOfTemplate(templateId))
        expect(accepted.length + refused.length).toBe(totals.rows)
        const spoken = new SpokenValues(templateId)
        for (const one of accepted) spoken.take(one)
        const csv = place()
        const lines = refused.map(({ line, text: of, reason }) => [line, of, reason])
        await pipeline(csvStream(['Line', 'Row', 'Reason'], lines), fs.createWriteStream(csv))
        const again: string[][] = []
        for await (const batch of recordsOf({ path: csv, declaredType: '', sizeMax }))
          again.push(...batch.map((one) => one.cells))
        expect(again.slice(1).map(([, of]) => of)).toEqual(refused.map(({ text: of }) => of))
      }

      for (const format of ['csv', 'xlsx'] as const) {
        const report = place()
        const header = ['mobile', ...columns].map((name) => ({ header: name, kind: 'text' as const }))
        const table = await openTable(format, report, header)
        await table.write(values.map((of, at) => [mobileOf(at), ...of]))
        await table.end()
        expect(valuesOf(await rowsIn(await imported(report), 'any')), format).toEqual(values)
      }
    }),
    { numRuns: 60 },
  )
})
