import { expect, test } from 'vitest'
import { engineDb } from '../../testing/db.ts'
import {
  claimed,
  counts,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  outcome,
  phones,
  type Fixtures,
} from '../../testing/fixtures.ts'
import { anotherPlace, newRoute, type Place } from '../../testing/routes.ts'
import { settleOutcomes } from '../../settle/settle.sql.ts'
import { writeProgress } from '../../settle/progress.sql.ts'
import { expire, move } from '../steps/campaign.sql.ts'
import type { Claimed } from '../../model/campaigns/claim.sql.ts'
import { reportHoldReasons, shareCampaign, underLockOfClis } from '../../model/campaigns/shared.sql.ts'
import { loadCampaigns } from '../../model/campaigns/snapshot.sql.ts'

const at = await engineDb(8)

/** A caller ID whose route has a trunk on each of so many dialers; the first leads its campaigns. */
async function dialersOf(
  n: number,
  of: { cliChannels?: number } = {},
): Promise<{ fixtures: Fixtures; places: Place[] }> {
  const fixtures = await newFixtures(at)
  const { line, lease } = fixtures
  const places: Place[] = [{ lease, trunkId: line.trunkId }]
  while (places.length < n) places.push(await anotherPlace(at))
  await newRoute(
    at,
    fixtures,
    places.map(({ trunkId }) => ({ trunkId, priority: 1, weight: 1 })),
  )
  if (of.cliChannels !== undefined)
    await at.db.updateTable('cli').set({ channels: of.cliChannels }).where('id', '=', line.cliId).execute()
  return { fixtures, places }
}

const claimOver = (fixtures: Fixtures, campaignId: number, { lease, trunkId }: Place, wanted: number) =>
  underLockOfClis(at.engine, [fixtures.line.cliId], (engine) =>
    claimed({ engine }, fixtures, campaignId, wanted, { lease, trunkId, isShared: true, slot: lease.dialerId }),
  )
const shared = async (fixtures: Fixtures, of: { phones: number[]; channels?: number }): Promise<number> => {
  const id = await newCampaign(at, { user: fixtures.user, line: fixtures.line, ...of })
  expect(await shareCampaign(at.engine, fixtures.lease, id)).toBe(true)
  return id
}

test('dialers claim the rows of one campaign side by side: each row once, none left out, and never more calls than campaign and caller ID have channels', async () => {
  const { fixtures, places } = await dialersOf(3, { cliChannels: 40 })
  const all = [phones(600), phones(600)]
  const ids = [
    await shared(fixtures, { phones: all[0] ?? [], channels: 25 }),
    await shared(fixtures, { phones: all[1] ?? [], channels: 1000 }),
  ]
  const calls: Claimed[] = []
  const most = { ofCli: 0, ofFirst: 0 }
  const look = async (): Promise<void> => {
    const { rows } = await at.pool.query<{ all: number; first: number }>(
      'select count(*)::int as all, count(*) filter (where campaign_id = $1)::int as first from attempt_open where campaign_id = any ($2::int[])',
      [ids[0], ids],
    )
    most.ofCli = Math.max(most.ofCli, rows[0]?.all ?? 0)
    most.ofFirst = Math.max(most.ofFirst, rows[0]?.first ?? 0)
  }
  const dial = async (place: Place): Promise<void> => {
    for (let idle = 0, turn = 0; idle < 20; turn++) {
      const wanted = 1 + ((turn * 7 + place.lease.dialerId) % 23)
      const got = await claimOver(fixtures, ids[turn % 2] ?? 0, place, wanted)
      calls.push(...got)
      await look()
      idle = got.length > 0 ? 0 : idle + 1
      const ended = got.map((call, n) =>
        outcome(
          call,
          (call.no + n) % 5 === 0 && call.failures === 0
            ? { disposition: 'FAILED', retryInMs: 0 }
            : { disposition: 'BUSY', retryInMs: null },
        ),
      )
      await settleOutcomes(at.engine, place.lease, place.lease.dialerId, ended)
    }
  }
  await Promise.all(places.map(dial))
  expect(most.ofCli).toBeLessThanOrEqual(40)
  expect(most.ofFirst).toBeLessThanOrEqual(25)
  for (const id of ids) expect(await counts(at, id)).toMatchObject({ fresh: 0, waiting: 0, in_call: 0, done: 600 })
  expect(new Set(calls.map(({ phone }) => phone)).size).toBe(1200)
  const { rows } = await at.pool.query<{ dialers: number }>(
    'select count(distinct t.dialer_id)::int as dialers from attempt a join trunk t on t.id = a.trunk_id where a.campaign_id = any ($1::int[])',
    [ids],
  )
  expect(rows).toEqual([{ dialers: 3 }])
  await expectSoundBooks(at)
})

test('claims at the same moment count what the one before took: together they fill the caller ID to its last channel, and no further', async () => {
  const { fixtures, places } = await dialersOf(3, { cliChannels: 50 })
  const id = await shared(fixtures, { phones: phones(500) })
  const got = await Promise.all(
    Array.from({ length: 4 }, () => places.map((place) => claimOver(fixtures, id, place, 20))).flat(),
  )
  expect(got.flat()).toHaveLength(50)
  await expectSoundBooks(at)
})

test('only the dialers of its route claim rows of a campaign, and only once it is shared; alone it is claimed as ever', async () => {
  const { fixtures, places } = await dialersOf(2)
  const [leader, helper] = places as [Place, Place]
  const stranger = await dialersOf(1)
  const { user, line } = fixtures
  const id = await newCampaign(at, { user, line, phones: phones(100) })
  const alone = { trunkId: leader.trunkId }
  expect(await claimOver(fixtures, id, helper, 5)).toEqual([])
  expect(await claimed(at, fixtures, id, 5, alone)).toHaveLength(5)
  await shareCampaign(at.engine, fixtures.lease, id)
  expect(await claimed(at, fixtures, id, 5, alone), 'a claim that does not count what the others have').toEqual([])
  expect(await claimOver(fixtures, id, leader, 5)).toHaveLength(5)
  expect(await claimOver(fixtures, id, helper, 5)).toHaveLength(5)
  expect(await claimOver(fixtures, id, { ...helper, trunkId: leader.trunkId }, 5), 'over another’s trunk').toEqual([])
  expect(await claimOver(fixtures, id, stranger.places[0] as Place, 5)).toEqual([])
})

test('rows of an operator are claimed over no trunk that names others, whatever the engine believed of the route', async () => {
  const { fixtures, places } = await dialersOf(2)
  const [leader, helper] = places as [Place, Place]
  const [ntc, ncell] = [1, 2]
  await newRoute(at, fixtures, [
    { trunkId: leader.trunkId, priority: 1, weight: 1, operators: [0, ntc, 3] },
    { trunkId: helper.trunkId, priority: 1, weight: 1, operators: [ncell] },
  ])
  const numbers = (prefix: number) => Array.from({ length: 5 }, (_, i) => 9770000000000 + prefix * 1e7 + 77_000 + i)
  const { user, line } = fixtures
  const id = await newCampaign(at, { user, line, phones: [...numbers(984), ...numbers(980)], byOperator: true })
  await shareCampaign(at.engine, fixtures.lease, id)
  const take = (place: Place, stream: number) =>
    underLockOfClis(at.engine, [line.cliId], (engine) =>
      claimed({ engine }, fixtures, id, 5, { ...place, stream, isShared: true, slot: place.lease.dialerId }),
    )
  expect(await take(leader, ncell)).toEqual([])
  expect(await take(helper, ntc)).toEqual([])
  expect([(await take(leader, ntc)).length, (await take(helper, ncell)).length]).toEqual([5, 5])
  await expectSoundBooks(at)
})

test('a campaign is shared while its route has trunks of several dialers, and until no call of its caller ID is up on another one', async () => {
  const { fixtures, places } = await dialersOf(2)
  const helper = places[1] as Place
  const id = await shared(fixtures, { phones: phones(100) })
  const [call] = await claimOver(fixtures, id, helper, 1)
  await at.db.updateTable('cli').set({ route_id: null }).where('id', '=', fixtures.line.cliId).execute()
  expect(await shareCampaign(at.engine, fixtures.lease, id)).toBe(false)
  expect(await claimOver(fixtures, id, helper, 1)).toEqual([])
  await settleOutcomes(at.engine, helper.lease, 0, [outcome(call as Claimed, { disposition: 'BUSY' })])
  expect(await shareCampaign(at.engine, helper.lease, id), 'by a dialer that does not lead it').toBe(false)
  expect(await shareCampaign(at.engine, fixtures.lease, id)).toBe(true)
  expect(await claimed(at, fixtures, id, 5)).toHaveLength(5)
})

test('the dialer that leads a campaign alone changes its state, ends its rows and writes its sums', async () => {
  const { fixtures, places } = await dialersOf(2)
  const { lease } = places[1] as Place
  const id = await shared(fixtures, { phones: phones(10) })
  const to = { campaignId: id, from: ['running'], to: 'onHold', reason: null, holdCause: 'trunk' } as const
  expect(await move(at.engine, lease, to)).toBe(false)
  await at.pool.query(`update campaign set dial_until = now() - interval '1 second' where id = $1`, [id])
  const rows = { campaignId: id, stream: null, rowsMax: 100, slot: 0 }
  expect(await expire(at.engine, lease, rows)).toBe(0)
  const changedAt = async () =>
    (await at.pool.query('select changed_at from campaign_progress where campaign_id = $1', [id])).rows
  const before = await changedAt()
  await writeProgress(at.engine, [{ lease, campaignIds: [id] }])
  expect(await changedAt()).toEqual(before)
  expect(await expire(at.engine, fixtures.lease, rows)).toBe(10)
})

test('each dialer sees the others of the route, whether they carry the campaign’s calls and why not, and how many rows they left, for as long as their lease lasts', async () => {
  const { fixtures, places } = await dialersOf(3)
  const [leader, second, third] = places as [Place, Place, Place]
  const id = await shared(fixtures, { phones: phones(10) })
  const holdReason = { cause: 'dialer', reason: 'dialer Pokhara does not answer: lost' } as const
  await reportHoldReasons(at.engine, leader.lease, [{ campaignId: id, holdReason: null }])
  await reportHoldReasons(at.engine, second.lease, [{ campaignId: id, holdReason: null, yielded: { 0: 2 } }])
  await reportHoldReasons(at.engine, third.lease, [{ campaignId: id, holdReason }])
  const seenBy = async ({ lease }: Place) => {
    const found = (await loadCampaigns(at.engine, [lease.dialerId], [])).find((one) => one.id === id)
    const others = found?.others?.map(({ carries, reason, yielded, steps }) => ({
      carries,
      reason,
      yielded,
      has_room: steps[0]?.has_room,
    }))
    return { leads: found?.leads, trunks: found?.route?.map(({ trunkId }) => trunkId), said: found?.said, others }
  }
  const carries = { carries: true, reason: null, yielded: null, has_room: true }
  const yields = { ...carries, yielded: { 0: 2 } }
  const fails = { ...carries, carries: false, reason: holdReason.reason }
  expect(await seenBy(leader)).toEqual({
    leads: true,
    trunks: [leader.trunkId],
    said: { epoch: leader.lease.epoch, reason: null, streams: null, yielded: null },
    others: [yields, fails],
  })
  expect(await seenBy(third)).toEqual({
    leads: false,
    trunks: [third.trunkId],
    said: { epoch: third.lease.epoch, reason: holdReason.reason, streams: null, yielded: null },
    others: [carries, yields],
  })
  await at.pool.query('update dialer_lease set epoch = epoch + 1 where dialer_id = $1', [second.lease.dialerId])
  const nobody = { ...carries, carries: false }
  expect((await seenBy(leader)).others).toEqual([nobody, fails])
  // an engine of the version before says that it carries calls, and knows of no rows that are left
  await at.pool.query('update campaign_dialer set epoch = epoch + 1 where campaign_id = $1 and dialer_id = $2', [
    id,
    second.lease.dialerId,
  ])
  expect((await seenBy(leader)).others).toEqual([carries, fails])
})
