import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { escapeMarkup } from '../../lib/escape-markup.ts'

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const ofPackage = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** `rows`: the XML of the rows, or texts and numbers. Texts become shared strings, as in Excel's own files. */
export type TestSheet = { name: string; state?: 'hidden'; rows: string | readonly (readonly (string | number)[])[] }
type Options = {
  /** Number formats; cells refer to them as s="1", s="2", … */
  formats?: readonly string[]
  from1904?: boolean
  /** Extra parts of the zip, or replacements of the usual ones. */
  parts?: Readonly<Record<string, string | Readable>>
}

/** An .xlsx file as Excel writes it. */
export async function workbook(sheets: readonly TestSheet[], options: Options = {}): Promise<Buffer<ArrayBuffer>> {
  const { formats = [], from1904 = false, parts = {} } = options
  const shared: string[] = []
  const made: Record<string, string | Readable> = {}
  for (const [at, { rows }] of sheets.entries()) made[`xl/worksheets/sheet${at + 1}.xml`] = sheetOf(rows, shared)
  Object.assign(made, {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': `${head}<Relationships xmlns="${ofPackage}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr${from1904 ? ' date1904="1"' : ''}/><sheets>${sheets.map(({ name, state }, at) => `<sheet name="${escapeMarkup(name)}" sheetId="${at + 1}"${state ? ` state="${state}"` : ''} r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${ofPackage}">${sheets.map((_, at) => `<Relationship Id="rId${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}<Relationship Id="rId90" Type="${relations}/styles" Target="styles.xml"/><Relationship Id="rId91" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/styles.xml': `${head}<styleSheet xmlns="${main}"><numFmts>${formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escapeMarkup(code)}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('')}<xf numFmtId="14"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${head}<sst xmlns="${main}">${shared.map((text) => `<si><t xml:space="preserve">${escapeMarkup(text)}</t></si>`).join('')}</sst>`,
    ...parts,
  })
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(made))
    if (typeof content === 'string') zip.addBuffer(Buffer.from(content), name)
    else zip.addReadStream(content, name)
  zip.end()
  return (await buffer(zip.outputStream)) as Buffer<ArrayBuffer>
}

function sheetOf(rows: TestSheet['rows'], shared: string[]): string {
  const data = typeof rows === 'string' ? rows : rows.map((cells) => rowOf(cells, shared)).join('')
  return `${head}<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>`
}

function rowOf(cells: readonly (string | number)[], shared: string[]): string {
  const written = cells.map((cell) =>
    typeof cell === 'number' ? `<c><v>${cell}</v></c>` : `<c t="s"><v>${shared.push(cell) - 1}</v></c>`,
  )
  return `<row>${written.join('')}</row>`
}
