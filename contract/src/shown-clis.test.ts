import { expect, test } from 'vitest'
import { isClis, showing } from './shown-clis.ts'

test.each([
  { why: 'an empty list allows all', list: [], number: '015970001', may: true },
  { why: 'a number, in any notation', list: ['+977-1-5970001'], number: '015970001', may: true },
  { why: 'another number', list: ['015970001'], number: '015970002', may: false },
  { why: 'the first of a row', list: ['9801234500-9801234599'], number: '9801234500', may: true },
  { why: 'the last of a row', list: ['9801234500-9801234599'], number: '9801234599', may: true },
  { why: 'one behind a row', list: ['9801234500-9801234599'], number: '9801234600', may: false },
  { why: 'a row in international digits', list: ['9779801234500-9779801234599'], number: '9801234501', may: true },
  { why: 'a longer number that begins like one of the row', list: ['1400-1499'], number: '14001', may: false },
  { why: 'any of several', list: ['1414', '015970000-015970099'], number: '015970050', may: true },
])('$why', ({ list, number, may }) => {
  expect(showing(list)(number)).toBe(may)
})

test.each(['', 'x', '9801234599-9801234500', '98012345-9801234599', '1-2'])(
  '%s is neither a caller ID nor a range',
  (written) => {
    expect(isClis(written)).toBe(false)
  },
)
