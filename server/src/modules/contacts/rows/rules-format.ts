import { ownValue } from '@ghanti/contract/own-values.ts'

/** What a contact file's bytes are: readable text, or the type to name when refusing it (docs/design.md#contact-files). */
export type FileFormat = { encoding: 'utf-8' | 'utf-16le' | 'utf-16be' } | { unsupported: string }

/** How many bytes `formatOf` expects; fewer only at the end of the file. */
export const headBytes = 4096

/** Excel's .xlsx. Contact files and blacklists are converted to text before they are read (actions-table.ts); elsewhere it is refused. */
export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
export const zipType = 'application/zip'
const olderWorkbookType = 'application/vnd.ms-excel'
const binaryWorkbookType = 'application/vnd.ms-excel.sheet.binary.macroenabled.12'
const openDocumentType = 'application/vnd.oasis.opendocument.spreadsheet'
const numbersType = 'application/vnd.apple.numbers'
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const [pageType, xmlType, pdfType] = ['text/html', 'application/xml', 'application/pdf'] as const

const whys: Readonly<Record<string, string>> = {
  [olderWorkbookType]: 'is an old Excel file (.xls) or has a password: save it as .xlsx without a password',
  [binaryWorkbookType]: 'is a binary Excel file (.xlsb): save it in Excel as "Excel Workbook (.xlsx)"',
  [openDocumentType]: 'is an OpenDocument spreadsheet (.ods): save it as "Excel 2007–365 (.xlsx)"',
  [numbersType]: 'is a file of Apple Numbers (.numbers): choose File, Export To, Excel there',
  [zipType]: 'is a zip file: unpack it, and upload the file inside',
  [wordType]: 'is a Word file: copy its table into Excel and save it there as .xlsx',
  [pageType]: 'is a web page, which some programs call .xls: open it in Excel and save it as .xlsx',
  [xmlType]: 'is an XML file: open it in Excel and save it as .xlsx',
  [pdfType]: 'is a PDF: upload the Excel or CSV file that it was made from',
}

/** Why a file of this type is refused, continuing a sentence after the field's label. */
export function whyUnsupported(type: string): string {
  return ownValue(whys, type) ?? 'is not a text file: save it as "CSV UTF-8"'
}

/** The type of a zip of these files, if it is a spreadsheet that is not read. */
export function spreadsheetIn(names: Iterable<string>): string | null {
  for (const name of names) {
    if (name === 'xl/workbook.bin') return binaryWorkbookType
    if (name.endsWith('.iwa') || name.endsWith('index.zip')) return numbersType
    if (name === 'content.xml') return openDocumentType
    if (name === 'word/document.xml') return wordType
  }
  return null
}

/** Signatures at the first byte, as Latin-1. `has` distinguishes types that share one. */
const signatures: readonly { begins: string; has?: string; type: string }[] = [
  {
    begins: 'PK\x03\x04',
    has: 'opendocument.spreadsheet',
    type: openDocumentType,
  },
  ...['[Content_Types].xml', '_rels/', 'docProps/', 'xl/'].map((has) => ({
    begins: 'PK\x03\x04',
    has,
    type: workbookType,
  })),
  { begins: 'PK\x03\x04', type: zipType },
  { begins: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', type: olderWorkbookType },
  { begins: '%PDF-', type: pdfType },
  { begins: '\x1f\x8b', type: 'application/gzip' },
  { begins: 'Rar!\x1a\x07', type: 'application/vnd.rar' },
  { begins: '7z\xbc\xaf\x27\x1c', type: 'application/x-7z-compressed' },
  { begins: '\x89PNG\r\n', type: 'image/png' },
  { begins: '\xff\xd8\xff', type: 'image/jpeg' },
  { begins: 'GIF8', type: 'image/gif' },
  { begins: 'RIFF', has: 'WAVE', type: 'audio/wav' },
  { begins: 'ID3\x03', type: 'audio/mpeg' },
  { begins: '{\\rtf', type: 'application/rtf' },
  { begins: 'SQLite format 3\0', type: 'application/vnd.sqlite3' },
]
const markup: readonly [RegExp, string][] = [
  [/^(\xef\xbb\xbf)?\s*<(!doctype html|html|table|head|body)\b/i, pageType],
  [/^(\xef\xbb\xbf)?\s*<\?xml\b/i, xmlType],
]

/** Declared types that browsers send for text (Windows calls CSV a spreadsheet), which name nothing useful about a binary file. */
const textTypes = /^(text\/|application\/(vnd\.ms-excel|csv|x-csv|octet-stream)$|$)/

/** The content decides; `declaredType` only names what is refused. */
export function formatOf(head: Uint8Array, declaredType: string): FileFormat {
  const latin1 = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, headBytes)).toString('latin1')
  if (latin1.startsWith('\xff\xfe')) return { encoding: 'utf-16le' }
  if (latin1.startsWith('\xfe\xff')) return { encoding: 'utf-16be' }
  const known =
    signatures.find(({ begins, has = '' }) => latin1.startsWith(begins) && latin1.includes(has))?.type ??
    markup.find(([pattern]) => pattern.test(latin1))?.[1]
  if (known) return { unsupported: known }
  return withoutMark(latin1) ?? { unsupported: binaryType(declaredType) }
}

/** Text has no zero bytes. UTF-16 without a byte order mark has them on one side of each digit, comma and line end. */
function withoutMark(latin1: string): FileFormat | null {
  if (!latin1.includes('\0')) return { encoding: 'utf-8' }
  const zeros = [0, 0]
  for (let at = 0; at < latin1.length; at++) if (latin1.charCodeAt(at) === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even === 0 && odd * 10 > latin1.length) return { encoding: 'utf-16le' }
  if (odd === 0 && even * 10 > latin1.length) return { encoding: 'utf-16be' }
  return null
}

export function binaryType(declaredType: string): string {
  const type = declaredType.split(';')[0]?.trim().toLowerCase() ?? ''
  return textTypes.test(type) ? 'application/octet-stream' : type
}

/** The type to name for text in an unknown character set, as older Windows programs write it. */
export const legacyText = 'text/plain; charset=windows-1252'

export type Separator = (typeof separators)[number]
const separators = [',', '\t', ';', '|'] as const
/** How many lines are looked at: a title has other signs than the rows below it. */
const separatorLines = 30

/** What Excel writes into the first line of a text to name the separator: 'sep=;'. */
const declared = /^\ufeff?"?sep=([,;\t|])"?(?=[\r\n]|$)/i

/** How many signs at the beginning of a text only name its separator. */
export function declarationLength(text: string): number {
  return declared.exec(text.slice(0, 20))?.[0].length ?? 0
}

/** The one that the first line declares, else the one that most lines have outside quotes, or that the first has most often; in doubt a comma. */
export function separatorOf(text: string): Separator {
  const named = declared.exec(text.slice(0, 20))?.[1]
  if (named !== undefined) return separators.find((one) => one === named) ?? ','
  const lines = text
    .split(/[\r\n]+/, separatorLines)
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/"[^"]*"/g, ''))
  const counted = separators.map((separator) => {
    const counts = lines.map((line) => line.split(separator).length - 1)
    return { separator, lines: counts.filter((count) => count > 0).length, inFirst: counts[0] ?? 0 }
  })
  const [best] = counted.toSorted((a, b) => b.lines - a.lines || b.inFirst - a.inFirst)
  return best && best.lines > 0 ? best.separator : ','
}

/** Whether a text is contacts as telephones export them. */
export function isCards(text: string): boolean {
  return /^\ufeff?\s*begin:vcard\s/i.test(text.slice(0, 1000))
}
