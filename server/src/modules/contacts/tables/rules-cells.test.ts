import { expect, test } from 'vitest'
import {
  columnAt,
  dateText,
  isoText,
  lettersOf,
  numberStyle,
  numberText,
  plainStyle,
  unescaped,
} from './rules-cells.ts'

test.each([
  ['9841000001', '9841000001'],
  ['9841000001.0', '9841000001'],
  ['9.841000001E9', '9841000001'],
  ['9.841E+9', '9841000000'],
  ['9779841000001', '9779841000001'],
  ['1250.5', '1250.5'],
  ['0.30000000000000004', '0.3'],
  ['-7', '-7'],
  ['#N/A', '#N/A'],
  ['', ''],
])('the number %j of a cell is %j', (written, text) => {
  expect(numberText(written, plainStyle, false)).toBe(text)
})

test('a format of zeros keeps the zero in front that a landline has', () => {
  expect(numberText('15970001', numberStyle(164, '000000000'), false)).toBe('015970001')
})

test.each([
  [14, undefined, true],
  [22, undefined, true],
  [0, undefined, false],
  [1, undefined, false],
  [31, undefined, true],
  [164, 'yyyy\\-mm\\-dd', true],
  [164, '[$-409]d\\-mmm\\-yy;@', true],
  [164, 'dd/mm/yyyy', true],
  [164, 'h:mm AM/PM', true],
  [164, '#,##0.00', false],
  [164, '"days" 0', false],
  [164, '[Red]0.00', false],
  [164, 'General', false],
  [164, '0.00E+00', false],
  [164, '@', false],
])('format %d %j is a date: %j', (id, code, date) => {
  expect(numberStyle(id, code).date).toBe(date)
})

test.each([
  [46357, false, '2026-12-01'],
  [46357.604166666664, false, '2026-12-01 14:30:00'],
  [1, false, '1900-01-01'],
  [59, false, '1900-02-28'],
  [61, false, '1900-03-01'],
  [0.5, false, '12:00:00'],
  [44895, true, '2026-12-01'],
  [-1, false, null],
  [9_841_000_001, false, null],
])('the day %d of Excel (from 1904: %j) is %j', (serial, from1904, text) => {
  expect(dateText(serial, from1904)).toBe(text)
})

test('a number that is too large for a date stays a number', () => {
  expect(numberText('9841000001', { date: true, zeros: 0 }, false)).toBe('9841000001')
})

test.each([
  ['A1', 0],
  ['Z9', 25],
  ['AA10', 26],
  ['XFD1048576', 16_383],
  ['$B$2', 1],
  ['', null],
  ['12', null],
])('the cell %j is in column %j', (place, at) => {
  expect(columnAt(place)).toBe(at)
  if (at !== null) expect(columnAt(lettersOf(at))).toBe(at)
})

test('signs that XML cannot write, and dates of ISO, are read', () => {
  expect(unescaped('a_x000D_b_x0041_')).toBe('a\rbA')
  expect(isoText('2026-12-01T00:00:00')).toBe('2026-12-01')
  expect(isoText('2026-12-01T14:30:00.000Z')).toBe('2026-12-01 14:30:00')
})
