import { expect, test } from 'vitest'
import { inTurn } from './probes.ts'

const campaigns = [
  { id: 1, account_id: 1 },
  { id: 2, account_id: 1 },
  { id: 3, account_id: 2 },
  { id: 4, account_id: 3 },
]
const order = (probes: number, rangAt: Record<number, number>) =>
  inTurn(campaigns, probes, (accountId) => rangAt[accountId] ?? null).map(({ id }) => id)

test.each([
  { why: 'first whoever’s calls rang last', probes: 0, rangAt: { 2: 1000, 3: 2000 }, first: 4 },
  { why: 'then who comes before that', probes: 1, rangAt: { 2: 1000, 3: 2000 }, first: 3 },
  { why: 'then whose never rang', probes: 2, rangAt: { 2: 1000, 3: 2000 }, first: 1 },
  { why: 'and again from the first', probes: 3, rangAt: { 2: 1000, 3: 2000 }, first: 4 },
  { why: 'of an account another campaign in the next round', probes: 5, rangAt: { 2: 1000, 3: 2000 }, first: 2 },
  { why: 'where nobody’s rang, by turns all the same', probes: 1, rangAt: {}, first: 3 },
])('a trunk on hold is tried by turns of accounts: $why', ({ probes, rangAt, first }) => {
  const tried = order(probes, rangAt)
  expect(tried[0]).toBe(first)
  expect(tried.toSorted()).toEqual([1, 2, 3, 4])
})

test('nobody’s campaigns wait for the trunk: nobody tries it', () => {
  expect(inTurn([], 3, () => null)).toEqual([])
})
