import { expect, test } from 'vitest'
import { engineDb } from '../../voice/testing/db.ts'
import { phones } from '../../voice/testing/fixtures.ts'
import { moveSmsCampaign, requeueSms } from '../model/campaign.sql.ts'
import { settleMessages } from '../settle/settle.sql.ts'
import { takeover } from '../model/lease.sql.ts'
import { matchEarlyReceipts, takeReceipts, type FinalReceipt } from '../settle/receipts.sql.ts'
import {
  claimSms,
  expectSoundBooks,
  money,
  newSmsCampaign,
  newSmsFixtures,
  smsCounts,
  smsOutcome,
} from '../testing/fixtures.ts'

const at = await engineDb(8)
const fixtures = await newSmsFixtures(at, { users: 4 })
const { user, reseller, top } = fixtures
const receipt = (idKey: string, state: FinalReceipt['state'] = 'delivered'): FinalReceipt => ({
  idKey,
  state,
  reason: state === 'delivered' ? null : 'the telephone is off',
  at: null,
})
const settleAll = (...outcomes: Parameters<typeof settleMessages>[3]) =>
  settleMessages(at.engine, fixtures.lease, fixtures.gatewayId, outcomes)
const receive = (...receipts: FinalReceipt[]) => takeReceipts(at.engine, fixtures.lease, fixtures.gatewayId, receipts)

test('a message reserves its segments, and acceptance pays them at every level', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(3), segments: 2 })
  const before = await Promise.all([user, reseller, top].map(({ userId }) => money(at, userId)))
  const { messages } = await claimSms(at, fixtures, campaignId, 2)
  expect(messages.map(({ no, segments, reserved_paisa }) => [no, segments, reserved_paisa])).toEqual([
    [0, 2, 300],
    [1, 2, 300],
  ])
  expect(await money(at, user.userId)).toEqual({ owned: before[0]?.owned, reserved: 600 })
  await expectSoundBooks(at)
  const outcomes = messages.map((one) => smsOutcome(one, { kind: 'accepted', idKeys: [`a${one.id}`, `b${one.id}`] }))
  expect(await settleAll(...outcomes)).toHaveLength(2)
  expect(await settleAll(...outcomes)).toEqual([]) // reported twice
  const after = await Promise.all([user, reseller, top].map(({ userId }) => money(at, userId)))
  expect(after.map(({ owned }, i) => owned - (before[i]?.owned ?? 0))).toEqual([-600, 600 - 480, 480 - 400])
  expect(after[0]?.reserved).toBe(0)
  expect(await smsCounts(at, campaignId)).toEqual({ fresh: 1, submitted: 2, accepted: 2, segments: 4, cost_paisa: 600 })
  await expectSoundBooks(at)
})

test('a level that would pay more than the one below it gave pays just that', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(1), prices: [100, 150, 50] })
  const before = await money(at, reseller.userId)
  const { messages } = await claimSms(at, fixtures, campaignId, 1)
  await settleAll(...messages.map((one) => smsOutcome(one, { kind: 'accepted' })))
  expect((await money(at, reseller.userId)).owned - before.owned).toBe(0)
  await expectSoundBooks(at)
})

test('a refusal costs nothing, and one after some segments costs these', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(2), segments: 3 })
  const { messages } = await claimSms(at, fixtures, campaignId, 2)
  const [one, other] = messages
  if (!one || !other) throw new Error('nothing was claimed')
  await settleAll(
    smsOutcome(one, { kind: 'refused', code: '11', reason: 'the number does not exist' }),
    smsOutcome(other, { kind: 'refused', accepted: 2, code: '8', reason: 'system error', idKeys: ['r1', 'r2'] }),
  )
  expect(await smsCounts(at, campaignId)).toEqual({ failed: 2, accepted: 1, segments: 2, cost_paisa: 300 })
  expect((await receive(receipt('r1'))).unmatched).toEqual([]) // of a message that failed: it stays so
  expect(await smsCounts(at, campaignId)).toMatchObject({ failed: 2 })
  await expectSoundBooks(at)
})

test('a message that did not leave goes on later, free, and its number still gets it', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(1) })
  const caps = { account: 1, platform: 1 }
  for (let turn = 0; turn < 3; turn++) {
    const { messages } = await claimSms(at, fixtures, campaignId, 5, { caps })
    expect(messages).toHaveLength(1)
    expect(messages[0]?.faults).toBe(turn)
    await settleAll(...messages.map((one) => smsOutcome(one, { kind: 'back', isFault: true })))
  }
  expect(await smsCounts(at, campaignId)).toEqual({ fresh: 1 })
  await expectSoundBooks(at)
})

test('an unknown one keeps its money until it is settled, once, by the coordinator alone', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(2), segments: 2 })
  const { messages } = await claimSms(at, fixtures, campaignId, 2)
  const before = await money(at, user.userId)
  const unknown = messages.map((one) =>
    smsOutcome(one, { kind: 'unknown', answered: true, accepted: 1, idKeys: [`u${one.id}`] }),
  )
  await settleAll(...unknown)
  expect(await money(at, user.userId)).toEqual(before)
  expect(await smsCounts(at, campaignId)).toEqual({ unknown: 2 })
  await expectSoundBooks(at)
  const end = messages.map((one, i) => smsOutcome(one, { kind: 'settled', accepted: i }))
  expect(await settleAll(...end)).toEqual([])
  expect(await settleAll(...messages.map((one) => smsOutcome(one, { kind: 'accepted' })))).toEqual([])
  expect(await settleMessages(at.engine, fixtures.coordinator, 0, end)).toHaveLength(2)
  expect(await settleMessages(at.engine, fixtures.coordinator, 0, end)).toEqual([])
  expect(await money(at, user.userId)).toEqual({ owned: before.owned - 150, reserved: 0 })
  expect(await smsCounts(at, campaignId)).toEqual({ unknown: 2, accepted: 1, segments: 1, cost_paisa: 150 })
  await expectSoundBooks(at)
})

test('a message is delivered when all its segments are, and failed with the first that fails; what comes twice counts once', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(3), segments: 2 })
  const { messages } = await claimSms(at, fixtures, campaignId, 3)
  await settleAll(...messages.map((one, i) => smsOutcome(one, { kind: 'accepted', idKeys: [`m${i}a`, `m${i}b`] })))
  await receive(receipt('m0a'), receipt('m0a'), receipt('m1a', 'failed'), receipt('m2a', 'expired'))
  const oneLeft = { submitted: 1, failed: 1, expired: 1 }
  expect(await smsCounts(at, campaignId)).toMatchObject(oneLeft)
  await receive(receipt('m0a'))
  expect(await smsCounts(at, campaignId), 'its second segment has no receipt yet').toMatchObject(oneLeft)
  await receive(receipt('m0a'), receipt('m0b'), receipt('m1b'))
  await receive(receipt('m0b', 'failed'))
  expect(await smsCounts(at, campaignId)).toMatchObject({ delivered: 1, failed: 1, expired: 1 })
  const { rows } = await at.pool.query('select reason from sms_message where campaign_id = $1 order by no', [
    campaignId,
  ])
  expect(rows.map((row) => row.reason)).toEqual([null, 'the telephone is off', 'the telephone is off'])
  await expectSoundBooks(at)
})

test('receipts that come before their answer wait for it; those of nobody are kept apart', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(1) })
  const { messages } = await claimSms(at, fixtures, campaignId, 1)
  expect((await receive(receipt('early'), receipt('never'))).unmatched.toSorted()).toEqual(['early', 'never'])
  await settleAll(...messages.map((one) => smsOutcome(one, { kind: 'accepted', idKeys: ['early'] })))
  expect(await matchEarlyReceipts(at.engine, fixtures.lease, fixtures.gatewayId)).toEqual([campaignId])
  expect(await matchEarlyReceipts(at.engine, fixtures.lease, fixtures.gatewayId)).toEqual([])
  expect(await smsCounts(at, campaignId)).toMatchObject({ delivered: 1 })
  const { rows } = await at.pool.query('select id_key from sms_receipt_early')
  expect(rows).toEqual([{ id_key: 'never' }])
  await expectSoundBooks(at)
})

test('receipts read their own segments alone, however many of the gateway wait for theirs', async () => {
  const [rows, read] = [2000, 20]
  const campaignId = await newSmsCampaign(at, { user, phones: phones(rows) })
  const db = await at.engine.connect()
  const segmentsRead = async (work: () => Promise<unknown>): Promise<number> => {
    await db.query('begin')
    await work()
    const { rows } = await db.query<{ n: number }>(
      "select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables where relname = 'sms_segment_id'",
    )
    await db.query('commit')
    return rows[0]?.n ?? 0
  }
  const { lease, gatewayId: slot } = fixtures
  const take = (keys: readonly string[]): Promise<unknown> =>
    takeReceipts(
      db,
      lease,
      slot,
      keys.map((key) => receipt(key)),
    )
  const planned = async (): Promise<unknown> => [await take(['planned']), await matchEarlyReceipts(db, lease, slot)]
  try {
    await planned() // by a server that knows next to nothing of the table yet
    const { messages } = await claimSms(at, fixtures, campaignId, rows)
    await settleAll(...messages.map((one) => smsOutcome(one, { kind: 'accepted', idKeys: [`own${one.no}`] })))
    const own = Array.from({ length: read }, (_, n) => `own${n}`)
    expect(await segmentsRead(() => take(own))).toBeLessThan(5 * read)
    const early = own.map((_, n) => `early${n}`)
    await take(early)
    expect(await segmentsRead(() => matchEarlyReceipts(db, lease, slot))).toBeLessThan(5 * read)
  } finally {
    db.release()
  }
  expect(await smsCounts(at, campaignId)).toMatchObject({ delivered: read, submitted: rows - read })
})

test('a receipt for an unknown message proves it, and its certain segments are settled', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(1), segments: 2 })
  const { messages } = await claimSms(at, fixtures, campaignId, 1)
  await settleAll(
    ...messages.map((one) => smsOutcome(one, { kind: 'unknown', answered: true, accepted: 1, idKeys: ['half'] })),
  )
  await receive(receipt('half'))
  const { rows } = await at.pool.query(
    'select accepted, proven_at is not null as proven from sms_open where campaign_id = $1',
    [campaignId],
  )
  expect(rows).toEqual([{ accepted: 1, proven: true }])
  expect(await smsCounts(at, campaignId)).toEqual({ unknown: 1 }) // whether the other half arrived nobody knows
  await settleMessages(
    at.engine,
    fixtures.coordinator,
    0,
    messages.map((one) => smsOutcome(one, { kind: 'settled', accepted: 1 })),
  )
  await expectSoundBooks(at)
})

test('a number has so many messages a day of an account and of all; its rows wait for midnight and say so', async () => {
  const [number = 0] = phones(1)
  const sent = async (of: number, n: number): Promise<number> => {
    const account = fixtures.users[of] ?? user
    const campaignId = await newSmsCampaign(at, { user: account, phones: [number] })
    const caps = { account: 2, platform: 3 }
    const { messages, putOff } = await claimSms(at, fixtures, campaignId, 1, { caps })
    await settleAll(...messages.map((one) => smsOutcome(one, { kind: 'accepted' })))
    expect(putOff + messages.length).toBe(1)
    if (putOff > 0) {
      const { rows } = await at.pool.query(
        'select put_off, due_at = nepal_midnight(nepal_day(now()) + 1) as midnight from sms_retry where campaign_id = $1',
        [campaignId],
      )
      expect(rows).toEqual([{ put_off: n, midnight: true }])
    }
    return messages.length
  }
  expect([await sent(0, 0), await sent(0, 1), await sent(0, 2)]).toEqual([1, 1, 0])
  expect([await sent(1, 0), await sent(1, 3), await sent(2, 3)]).toEqual([1, 0, 0])
  await expectSoundBooks(at)
})

test('two rows of one number leave one after the other, and both do', async () => {
  const [number = 0] = phones(1)
  const campaignId = await newSmsCampaign(at, { user, phones: [number, number] })
  const first = await claimSms(at, fixtures, campaignId, 10)
  const second = await claimSms(at, fixtures, campaignId, 10)
  expect([first.messages.map(({ no }) => no), second.messages.map(({ no }) => no)]).toEqual([[0], [1]])
  await settleAll(...[...first.messages, ...second.messages].map((one) => smsOutcome(one, { kind: 'accepted' })))
  await expectSoundBooks(at)
})

test('a blacklisted number gets nothing, though it was prepared before', async () => {
  const list = phones(3)
  const campaignId = await newSmsCampaign(at, { user, phones: list })
  await at.pool.query('insert into blacklist (phone, owner_id, id) overriding system value values ($1, $2, 999)', [
    list[1],
    top.userId,
  ])
  const { messages, blocked } = await claimSms(at, fixtures, campaignId, 10)
  expect([messages.map(({ no }) => no), blocked]).toEqual([[0, 2], 1])
  expect(await smsCounts(at, campaignId)).toEqual({ in_flight: 2, dnd: 1 })
  await expectSoundBooks(at)
})

test('rows that are all blacklisted are passed over by the thousand, and no more messages leave than may', async () => {
  const list = phones(1500)
  const campaignId = await newSmsCampaign(at, { user, phones: list })
  await at.db
    .insertInto('blacklist')
    .values(list.slice(0, 900).map((phone) => ({ owner_id: top.userId, phone })))
    .execute()
  const first = await claimSms(at, fixtures, campaignId, 2)
  expect([first.messages, first.blocked]).toEqual([[], 2])
  const second = await claimSms(at, fixtures, campaignId, 2, { looks: 1000 })
  expect([second.messages.map(({ no }) => no), second.blocked]).toEqual([[900, 901], 898])
  expect(await smsCounts(at, campaignId)).toEqual({ fresh: 598, in_flight: 2, dnd: 900 })
  const third = await claimSms(at, fixtures, campaignId, 3)
  expect(third.messages.map(({ no }) => no)).toEqual([902, 903, 904])
  await expectSoundBooks(at)
})

test('where listed rows alternate with others, a claim that looks at a thousand takes what it wants and leaves the rest where it was', async () => {
  const list = phones(40)
  const campaignId = await newSmsCampaign(at, { user, phones: list })
  await at.db
    .insertInto('blacklist')
    .values(list.filter((_, n) => n % 2 === 0).map((phone) => ({ owner_id: top.userId, phone })))
    .execute()
  const first = await claimSms(at, fixtures, campaignId, 5, { looks: 1000 })
  expect([first.messages.map(({ no }) => no), first.blocked, first.putOff]).toEqual([[1, 3, 5, 7, 9], 6, 0])
  const queued = await at.pool.query('select no from sms_retry where campaign_id = $1', [campaignId])
  expect(queued.rows, 'nothing is put into the queue').toEqual([])
  expect(await smsCounts(at, campaignId)).toEqual({ fresh: 29, in_flight: 5, dnd: 6 })
  const rest = await claimSms(at, fixtures, campaignId, 100, { looks: 1000 })
  expect(rest.messages.map(({ no }) => no)).toEqual(list.flatMap((_, n) => (n % 2 === 1 && n > 9 ? [n] : [])))
  expect(await smsCounts(at, campaignId)).toEqual({ in_flight: 20, dnd: 20 })
  await expectSoundBooks(at)
})

test('of due rows that a claim looks at, those beyond what it may send stay in the queue as they are', async () => {
  const list = phones(6)
  const campaignId = await newSmsCampaign(at, { user, phones: list })
  const { messages } = await claimSms(at, fixtures, campaignId, 6)
  await settleAll(...messages.map((one) => smsOutcome(one, { kind: 'back' })))
  const due = async () =>
    (await at.pool.query('select ctid, no, due_at from sms_retry where campaign_id = $1 order by no', [campaignId]))
      .rows
  await at.pool.query("update sms_retry set due_at = now() - no * interval '1 s' where campaign_id = $1", [campaignId])
  await at.db
    .insertInto('blacklist')
    .values({ owner_id: top.userId, phone: list[5] ?? 0 })
    .execute()
  const before = await due()
  const again = await claimSms(at, fixtures, campaignId, 2, { looks: 1000 })
  expect([again.messages.map(({ no }) => no), again.blocked]).toEqual([[3, 4], 1])
  expect(await due()).toEqual(before.slice(0, 3))
  await expectSoundBooks(at)
})

test('money ends where it ends: what it does not reach waits, however many claim at once', async () => {
  const poor = await newSmsFixtures(at, { rupees: 10 }) // six segments
  const campaignIds = await Promise.all(
    [1, 2, 3].map(() => newSmsCampaign(at, { user: poor.user, phones: phones(20), segments: 2 })),
  )
  const claims = await Promise.all(campaignIds.flatMap((id) => [1, 2, 3].map(() => claimSms(at, poor, id, 20))))
  expect(claims.flatMap(({ messages }) => messages)).toHaveLength(3)
  expect(claims.some(({ short }) => short !== null && short > 0)).toBe(true)
  expect(await money(at, poor.user.userId)).toEqual({ owned: 1000, reserved: 900 })
  await expectSoundBooks(at)
  await settleMessages(
    at.engine,
    poor.lease,
    poor.gatewayId,
    claims.flatMap(({ messages }) => messages.map((one) => smsOutcome(one, { kind: 'accepted' }))),
  )
  await expectSoundBooks(at)
})

test('nothing is claimed once a campaign is left, stopped, disabled or out of its days', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(5) })
  const claims = async () => (await claimSms(at, fixtures, campaignId, 1)).open
  expect(await claims()).toBe(true)
  const stops = [
    ['calls', 'platform', null, true],
    ['messages', 'platform', null, false],
    ['all', 'account', reseller.userId, false],
    ['messages', 'gateway', fixtures.gatewayId, false],
  ] as const
  for (const [what, kind, target, open] of stops) {
    await at.pool.query(
      `insert into dial_block (what, kind, target_id, reason, by_user_id) values ($1, $2, $3, 'test', $4)`,
      [what, kind, target, user.userId],
    )
    expect([what, kind, await claims()]).toEqual([what, kind, open])
    await at.pool.query('update dial_block set lifted_at = now()')
  }
  await at.pool.query('update users set disabled_at = now() where id = $1', [reseller.userId])
  expect(await claims()).toBe(false)
  await at.pool.query('update users set disabled_at = null where id = $1', [reseller.userId])
  await moveSmsCampaign(at.engine, fixtures.coordinator, { campaignId, from: ['running'], to: 'pausing', reason: null })
  expect(await claims()).toBe(false)
  await expectSoundBooks(at)
})

test('an engine that lost the gateway claims nothing and books nothing', async () => {
  const other = await newSmsFixtures(at)
  const campaignId = await newSmsCampaign(at, { user: other.user, phones: phones(5) })
  const { messages } = await claimSms(at, other, campaignId, 2)
  const newer = await takeover(at.engine, other.gatewayId, 'test', 600_000)
  expect(newer?.epoch).toBe(2)
  expect(await claimSms(at, other, campaignId, 2)).toMatchObject({ messages: [], open: false })
  const outcomes = messages.map((one) => smsOutcome(one, { kind: 'accepted' }))
  expect(await settleMessages(at.engine, other.lease, other.gatewayId, outcomes)).toEqual([])
  expect(await smsCounts(at, campaignId)).toEqual({ fresh: 3, in_flight: 2 })
  await expectSoundBooks(at)
})

test('a retry sends what failed or expired once more, and nothing else', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(6) })
  const { messages } = await claimSms(at, fixtures, campaignId, 6)
  const kinds = ['accepted', 'accepted', 'accepted', 'refused', 'unknown', 'accepted'] as const
  await settleAll(...messages.map((one, i) => smsOutcome(one, { kind: kinds[i] ?? 'accepted', idKeys: [`again${i}`] })))
  await receive(receipt('again0'), receipt('again1', 'failed'), receipt('again2', 'expired'))
  await at.pool.query(`update sms_campaign set retry_requested = true, is_retry = true where id = $1`, [campaignId])
  const batch = { campaignId, from: 0, rows: 4, slot: 0, moreMs: 1000 }
  expect(await requeueSms(at.engine, fixtures.coordinator, batch)).toEqual({ next: 4, requeued: 3 })
  expect(await requeueSms(at.engine, fixtures.coordinator, { ...batch, from: 4 })).toEqual({ next: null, requeued: 0 })
  const again = await claimSms(at, fixtures, campaignId, 10)
  expect(again.messages.map(({ no }) => no)).toEqual([1, 2, 3])
  await settleAll(...again.messages.map((one) => smsOutcome(one, { kind: 'accepted' })))
  expect(await smsCounts(at, campaignId)).toMatchObject({ delivered: 1, submitted: 4, unknown: 1 })
  await expectSoundBooks(at)
})
