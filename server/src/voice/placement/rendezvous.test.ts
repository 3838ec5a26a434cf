import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeDialers, type Member, type Placed } from './rendezvous.ts'

const keys = fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 47 - 1 }), { minLength: 1, maxLength: 8 })
const members: fc.Arbitrary<Member[]> = keys.chain((all) =>
  fc.tuple(...all.map((key) => fc.integer({ min: 1, max: 100 }).map((weight) => ({ key, weight })))),
)
/** Some are held by a member, some by nobody. */
const installation = members.chain((all) =>
  fc.record({
    members: fc.constant(all),
    dialers: fc
      .array(fc.option(fc.constantFrom(...all.map(({ key }) => key))), { maxLength: 60 })
      .map((holders) => holders.map((holder, i): Placed => ({ id: i + 1, holder }))),
  }),
)
const countOf = (placed: ReadonlyMap<number, number>, key: number): number =>
  [...placed.values()].filter((one) => one === key).length
const heldBy = (dialers: readonly Placed[], key: number): number => dialers.filter((one) => one.holder === key).length
const afterwards = (placed: ReadonlyMap<number, number>): Placed[] =>
  [...placed].map(([id, holder]) => ({ id, holder }))

test('every dialer gets an engine, and each engine its share by weight, rounded up or down', () => {
  fc.assert(
    fc.property(installation, ({ dialers, members: all }) => {
      const placed = placeDialers(dialers, all)
      expect([...placed.keys()].toSorted((one, other) => one - other)).toEqual(dialers.map(({ id }) => id))
      const weights = all.reduce((sum, { weight }) => sum + weight, 0)
      for (const { key, weight } of all) {
        const share = (dialers.length * weight) / weights
        expect(countOf(placed, key)).toBeGreaterThanOrEqual(Math.floor(share))
        expect(countOf(placed, key)).toBeLessThanOrEqual(Math.ceil(share))
      }
    }),
  )
})

test('no more dialers change hands than an engine has beyond its share, and afterwards none does', () => {
  fc.assert(
    fc.property(installation, ({ dialers, members: all }) => {
      const placed = placeDialers(dialers, all)
      const moved = dialers.filter(({ id, holder }) => holder !== null && placed.get(id) !== holder)
      const tooMany = all.map(({ key }) => Math.max(0, heldBy(dialers, key) - countOf(placed, key)))
      expect(moved).toHaveLength(tooMany.reduce((sum, n) => sum + n, 0))
      expect(placeDialers(afterwards(placed), all)).toEqual(placed)
    }),
  )
})

test('in whatever order engines and dialers are named, the answer is the same', () => {
  fc.assert(
    fc.property(installation, ({ dialers, members: all }) => {
      const placed = [...placeDialers(dialers, all)].toSorted()
      expect([...placeDialers(dialers.toReversed(), all.toReversed())].toSorted()).toEqual(placed)
    }),
  )
})

test('an engine that comes takes its share from the others, and one that goes leaves its own to them; nothing else moves among equals', () => {
  fc.assert(
    fc.property(
      keys,
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 2 ** 47, max: 2 ** 48 }),
      (all, n, newcomer) => {
        const equals = all.map((key) => ({ key, weight: 1 }))
        const free = Array.from({ length: n }, (_, i) => ({ id: i + 1, holder: null }))
        const before = placeDialers(free, equals)
        const joined = placeDialers(afterwards(before), [...equals, { key: newcomer, weight: 1 }])
        for (const [id, key] of joined) if (key !== newcomer) expect(key).toBe(before.get(id))
        const without = afterwards(joined).map(({ id, holder }) => ({
          id,
          holder: holder === newcomer ? null : holder,
        }))
        for (const [id, key] of placeDialers(without, equals))
          if (joined.get(id) !== newcomer) expect(key).toBe(joined.get(id))
      },
    ),
  )
})

test('without anybody to hold them, a dialer prefers an engine as often as its weight says', () => {
  const [light, heavy] = [11, 2 ** 40 + 7]
  const all = [
    { key: light, weight: 1 },
    { key: heavy, weight: 3 },
  ]
  const first = Array.from({ length: 4000 }, (_, i) => placeDialers([{ id: i + 1, holder: null }], all).get(i + 1))
  expect(first.every((key) => key === heavy)).toBe(true) // a single dialer goes where the larger part of it belongs
  const even = all.map(({ key }) => ({ key, weight: 1 }))
  const chosen = Array.from({ length: 4000 }, (_, i) => i + 1).filter(
    (id) =>
      placeDialers(
        [
          { id, holder: null },
          { id: id + 10_000, holder: null },
        ],
        even,
      ).get(id) === heavy,
  )
  expect(chosen.length / 4000).toBeGreaterThan(0.45)
  expect(chosen.length / 4000).toBeLessThan(0.55)
})
