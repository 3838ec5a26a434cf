import { expect, test } from 'vitest'
import { readReceiptText } from './receipt-text.ts'

const usual = 'id:0A1B sub:001 dlvrd:001 submit date:2611230859 done date:2611230900 stat:DELIVRD err:000 text:Hi'
const read = { id: '0A1B', state: 'DELIVRD', error: '000', doneAt: '2611230900' }
const inLines = usual.replaceAll(/ (sub|dlvrd|submit|done|stat|err|text)/g, '\n$1')
const utf16 = Buffer.from(usual, 'utf16le')

test.each([
  { why: 'the usual form', body: usual },
  { why: 'line breaks', body: inLines },
  { why: 'line breaks of Windows', body: inLines.replaceAll('\n', '\r\n') },
  { why: 'semicolons', body: usual.replaceAll(/ (?=sub|dlvrd|submit|done|stat|err|text)/g, ';') },
  { why: 'commas and blanks', body: usual.replaceAll(/ (?=sub|dlvrd|submit|done|stat|err|text)/g, ', ') },
  { why: 'upright lines', body: usual.replaceAll(/ (?=sub|dlvrd|submit|done|stat|err|text)/g, '|') },
  { why: 'tabs', body: usual.replaceAll(/ (?=sub|dlvrd|submit|done|stat|err|text)/g, '\t') },
  { why: 'equals signs and quotation marks', body: usual.replaceAll(':', '=').replace('0A1B', '"0A1B"') },
  { why: 'blanks around the colons', body: usual.replaceAll(':', ' : ') },
  { why: 'underscores in names', body: usual.replace('done date', 'done_date') },
  { why: 'other names', body: usual.replace('id:', 'msgid:').replace('stat:', 'status:').replace('err:', 'error:') },
  { why: 'capital names', body: usual.replaceAll(/[a-z ]+:/g, (name) => name.toUpperCase()) },
  { why: 'an empty field before', body: usual.replace('dlvrd:001', 'dlvrd:') },
  { why: 'a text with fields', body: `${usual} id:9 stat:REJECTD done date:2611111111` },
  { why: 'UCS-2', body: Buffer.from(utf16).swap16() },
  { why: 'UTF-16 of the other order', body: utf16 },
  {
    why: 'UCS-2 with a mark of its order',
    body: Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]),
  },
])('$why', ({ body }) => {
  expect(readReceiptText(Buffer.isBuffer(body) ? body : Buffer.from(body, 'latin1'))).toEqual(read)
})

test.each([
  ['', '', ''],
  ['stat:DELIVRD', '', 'DELIVRD'],
  ['id: stat:DELIVRD', '', 'DELIVRD'],
  ['id:5', '5', ''],
  ['xid:5 restat:DELIVRD', '', ''],
  ['text:id:77 stat:DELIVRD', '', ''],
  ['id:a:b-1 stat:FAILED', 'a:b-1', 'FAILED'],
])('%s has the id %j and the state %j', (text, id, state) => {
  expect(readReceiptText(Buffer.from(text))).toMatchObject({ id, state })
})

test('of a text of colons no more than the first are looked at', () => {
  expect(readReceiptText(Buffer.from(`${':'.repeat(64)} id:5`)).id).toBe('')
  expect(readReceiptText(Buffer.from(`${':'.repeat(63)} id:5`)).id).toBe('5')
})
