import { buffer, text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine, csvStream, forSpreadsheet, fromSpreadsheet } from './csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("http://evil","x")', `'=HYPERLINK("http://evil","x")`],
  ['+977-9841234567', "'+977-9841234567"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1+1', "'\t=1+1"],
  ['\r=1+1', "'\r=1+1"],
  ['\n=1+1', "'\n=1+1"],
  ['＝1+1', "'＝1+1"],
  ['-12.50', '-12.50'],
  ['9841234567', '9841234567'],
  ['सीता', 'सीता'],
  ['a=b', 'a=b'],
  ['015970123', '="015970123"'],
  ['00', '="00"'],
  ['0', '0'],
  ['0.50', '0.50'],
  ['0-1', '0-1'],
  ['00123.5', '="00123.5"'],
  ['1E10', '="1E10"'],
  ['12e5', '="12e5"'],
  ['4E', '4E'],
  ['4E2B', '4E2B'],
  ['12/3', '12/3'],
  ['2082-08-12', '2082-08-12'],
  ['12345678901', '12345678901'],
  ['123456789012', '="123456789012"'],
  ['0100001234567890123', '="0100001234567890123"'],
  ['2026-11-20 10:00:00', '2026-11-20 10:00:00'],
  ['9'.repeat(256), '9'.repeat(256)],
  [15970123456789, 15970123456789],
  ['', ''],
  [-12.5, -12.5],
  [null, null],
])('%j becomes %j', (cell, safe) => {
  expect(forSpreadsheet(cell)).toBe(safe)
})

test.each([
  ['="015970123"', '015970123'],
  ['="00012A"', '00012A'],
  ['=""', ''],
  ['=015970123', '=015970123'],
  ['="01"&"5"', '="01"&"5"'],
  ['="015970123', '="015970123'],
  ['015970123', '015970123'],
])('%j is read as %j', (written, read) => {
  expect(fromSpreadsheet(['सीता', written])).toEqual(['सीता', read])
})

test('any text that an export protects is read back as it was', () => {
  const texts = fc.string({ unit: fc.constantFrom(...`'"=+-@\t\r\n\uff1d0159E.a`), maxLength: 8 })
  fc.assert(
    fc.property(texts, (text) => fromSpreadsheet([String(forSpreadsheet(text))])[0] === text),
    { numRuns: 2000 },
  )
})

test('digits that a spreadsheet would change are a formula in quotes, and are read back as they were', () => {
  const line = csvLine(['015970123', '9841234567', 15970123456789].map(forSpreadsheet))
  expect(line).toBe('"=""015970123""",9841234567,15970123456789\r\n')
  expect(parse(line).map(fromSpreadsheet)).toEqual([['015970123', '9841234567', '15970123456789']])
})

test('a CSV has a byte order mark, Windows line ends, quotes where needed, and reads back as it was', async () => {
  const rows = [
    [1, 'सीता', 'two\r\nlines'],
    [2, 'say "hello", Ram', null],
  ]
  const csv = (await buffer(csvStream(['line', 'name', '=text'], rows))).toString()
  expect(csv.startsWith('\ufeffline,name,\'=text\r\n1,सीता,"two\r\nlines"\r\n2,')).toBe(true)
  expect(parse(csv, { bom: true })).toEqual([
    ['line', 'name', "'=text"],
    ['1', 'सीता', 'two\r\nlines'],
    ['2', 'say "hello", Ram', ''],
  ])
})

test('rows are taken only as they are read, and end when the reader leaves', async () => {
  let made = 0
  let ended = false
  async function* endless() {
    try {
      for (;;) yield ['x'.repeat(1000), ++made]
    } finally {
      ended = true
    }
  }
  const csv = csvStream(['text', 'n'], endless())
  for await (const _ of csv) break
  await expect.poll(() => ended).toBe(true)
  expect(made).toBeLessThan(1000)
})

test('an error of the rows ends the stream', async () => {
  function* broken() {
    yield ['a']
    throw new Error('no more rows')
  }
  await expect(text(csvStream(['h'], broken()))).rejects.toThrow('no more rows')
})
