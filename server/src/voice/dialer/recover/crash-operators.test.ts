// @module-tag exhaustive
import { expect, test } from 'vitest'
import { killOverRoute, type Death } from '../../testing/crash/crash-routes.ts'

/** While calls go on over the next trunk of their route, and those of the claims, the queue and the settling of each operator's rows. */
const deaths: readonly Death[] = [
  { what: 'claim_of_stream sent' },
  { what: 'claim_of_stream done', nth: 2 },
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
  { what: 'claim_of_stream of a congested row done' },
  { what: 'settle sent' },
  { what: 'settle done', nth: 2 },
]
const [ntc, ncell] = [984, 980]
const rowsEach = 12
/** In every fourth round, one number has no room at any operator. */
const hasCongested = (round: number): boolean => round % 4 === 1
/** Of each operator. They ring a second. Two numbers have two rows. */
function phonesOf(round: number): number[] {
  const of = (prefix: number) =>
    Array.from({ length: rowsEach }, (_, n) => 9770000000000 + prefix * 1e7 + 10_000 * round + 100 * n + 99)
  const all = of(ntc).flatMap((phone, n) => [phone, of(ncell)[n] ?? phone])
  const congested = hasCongested(round) ? [9770000000006 + ntc * 1e7 + 10_000 * round + 100 * rowsEach] : []
  return [...all, ...congested, ...all.slice(2, 4)]
}

test('an engine killed at sixteen points of a campaign by operator dials nobody twice, strands no row of any operator, and charges each call once', async () => {
  const { at, trunkIds } = await killOverRoute({
    name: 'crash-operators',
    deaths,
    phonesOf,
    stepsOver: ([refusing, second, third]) => [
      { trunkId: refusing, priority: 1, weight: 1, operators: [1] },
      { trunkId: second, priority: 1, weight: 1, operators: [2] },
      { trunkId: third, priority: 2, weight: 1 },
    ],
  })
  const { rows } = await at.pool.query<{ state: string; n: number }>(
    `select disposition || ' ' || state as state, count(*)::int as n from campaign_contact group by 1 order by 1`,
  )
  expect(rows).toEqual([
    { state: 'ANSWER done', n: (rowsEach * 2 + 2) * deaths.length },
    { state: 'CONGESTION done', n: deaths.filter((_, round) => hasCongested(round)).length },
  ])
  const [, ncellTrunk, third] = trunkIds
  const { rows: ways } = await at.pool.query<{ operator: number; trunks: number[] }>(
    `select operator, array_agg(distinct trunk_id order by trunk_id) as trunks from attempt where disposition = 'ANSWER' group by 1 order by 1`,
  )
  expect(ways.find(({ operator }) => operator === 1)?.trunks).toEqual([third])
  expect(ways.find(({ operator }) => operator === 2)?.trunks).toContain(ncellTrunk)
  const { rows: left } = await at.pool.query('select from contact_retry union all select from attempt_open')
  expect(left).toEqual([])
}, 900_000)
