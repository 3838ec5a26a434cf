import { buffer, text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { csvStream, harmless } from './csv.ts'

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
  ['', ''],
  [-12.5, -12.5],
  [null, null],
])('%j becomes %j', (cell, safe) => {
  expect(harmless(cell)).toBe(safe)
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
