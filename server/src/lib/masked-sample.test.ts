import { expect, test } from 'vitest'
import { sampleOf } from './masked-sample.ts'

test.each([
  ['id:7000 stat:WHATEVER', 'id:7000 stat:WHATEVER'],
  ['{"to":9779841000001,"st":"?"}', '{"to":97xxxxxxxxx01,"st":"?"}'],
  ['to=+977-984-100-0001 ok', 'to=+97x-xxx-xxx-xx01 ok'],
  ['९८४१००००२०', '९८xxxxxx२०'],
  ['a\u0000\n\tb', 'a b'],
  ['', ''],
])('%j is shown as %j', (text, shown) => expect(sampleOf(text)).toBe(shown))

test('a sample has at most 300 letters', () => {
  expect(sampleOf('😀'.repeat(10_000)).length).toBeLessThanOrEqual(300)
  expect(sampleOf('9'.repeat(10_000)).length).toBeLessThanOrEqual(300)
})
