/** The parts of an Excel workbook (ECMA-376) of plain tables, with inline texts and a frozen header. */
import type { CsvCell } from '../../lib/csv.ts'
import { escapeMarkup } from '../../lib/escape-markup.ts'
import type { TableColumn } from './rules.ts'

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

/** An XML parser turns a carriage return into a line feed. */
function escaped(text: string): string {
  return escapeMarkup(text.toWellFormed().replace(unwritable, '')).replaceAll('\r', '&#13;')
}

function cellOf(cell: CsvCell): string {
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  if (cell === null || cell === '') return '<c/>'
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
}

export function rowsOfSheet(rows: readonly (readonly CsvCell[])[]): string {
  let text = ''
  for (const row of rows) {
    text += '<row>'
    for (const cell of row) text += cellOf(cell)
    text += '</row>'
  }
  return text
}

export function openSheet(columns: readonly TableColumn[]): string {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  return (
    `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="${columns.length}" width="18" customWidth="1"/></cols>` +
    `<sheetData>${rowsOfSheet([columns.map(({ header }) => header)])}`
  )
}
export const closeSheet = '</sheetData></worksheet>'

export function parts(sheets: number): [name: string, text: string][] {
  const each = (of: (no: number) => string) => Array.from({ length: sheets }, (_, at) => of(at + 1)).join('')
  return [
    [
      '[Content_Types].xml',
      `${head}<Types xmlns="${ofPackage}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
        `${each((no) => `<Override PartName="/${sheetName(no)}" ContentType="${types}.worksheet+xml"/>`)}</Types>`,
    ],
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
      `${head}<Relationships xmlns="${ofPackage}/relationships">${each((no) => `<Relationship Id="rId${no}" Type="${relations}/worksheet" Target="worksheets/sheet${no}.xml"/>`)}</Relationships>`,
    ],
  ]
}
