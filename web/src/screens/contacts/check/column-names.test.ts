import { expect, test } from 'vitest'
import { guessColumns, positionOf } from './column-names.ts'

const insurance = ['Mobile No', 'Policy Holder', 'Premium Amount', 'Due Date']

test.each([
  { why: 'part of a name', wanted: ['amount', 'date'], names: insurance, taken: [0], at: [2, 3] },
  { why: 'the very name first', wanted: ['amount'], names: ['x', 'Old Amount', 'AMOUNT'], taken: [0], at: [2] },
  {
    why: 'numbered ones',
    wanted: ['date1', 'date2'],
    names: ['x', 'Date of visit', 'Due date'],
    taken: [0],
    at: [1, 2],
  },
  { why: 'nothing fits', wanted: ['token'], names: insurance, taken: [0], at: [null] },
  { why: 'never the number', wanted: ['amount'], names: ['Amount'], taken: [0], at: [null] },
])('a spoken column is guessed by $why', ({ wanted, names, taken, at }) => {
  expect(guessColumns(wanted, names, taken)).toEqual(at)
})

test('a column has its name whatever its case and punctuation', () => {
  expect(positionOf('client_name', ['mobile', 'Client Name'])).toBe(1)
})
