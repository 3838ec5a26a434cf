import { expect, test } from 'vitest'
import { CliFileValidator } from './rules-file.ts'

function validated(...rows: string[][]) {
  const validator = new CliFileValidator()
  rows.forEach((cells, n) => validator.validate(cells, n + 1))
  return {
    accepted: validator.accepted.map(({ line, number, channels, trunkName }) => [line, number, channels, trunkName]),
    refused: validator.refused.map(({ line, reason, kind }) => [line, kind, reason]),
  }
}

test('without a header the columns are cli, channels, trunkName; what is left out is not said', () => {
  expect(validated(['01-5970001', '12', 'NTC PRI'], ['015970002'], ['015970003', '', 'NTC PRI'])).toEqual({
    accepted: [
      [1, '015970001', 12, 'NTC PRI'],
      [2, '015970002', null, null],
      [3, '015970003', null, 'NTC PRI'],
    ],
    refused: [],
  })
})

test('with a header they stand where it says; others are passed over, blank lines are no lines', () => {
  expect(validated(['Trunk Name', 'note', 'CLI'], ['NTC PRI', 'x', '015970001'], ['', ' '], ['', '', '१४१४'])).toEqual({
    accepted: [
      [2, '015970001', null, 'NTC PRI'],
      [4, '1414', null, null],
    ],
    refused: [],
  })
})

test('each refused line is reported with its reason', () => {
  expect(
    validated(
      ['abc'],
      ['015970001', '0'],
      ['015970001', 'x'],
      ['015970001', '5', 'n'.repeat(101)],
      ['015970001'],
      ['+97715970001'],
    ),
  ).toEqual({
    accepted: [[5, '015970001', null, null]],
    refused: [
      [1, 'invalid', 'the number has letters'],
      [2, 'invalid', 'channels must be a whole number from 1 to 100000'],
      [3, 'invalid', 'channels must be a whole number from 1 to 100000'],
      [4, 'invalid', 'trunkName is longer than 100 characters'],
      [6, 'duplicate', 'the same number as in line 5'],
    ],
  })
})
