import { describe, expect, test } from 'vitest'
import { formatOf, isCards, separatorOf, spreadsheetIn, whyUnsupported } from './rules-format.ts'

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding)
const utf16be = (text: string) => bytes(text, 'utf16le').swap16()
const csv = 'mobile,name\r\n९८४१२३४५६७,सीता\r\n'

describe('text is read', () => {
  test.each([
    { why: 'UTF-8', head: bytes(csv), encoding: 'utf-8' },
    { why: 'UTF-8 with a mark', head: bytes(`\ufeff${csv}`), encoding: 'utf-8' },
    { why: 'UTF-16 with a mark, little end first', head: bytes(`\ufeff${csv}`, 'utf16le'), encoding: 'utf-16le' },
    { why: 'UTF-16 with a mark, big end first', head: utf16be(`\ufeff${csv}`), encoding: 'utf-16be' },
    { why: 'UTF-16 without a mark, little end first', head: bytes(csv, 'utf16le'), encoding: 'utf-16le' },
    { why: 'UTF-16 without a mark, big end first', head: utf16be(csv), encoding: 'utf-16be' },
    { why: 'what Windows calls a spreadsheet', head: bytes(csv), type: 'application/vnd.ms-excel', encoding: 'utf-8' },
    { why: 'whatever it is called', head: bytes(csv), type: 'image/png', encoding: 'utf-8' },
    { why: 'nothing at all', head: bytes(''), encoding: 'utf-8' },
  ])('$why', ({ head, encoding, type = 'text/csv' }) => {
    expect(formatOf(head, type)).toEqual({ encoding })
  })
})

describe('refused by its content', () => {
  const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  test.each([
    {
      why: 'a spreadsheet',
      head: bytes('PK\x03\x04\x14\0\x06\0[Content_Types].xml', 'latin1'),
      type: 'text/csv',
      is: sheet,
    },
    {
      why: 'a spreadsheet under another name',
      head: bytes('PK\x03\x04\x14\0xl/worksheets', 'latin1'),
      type: '',
      is: sheet,
    },
    {
      why: 'an older spreadsheet',
      head: bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0', 'latin1'),
      type: 'text/csv',
      is: 'application/vnd.ms-excel',
    },
    {
      why: 'an OpenDocument',
      head: bytes('PK\x03\x04....mimetypeapplication/vnd.oasis.opendocument.spreadsheet', 'latin1'),
      type: '',
      is: 'application/vnd.oasis.opendocument.spreadsheet',
    },
    {
      why: 'an archive',
      head: bytes('PK\x03\x04....contacts.csv', 'latin1'),
      type: 'text/plain',
      is: 'application/zip',
    },
    { why: 'a PDF', head: bytes('%PDF-1.7'), type: 'text/plain', is: 'application/pdf' },
    { why: 'a picture', head: bytes('\x89PNG\r\n\x1a\n', 'latin1'), type: 'text/csv', is: 'image/png' },
    { why: 'a sound', head: bytes('RIFF....WAVEfmt ', 'latin1'), type: 'text/csv', is: 'audio/wav' },
    {
      why: 'a web page that calls itself a spreadsheet',
      head: bytes('\ufeff <html><table>'),
      type: 'application/vnd.ms-excel',
      is: 'text/html',
    },
    {
      why: 'bytes, as they are declared',
      head: bytes('\x7fELF\0\0\x01\0'),
      type: 'application/x-elf',
      is: 'application/x-elf',
    },
    {
      why: 'bytes that are declared as text',
      head: bytes('\x01\0\0\x02'),
      type: 'text/csv; charset=utf-8',
      is: 'application/octet-stream',
    },
  ])('$why', ({ head, type, is }) => {
    expect(formatOf(head, type)).toEqual({ unsupported: is })
  })
})

test.each([
  ['mobile,name', ','],
  ['mobile;name', ';'],
  ['mobile\tname', '\t'],
  ['mobile', ','],
  ['', ','],
  ['\r\nmobile;name;city\r\na,b,c,d,e', ';'],
  ['mobile;"Sharma, Sita, Ms";city', ';'],
  ['mobile,"a;b;c"', ','],
  ['a,b;c', ','],
  ['a\tb;c', '\t'],
  ['mobile|name', '|'],
  ['Shree Coop, Kathmandu\nmobile;name\n9841000001;Sita', ';'],
  ['Members\n\nmobile\tname\n9841000001\tSita, Ram', '\t'],
  ['sep=;\na,b,c,d\n', ';'],
  ['\ufeffsep=|\r\na,b', '|'],
  ['"sep=\t"\na,b', '\t'],
  ['sep=;x\na,b\nc,d', ','],
])('the separator of %j is %j', (text, separator) => {
  expect(separatorOf(text)).toBe(separator)
})

test.each([
  [['xl/workbook.bin', 'xl/styles.bin'], /binary/],
  [['metadata/properties.plist', 'index/document.iwa'], /numbers/],
  [['june.numbers/index.zip'], /numbers/],
  [['content.xml', 'styles.xml'], /opendocument/],
  [['[content_types].xml', 'word/document.xml'], /word/],
])('a zip of %j is a spreadsheet that is not read', (names, type) => {
  expect(spreadsheetIn(names)).toMatch(type)
})

test.each([
  [
    'the web page that programs call .xls',
    '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table>',
    /in Excel and save/,
  ],
  ['a bare table', '<table><tr><td>Mobile</td></tr></table>', /web page.*open it in Excel and save it as \.xlsx/],
  ['an XML spreadsheet of 2003', '<?xml version="1.0"?><Workbook>', /XML file: open it in Excel and save it as \.xlsx/],
  ['a PDF', '%PDF-1.4', /PDF: upload the Excel or CSV file that it was made from/],
])('%s is refused with what to do', (_, text, why) => {
  const format = formatOf(Buffer.from(text), 'application/vnd.ms-excel')
  expect('unsupported' in format && whyUnsupported(format.unsupported)).toMatch(why)
})

test('a zip of an Excel file or of anything else is none of them', () => {
  expect(spreadsheetIn(['xl/workbook.xml', 'xl/worksheets/sheet1.xml'])).toBeNull()
  expect(spreadsheetIn(['contacts.csv'])).toBeNull()
})

test.each([
  ['BEGIN:VCARD\r\nVERSION:3.0', true],
  ['\ufeff\nbegin:vcard\n', true],
  ['BEGIN:VCARDS\n', false],
  ['name,BEGIN:VCARD\n', false],
])('%j begins cards: %s', (text, is) => {
  expect(isCards(text)).toBe(is)
})
