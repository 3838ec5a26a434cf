import { expect, test } from 'vitest'
import { engineDb } from '../../testing/db.ts'
import { phones } from '../../testing/fixtures.ts'

const at = await engineDb()

type Members = { clis: number[]; weights?: number[]; room?: number[] }
const plenty = 1_000_000

async function chosen(numbers: readonly number[], { clis, weights, room }: Members): Promise<(number | null)[]> {
  const all = (value: number): number[] => clis.map(() => value)
  const { rows } = await at.pool.query<{ clis: (number | null)[] }>(
    'select chosen_clis($1::bigint[], $2, $3, $4) as clis',
    [numbers, clis, weights ?? all(1), room ?? all(plenty)],
  )
  return rows[0]?.clis ?? []
}
const countOf = (clis: readonly (number | null)[], cli: number): number => clis.filter((one) => one === cli).length
const numbers = phones(12_000)

test('each member of a group is shown to its share of the numbers, by weight', async () => {
  const even = await chosen(numbers, { clis: [11, 12, 13, 907] })
  for (const cli of [11, 12, 13, 907]) expect(Math.abs(countOf(even, cli) - 3000)).toBeLessThan(200)
  const heavy = await chosen(numbers, { clis: [11, 12, 13], weights: [1, 2, 3] })
  for (const [cli, share] of [
    [11, 2000],
    [12, 4000],
    [13, 6000],
  ] as const)
    expect(Math.abs(countOf(heavy, cli) - share)).toBeLessThan(250)
})

test('a number sees the same caller ID whatever stands beside it in the claim, and in whatever order the members come', async () => {
  const before = await chosen(numbers, { clis: [11, 12, 13] })
  const mixed = await chosen(numbers.toReversed(), { clis: [13, 11, 12] })
  expect(mixed.toReversed()).toEqual(before)
})

test('a member that goes moves only its own numbers, and one that comes takes only its share', async () => {
  const before = await chosen(numbers, { clis: [11, 12, 13, 14] })
  const without = await chosen(numbers, { clis: [11, 12, 14] })
  const moved = before.flatMap((cli, n) => (cli === without[n] ? [] : [cli]))
  expect(new Set(moved)).toEqual(new Set([13]))
  const joined = await chosen(numbers, { clis: [11, 12, 13, 14, 15] })
  expect(new Set(joined.filter((cli, n) => cli !== before[n]))).toEqual(new Set([15]))
})

test('a member without a free channel leaves its numbers to the next best of each, and the others are not moved', async () => {
  const before = await chosen(numbers, { clis: [11, 12, 13] })
  const full = await chosen(numbers, { clis: [11, 12, 13], room: [plenty, 0, plenty] })
  expect(full).toEqual(await chosen(numbers, { clis: [11, 13] }))
  expect(full.filter((cli, n) => cli !== before[n])).toHaveLength(countOf(before, 12))
})

test('no member is chosen more often than it has room, and every call has one while any has', async () => {
  const some = numbers.slice(0, 10)
  const clis = await chosen(some, { clis: [11, 12, 13], room: [2, 3, 4] })
  expect([11, 12, 13].map((cli) => countOf(clis, cli))).toEqual([2, 3, 4])
  expect(countOf(clis, -1) + clis.filter((cli) => cli === null).length).toBe(1)
})
