/** Every kind of cell that a workbook can have, at random, with the text that a contact file keeps of it. */
import * as fc from 'fast-check'
import { fromSpreadsheet } from '../../lib/csv.ts'
import { escapeMarkup } from '../../lib/escape-markup.ts'
import { dateText } from '../../modules/contacts/tables/rules-cells.ts'

/** A cell as a workbook has it, without its place, and the text that people see in it, as far as a contact file keeps it. */
export type Cell = { attributes: string; content: string; text: string }

const amountFormats = [
  '#,##0.00',
  '"Rs. "#,##0.00',
  '0.00" /-"',
  '[Red]0.00',
  '"977"0',
  '0.00" (24 days)"',
  '[$रु-461] #,##0.00',
]
export const formats = [...amountFormats, 'dd/mm/yyyy', 'yyyy\\-mm\\-dd\\ hh:mm', '00000']
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
export const columns = ['date', 'token', 'client_name', 'service_name', 'amount', 'month', 'note']
export const rowOfCells = fc.array(fc.oneof(...Object.values(cells)).filter(isOneText), {
  minLength: columns.length,
  maxLength: columns.length,
})
export const mobileOf = (at: number): string => String(9_841_000_001 + at)

export function sheetOf(rows: readonly (readonly Cell[])[]): string {
  const letter = (at: number): string => String.fromCharCode(65 + at)
  const header = ['mobile', ...columns].map((name, at) => `<c r="${letter(at)}1" t="inlineStr">${text(name)}</c>`)
  const lines = rows.map((of, at) => {
    const rest = of.map(({ attributes, content }, n) => `<c r="${letter(n + 1)}${at + 2}" ${attributes}>${content}</c>`)
    return `<row r="${at + 2}"><c r="A${at + 2}"><v>${mobileOf(at)}</v></c>${rest.join('')}</row>`
  })
  return `<row r="1">${header.join('')}</row>${lines.join('')}`
}

/**
 * Contact files keep no blanks around a value and no line breaks of a workbook's cells, and what makes a spreadsheet show a text is no part of it.
 */
export const seen = (cell: string): string => (fromSpreadsheet([cell.replace(/[\r\n]+/g, ' ')])[0] ?? '').trim()
