/** The parts of an Excel workbook (ECMA-376) of plain tables, with inline texts and a frozen header. */
import { dispositionLabel } from '@ghanti/contract/disposition-label.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import type { CellKind, CsvCell } from '../../lib/csv.ts'
import { escapeMarkup } from '../../lib/escape-markup.ts'
import { momentOf, type TableColumn } from './rules.ts'

/** Excel's limit, without the header. */
export const sheetRowsMax = 1_048_575

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const ofPackage = 'http://schemas.openxmlformats.org/package/2006'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export const sheetName = (no: number): string => `xl/worksheets/sheet${no}.xml`

// oxlint-disable-next-line no-control-regex -- XML has no way to write these
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** A text that looks like a workbook's own code of a sign ('_x0041_' is 'A' there). */
const likeCode = /_(?=x[0-9A-Fa-f]{4}_)/g

/** An XML parser turns a carriage return into a line feed. */
function escaped(text: string): string {
  const written = text.toWellFormed().replace(unwritable, '').replace(likeCode, '_x005F_')
  return escapeMarkup(written).replaceAll('\r', '&#13;')
}

const [dayMs, unixEpoch] = [24 * 3600_000, 25_569] // in days since Excel's epoch
// Indexes into cellXfs below.
const [timeStyle, moneyStyle, headStyle, decimalStyle, groupedStyle] = [1, 2, 3, 4, 5]

function timeCell(cell: CsvCell): string {
  const moment = momentOf(cell)
  // Ten decimals are 9 µs. With fewer, some programs show the second before.
  return moment === null ? cellOf(cell) : `<c s="${timeStyle}"><v>${(moment / dayMs + unixEpoch).toFixed(10)}</v></c>`
}

function moneyCell(cell: CsvCell): string {
  return typeof cell === 'number' ? `<c s="${moneyStyle}"><v>${cell}</v></c>` : cellOf(cell)
}

const plain = /^-?(?:0|[1-9]\d{0,8})$/
const decimal = /^-?(?:0|[1-9]\d{0,8})\.\d{2}$/
const grouped = /^-?[1-9]\d{0,2}(?:,\d{2,3}){0,2},\d{3}$/
const groupedDecimal = /^-?[1-9]\d{0,2}(?:,\d{2,3}){0,2},\d{3}\.\d{2}$/

/** A value that Excel shows with the same digits is a number, so that amounts add up; telephone numbers and what begins with 0 stay texts. */
function valueCell(cell: CsvCell): string {
  if (typeof cell !== 'string') return cellOf(cell)
  const number = `<v>${cell.replaceAll(',', '')}</v></c>`
  if (plain.test(cell)) return `<c>${number}`
  if (decimal.test(cell)) return `<c s="${decimalStyle}">${number}`
  if (grouped.test(cell)) return `<c s="${groupedStyle}">${number}`
  return groupedDecimal.test(cell) ? `<c s="${moneyStyle}">${number}` : cellOf(cell)
}

const outcomeWords: Readonly<Record<string, string>> = {
  ...dispositionLabel,
  EXPIRED: 'Not called to the end',
  'TO BE CALLED AGAIN': 'To be called again',
  'NOT CALLED YET': 'Not called yet',
}

const outcomeCell = (cell: CsvCell): string =>
  cellOf(typeof cell === 'string' ? (ownValue(outcomeWords, cell) ?? cell) : cell)

function cellOf(cell: CsvCell): string {
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  if (cell === null || cell === '') return '<c/>'
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
}

const writerOf: Partial<Record<CellKind, (cell: CsvCell) => string>> = {
  time: timeCell,
  money: moneyCell,
  value: valueCell,
  outcome: outcomeCell,
}

const headCell = (header: string): string =>
  `<c s="${headStyle}" t="inlineStr"><is><t xml:space="preserve">${escaped(header)}</t></is></c>`

export function rowsOfSheet(
  rows: readonly (readonly CsvCell[])[],
  columns: readonly Pick<TableColumn, 'kind'>[],
): string {
  let text = ''
  const writers = columns.map(({ kind }) => writerOf[kind] ?? cellOf)
  for (const row of rows) {
    text += '<row>'
    for (const [at, cell] of row.entries()) text += (writers[at] ?? cellOf)(cell)
    text += '</row>'
  }
  return text
}

export function openSheet(columns: readonly TableColumn[]): string {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  return (
    `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="${columns.length}" width="18" customWidth="1"/></cols>` +
    `<sheetData><row>${columns.map(({ header }) => headCell(header)).join('')}</row>`
  )
}
export const closeSheet = '</sheetData></worksheet>'

/** Cells: plain, a time, money, a heading, two decimals, whole and grouped. Excel's own formats are 2 '0.00', 3 '#,##0' and 4 '#,##0.00'. */
const styles =
  `${head}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  '<fill><patternFill patternType="solid"><fgColor rgb="FFFBF1DC"/></patternFill></fill></fills>' +
  '<borders count="2"><border/><border><left/><right/><top/><bottom style="thin"><color rgb="FFB97F10"/></bottom></border></borders>' +
  '<cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  '<cellXfs count="6"><xf xfId="0"/><xf numFmtId="164" xfId="0" applyNumberFormat="1"/><xf numFmtId="4" xfId="0" applyNumberFormat="1"/>' +
  '<xf fontId="1" fillId="2" borderId="1" xfId="0" applyFont="1" applyFill="1" applyBorder="1"/>' +
  '<xf numFmtId="2" xfId="0" applyNumberFormat="1"/><xf numFmtId="3" xfId="0" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

export function parts(sheets: number): [name: string, text: string][] {
  const each = (of: (no: number) => string) => Array.from({ length: sheets }, (_, at) => of(at + 1)).join('')
  return [
    [
      '[Content_Types].xml',
      `${head}<Types xmlns="${ofPackage}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>` +
        `${each((no) => `<Override PartName="/${sheetName(no)}" ContentType="${types}.worksheet+xml"/>`)}</Types>`,
    ],
    ['xl/styles.xml', styles],
    [
      '_rels/.rels',
      `${head}<Relationships xmlns="${ofPackage}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${each((no) => `<sheet name="Sheet${no}" sheetId="${no}" r:id="rId${no}"/>`)}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${head}<Relationships xmlns="${ofPackage}/relationships">${each((no) => `<Relationship Id="rId${no}" Type="${relations}/worksheet" Target="worksheets/sheet${no}.xml"/>`)}` +
        `<Relationship Id="rId${sheets + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    ],
  ]
}
