import { assert, integer, property, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import {
  operatorCode,
  operatorLabel,
  operatorOf,
  operatorOfCode,
  OperatorPrefixes,
  operatorPrefixesDefault,
  operatorRangesOf,
  takesMessages,
} from './operators.ts'

test.each([
  ['9779841234567', 'ntc'],
  ['9779741234567', 'ntc'],
  ['9779801234567', 'ncell'],
  ['9779701234567', 'ncell'],
  ['9779611234567', 'smart'],
  ['9779881234567', 'smart'],
  ['9779831234567', 'other'],
  ['97715970001', 'other'],
  ['9841234567', 'other'],
] as const)('%s is of %s by default', (phone, operator) => {
  expect(operatorOf(phone, operatorPrefixesDefault)).toBe(operator)
  expect(operatorOf(Number(phone), operatorPrefixesDefault)).toBe(operator)
})

test('the longer prefix wins, whichever operator has the shorter one', () => {
  const prefixes = { ntc: ['98'], ncell: ['9801'], smart: ['980'] }
  expect(operatorOf('9779801234567', prefixes)).toBe('ncell')
  expect(operatorOf('9779802234567', prefixes)).toBe('smart')
  expect(operatorOf('9779812234567', prefixes)).toBe('ntc')
})

test('ranges and prefixes agree on the operator of every number', () => {
  const prefix = integer({ min: 90, max: 999_999_999 })
    .map(String)
    .filter((text) => text.startsWith('9'))
  const lists = uniqueArray(prefix, { maxLength: 12 }).map((all) => ({
    ntc: all.filter((_, at) => at % 3 === 0),
    ncell: all.filter((_, at) => at % 3 === 1),
    smart: all.filter((_, at) => at % 3 === 2),
  }))
  assert(
    property(lists, integer({ min: 0, max: 999_999_999 }), (prefixes, end) => {
      const { boundaries, codes } = operatorRangesOf(prefixes)
      const near = boundaries.flatMap((at) => [at - 1, at, at + 1])
      for (const phone of [977_9e9 + end, 97_714_000_000, ...near]) {
        const code = codes[boundaries.findLastIndex((from) => from <= phone)] ?? operatorCode.other
        expect(code, String(phone)).toBe(operatorCode[operatorOf(phone, prefixes)])
      }
    }),
  )
})

test('a landline takes no messages', () => {
  expect(takesMessages(97715970001)).toBe(false)
  expect(takesMessages('9779841234567')).toBe(true)
})

test('a prefix given to two operators is refused by name', () => {
  const given = OperatorPrefixes.safeParse({ ...operatorPrefixesDefault, smart: ['984'] })
  expect(given.error?.issues.map((issue) => issue.message)).toEqual(['984 is listed twice'])
  expect(OperatorPrefixes.safeParse(operatorPrefixesDefault).success).toBe(true)
})

test('a prefix that no mobile number has is refused', () => {
  const given = OperatorPrefixes.safeParse({ ...operatorPrefixesDefault, ntc: ['084'] })
  expect(given.error?.issues.map((issue) => issue.path)).toEqual([['ntc', 0]])
})

test('every code names its operator, which has a name of its own', () => {
  expect(new Set(Object.values(operatorLabel)).size).toBe(Object.keys(operatorCode).length)
  for (const [operator, code] of Object.entries(operatorCode)) expect(operatorOfCode(code)).toBe(operator)
  expect(operatorOfCode(9)).toBeUndefined()
})
