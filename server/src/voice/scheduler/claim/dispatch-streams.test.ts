import { expect, test } from 'vitest'
import { engineDb } from '../../testing/db.ts'
import {
  claimed,
  claimOf,
  counts,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  outcome,
  type CallOutcome,
} from '../../testing/fixtures.ts'
import { checkInvariants } from '../../invariants/invariants.sql.ts'
import { settleOutcomes } from '../../settle/settle.sql.ts'
import { expire, requeueForRetry } from '../steps/campaign.sql.ts'
import { loadCampaigns } from '../../model/campaigns/snapshot.sql.ts'

const at = await engineDb(5)
const [other, ntc, ncell] = [0, 1, 2]
let serial = 0
/** Nobody else has these in a test. */
const numbers = (prefix: number, n: number) =>
  Array.from({ length: n }, (_, i) => 9770000000000 + prefix * 1e7 + 1000 * serial + i)
/** In the file, operators alternate. */
function mixed(n: number): number[] {
  serial += 1
  const all = [numbers(984, n), numbers(980, n), numbers(972, n)]
  return Array.from({ length: n }, (_, i) => all.flatMap((of) => of[i] ?? [])).flat()
}

async function streamed(phones: number[], of: { retries?: number } = {}) {
  const fixtures = await newFixtures(at)
  const campaignId = await newCampaign(at, {
    user: fixtures.user,
    line: fixtures.line,
    phones,
    byOperator: true,
    ...of,
  })
  const take = (stream: number, wanted: number) => claimed(at, fixtures, campaignId, wanted, { stream })
  const settle = (calls: readonly { id: number }[], ending: CallOutcome) =>
    settleOutcomes(
      at.engine,
      fixtures.lease,
      0,
      calls.map((call) => outcome(call, ending)),
    )
  return { fixtures, campaignId, take, settle }
}
const queueOf = async (campaignId: number) =>
  (
    await at.pool.query<{ stream: number; n: number }>(
      'select stream, count(*)::int as n from contact_retry where campaign_id = $1 group by stream order by stream',
      [campaignId],
    )
  ).rows.map(({ stream, n }) => [stream, n])
const prefixesOf = (calls: readonly { phone: number }[]) => [
  ...new Set(calls.map(({ phone }) => String(phone).slice(3, 6))),
]

test('a claim takes rows of its operator alone, whatever waits of the others; rows go back to their operator', async () => {
  const { campaignId, take, settle } = await streamed(mixed(30))
  const first = await take(ncell, 20)
  expect([first.length, prefixesOf(first)]).toEqual([20, ['980']])
  const second = await take(ntc, 5)
  expect([second.length, prefixesOf(second)]).toEqual([5, ['984']])
  await settle(first, { disposition: 'BUSY', retryInMs: 0 })
  await settle(second, { disposition: 'CANCEL' })
  expect(await queueOf(campaignId)).toEqual([
    [ntc, 5],
    [ncell, 20],
  ])
  expect(prefixesOf(await take(ncell, 100))).toEqual(['980'])
  expect(prefixesOf(await take(other, 100))).toEqual(['972'])
  const rest = await take(ntc, 100)
  expect([rest.length, prefixesOf(rest)]).toEqual([30, ['984']])
  expect(await counts(at, campaignId)).toMatchObject({ fresh: 0, in_call: 90, waiting: 0 })
  await expectSoundBooks(at)
})

test('later rows of a number follow in the stream of the first, and rows of a busy number wait there', async () => {
  const { fixtures, campaignId, take, settle } = await streamed([...mixed(4), ...numbers(980, 2)])
  const calls = await take(ncell, 4)
  const twin = await newCampaign(at, {
    user: fixtures.user,
    line: fixtures.line,
    phones: numbers(980, 1),
    byOperator: true,
  })
  const { putOff } = await claimOf(at, fixtures, twin, 1, { stream: ncell })
  expect([putOff?.rows, await queueOf(twin)]).toEqual([1, [[ncell, 1]]])
  await settle(calls, { disposition: 'ANSWER', billMs: 1000 })
  expect(await queueOf(campaignId)).toEqual([[ncell, 2]])
  expect((await take(ncell, 5)).map(({ no }) => no)).toEqual([12, 13])
  await expectSoundBooks(at)
})

test('a number that is blacklisted before its call leaves, and its later rows leave after it, in its stream', async () => {
  const { fixtures, campaignId, take } = await streamed([...mixed(3), ...numbers(984, 1)])
  await at.db
    .insertInto('blacklist')
    .values({ owner_id: fixtures.user.userId, phone: numbers(984, 1)[0] ?? 0 })
    .execute()
  expect((await take(ntc, 5)).length).toBe(2)
  expect(await queueOf(campaignId)).toEqual([[ntc, 1]])
  expect(await take(ntc, 5)).toEqual([])
  await expectSoundBooks(at)
})

test('the last day closes the rows of all operators', async () => {
  const { fixtures, campaignId, take, settle } = await streamed(mixed(50))
  await settle(await take(ncell, 20), { disposition: 'BUSY', retryInMs: 600_000 })
  await at.db.updateTable('campaign').set({ dial_until: new Date() }).where('id', '=', campaignId).execute()
  for (const stream of [other, ntc, ncell]) {
    const batch = { campaignId, stream, rowsMax: 15, slot: 0 }
    while ((await expire(at.engine, fixtures.lease, batch)) > 0);
  }
  expect(await counts(at, campaignId)).toMatchObject({ fresh: 0, waiting: 0, done: 20, expired: 130 })
  await expectSoundBooks(at)
})

test('Retry queues each row in the stream of its number, also when only a later row of it is left', async () => {
  const { fixtures, campaignId, take, settle } = await streamed([...mixed(3), ...numbers(980, 1)], { retries: 0 })
  for (const stream of [other, ntc]) await settle(await take(stream, 9), { disposition: 'BUSY' })
  const [answered, ...busy] = await take(ncell, 3)
  await settle(answered ? [answered] : [], { disposition: 'ANSWER', billMs: 1000 })
  await settle(busy, { disposition: 'BUSY' })
  await settle(await take(ncell, 3), { disposition: 'NO ANSWER' })
  await at.db
    .updateTable('campaign')
    .set({ is_retry: true, retry_requested: true })
    .where('id', '=', campaignId)
    .execute()
  let requeued = 0
  for (let from: number | null = 0; from !== null;) {
    const batch = await requeueForRetry(at.engine, fixtures.lease, {
      campaignId,
      from,
      rows: 4,
      slot: 0,
      moreMs: 60_000,
    })
    requeued += batch.requeued
    from = batch.next
  }
  expect(requeued).toBe(9)
  expect(await queueOf(campaignId)).toEqual([
    [other, 3],
    [ntc, 3],
    [ncell, 3],
  ])
  await expectSoundBooks(at)
  expect((await take(ncell, 9)).map(({ no }) => no).toSorted((a, b) => a - b)).toEqual([7, 8, 9])
  await expectSoundBooks(at)
})

test('a snapshot says what is left of each operator, and of all together', async () => {
  const { fixtures, campaignId, take, settle } = await streamed(mixed(10))
  await settle(await take(ncell, 10), { disposition: 'BUSY', retryInMs: 600_000 })
  await settle(await take(ntc, 4), { disposition: 'BUSY', retryInMs: 0 })
  const all = await loadCampaigns(at.engine, [fixtures.line.dialerId], [])
  const campaign = all.find(({ id }) => id === campaignId)
  expect(campaign).toMatchObject({ fresh_left: 16, retry_due: true, fresh: 16, waiting: 14 })
  expect(campaign?.streams?.map(({ stream, fresh_left, retry_due }) => [stream, fresh_left, retry_due])).toEqual([
    [other, 10, false],
    [ntc, 6, true],
    [ncell, 0, false],
  ])
  const { next_due_us: first, next_due_at: firstAt } = campaign ?? {}
  expect(first).toBe(campaign?.streams?.find(({ stream }) => stream === ntc)?.next_due_us)
  expect(firstAt?.getTime()).toBe(Math.floor((first ?? 0) / 1000))
})

test('the checker finds a row that no cursor and no queue leads to, and one that waits for another operator', async () => {
  const { campaignId, take, settle } = await streamed(mixed(5))
  await settle(await take(ncell, 2), { disposition: 'BUSY', retryInMs: 0 })
  expect(await checkInvariants(at.engine)).toMatchObject({ stranded: 0, stream_wrong: 0 })
  await at.pool.query('update contact_retry set stream = 1 where campaign_id = $1', [campaignId])
  expect(await checkInvariants(at.engine)).toMatchObject({ stranded: 0, stream_wrong: 2 })
  await at.pool.query('update campaign_stream set fresh_next = fresh_end where campaign_id = $1 and stream = 1', [
    campaignId,
  ])
  expect(await checkInvariants(at.engine)).toMatchObject({ stranded: 5 })
  await at.pool.query('update campaign_stream set fresh_next = fresh_from where campaign_id = $1 and stream = 1', [
    campaignId,
  ])
  await at.pool.query('update contact_retry set stream = 2 where campaign_id = $1', [campaignId])
})
