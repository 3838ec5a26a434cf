import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { faultOfJson, jsonBoundsOf, jsonDepthMax, jsonOr, jsonPartsMin } from './bounded-json.ts'
import { routes } from './routes.ts'
import type { Route } from './route.ts'

const bounds = { partsMax: 6, depthMax: 3 }
const tooMany = 'has more than 6 fields and items of lists'

test.each([
  { why: 'as many fields as there may be', text: '{"a":1,"b":2,"c":3,"d":4,"e":5}', fault: null },
  { why: 'a field too many', text: '{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', fault: tooMany },
  { why: 'an item too many', text: '[1,2,3,4,5,6]', fault: tooMany },
  { why: 'lists without content', text: '[[],[],[],[]]', fault: tooMany },
  { why: 'commas and brackets in a text are no parts', text: '{"a":"[,,,,,,,{{{{"}', fault: null },
  { why: 'an escaped quotation mark ends no text', text: String.raw`{"a":"\",,,,,,,,"}`, fault: null },
  {
    why: 'an escaped backslash does not escape the mark after it',
    text: String.raw`["\\",1,2,3,4,5,6]`,
    fault: tooMany,
  },
  { why: 'a text without an end', text: '",,,,,,,,', fault: null },
  { why: 'as deep as it may be', text: '[[[1]]]', fault: null },
  { why: 'a level too many', text: '[[{"a":[1]}]]', fault: 'has more than 3 levels of lists and fields' },
  { why: 'nothing', text: '', fault: null },
])('$why', ({ text, fault }) => expect(faultOfJson(text, bounds)).toBe(fault))

/** Independently of the scan: each value, and each list or object once more for its bracket. */
function partsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  return 1 + Math.max(0, inner.length - 1) + inner.reduce<number>((sum, part) => sum + partsIn(part), 0)
}

test('whatever JSON it is, as many parts are counted as it has', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      const parts = 1 + partsIn(value)
      expect(faultOfJson(text, { partsMax: parts, depthMax: 1000 })).toBeNull()
      expect(faultOfJson(text, { partsMax: parts - 1, depthMax: 1000 })).not.toBeNull()
    }),
  )
})

describe('a schema', () => {
  const row = z.object({ agentNumber: z.string(), agentDtmf: z.optional(z.string()) })
  const rows = z.array(row).check(z.maxLength(500))
  test('bounds its JSON by what it can hold', () => {
    const full = JSON.stringify(Array.from({ length: 500 }, () => ({ agentNumber: '9841000001', agentDtmf: '1' })))
    expect(faultOfJson(full, jsonBoundsOf(rows))).toBeNull()
    expect(faultOfJson(`[${'1,'.repeat(5000)}1]`, jsonBoundsOf(rows))).not.toBeNull()
  })

  test('that holds little takes the default', () =>
    expect(jsonBoundsOf(row)).toEqual({ partsMax: jsonPartsMin, depthMax: jsonDepthMax }))

  test('of JSON as text refuses more than it can hold, in words', () => {
    const said = z.safeParse(jsonOr(rows), `{${'"x":1,'.repeat(100_000)}"y":1}`)
    expect(said.error?.issues.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^has more than \d+ fields and items of lists$/),
    ])
  })
})

test('no call of the API takes more than five thousand fields and items', () => {
  const all = Object.values(routes).flatMap((area) => Object.values<Route>(area))
  expect(Math.max(...all.map(({ input }) => jsonBoundsOf(input).partsMax))).toBeLessThan(5000)
})
