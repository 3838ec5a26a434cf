import { expect, test } from 'vitest'
import { callerIdOf, searchedDigits, whyNoCallerId } from './caller-id.ts'

test.each([
  { written: '01-597 0001', cli: '015970001' },
  { written: '+977 1 5970001', cli: '015970001' },
  { written: '९८४१२३४५६७', cli: '9841234567' },
  { written: '1414', cli: '1414' },
  { written: '1660-01-23456', cli: '16600123456' },
])('$written is shown as $cli', ({ written, cli }) => expect(callerIdOf(written)).toBe(cli))

test.each([
  { written: '', why: 'is empty' },
  { written: '12', why: 'is too short' },
  { written: '5970001', why: 'is too short' },
  { written: '15970001', why: 'lacks a digit, or the 0 in front of a landline' },
  { written: '+14155550100', why: 'is not Nepali' },
  { written: '9.84E+09', why: 'was cut by a spreadsheet (format the column as text, enter the numbers again)' },
  { written: 'NTC', why: 'has letters' },
  { written: '98412345678', why: 'is too long' },
])('$written is not a caller ID: $why', ({ written, why }) => {
  expect(callerIdOf(written)).toBeNull()
  expect(whyNoCallerId(written)).toBe(why)
})

test('a search finds a number by its beginning, with 977 or 0 in front or without, and by its end', () => {
  expect(searchedDigits('01-597')).toEqual({ begins: ['01597', '001597'], ends: '01597' })
  expect(searchedDigits('+977 1597')).toEqual({ begins: ['9771597', '1597', '01597'], ends: '1597' })
  expect(searchedDigits('0001')).toEqual({ begins: ['0001', '00001'], ends: '0001' })
  expect(searchedDigits('reseller1')).toBeNull()
  expect(searchedDigits(' ')).toBeNull()
})
