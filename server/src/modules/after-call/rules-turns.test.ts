import { expect, test } from 'vitest'
import { shares, type Lane } from './rules-turns.ts'

const lane = (account: number): Lane => ({ host: `${account}.example`, account_id: account })
const now = {
  now: 0,
  hosts: new Map(),
  lastTurns: new Map(),
  accounts: new Map<number, number>(),
  slow: new Set<number>(),
}
/** Hosts with one request each, so that their own limits do not matter. */
const busy = (accounts: readonly number[]) =>
  new Map(accounts.map((id) => [`busy ${id}`, { underWay: 1, begun: [], restUntil: 0, misses: 0 }]))
const wantedBy = (found: ReturnType<typeof shares>, id: number) =>
  found.filter(({ account_id }) => account_id === id).reduce((sum, { wanted }) => sum + wanted, 0)

test('an account whose service answers slowly has one request under way at a time', () => {
  const lanes = [lane(1), { ...lane(1), host: 'b.example' }, lane(2)]
  expect(wantedBy(shares(lanes, now), 1)).toBe(10)
  const slow = { ...now, slow: new Set([1]) }
  expect(wantedBy(shares(lanes, slow), 1)).toBe(1)
  expect(wantedBy(shares(lanes, { ...slow, hosts: busy([1]), accounts: new Map([[1, 1]]) }), 1)).toBe(0)
  expect(wantedBy(shares(lanes, slow), 2)).toBe(5)
})

test('slow services of however many accounts hold half of all requests at most, and the others have the rest', () => {
  const slowOnes = Array.from({ length: 300 }, (_, n) => n + 1)
  const slow = new Set(slowOnes)
  const lanes = [...slowOnes.map(lane), lane(1001), lane(1002), lane(1003), lane(1004), lane(1005)]
  const lastTurns = new Map([1001, 1002, 1003, 1004, 1005].map((id) => [id, 9]))
  const found = shares(lanes, { ...now, slow, lastTurns })
  expect(slowOnes.reduce((sum, id) => sum + wantedBy(found, id), 0)).toBe(25)
  for (const id of lastTurns.keys()) expect(wantedBy(found, id)).toBe(5)
  const begun = slowOnes.slice(0, 25)
  const later = shares(lanes, { ...now, slow, hosts: busy(begun), accounts: new Map(begun.map((id) => [id, 1])) })
  expect(slowOnes.reduce((sum, id) => sum + wantedBy(later, id), 0)).toBe(0)
  expect(wantedBy(later, 1001)).toBe(5)
})
