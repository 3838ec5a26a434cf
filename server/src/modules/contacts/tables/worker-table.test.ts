import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { workbook, type TestSheet } from '../../../testing/files/workbook.ts'
import { readTable, type TableJob } from './worker-table.ts'
import { tableOf } from './worker.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-tables-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
let files = 0
const place = (): string => path.join(folder, String(++files))
function stored(content: string | Uint8Array): string {
  const target = place()
  fs.writeFileSync(target, content)
  return target
}

type More = Partial<Extract<TableJob, { want: 'text' }>>
function jobOf(content: string | Uint8Array, more: More = {}): Extract<TableJob, { want: 'text' }> {
  const source = { path: stored(content), declaredType: '', sizeMax: 20 * 1024 * 1024 }
  return { ...source, want: 'text', target: place(), askColumns: false, ...more }
}
async function textOf(content: string | Uint8Array, more: More = {}): Promise<string> {
  const job = jobOf(content, more)
  const end = await readTable(job)
  expect(end).toMatchObject({ kind: 'text' })
  const text = fs.readFileSync(job.target, 'utf8')
  if (end.kind === 'text') expect(end.bytes).toBe(fs.statSync(job.target).size)
  expect(text.startsWith('\ufeff')).toBe(true)
  return text.slice(1)
}
const linesOf = (text: string): string[] => text.replace(/\r\n$/, '').split('\r\n')
const sheet = (rows: TestSheet['rows'], name = 'June'): TestSheet => ({ name, rows })
const book = (rows: TestSheet['rows'], options?: Parameters<typeof workbook>[1]) => workbook([sheet(rows)], options)

describe('an Excel file becomes text', () => {
  test('with numbers as people wrote them, dates as ISO and Nepali in its letters', async () => {
    const xml = [
      '<row r="1"><c r="A1" t="inlineStr"><is><t>mobile</t></is></c><c r="B1" t="inlineStr"><is><t>नाम</t></is></c><c r="C1" t="inlineStr"><is><t>date</t></is></c></row>',
      '<row r="2"><c r="A2"><v>9841000001</v></c><c r="B2" t="inlineStr"><is><r><t>सी</t></r><rPh sb="0" eb="1"><t>si</t></rPh><r><t>ता</t></r></is></c><c r="C2" s="1"><v>46357</v></c></row>',
      '<row r="3"><c r="A3"><v>9.841000002E9</v></c><c r="B3" t="str"><f>A2&amp;"x"</f><v>Ram &amp; Co, "B"</v></c><c r="C3" s="2"><v>46358</v></c></row>',
      '<row r="4" hidden="1"><c r="A4" t="inlineStr"><is><t>+977 984-1000003</t></is></c><c r="C4" t="d"><v>2026-12-03T00:00:00</v></c></row>',
      '<row r="5"><c r="A5" t="inlineStr"><is><t>९८४१०००००४</t></is></c><c r="B5" t="b"><v>1</v></c><c r="C5" t="e"><v>#N/A</v></c></row>',
      '<row r="6"><c r="A6"><f>B6</f></c></row>',
      '<row r="7"><c r="A7"><v>9841000005</v></c><c r="B7" t="inlineStr"><is><t xml:space="preserve">two\nlines_x000D_</t></is></c></row>',
    ].join('')
    const content = await book(xml, { formats: ['dd/mm/yyyy'] })
    expect(linesOf(await textOf(content, { hiddenRows: 'take' }))).toEqual([
      'mobile,नाम,date',
      '9841000001,सीता,2026-12-01',
      '9841000002,"Ram & Co, ""B""",2026-12-02',
      '+977 984-1000003,,2026-12-03',
      '९८४१०००००४,TRUE,#N/A',
      '#FORMULA!',
      '9841000005,"two lines "',
    ])
  })

  test('without the rows that are hidden in it, whose lines stay empty', async () => {
    const xml =
      '<row r="1"><c><v>9841000001</v></c></row><row r="2" hidden="true"><c><v>9841000002</v></c></row><row r="3"><c><v>9841000003</v></c></row>'
    const job = jobOf(await book(xml))
    expect(await readTable(job)).toMatchObject({ kind: 'text', hiddenLeft: 1, hiddenTaken: 0 })
    expect(linesOf(fs.readFileSync(job.target, 'utf8'))).toEqual(['\ufeff9841000001', '', '9841000003'])
    const flat = jobOf(await book(xml.replace('hidden="true"', 'ht="0" customHeight="1"')))
    expect(await readTable(flat)).toMatchObject({ kind: 'text', hiddenLeft: 1, hiddenTaken: 0 })
  })

  test('whose lines are the rows of the sheet, empty ones and missing cells included', async () => {
    const xml =
      '<row r="3"><c r="B3"><v>9841000001</v></c></row><row r="4"/><row r="7"><c r="A7" t="inlineStr"><is><t> </t></is></c></row><row r="9"><c r="A9"><v>9841000002</v></c></row>'
    expect(linesOf(await textOf(await book(xml)))).toEqual(['', '', ',9841000001', '', '', '', '', '', '9841000002'])
  })

  test('also when it counts days from 1904 or leaves the places of cells out', async () => {
    const xml = '<row><c><v>9841000001</v></c><c s="1"><v>44895</v></c></row>'
    expect(await textOf(await book(xml, { from1904: true }))).toBe('9841000001,2026-12-01\r\n')
  })

  test('also with prefixed tags and its parts elsewhere', async () => {
    const xml =
      '<x:worksheet xmlns:x="urn:x"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>9841000001</x:v></x:c></x:row></x:sheetData></x:worksheet>'
    const relations =
      '<Relationships><Relationship Id="rId1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/worksheet" Target="/xl/Sheets/One.xml"/></Relationships>'
    const parts = { 'xl/_rels/workbook.xml.rels': relations, 'xl/sheets/one.xml': xml }
    expect(await textOf(await book([], { parts }))).toBe('9841000001\r\n')
  })

  test('from the one sheet that has rows and is not hidden', async () => {
    const content = await workbook([
      { name: 'Empty', rows: [] },
      { name: 'Secret', state: 'hidden', rows: [[9841000009]] },
      { name: 'सूची', rows: [[9841000001]] },
    ])
    const job = jobOf(content)
    expect(await readTable(job)).toMatchObject({ kind: 'text', sheet: 'सूची' })
    expect(fs.readFileSync(job.target, 'utf8')).toBe('\ufeff9841000001\r\n')
  })

  test('from the sheet that was chosen where several have rows', async () => {
    const content = await workbook([sheet([[9841000001]], 'June'), sheet([[9841000002]], 'July')])
    expect(await readTable(jobOf(content))).toEqual({
      kind: 'refused',
      code: 'which_sheet',
      why: "has rows in the sheets 'June', 'July': say which one",
    })
    expect(await textOf(content, { sheet: 'July' })).toBe('9841000002\r\n')
    expect(await readTable(jobOf(content, { sheet: 'May' }))).toMatchObject({ kind: 'refused', code: 'which_sheet' })
  })

  test('with a row of more columns than may be left for the check of rows to refuse', async () => {
    const cells = '<c r="A1"><v>9841000001</v></c><c r="XFD1"><v>1</v></c>'
    const [line = ''] = linesOf(await textOf(await book(`<row r="1">${cells}</row>`)))
    expect(line.split(',')).toHaveLength(101)
  })
})

describe('an Excel file is refused in words', () => {
  const row = '<row r="1"><c r="A1"><v>1</v></c></row>'
  test.each([
    {
      why: 'that is cut off',
      content: async () => (await book([[9841000001]])).subarray(0, 400),
      text: 'cannot be read: the Excel file is damaged. Open it in Excel and save it again',
    },
    {
      why: 'with a broken sheet',
      content: () => book(`${row}<row r="2"><c></row>`),
      text: "cannot be read in the sheet 'June': the Excel file is damaged. Open it in Excel and save it again",
    },
    {
      why: 'whose rows go backwards',
      content: () => book('<row r="5"><c><v>1</v></c></row><row r="4"><c><v>1</v></c></row>'),
      text: 'has rows in no order below row 5',
    },
    {
      why: 'with a row beyond the last',
      content: () => book('<row r="1048577"><c><v>1</v></c></row>'),
      text: 'has rows in no order below row 0',
    },
    {
      why: 'that is a document of Word',
      content: () =>
        book([], { parts: { '_rels/.rels': '<Relationships/>', 'xl/workbook.xml': '<w:document xmlns:w="w"/>' } }),
      text: 'has no rows in any sheet that is not hidden',
    },
    { why: 'without rows', content: () => book([]), text: 'has no rows in any sheet that is not hidden' },
  ])('one $why', async ({ content, text }) => {
    const end = await readTable(jobOf(await content()))
    expect(end).toMatchObject({ kind: 'refused', why: expect.stringContaining(text) })
  })

  test('an old one, or one with a password', async () => {
    const end = await readTable(jobOf(Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), { askColumns: true }))
    expect(end).toEqual({
      kind: 'unsupported',
      type: 'application/vnd.ms-excel',
      why: 'is an old Excel file (.xls) or has a password: save it as .xlsx without a password',
    })
  })

  test('one whose text is longer than a contact file may be', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => [9841000001 + at, 'x'.repeat(50)])
    expect(await readTable(jobOf(await book(rows), { sizeMax: 2 * 1024 * 1024 }))).toMatchObject({ kind: 'text' })
    expect(await readTable(jobOf(await book(rows), { sizeMax: 0 }))).toMatchObject({
      kind: 'refused',
      code: 'too_large',
      why: expect.stringMatching(/^has more than 0 MB of text in the sheet 'June'/),
    })
  })
})

/** Rows without end in a zip of a few hundred kilobytes. */
function* manyTimes(piece: string, megabytes: number): Generator<string> {
  const block = piece.repeat(Math.ceil(1_000_000 / piece.length))
  for (let made = 0; made < megabytes; made++) yield block
}
function bomb(
  piece: string,
  megabytes: number,
  part = 'xl/worksheets/sheet1.xml',
  tag = 'worksheet',
): Promise<Buffer<ArrayBuffer>> {
  function* content() {
    yield `<${tag}><sheetData>`
    yield* manyTimes(piece, megabytes)
    yield `</sheetData></${tag}>`
  }
  return book([], { parts: { [part]: Readable.from(content()) } })
}

describe('what unpacks to more than it may is refused, in a process of its own', () => {
  // ../../../growing-files.test.ts has a sheet that grows, sent to the server.
  test('a sheet of 700 MB of empty rows', { tags: ['exhaustive'] }, async () => {
    const content = await bomb('<row></row>', 700)
    expect(content.length).toBeLessThan(2_000_000)
    expect(await tableOf(jobOf(content))).toEqual({
      kind: 'refused',
      code: expect.stringMatching(/too_large|not_readable/),
      why: expect.stringMatching(/holds more than 640 MB when it is unpacked|has rows in no order below row 1048576/),
    })
  })

  test('one cell, one tag or one name without end', async () => {
    for (const piece of ['9', '<!-- -->', ' a="9"']) {
      const sheet = `<worksheet><sheetData><row><c${piece.startsWith(' ') ? '' : '><v>'}${[...manyTimes(piece, 3)].join('')}`
      const content = await book([], { parts: { 'xl/worksheets/sheet1.xml': sheet } })
      expect(await tableOf(jobOf(content))).toMatchObject({ kind: 'refused' })
    }
  })

  // The limit of their number is that of their bytes, which the test before has.
  test('millions of shared texts', { tags: ['exhaustive'] }, async () => {
    const content = await bomb('<si><t>a</t></si>', 100, 'xl/sharedStrings.xml', 'sst')
    expect(await tableOf(jobOf(content))).toMatchObject({
      kind: 'refused',
      code: 'too_large',
      why: expect.stringMatching(/^has too many different texts: split it|^takes too long to read for its size/),
    })
  })
})

describe('a person chooses the columns', () => {
  test('and the number comes first under its name, the others after it under theirs', async () => {
    const text = 'Who;Tel. home;Sum\r\n"Ram; B";9841000001;5\r\n\r\nSita;9841000002;6\r\n'
    const columns = { number: 1, header: true, names: ['client_name', '', 'amount'] }
    expect(await textOf(text, { columns })).toBe(
      'mobile,client_name,amount\r\n9841000001,"Ram; B",5\r\n\r\n9841000002,Sita,6\r\n',
    )
  })

  test('of a file without a header, which then gets one', async () => {
    const columns = { number: 1, header: false, names: ['name'] }
    expect(await textOf('Ram,9841000001\nSita,9841000002,x\n', { columns })).toBe(
      'mobile,name\r\n9841000001,Ram\r\n9841000002,Sita,x\r\n',
    )
  })

  test('of an Excel file too', async () => {
    const content = await book([
      ['Who', 'Where'],
      ['Ram', 9841000001],
    ])
    expect(await textOf(content, { columns: { number: 1, header: true, names: [] } })).toBe(
      'mobile,Who\r\n9841000001,Ram\r\n',
    )
  })

  test.each([
    ['mobile,name\n9841000001,Ram\n', 'same'],
    ['9841000001,Ram\n', 'same'],
    ['9841000001\nabc\n', 'same'],
    ['Liste\n9841000001\n', 'same'],
    ['Who,Where\nRam,Pokhara\n', 'refused'],
    ['9841000001,9841000002,Ram\n', 'refused'],
    ['Mobile 1,Mobile 2\n9841000001,9841000002\n', 'refused'],
    ['', 'same'],
  ])('and is asked where neither cells nor names say which is the number: %j is %s', async (text, kind) => {
    expect(await readTable(jobOf(text, { askColumns: true }))).toMatchObject({ kind })
    expect(await readTable(jobOf(text))).toEqual({ kind: 'same' })
  })

  test('after seeing the first rows, those of an Excel file by sheet', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => ['Ram', 9841000001 + at])
    const content = await workbook([sheet([['Who', 'Where'], ...rows], 'June'), sheet([[9841000001]], 'July')])
    const source = { path: stored(content), declaredType: '', sizeMax: 1e9, want: 'look' as const }
    const june = await readTable(source)
    expect(june).toMatchObject({
      kind: 'look',
      look: { sheets: ['June', 'July'], sheet: 'June', header: true, number: 1, close: [] },
    })
    if (june.kind === 'look') {
      expect(june.look.first).toHaveLength(10)
      expect(june.look.first[1]).toEqual({ line: 2, cells: ['Ram', '9841000001'] })
    }
    expect(await readTable({ ...source, sheet: 'July' })).toMatchObject({
      look: { sheet: 'July', header: false, number: 0, first: [{ line: 1, cells: ['9841000001'] }] },
    })
  })
})

describe('of a list every number is taken', () => {
  test('also from the titles above its header, which come last so that all lines keep their numbers', async () => {
    const titled = 'Do not call: 9841000009\nShree Coop\nName,Mobile\nSita,9841000001\n'
    expect(linesOf(await textOf(titled, { isList: true }))).toEqual([
      '',
      '',
      'mobile,Name',
      '9841000001,Sita',
      '+9779841000009,',
    ])
    expect(linesOf(await textOf(titled))).toEqual(['', '', 'mobile,Name', '9841000001,Sita'])
  })
})
