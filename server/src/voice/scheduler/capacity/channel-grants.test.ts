import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { newLine } from '../../../testing/seed.ts'
import { checkInvariantsSince } from '../../invariants/invariants.sql.ts'
import { takeover } from '../../../dispatch/lease/lease.sql.ts'
import { settleOutcomes } from '../../settle/settle.sql.ts'
import type { Lease } from '../../../dispatch/statement.ts'
import { engineDb } from '../../testing/db.ts'
import {
  claimOf,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  outcome,
  phones,
  type Fixtures,
} from '../../testing/fixtures.ts'
import { grantChannels } from './channels.sql.ts'
import type { Claimed } from '../../model/campaigns/claim.sql.ts'

const at = await engineDb(12)

type Dialer = { lease: Lease; campaignId: number; payerIds: number[] }

/** Users in turns with a dialer each, under one reseller below the top. */
async function setUp(of: { dialers: number; users?: number }): Promise<{ fixtures: Fixtures; dialers: Dialer[] }> {
  const fixtures = await newFixtures(at, { users: of.users ?? 1 })
  const dialers: Dialer[] = []
  for (let i = 0; i < of.dialers; i++) {
    const user = fixtures.users[i % fixtures.users.length] ?? fixtures.user
    const line = await newLine(at, { holders: [user] })
    const lease = await takeover(at.engine, line.dialerId, 'test', 600_000)
    if (!lease) throw new Error('the lease of a new dialer is free')
    const campaignId = await newCampaign(at, { user, line, phones: phones(500), reservePaisa: 40 })
    dialers.push({ lease, campaignId, payerIds: [user.userId, fixtures.reseller.userId, fixtures.top.userId] })
  }
  return { fixtures, dialers }
}

async function channels(of: { userId: number }, n: number): Promise<void> {
  await at.db.updateTable('account_channels').set({ channels: n }).where('account_id', '=', of.userId).execute()
}

const ask = (dialer: Dialer, calls: number) =>
  grantChannels(at.engine, [{ lease: dialer.lease, wants: [{ payerIds: dialer.payerIds, calls }] }])

/** Asks for channels, then claims. */
async function begin(fixtures: Fixtures, dialer: Dialer, calls: number): Promise<Claimed[]> {
  return (await claimOf(at, fixtures, dialer.campaignId, calls, { lease: dialer.lease, slot: slotOf(dialer) })).calls
}

const slotOf = ({ lease }: Dialer): number => lease.dialerId % 32_768

async function end(dialer: Dialer, calls: readonly Claimed[]): Promise<void> {
  const ended = calls.map((call) => outcome(call, { disposition: 'ANSWER', billMs: 1000 }))
  await settleOutcomes(at.engine, dialer.lease, slotOf(dialer), ended)
}

async function callsOf(accountId: number): Promise<number> {
  const { rows } = await at.pool.query<{ n: number }>('select calls_in_progress($1) as n', [accountId])
  return rows[0]?.n ?? 0
}

/** As if that long had passed without a word of any dialer. */
async function pass(seconds: number): Promise<void> {
  await at.pool.query(
    `update account_grant set asked_at = asked_at - $1 * interval '1 second', granted_at = granted_at - $1 * interval '1 second', served_at = served_at - $1 * interval '1 second'`,
    [seconds],
  )
}

async function expectNoFaults(): Promise<void> {
  expect((await checkInvariantsSince(at.engine, 0)).faults).toEqual([])
}

test('two channels of a reseller over ten dialers are both in use, and each dialer has its turn', async () => {
  const { fixtures, dialers } = await setUp({ dialers: 10, users: 3 })
  await channels(fixtures.reseller, 2)
  const had = new Map(dialers.map((dialer) => [dialer, 0]))
  const up: { dialer: Dialer; calls: Claimed[] }[] = []
  for (let round = 0; round < 12; round++) {
    for (const dialer of dialers) {
      const calls = await begin(fixtures, dialer, 5)
      had.set(dialer, (had.get(dialer) ?? 0) + calls.length)
      if (calls.length > 0) up.push({ dialer, calls })
    }
    expect(await callsOf(fixtures.reseller.userId)).toBe(2)
    for (const { dialer, calls } of up.splice(0)) await end(dialer, calls)
    await expectNoFaults()
  }
  expect(Math.min(...had.values())).toBeGreaterThanOrEqual(2)
  expect(Math.max(...had.values())).toBeLessThanOrEqual(4)
})

test('what one dialer was granted and does not use, another gets at its first question', async () => {
  const { fixtures, dialers } = await setUp({ dialers: 2 })
  const [one, other] = dialers
  if (!one || !other) throw new Error('two dialers')
  await channels(fixtures.user, 10)
  expect(await begin(fixtures, one, 4)).toHaveLength(4)
  await ask(one, 6)
  expect(await begin(fixtures, other, 10)).toHaveLength(5)
  expect(await begin(fixtures, one, 10)).toHaveLength(1)
  await expectSoundBooks(at)
})

test('when calls of a dialer with more than its share end, the other dialer gets their channels', async () => {
  const { fixtures, dialers } = await setUp({ dialers: 2 })
  const [one, other] = dialers
  if (!one || !other) throw new Error('two dialers')
  await channels(fixtures.user, 4)
  const first = await begin(fixtures, one, 100)
  expect(first).toHaveLength(4)
  expect(await begin(fixtures, other, 100)).toHaveLength(0)
  await end(one, first.slice(0, 2))
  expect(await begin(fixtures, one, 100)).toHaveLength(0)
  expect(await begin(fixtures, other, 100)).toHaveLength(2)
  await expectSoundBooks(at)
})

test('a dialer that asks no more, because its engine is dead, keeps nothing but its calls', async () => {
  const { fixtures, dialers } = await setUp({ dialers: 2 })
  const [one, other] = dialers
  if (!one || !other) throw new Error('two dialers')
  await channels(fixtures.user, 10)
  const calls = await begin(fixtures, one, 3)
  await ask(one, 100)
  await pass(4)
  expect(await begin(fixtures, other, 100)).toHaveLength(7)
  await end(one, calls)
  expect(await begin(fixtures, other, 100)).toHaveLength(3)
  await expectSoundBooks(at)
})

test('when channels are cut, no call begins on any dialer until its calls fit again', async () => {
  const { fixtures, dialers } = await setUp({ dialers: 2 })
  const [one, other] = dialers
  if (!one || !other) throw new Error('two dialers')
  await channels(fixtures.reseller, 10)
  const calls = await begin(fixtures, one, 6)
  await ask(other, 4)
  await channels(fixtures.reseller, 2)
  for (const dialer of dialers) expect(await begin(fixtures, dialer, 5)).toHaveLength(0)
  await end(one, calls.slice(0, 4))
  for (const dialer of dialers) expect(await begin(fixtures, dialer, 5)).toHaveLength(0)
  await end(one, calls.slice(4, 5))
  expect(await begin(fixtures, other, 5)).toHaveLength(1)
  expect(await callsOf(fixtures.reseller.userId)).toBe(2)
  await expectSoundBooks(at)
})

test('a dialer whose call ends while the calls of others exceed what is left after a cut begins none in its place', async () => {
  const { fixtures, dialers } = await setUp({ dialers: 2 })
  const [one, other] = dialers
  if (!one || !other) throw new Error('two dialers')
  const many = await begin(fixtures, one, 3)
  const single = await begin(fixtures, other, 1)
  await channels(fixtures.user, 2)
  for (const dialer of dialers) await ask(dialer, 5)
  await end(other, single)
  await expectNoFaults()
  expect(await begin(fixtures, other, 5)).toHaveLength(0)
  await end(one, many.slice(0, 2))
  expect(await begin(fixtures, other, 5)).toHaveLength(1)
  expect(await callsOf(fixtures.user.userId)).toBe(2)
  await expectSoundBooks(at)
})

test('an engine without the lease is granted nothing, and what it had cannot be used', async () => {
  const { fixtures, dialers } = await setUp({ dialers: 1 })
  const [dialer] = dialers
  if (!dialer) throw new Error('one dialer')
  await ask(dialer, 10)
  const next = await takeover(at.engine, dialer.lease.dialerId, 'test', 600_000)
  expect(next).not.toBeNull()
  const free = await ask(dialer, 20)
  expect(free.get(dialer.lease.dialerId)).toEqual(new Map())
  expect(await begin(fixtures, dialer, 10)).toHaveLength(0)
})

test('what a dialer does not use any more is given back, so that nothing is left when its calls are over', async () => {
  const { fixtures, dialers } = await setUp({ dialers: 1 })
  const [dialer] = dialers
  if (!dialer) throw new Error('one dialer')
  const calls = await begin(fixtures, dialer, 5)
  await ask(dialer, 50)
  await end(dialer, calls)
  await pass(4)
  expect((await grantChannels(at.engine, [{ lease: dialer.lease, wants: [] }])).get(dialer.lease.dialerId)).toEqual(
    new Map(),
  )
  const { rows } = await at.pool.query(
    'select sum(greatest(granted, in_call))::int as taken from account_grant where account_id = any ($1)',
    [dialer.payerIds],
  )
  expect(rows).toEqual([{ taken: 0 }])
})

type Act = { dialer: number; calls: number; ends: number; cut: number | null; of: number; dies: boolean }

const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.record({
    dialer: fc.nat(4),
    calls: fc.integer({ min: 1, max: 6 }),
    ends: fc.nat(5),
    cut: fc.option(fc.nat(8), { freq: 6 }),
    of: fc.nat(3),
    dies: fc.boolean(),
  }),
  { minLength: 20, maxLength: 60 },
)

test('dialers that race for the channels of users, a reseller and the top, random cuts, engines that die between asking and claiming: never more calls than channels', async () => {
  const { fixtures, dialers } = await setUp({ dialers: 5, users: 3 })
  const limited = [...fixtures.users, fixtures.reseller]
  const running = { now: true }
  const up = new Map<Dialer, Claimed[]>(dialers.map((dialer) => [dialer, []]))
  const seen = new Set<string>()
  const watch = async (): Promise<void> => {
    while (running.now) for (const fault of (await checkInvariantsSince(at.engine, 0)).faults) seen.add(fault)
  }
  const act = async (dialer: Dialer, { calls, ends, dies }: Act): Promise<void> => {
    const own = up.get(dialer) ?? []
    if (dies) {
      await ask(dialer, calls)
      const next = await takeover(at.engine, dialer.lease.dialerId, 'test', 600_000)
      if (next) dialer.lease = next
    }
    own.push(...(await begin(fixtures, dialer, calls)))
    await end(dialer, own.splice(0, ends))
  }
  const watching = watch()
  const property = fc.asyncProperty(acts, async (all) => {
    const lanes = dialers.map(async (dialer, i) => {
      for (const one of all.filter((each) => each.dialer === i)) await act(dialer, one)
    })
    const cuts = (async () => {
      for (const { cut, of } of all)
        if (cut !== null) {
          await channels(limited[of] ?? fixtures.user, cut)
          await sleep(2)
        }
    })()
    await Promise.all([...lanes, cuts])
    expect([...seen]).toEqual([])
    await expectNoFaults()
  })
  try {
    await fc.assert(property, { numRuns: 8, endOnFailure: true }) // calls of a run go on into the next: there is nothing to shrink
  } finally {
    running.now = false
    await watching
  }
  expect([...seen]).toEqual([])
  for (const [dialer, calls] of up) await end(dialer, calls)
  await expectSoundBooks(at)
  for (const account of [...limited, fixtures.top]) expect(await callsOf(account.userId)).toBe(0)
})
