import { setTimeout as sleep } from 'node:timers/promises'
import { savedCall } from '../../testing/saved-call.ts'
import { grantChannels } from '../capacity/channels.sql.ts'
import { expect, test } from 'vitest'
import { expire, explain, move, requeueForRetry } from './campaign.sql.ts'
import { settleOutcomes } from '../../settle/settle.sql.ts'
import { openAttempts, releaseLease, renew, takeover } from '../../../dispatch/lease/lease.sql.ts'
import type { SavedCall } from '../../model/calls/saved-call.ts'
import { saveSteps } from '../../settle/steps.sql.ts'
import {
  claimed,
  counts,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  outcome,
  phones,
  type NewCampaign,
  type Fixtures,
} from '../../testing/fixtures.ts'
import { engineDb } from '../../testing/db.ts'
import { words } from '../../model/campaigns/words.ts'
import { reportLost } from '../../dialer/recover/lost-calls.sql.ts'
import { polling } from '../../../testing/timeouts.ts'

const at = await engineDb(5)

async function oneUser() {
  const fixtures = await newFixtures(at)
  const { user } = fixtures
  const campaign = (of: Partial<NewCampaign> = {}) =>
    newCampaign(at, { user, line: fixtures.line, phones: phones(100), ...of })
  return { fixtures, user, campaign }
}
const written = async () =>
  (
    await at.pool.query(
      'select (select count(*) from attempt_open) open, (select count(*) from attempt) ended, (select count(*) from contact_retry) queued',
    )
  ).rows[0]
/** Enough attempts are under way that some of every kind of ending are among them. */
const underWay = (campaignIds: readonly number[]) =>
  expect
    .poll(async () => {
      const { rows } = await at.pool.query<{ n: number }>(
        'select count(*)::int as n from (select campaign_id from attempt union all select campaign_id from attempt_open) t where campaign_id = any ($1)',
        [campaignIds],
      )
      return rows[0]?.n
    }, polling)
    .toBeGreaterThan(100)
const dial = (fixtures: Fixtures, campaignId: number, slot: number, stopAfter: number) => async () => {
  for (let none = 0; none < stopAfter;) {
    const calls = await claimed(at, fixtures, campaignId, 10, { slot })
    none = calls.length > 0 ? 0 : none + 1
    const ended = calls.filter((call) => call.no % 3 !== 0)
    await settleOutcomes(
      at.engine,
      fixtures.lease,
      slot,
      ended.map((call) => outcome(call, { disposition: 'NO ANSWER', retryInMs: 0 })),
    )
  }
}

test('a takeover waits for what is under way; afterwards the old epoch writes nothing, and each call is settled or adopted once', async () => {
  const { fixtures, campaign } = await oneUser()
  const campaigns = await Promise.all([0, 1, 2].map(() => campaign({ phones: phones(5000, 500), retries: 5 })))
  const writers = campaigns.map((id, slot) => dial(fixtures, id, slot, 3)())
  await underWay(campaigns)
  const client = await at.pool.connect()
  await client.query('begin')
  const next = await takeover(client, fixtures.lease.dialerId, 'test', 600_000)
  if (!next) throw new Error('no lease')
  expect(next.epoch).toBe(fixtures.lease.epoch + 1)
  const seen = await written()
  await client.query('commit')
  client.release()
  await Promise.all(writers)
  expect(await written()).toEqual(seen)
  const open = await openAttempts(at.engine, fixtures.lease.dialerId)
  expect(open.length).toBeGreaterThan(0)
  const closed = open.filter((call) => call.id % 3 !== 0)
  const endings = [
    { disposition: 'ANSWER', billMs: 20_000 },
    { disposition: 'NO ANSWER', retryInMs: 0 },
    { disposition: 'CANCEL' },
    { disposition: 'LOST' },
  ] as const
  const settled = closed.map((call) => outcome(call, endings[call.id % 4] ?? endings[3]))
  expect(await settleOutcomes(at.engine, fixtures.lease, 0, settled)).toEqual([])
  expect(await settleOutcomes(at.engine, next, 0, settled)).toHaveLength(closed.length)
  expect(await openAttempts(at.engine, fixtures.lease.dialerId)).toHaveLength(open.length - closed.length)
  await expectSoundBooks(at)
})

test('a lease is renewed by its holder until another engine has it, taken 3 s after its end, or at once when it was given up', async () => {
  const { fixtures } = await oneUser()
  expect(await renew(at.engine, fixtures.lease, 200)).toBe(true)
  expect(await takeover(at.engine, fixtures.lease.dialerId, 'other', 1000)).toBeNull()
  await sleep(250)
  expect(await renew(at.engine, fixtures.lease, 200)).toBe(true)
  await sleep(250)
  expect(await takeover(at.engine, fixtures.lease.dialerId, 'other', 1000)).toBeNull()
  await at.pool.query(`update dialer_lease set expires_at = now() - interval '3.1 seconds' where dialer_id = $1`, [
    fixtures.lease.dialerId,
  ])
  const other = await takeover(at.engine, fixtures.lease.dialerId, 'other', 60_000)
  if (!other) throw new Error('no lease')
  expect(await renew(at.engine, fixtures.lease, 200)).toBe(false)
  await releaseLease(at.engine, other)
  await sleep(5)
  expect(await takeover(at.engine, fixtures.lease.dialerId, 'third', 60_000)).toMatchObject({ epoch: other.epoch + 1 })
})

test('once a lease has run out no call begins and no end counts, though nobody has taken it; renewed, both do', async () => {
  const { fixtures, user, campaign } = await oneUser()
  const campaignId = await campaign()
  const { lease, reseller, top } = fixtures
  const payerIds = [user.userId, reseller.userId, top.userId]
  await grantChannels(at.engine, [{ lease, wants: [{ payerIds, calls: 5 }] }])
  const begin = () => claimed(at, fixtures, campaignId, 1, { isGranted: true })
  const [call] = await begin()
  if (!call) throw new Error('no call')
  const ended = [outcome(call, { disposition: 'ANSWER', billMs: 1000 })]
  await at.pool.query(`update dialer_lease set expires_at = now() - interval '1 ms' where dialer_id = $1`, [
    lease.dialerId,
  ])
  expect(await begin()).toEqual([])
  expect(await settleOutcomes(at.engine, lease, 0, ended)).toEqual([])
  expect(await renew(at.engine, lease, 60_000)).toBe(true)
  expect(await settleOutcomes(at.engine, lease, 0, ended)).toEqual([call.id])
  expect(await begin()).toHaveLength(1)
})

test('stop while writers claim: no attempt begins after it, given-back rows and ended calls leave nothing reserved', async () => {
  const { fixtures, user, campaign } = await oneUser()
  const campaignId = await campaign({ phones: phones(5000, 500), retries: 5 })
  const writers = [0, 1, 2].map((slot) => dial(fixtures, campaignId, slot, 3)())
  await underWay([campaignId])
  expect(await move(at.engine, fixtures.lease, { campaignId, from: ['running'], to: 'cancelling', reason: null })).toBe(
    true,
  )
  const newest = async () =>
    (
      await at.pool.query<{ id: number }>(
        'select max(id) as id from (select id from attempt union all select id from attempt_open) t',
      )
    ).rows[0]?.id
  const last = await newest()
  await Promise.all(writers)
  expect(await newest()).toBe(last)
  const left = await openAttempts(at.engine, fixtures.lease.dialerId)
  await settleOutcomes(
    at.engine,
    fixtures.lease,
    0,
    left.map((call) =>
      outcome(call, call.no % 2 ? { disposition: 'CANCEL' } : { disposition: 'ANSWER', billMs: 5000 }),
    ),
  )
  expect(
    await at.db.selectFrom('account').select('reserved_paisa').where('id', '=', user.userId).executeTakeFirst(),
  ).toEqual({ reserved_paisa: 0 })
  expect(await counts(at, campaignId)).toMatchObject({ in_call: 0 })
  expect(await move(at.engine, fixtures.lease, { campaignId, from: ['running'], to: 'complete', reason: null })).toBe(
    false,
  )
  await expectSoundBooks(at)
})

test('every step leaves a line and shows in the progress row; a reason is written for the status in which it was found', async () => {
  const { fixtures, campaign } = await oneUser()
  const campaignId = await campaign()
  await explain(at.engine, fixtures.lease, [{ campaignId, status: 'running', reason: 'all 30 channels are busy' }])
  await explain(at.engine, fixtures.lease, [{ campaignId, status: 'paused', reason: 'stale' }])
  const progress = () =>
    at.db
      .selectFrom('campaign_progress')
      .select(['status', 'reason', 'finished_at'])
      .where('campaign_id', '=', campaignId)
      .executeTakeFirst()
  expect(await progress()).toMatchObject({ reason: 'all 30 channels are busy' })
  const step = {
    campaignId,
    from: ['running'] as const,
    to: 'onHold' as const,
    reason: 'outside calling hours, dials from 07:00',
    holdCause: 'hours' as const,
  }
  const raced = await Promise.all(Array.from({ length: 10 }, () => move(at.engine, fixtures.lease, step)))
  expect(raced.filter(Boolean)).toHaveLength(1)
  expect(await progress()).toMatchObject({ status: 'onHold', reason: step.reason, finished_at: null })
  const events = await at.db
    .selectFrom('campaign_event')
    .select(['from_status', 'to_status', 'reason'])
    .where('campaign_id', '=', campaignId)
    .execute()
  expect(events).toEqual([{ from_status: 'running', to_status: 'onHold', reason: step.reason }])
})

test('lost calls show in the history of their campaign and as an alert', async () => {
  const { fixtures, campaign } = await oneUser()
  const campaignId = await campaign()
  const text = words.lost(4)
  await reportLost(at.engine, fixtures.lease, new Map([[campaignId, text]]))
  await reportLost(at.engine, { ...fixtures.lease, epoch: 99 }, new Map([[campaignId, 'an old epoch']]))
  const events = await at.db
    .selectFrom('campaign_event')
    .select(['from_status', 'to_status', 'reason'])
    .where('campaign_id', '=', campaignId)
    .execute()
  expect(events).toEqual([{ from_status: 'running', to_status: 'running', reason: text }])
  expect(text).toBe('4 calls were lost: nobody knows how they ended; a retry calls them again')
  const alerts = await at.db
    .selectFrom('alert')
    .select(['subject', 'detail'])
    .where('kind', '=', 'calls_lost')
    .execute()
  expect(alerts).toEqual([{ subject: `campaign ${campaignId}`, detail: text }])
})

test('after the last day rows never tried are expired and rows waiting are done, also those whose call was still up', async () => {
  const { fixtures, campaign } = await oneUser()
  const campaignId = await campaign({ phones: phones(2000, 400) })
  const calls = await claimed(at, fixtures, campaignId, 300)
  const ending = (call: { id: number; no: number }) =>
    outcome(
      call,
      call.no % 4 === 3
        ? { disposition: 'CANCEL' }
        : call.no % 2
          ? { disposition: 'BUSY', retryInMs: 600_000 }
          : { disposition: 'ANSWER', billMs: 9000 },
    )
  await settleOutcomes(at.engine, fixtures.lease, 0, calls.slice(0, 200).map(ending))
  const all = async () => {
    for (let sum = 0; ;) {
      const closed = await expire(at.engine, fixtures.lease, { campaignId, stream: null, rowsMax: 500, slot: 0 })
      if (closed === 0) return sum
      sum += closed
    }
  }
  expect(await all()).toBe(0)
  await at.db.updateTable('campaign').set({ dial_until: new Date() }).where('id', '=', campaignId).execute()
  expect(await all()).toBeGreaterThan(1500)
  expect(await claimed(at, fixtures, campaignId, 10)).toEqual([])
  await settleOutcomes(at.engine, fixtures.lease, 0, calls.slice(200).map(ending))
  await all()
  expect(await counts(at, campaignId)).toMatchObject({ fresh: 0, waiting: 0, in_call: 0 })
  await expectSoundBooks(at)
})

test('retry on request gives INVALID rows their attempt too, and answered ones none', async () => {
  const { fixtures, campaign } = await oneUser()
  const campaignId = await campaign({ phones: phones(4, 0, 9779825000000), retries: 0 })
  const how = ['ANSWER', 'INVALID', 'BUSY', 'INVALID'] as const
  const calls = await claimed(at, fixtures, campaignId, 4)
  const ends = calls.map((call) => {
    const disposition = how[call.no] ?? 'BUSY'
    return outcome(call, { disposition, billMs: disposition === 'ANSWER' ? 3000 : null })
  })
  await settleOutcomes(at.engine, fixtures.lease, 0, ends)
  await at.db
    .updateTable('campaign')
    .set({ is_retry: true, retry_requested: true, retry_invalid: true })
    .where('id', '=', campaignId)
    .execute()
  const batch = { campaignId, from: 0, rows: 10, slot: 0, moreMs: 60_000 }
  expect(await requeueForRetry(at.engine, fixtures.lease, batch)).toEqual({ next: null, requeued: 3 })
  expect((await claimed(at, fixtures, campaignId, 4)).map(({ no, attempt_no }) => [no, attempt_no])).toEqual([
    [1, 2],
    [2, 2],
    [3, 2],
  ])
  await expectSoundBooks(at)
})

test('retry gives one more attempt to each row that never answered, LOST and EXPIRED too, one call a number; not INVALID, not DND', async () => {
  const { fixtures, user, campaign } = await oneUser()
  const numbers = [...phones(10, 0, 9779822000000), ...phones(5, 0, 9779822000000), ...phones(2, 0, 9779822000000)]
  const campaignId = await campaign({ phones: numbers, retries: 0 })
  await at.db.insertInto('blacklist').values({ owner_id: user.userId, phone: 9779822000009 }).execute()
  const first = ['ANSWER', 'BUSY', 'INVALID', 'LOST', 'CONGESTION', 'NO ANSWER', 'NO ANSWER', 'NO ANSWER'] as const
  const dialled: { no: number; phone: number }[] = []
  for (
    let calls = await claimed(at, fixtures, campaignId, 8);
    calls.length > 0;
    calls = await claimed(at, fixtures, campaignId, 8)
  ) {
    dialled.push(...calls)
    expect(new Set(calls.map((call) => call.phone)).size).toBe(calls.length)
    const ends = calls.map((call) => {
      const disposition = first[call.no] ?? (call.no === 11 ? 'ANSWER' : 'BUSY')
      return outcome(call, { disposition, billMs: disposition === 'ANSWER' ? 3000 : null })
    })
    await settleOutcomes(at.engine, fixtures.lease, 0, ends)
    if (dialled.length >= 8)
      await at.db
        .updateTable('campaign')
        .set({ dial_until: new Date(Date.now() + (dialled.length >= 12 ? 0 : 60_000)) })
        .where('id', '=', campaignId)
        .execute()
  }
  while ((await expire(at.engine, fixtures.lease, { campaignId, stream: null, rowsMax: 3, slot: 0 })) > 0);
  const before = await counts(at, campaignId)
  expect(before).toMatchObject({ fresh: 0, waiting: 0, dnd: 1 })
  expect(before['expired']).toBeGreaterThan(0)
  await at.db
    .updateTable('campaign')
    .set({ is_retry: true, retry_requested: true })
    .where('id', '=', campaignId)
    .execute()
  expect(await claimed(at, fixtures, campaignId, 8)).toEqual([])
  let requeued = 0
  for (let from: number | null = 0; from !== null;) {
    const batch = await requeueForRetry(at.engine, fixtures.lease, {
      campaignId,
      from,
      rows: 4,
      slot: 0,
      moreMs: 60_000,
    })
    expect(
      await requeueForRetry(at.engine, fixtures.lease, { campaignId, from, rows: 4, slot: 0, moreMs: 60_000 }),
    ).toMatchObject({ requeued: 0 })
    requeued += batch.requeued
    from = batch.next
  }
  await expectSoundBooks(at)
  const met = await at.pool.query<{ no: number }>(
    'select no from campaign_contact where campaign_id = $1 and state = $2 and congestions + failures > 0 order by no',
    [campaignId, 'waiting'],
  )
  expect(met.rows).toEqual([{ no: 4 }]) // the one that met congestion, still to be seen
  const answered = new Set([0, 11, 2])
  const expected = (
    await at.pool.query<{ no: number }>(
      `select no from campaign_contact where campaign_id = $1 and state = 'waiting' order by no`,
      [campaignId],
    )
  ).rows.map((row) => row.no)
  expect(requeued).toBe(expected.length)
  expect(expected).toEqual(numbers.map((_, no) => no).filter((no) => !answered.has(no) && no !== 9))
  const again: number[] = []
  for (
    let calls = await claimed(at, fixtures, campaignId, 20);
    calls.length > 0;
    calls = await claimed(at, fixtures, campaignId, 20)
  ) {
    expect(new Set(calls.map((call) => call.phone)).size).toBe(calls.length)
    again.push(...calls.map((call) => call.no))
    await settleOutcomes(
      at.engine,
      fixtures.lease,
      0,
      calls.map((call) => outcome(call, { disposition: 'BUSY' })),
    )
  }
  expect(again.sort((a, b) => a - b)).toEqual(expected)
  await expectSoundBooks(at)
})

test('where a call stands comes back as it was saved, whatever signs are in it; the newer of two states counts', async () => {
  const { fixtures, campaign } = await oneUser()
  const calls = await claimed(at, fixtures, await campaign(), 2)
  const call: SavedCall = {
    ...savedCall,
    notice: 'playing',
    trail: { heard: ['a\nb', '"quoted" \\ {1,2}', 'NULL', ' नमस्ते\u2028'], answers: {}, playing: [], at: 1 },
  }
  const steps = calls.map(({ id }) => ({ attemptId: id, answeredAt: 1000, keys: '1', call }))
  const { lease } = fixtures
  await saveSteps(
    at.engine,
    steps.map((step) => ({ lease, step })),
  )
  const newer = { ...call, seenAt: 3 }
  await saveSteps(
    at.engine,
    steps.slice(1).map((step) => ({ lease, step: { ...step, call: newer } })),
  )
  const open = await openAttempts(at.engine, fixtures.lease.dialerId)
  expect(open.toSorted((one, other) => one.id - other.id).map(({ state }) => state)).toEqual([call, newer])
})
