import { expect, test } from 'vitest'
import { gatewayJson } from './gateway-json.ts'

test.each<[text: string, value: string | number, why: string]>([
  ['271781022721654785', '271781022721654785', 'beyond 2^53, as a text of the same digits'],
  ['9007199254740992', '9007199254740992', '2^53 itself, which is also what 2^53 + 1 is read as'],
  ['9007199254740991', 9007199254740991, 'the largest that a number holds'],
  ['-271781022721654785', '-271781022721654785', 'below zero'],
  ['18446744073709551615', '18446744073709551615', 'the largest of 64 bits'],
  ['2.71781022721654785e17', '271781022721654785', 'with an exponent'],
  ['271781022721654785.0', '271781022721654785', 'with an empty fraction'],
  ['1.5', 1.5, 'a fraction'],
  ['1e400', Infinity, 'no id'],
  ['"271781022721654785"', '271781022721654785', 'a text'],
])('%s becomes %j: %s', (text, value, _why) => {
  expect(gatewayJson(text)).toEqual({ value })
  expect(gatewayJson(`{"data":[{"id":${text}}]}`)).toEqual({ value: { data: [{ id: value }] } })
})

test('what is deep, has too many parts or is no JSON is refused before anything is built of it', () => {
  expect(gatewayJson('['.repeat(30_000) + ']'.repeat(30_000))).toEqual({
    fault: 'has more than 16 levels of lists and fields',
  })
  expect(gatewayJson(`[${'1,'.repeat(2048)}1]`)).toEqual({ fault: 'has more than 2048 fields and items of lists' })
  expect(gatewayJson('<html>')).toEqual({ fault: 'is not JSON' })
})
