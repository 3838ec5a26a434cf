import { hostsMax } from '../../lib/trunk-limits.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { settleOutcomes } from '../settle/settle.sql.ts'
import { faultsOf } from '../../dispatch/faults.ts'
import { checkInvariants, checkInvariantsSince, runningStatement } from './invariants.sql.ts'
import { claimed, expectSoundBooks, newCampaign, newFixtures, outcome } from '../testing/fixtures.ts'
import { blocksRead } from '../testing/blocks.ts'
import { engineDb } from '../testing/db.ts'

const at = await engineDb()

test('the check of the books finds two calls that one number had at once, whichever campaigns they were of, and none where one follows the other', async () => {
  const fixtures = await newFixtures(at, { users: 3 })
  const { line, users, lease } = fixtures
  let before = 0
  /** A call of the next customer to the number, as if it had started this long after the last one ended. */
  const call = async (user: (typeof users)[number], afterLastEnded: string) => {
    const id = await newCampaign(at, { user, line, phones: [9779851000000] })
    const [one] = await claimed(at, fixtures, id, 1)
    if (!one) throw new Error('no call')
    await at.engine.query(
      `update attempt_open o set started_at = a.settled_at + $3::interval from attempt a where a.id = $1 and o.id = $2`,
      [before, one.id, afterLastEnded],
    )
    await settleOutcomes(at.engine, lease, 0, [outcome(one, { disposition: 'BUSY' })])
    before = one.id
  }
  const [first, second, third] = users
  if (!first || !second || !third) throw new Error('no users')
  await call(first, '0')
  await call(second, '0')
  await expectSoundBooks(at)
  await call(third, '-1 ms')
  expect(faultsOf(await checkInvariants(at.engine))).toEqual(['number_twice_at_once: 1'])
})

test('the check of the books finds a row that was rung more often than its re-attempts and once, and counts no calls that rang nobody', async () => {
  const fixtures = await newFixtures(at)
  const { user, line, lease } = fixtures
  const id = await newCampaign(at, { user, line, phones: [9779851000002], retries: 1 })
  const call = async (alerted: boolean, retryInMs: number | null) => {
    const [one] = await claimed(at, fixtures, id, 1)
    if (!one) throw new Error('no call')
    const disposition = alerted ? 'NO ANSWER' : 'CONGESTION'
    await settleOutcomes(at.engine, lease, 0, [outcome(one, { disposition, alerted, retryInMs })])
  }
  await call(false, 0)
  await call(true, 0)
  await call(true, null)
  const rungTooOften = async () => (await checkInvariants(at.engine)).rung_too_often
  expect(await rungTooOften()).toBe(0)
  await at.db.updateTable('campaign').set({ retries: 0 }).where('id', '=', id).execute()
  expect(await rungTooOften()).toBe(1)
})

test('the check of each minute finds the same, and reads the calls of a large campaign a few times, not once for each of them', async () => {
  const fixtures = await newFixtures(at)
  const id = await newCampaign(at, { user: fixtures.user, line: fixtures.line, phones: [9779851000003], retries: 1 })
  const [one] = await claimed(at, fixtures, id, 1)
  if (!one) throw new Error('no call')
  await settleOutcomes(at.engine, fixtures.lease, 0, [outcome(one, { disposition: 'NO ANSWER', alerted: true })])
  const calls = 5000
  const again = async (from: number, rows: number) =>
    at.db.executeQuery(
      sql`insert into attempt select (jsonb_populate_record(a, jsonb_build_object('id', a.id + ${from}::int + n, 'no', 1 + n % ${rows}::int))).*
          from attempt a, generate_series(1, ${calls}::int) n where a.id = ${one.id}`.compile(at.db),
    )
  await again(0, calls)
  const since = one.id - 1
  const of = async (name: string) =>
    (await checkInvariantsSince(at.engine, since)).faults.filter((fault) => fault.startsWith(name))
  expect(await of('rung_too_often')).toEqual([])
  expect(await blocksRead(at.engine, runningStatement, [since])).toBeLessThan(2 * calls)
  await again(calls, 100)
  expect(await of('rung_too_often')).toEqual(['rung_too_often: 100'])
})

test('the check of the books finds an attempt that went over one trunk again, or over more hosts of it than it has', async () => {
  const fixtures = await newFixtures(at)
  const id = await newCampaign(at, { user: fixtures.user, line: fixtures.line, phones: [9779851000001] })
  const [one] = await claimed(at, fixtures, id, 1)
  const twice = async () => (await checkInvariants(at.engine)).trunk_twice
  const triedAre = (tried: number[]) =>
    at.db
      .updateTable('attempt_open')
      .set({ tried })
      .where('id', '=', one?.id ?? 0)
      .execute()
  const { trunkId } = fixtures.line
  const found = []
  const [own, first, second] = [trunkId, trunkId + 1, trunkId + 2]
  const hosts = Array.from({ length: hostsMax }, () => own)
  const ways = [
    [first],
    [own],
    [first, first, second, own],
    hosts.slice(1),
    [own, first],
    [first, second, first],
    hosts,
  ]
  for (const tried of ways) {
    await triedAre(tried)
    found.push(await twice())
  }
  expect(found).toEqual([0, 0, 0, 0, 1, 1, 1])
})
