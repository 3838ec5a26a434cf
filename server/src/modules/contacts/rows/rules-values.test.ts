import { expect, test } from 'vitest'
import { whyUnapproved } from './rules-values.ts'

const strict = { words: ['lottery'], isStrict: true }

test.each([
  'Sita Sharma',
  'K.B.Thapa',
  'सीता शर्मा',
  'Rs. 12,50,000.50',
  '2083-05-01',
  '10:30',
  'AB-1234',
  'Tyre 16',
  '',
  'Thank you.',
])('“%s” passes', (value) => expect(whyUnapproved(value, strict)).toBeNull())

test.each([
  ['x'.repeat(41), 'it has more than 40 characters'],
  ['Sita\nWin', 'it has several lines'],
  ['win.example.com', 'it looks like an address'],
  ['ＷＩＮ．example', 'it looks like an address'],
  ['win\u200b.example', 'it looks like an address'],
  ['http://x.y', 'it looks like an address'],
  ['a@b.np', 'it looks like an address'],
  ['bit.ly/x', 'it looks like an address'],
  ['Call 9841000001', 'it has a telephone number'],
  ['Call 98-4100-0001 now', 'it has a telephone number'],
  ['०१-५९७०००१', 'it has a telephone number'],
  ['Lottery!', "it has the word 'lottery'"],
])('“%s” waits', (value, why) => expect(whyUnapproved(value, strict)).toBe(why))

test('where no text has to be approved, the words alone are looked for', () => {
  const rule = { words: ['lottery'], isStrict: false }
  expect(whyUnapproved('win.example.com', rule)).toBeNull()
  expect(whyUnapproved('a lottery', rule)).toBe("it has the word 'lottery'")
})
