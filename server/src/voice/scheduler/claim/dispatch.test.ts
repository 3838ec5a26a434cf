import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Claimed } from '../../model/campaigns/claim.sql.ts'
import { settleOutcomes } from '../../settle/settle.sql.ts'
import { sweep } from '../../../dispatch/reservation.sql.ts'
import { settle } from '../../settle/settle.ts'
import {
  claimed,
  claimOf,
  counts,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  outcome,
  phones,
  threeLevels,
  type CallOutcome,
  type EngineDb,
  type Fixtures,
} from '../../testing/fixtures.ts'
import { engineDb } from '../../testing/db.ts'

const at = await engineDb()

const billMsOf = (call: Claimed): number => ((call.no * 7919) % 74_999) + 1
/** Half answered, of those a quarter patched; the others once more, then not reached. */
const usual = (call: Claimed): CallOutcome =>
  call.no % 2 === 0
    ? {
        disposition: 'ANSWER',
        billMs: billMsOf(call),
        keys: '1',
        trail: `welcome menu menu=${call.no % 3} >end`,
        ...(call.no % 8 === 0 ? { patchBillMs: billMsOf(call) >> 1 } : {}),
      }
    : { disposition: 'NO ANSWER', retryInMs: call.no % 4 === 1 && call.attempt_no === 1 ? 0 : null }
const everyEnding = (call: Claimed): CallOutcome => {
  const coin = (call.no * 31 + call.id) % 16
  if (coin === 0) return { disposition: 'CONGESTION', retryInMs: 0 }
  if (coin === 1) return { disposition: 'CANCEL' }
  if (coin === 2) return { disposition: 'LOST', retryInMs: 0 } // the requested retry is not granted
  if (coin === 3) return { disposition: 'REJECTED', retryInMs: call.failures ? null : 0 }
  if (coin === 4) return { disposition: 'INVALID' }
  return usual(call)
}
const pulses = (ms: number | null | undefined, pulseMs: number): number =>
  ms ? Math.max(1, Math.ceil(ms / pulseMs)) : 0
const costAt = (ending: CallOutcome, level: number): number => {
  const price = threeLevels[level]
  return price
    ? (pulses(ending.billMs, price.pulseMs) + pulses(ending.patchBillMs, price.pulseMs)) * price.pulsePaisa
    : 0
}
const settleAll = (fixtures: Fixtures, calls: Claimed[], endingOf: (call: Claimed) => CallOutcome, slot = 0) =>
  settleOutcomes(
    at.engine,
    fixtures.lease,
    slot,
    calls.map((call) => outcome(call, endingOf(call))),
  )
const money = async (ids: readonly number[]): Promise<number> => {
  const { rows } = await at.pool.query<{ paisa: number }>(
    `select (select sum(balance_paisa) from account where id = any ($1))::bigint + (select coalesce(sum(paisa), 0) from account_income where account_id = any ($1))::bigint as paisa`,
    [ids],
  )
  return rows[0]?.paisa ?? 0
}
const reserved = async (db: EngineDb, userId: number): Promise<number> =>
  (await db.db.selectFrom('account').select('reserved_paisa').where('id', '=', userId).executeTakeFirstOrThrow())
    .reserved_paisa

test('four writers, repeated numbers, every ending, each outcome reported twice, sweeps beside it: each level owns what the calls say', async () => {
  const fixtures = await newFixtures(at, { users: 2, resellers: 2 })
  const campaigns: number[] = []
  const called: number[] = []
  for (let i = 0; i < 4; i++) {
    const user = fixtures.users[i % 2] ?? fixtures.user
    const numbers = phones(600, 120)
    called.push(...numbers)
    campaigns.push(await newCampaign(at, { user, line: fixtures.line, phones: numbers }))
  }
  const blacklisted = called.flatMap((phone, i) => {
    const no = i % 600
    const owners = [fixtures.top, ...fixtures.resellers, ...fixtures.users, fixtures.top]
    return no % 41 === 0 && no < 41 * 6 ? [{ phone, owner_id: owners[no / 41]?.userId ?? 0 }] : []
  })
  await at.db.insertInto('blacklist').values(blacklisted).execute()
  const before = await Promise.all(
    [fixtures.users, fixtures.resellers, [fixtures.top]].map((of) => money(of.map((one) => one.userId))),
  )
  const earned = [0, 0, 0, 0] // by users (negative), resellers, top reseller, revenue
  const sweeping = { now: true }
  const sweeper = (async () => {
    for (; sweeping.now; await sleep(20))
      for (const one of [...fixtures.resellers, fixtures.top]) await sweep(at.engine, one.userId)
  })()
  const writers = [0, 1, 2, 3].map(async (slot) => {
    for (let idle = 0, turn = slot; idle < 8; turn++) {
      const calls = await claimed(at, fixtures, campaigns[turn % 4] ?? 0, 60, { slot })
      idle = calls.length > 0 ? 0 : idle + 1
      expect(await settleAll(fixtures, calls, everyEnding, slot)).toHaveLength(calls.length)
      for (const ending of calls.map(everyEnding))
        for (const level of [0, 1, 2]) {
          earned[level] = (earned[level] ?? 0) - costAt(ending, level)
          earned[level + 1] = (earned[level + 1] ?? 0) + costAt(ending, level)
        }
      expect(await settleAll(fixtures, calls, () => ({ disposition: 'LOST' }), slot)).toEqual([])
    }
  })
  await Promise.all(writers).finally(() => (sweeping.now = false))
  await sweeper
  const sum = await counts(at)
  expect((sum['done'] ?? 0) + (sum['dnd'] ?? 0)).toBe(2400)
  expect(sum['dnd']).toBeGreaterThan(0)
  const after = await Promise.all(
    [fixtures.users, fixtures.resellers, [fixtures.top]].map((of) => money(of.map((one) => one.userId))),
  )
  expect(after.map((paisa, level) => paisa - (before[level] ?? 0))).toEqual(earned.slice(0, 3))
  await expectSoundBooks(at)
})

test('one claim takes due retries first and fills up with fresh rows', async () => {
  const fixtures = await newFixtures(at)
  const { user } = fixtures
  const campaignId = await newCampaign(at, { user, line: fixtures.line, phones: phones(300) })
  const first = await claimed(at, fixtures, campaignId, 100)
  await settleAll(fixtures, first, () => ({ disposition: 'NO ANSWER', retryInMs: 0 }))
  const second = await claimed(at, fixtures, campaignId, 150)
  expect(second.filter((call) => call.attempt_no === 2)).toHaveLength(100)
  expect(second).toHaveLength(150)
  expect(second[0]?.channel_id).toMatch(new RegExp(`^[a-z0-9]{6}-${fixtures.lease.epoch}-${second[0]?.id}-c$`))
  await expectSoundBooks(at)
})

test('a claim takes nothing beyond what is proven, neither of the queue nor of fresh rows', async () => {
  const fixtures = await newFixtures(at)
  const { user } = fixtures
  const campaignId = await newCampaign(at, { user, line: fixtures.line, phones: phones(30) })
  await settleAll(fixtures, await claimed(at, fixtures, campaignId, 10), () => ({
    disposition: 'NO ANSWER',
    retryInMs: 0,
  }))
  const { rows } = await at.engine.query<{ us: number }>(
    'select (extract(epoch from due_at) * 1000000)::bigint as us from contact_retry where campaign_id = $1 limit 1',
    [campaignId],
  )
  const dueUs = rows[0]?.us ?? 0
  const rowNosOf = async (freshTo: number, queueTo: { dueUs: number; rowNo: number }) =>
    (await claimed(at, fixtures, campaignId, 100, { proven: { freshTo, queueTo } })).map(({ no }) => no)
  expect(await rowNosOf(0, { dueUs: dueUs - 1, rowNo: 9 })).toEqual([])
  expect(await rowNosOf(12, { dueUs, rowNo: 3 })).toEqual([0, 1, 2, 3, 10, 11])
  expect(await rowNosOf(12, { dueUs, rowNo: 5 })).toEqual([4, 5])
  expect((await claimed(at, fixtures, campaignId, 100)).length).toBe(22)
  await expectSoundBooks(at)
})

test('a probe rings a fresh row while there is one: what is due again may fail for its number’s sake', async () => {
  const fixtures = await newFixtures(at)
  const { user } = fixtures
  const campaignId = await newCampaign(at, { user, line: fixtures.line, phones: phones(3) })
  await settleAll(fixtures, await claimed(at, fixtures, campaignId, 2), () => ({
    disposition: 'CONGESTION',
    retryInMs: 0,
  }))
  const probes: Claimed[] = []
  for (let n = 0; n < 2; n++) probes.push(...(await claimed(at, fixtures, campaignId, 1, { probe: true })))
  expect(probes.map(({ congestions }) => congestions)).toEqual([0, 1])
})

test('two outcomes of five hundred that no table takes are parked with an alert; the rest is settled', async () => {
  const fixtures = await newFixtures(at, { users: 4 })
  const calls: Claimed[] = []
  for (const user of fixtures.users) {
    const campaignId = await newCampaign(at, { user, line: fixtures.line, phones: phones(125) })
    calls.push(...(await claimed(at, fixtures, campaignId, 125)))
  }
  const bad = new Set([calls[77]?.id, calls[301]?.id])
  const wrong = (call: Claimed): CallOutcome =>
    call.id === calls[77]?.id
      ? { disposition: 'ANSWER' } // for no time
      : { disposition: 'BUSY', endedAt: new Date(NaN) }
  const outcomes = calls.map((call) => outcome(call, bad.has(call.id) ? wrong(call) : usual(call)))
  const { lease, user } = fixtures
  const told = outcomes.map((one) => ({ lease, accountId: user.userId, outcome: one }))
  const settled = await settle(at.engine, 0, told, { waits: false })
  expect([settled.done.length, new Set(settled.parked)]).toEqual([498, bad])
  const alerts = await at.db.selectFrom('alert').select('times').where('kind', '=', 'outcome_parked').execute()
  expect(alerts).toEqual([{ times: 2 }])
  await expectSoundBooks(at)
  await settleAll(
    fixtures,
    calls.filter((call) => bad.has(call.id)),
    () => ({ disposition: 'LOST' }),
  )
  for (const user of fixtures.users) expect(await reserved(at, user.userId)).toBe(0)
  await expectSoundBooks(at)
})

test('the first of several outcomes of one attempt in a batch counts, as in two batches', async () => {
  const fixtures = await newFixtures(at)
  const { user } = fixtures
  const campaignId = await newCampaign(at, { user, line: fixtures.line, phones: phones(120) })
  const calls = await claimed(at, fixtures, campaignId, 120)
  const first = ({ no }: Claimed): CallOutcome =>
    no % 2 === 0 ? { disposition: 'ANSWER', billMs: 1000 } : { disposition: 'BUSY' }
  const second = ({ no }: Claimed): CallOutcome =>
    no % 2 === 0 ? { disposition: 'LOST' } : { disposition: 'ANSWER', billMs: 90_000 }
  const outcomes = [first, second, first].flatMap((of, turn) =>
    (turn === 1 ? calls.toReversed() : calls).map((call) => outcome(call, of(call))),
  )
  expect(await settleOutcomes(at.engine, fixtures.lease, 0, outcomes)).toHaveLength(120)
  const { rows } = await at.pool.query<{ disposition: string; bill_ms: number | null; n: number }>(
    'select disposition, bill_ms, count(*)::int as n from attempt where campaign_id = $1 group by 1, 2 order by 1',
    [campaignId],
  )
  expect(rows).toEqual([
    { disposition: 'ANSWER', bill_ms: 1000, n: 60 },
    { disposition: 'BUSY', bill_ms: null, n: 60 },
  ])
  await expectSoundBooks(at)
})

test('a number put on a blacklist of the user, an ancestor or the platform is not dialled, at its next attempt either', async () => {
  const fixtures = await newFixtures(at)
  const { user } = fixtures
  const numbers = phones(8, 0, 9779811000000)
  const campaignId = await newCampaign(at, { user, line: fixtures.line, phones: numbers })
  const mint = await at.db.selectFrom('account').select('id').where('kind', '=', 'mint').executeTakeFirstOrThrow()
  const owners = [user.userId, fixtures.resellers[0]?.userId ?? 0, fixtures.top.userId, mint.id]
  const block = (from: number) =>
    at.db
      .insertInto('blacklist')
      .values(owners.map((owner_id, i) => ({ owner_id, phone: numbers[from + i] ?? 0 })))
      .execute()
  await block(0)
  const calls = await claimed(at, fixtures, campaignId, 100)
  expect(calls.map((call) => call.no)).toEqual([4, 5, 6, 7])
  await settleAll(fixtures, calls, () => ({ disposition: 'BUSY', retryInMs: 0 }))
  await block(4)
  expect(await claimed(at, fixtures, campaignId, 100)).toEqual([])
  expect(await counts(at, campaignId)).toMatchObject({ dnd: 4, done: 4, waiting: 0, fresh: 0 })
})

test('where listed rows alternate with others, a claim that looks at a thousand takes what it wants and leaves the rest where it was', async () => {
  const fixtures = await newFixtures(at)
  const { user, line } = fixtures
  const list = phones(40)
  const id = await newCampaign(at, { user, line, phones: list })
  const even = list.filter((_, n) => n % 2 === 0).map((phone) => ({ owner_id: user.userId, phone }))
  await at.db.insertInto('blacklist').values(even).execute()
  const queue = async () =>
    (await at.pool.query('select no, due_at from contact_retry where campaign_id = $1 order by no', [id])).rows
  const first = await claimOf(at, fixtures, id, 5, { looks: 1000 })
  expect([first.calls.map(({ no }) => no), first.suppressed]).toEqual([[1, 3, 5, 7, 9], 6])
  expect(await queue(), 'nothing is put into the queue').toEqual([])
  expect(await counts(at, id)).toMatchObject({ fresh: 29, in_call: 5, dnd: 6 })
  await settleAll(fixtures, first.calls, () => ({ disposition: 'BUSY', retryInMs: 0 }))
  await at.pool.query("update contact_retry set due_at = now() - no * interval '1 s' where campaign_id = $1", [id])
  await at.db
    .insertInto('blacklist')
    .values({ owner_id: user.userId, phone: list[9] ?? 0 })
    .execute()
  const before = await queue()
  const again = await claimOf(at, fixtures, id, 2, { looks: 1000 })
  expect([again.calls.map(({ no }) => no), again.suppressed]).toEqual([[5, 7], 1])
  expect(await queue(), 'due rows beyond it stay as they are').toEqual(before.slice(0, 2))
  const rest = await claimed(at, fixtures, id, 100, { looks: 1000 })
  expect(rest.map(({ no }) => no)).toEqual(
    list.flatMap((_, n) => (n === 1 || n === 3 || (n % 2 === 1 && n > 9) ? [n] : [])),
  )
  expect(await counts(at, id)).toMatchObject({ fresh: 0, waiting: 0, in_call: 19, dnd: 20, done: 1 })
  await expectSoundBooks(at)
})

test('the reasons why nothing is claimed hold for one call, too: blocked, over, another dialer’s, not running', async () => {
  const fixtures = await newFixtures(at)
  const { user } = fixtures
  const campaignId = await newCampaign(at, { user, line: fixtures.line, phones: phones(10) })
  for (const [kind, target_id] of [
    ['platform', null],
    ['dialer', fixtures.line.dialerId],
    ['trunk', fixtures.line.trunkId],
    ['account', fixtures.top.userId],
  ] as const) {
    const { id } = await at.db
      .insertInto('dial_block')
      .values({ kind, target_id, reason: 'test', by_user_id: user.userId })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await claimed(at, fixtures, campaignId, 5), kind).toEqual([])
    await at.db.updateTable('dial_block').set({ lifted_at: new Date() }).where('id', '=', id).execute()
  }
  await at.db.updateTable('campaign').set({ dial_until: new Date() }).where('id', '=', campaignId).execute()
  expect(await claimed(at, fixtures, campaignId, 5)).toEqual([])
  await at.db
    .updateTable('campaign')
    .set({ dial_until: new Date(Date.now() + 60_000), status: 'pausing' })
    .where('id', '=', campaignId)
    .execute()
  expect(await claimed(at, fixtures, campaignId, 5)).toEqual([])
  await at.db.updateTable('campaign').set({ status: 'running' }).where('id', '=', campaignId).execute()
  expect(
    await claimed(at, fixtures, campaignId, 5, { lease: { ...fixtures.lease, epoch: fixtures.lease.epoch - 1 } }),
  ).toEqual([])
  expect(await claimed(at, fixtures, campaignId, 5)).toHaveLength(5)
  await at.db.deleteFrom('dial_block').execute()
})

test('the invariants find answers that the calls did not give, and calls that ended twice or not at all', async () => {
  const fixtures = await newFixtures(at)
  const { user } = fixtures
  const campaignId = await newCampaign(at, { user, line: fixtures.line, phones: phones(3) })
  const calls = await claimed(at, fixtures, campaignId, 3)
  const trails = ['welcome >welcome', 'welcome menu menu=1 >end', 'welcome >menu >end']
  await settleAll(fixtures, calls, ({ no }) => ({ disposition: 'ANSWER', billMs: 1000, trail: trails[no] ?? null }))
  await expect(expectSoundBooks(at)).rejects.toThrow('answers_wrong: 1')
  await at.pool.query("update campaign_tally set n = n + 1 where campaign_id = $1 and mark = 'menu=1'", [campaignId])
  await expect(expectSoundBooks(at)).rejects.toThrow('answers_wrong: 2')
})

test('a call keeps whose it is, which way it went, whose number it called and when that number rang', async () => {
  const fixtures = await newFixtures(at)
  const { user } = fixtures
  const numbers = [9779841234567, 9779801234567, 97714567890]
  const campaignId = await newCampaign(at, { user, line: fixtures.line, phones: numbers })
  const calls = await claimed(at, fixtures, campaignId, 3)
  const alertedAt = new Date('2026-11-20T06:15:03Z')
  const ending = { disposition: 'BUSY', alerted: true, alertedAt } as const
  await settleOutcomes(
    at.engine,
    fixtures.lease,
    0,
    calls.map((call) => outcome(call, ending)),
  )
  const rows = at.db
    .selectFrom('attempt')
    .select(['account_id', 'trunk_id', 'cli_id', 'kind', 'alerted_at', 'operator'])
  const { trunkId: trunk_id, cliId: cli_id } = fixtures.line
  const same = { account_id: user.userId, trunk_id, cli_id, kind: 'campaign', alerted_at: alertedAt }
  expect(await rows.where('campaign_id', '=', campaignId).orderBy('phone', 'desc').execute()).toEqual([
    { ...same, operator: 1 },
    { ...same, operator: 2 },
    { ...same, operator: 0 },
  ])
})
