import { expect, test } from 'vitest'
import { killOverRoute, type Death } from '../testing/crash-routes.ts'

/** While calls go on over the second trunk of their route. */
const deaths: readonly Death[] = [
  { what: 'hungUp arrives' },
  { what: 'hungUp reported' },
  { what: 'detour sent' },
  { what: 'detour done' },
  { what: 'detour done', nth: 3 },
  { what: 'detour dial sent' },
  { what: 'detour dial done', nth: 2, engineId: 'another' },
  { what: 'detour ringing arrives' },
  { what: 'detour answered arrives' },
  { what: 'detour answered reported' },
  { what: 'detour hungUp arrives', nth: 2 },
  { what: 'settle sent' },
]
const rowsEach = 12
/** They ring a second; every third has no room at any operator. */
const phonesOf = (round: number) =>
  Array.from({ length: rowsEach }, (_, n) => 9779840000000 + 10_000 * round + 100 * n + (n % 3 ? 99 : 6))

test('an engine killed at twelve points of calls that go on over another trunk leaves no two live calls, none without an attempt, and one charge for each', async () => {
  const { at } = await killOverRoute({
    name: 'crash-detours',
    deaths,
    phonesOf,
    byOperator: false,
    stepsOver: ([refusing, second]) => [
      { trunkId: refusing, priority: 1, weight: 1 },
      { trunkId: second, priority: 2, weight: 1 },
    ],
  })
  const { rows } = await at.pool.query<{ state: string; n: number }>(
    `select disposition || ' ' || state as state, count(*)::int as n from campaign_contact group by 1 order by 1`,
  )
  expect(rows).toEqual([
    { state: 'ANSWER done', n: (rowsEach * 2 * deaths.length) / 3 },
    { state: 'CONGESTION done', n: (rowsEach * deaths.length) / 3 },
  ])
  const { rows: detoured } = await at.pool.query(
    `select from attempt where tried is not null and disposition = 'ANSWER'`,
  )
  expect(detoured.length).toBeGreaterThan(deaths.length)
}, 600_000)
