import { expect, test } from 'vitest'
import { settleOutcomes } from '../voice/settle/settle.sql.ts'
import { claimed, newCampaign, newFixtures, outcome, phones, type CallOutcome } from '../voice/testing/fixtures.ts'
import { engineDb } from '../voice/testing/db.ts'
import type { CallText } from '../modules/voice-compose/rules-texts.ts'
import { polling } from '../testing/timeouts.ts'
import { expireSms, leftInQueues, moveSmsCampaign } from './model/campaign.sql.ts'
import { settleMessages } from './settle/settle.sql.ts'
import { takeover } from './model/lease.sql.ts'
import { callTextsOf } from './testing/calls.ts'
import { claimSms, expectSoundBooks, newGateway, smsOutcome, type SmsFixtures } from './testing/fixtures.ts'

const at = await engineDb()
const gatewayId = await newGateway(at)
const lease = await takeover(at.engine, gatewayId, 'test', 600_000)
const coordinator = await takeover(at.engine, 0, 'test', 600_000)
if (!lease || !coordinator) throw new Error('no lease')
const ours = { gateway: lease, coordinator }

function nth<T>(these: readonly T[], n: number): T {
  const found = these[n]
  if (found === undefined) throw new Error(`there is no number ${n}`)
  return found
}

const success = { occasion: 'success', key: null, minMs: 10_000, text: 'Thanks' } as const
const fail = { occasion: 'fail', key: null, minMs: 0, text: 'Missed you' } as const
const one = { occasion: 'dtmf', key: '1', minMs: 0, text: 'You pressed one' } as const
type Text = Omit<CallText, 'field'>

/** A campaign of calls that sends these texts, of so many segments, as compose and preparation leave it. */
async function newCalls(of: {
  texts: readonly Text[]
  segments?: readonly (number | null)[]
  numbers?: number
  retries?: number
  rupees?: number
}) {
  const { texts, numbers = 3, retries = 0 } = of
  const segments = of.segments ?? texts.map(() => 1)
  const fixtures = await newFixtures(at, of.rupees === undefined ? {} : { rupees: of.rupees })
  const { user, line } = fixtures
  const called = phones(numbers)
  const id = await newCampaign(at, { user, line, phones: called, retries, retryMs: 0 })
  const smsId = await callTextsOf(at, { campaignId: id, user, texts, segments })
  await at.db.updateTable('sms_campaign').set({ status: 'running' }).where('id', '=', smsId).execute()
  const smsFixtures: SmsFixtures = {
    lease: ours.gateway,
    coordinator: ours.coordinator,
    gatewayId,
    users: fixtures.users,
    user,
    reseller: fixtures.reseller,
    top: fixtures.top,
  }
  return { fixtures, id, smsId, called, smsFixtures }
}
type Calls = Awaited<ReturnType<typeof newCalls>>

async function end({ fixtures, id }: Calls, ...endings: CallOutcome[]): Promise<void> {
  const calls = await claimed(at, fixtures, id, endings.length)
  await settleOutcomes(
    at.engine,
    fixtures.lease,
    0,
    calls.map((call, i) => outcome(call, nth(endings, i))),
  )
}

const account = async ({ fixtures }: Calls) => {
  const { rows } = await at.pool.query<{ balance: number; reserved: number }>(
    'select balance_paisa as balance, reserved_paisa as reserved from account where id = $1',
    [fixtures.user.userId],
  )
  return nth(rows, 0)
}
const messages = async ({ smsId }: Calls) =>
  (
    await at.pool.query<{ line: number; text_no: number; state: string }>(
      'select line, no % 16 as text_no, state from sms_message where campaign_id = $1 order by no',
      [smsId],
    )
  ).rows

const answered = (seconds: number, keys = ''): CallOutcome => ({
  disposition: 'ANSWER',
  billMs: seconds * 1000,
  keys,
  answeredAt: new Date(),
  trail: '>done',
})
const missed: CallOutcome = { disposition: 'NO ANSWER', alerted: true }

test('each call brings about the texts of its outcome, and what it reserved for them stays reserved', async () => {
  const calls = await newCalls({ texts: [success, fail, one], segments: [1, 2, 3], numbers: 4 })
  await end(calls, answered(12), answered(5, '1'), answered(30, '12'), missed)
  expect(await messages(calls)).toEqual([
    { line: 1, text_no: 0, state: 'fresh' },
    { line: 2, text_no: 2, state: 'fresh' },
    { line: 3, text_no: 0, state: 'fresh' },
    { line: 3, text_no: 2, state: 'fresh' },
    { line: 4, text_no: 1, state: 'fresh' },
  ])
  expect((await account(calls)).reserved).toBe((1 + 3 + 4 + 2) * 150)
  await expectSoundBooks(at)
})

test('a call whose text waits for another writer of its message keeps no account locked meanwhile', async () => {
  const calls = await newCalls({ texts: [success], numbers: 1 })
  const writer = await at.pool.connect()
  let ended: Promise<void> | undefined
  try {
    await writer.query('begin')
    await writer.query(
      `insert into sms_message (campaign_id, no, line, phone, operator, segments)
      select $1, no * 16, 1, 1, 1, 1 from campaign_contact where campaign_id = $2`,
      [calls.smsId, calls.id],
    )
    ended = end(calls, answered(12))
    const waits = async () =>
      (
        await at.pool.query<{ n: number }>(
          `select count(*)::int as n from pg_locks l join pg_stat_activity a on a.pid = l.pid
          where not l.granted and a.datname = current_database()`,
        )
      ).rows[0]?.n
    await expect.poll(waits, polling).toBe(1)
    await at.pool.query('select from account where id = $1 for update nowait', [calls.fixtures.user.userId])
  } finally {
    await writer.query('rollback')
    writer.release()
    await ended
  }
  expect(await messages(calls)).toEqual([{ line: 1, text_no: 0, state: 'fresh' }])
  expect((await account(calls)).reserved).toBe(150)
})

test('a call reserves its dearest messages beside itself, and releases those that it did not bring about', async () => {
  const calls = await newCalls({ texts: [success, fail], segments: [3, 1], numbers: 2 })
  const open = await claimed(at, calls.fixtures, calls.id, 2)
  expect((await account(calls)).reserved).toBe(2 * (400 + 3 * 150))
  expect(open.map((call) => call.reserved_paisa)).toEqual([400, 400])
  await expectSoundBooks(at)
  await settleOutcomes(at.engine, calls.fixtures.lease, 0, [
    outcome(nth(open, 0), missed),
    outcome(nth(open, 1), { disposition: 'LOST' }),
  ])
  expect((await account(calls)).reserved).toBe(150)
  await expectSoundBooks(at)
})

test('they are claimed without free money, and paid at every level as they are accepted', async () => {
  const calls = await newCalls({ texts: [success], segments: [2], numbers: 2, rupees: 14 })
  await end(calls, answered(12), answered(12))
  expect(await account(calls)).toEqual({ balance: 1400 - 80, reserved: 600 })
  await at.pool.query('update account set balance_paisa = 600 where id = $1', [calls.fixtures.user.userId]) // nothing is free any more
  await at.pool.query("update account set balance_paisa = balance_paisa + 720 where kind = 'mint'")
  const claim = await claimSms(at, calls.smsFixtures, calls.smsId, 10)
  expect(claim.messages.map(({ segments, reserved_paisa }) => [segments, reserved_paisa])).toEqual([
    [2, 300],
    [2, 300],
  ])
  expect(await account(calls)).toEqual({ balance: 600, reserved: 600 })
  await settleMessages(
    at.engine,
    lease,
    gatewayId,
    claim.messages.map((message) => smsOutcome(message, { kind: 'accepted' })),
  )
  expect(await account(calls)).toEqual({ balance: 0, reserved: 0 })
  await at.pool.query('update account set balance_paisa = 720 where id = $1', [calls.fixtures.user.userId])
  await at.pool.query("update account set balance_paisa = balance_paisa - 720 where kind = 'mint'")
  await expectSoundBooks(at)
})

test('refused, their money is released; given back, it waits with them', async () => {
  const calls = await newCalls({ texts: [success], numbers: 2 })
  await end(calls, answered(12), answered(12))
  const { messages: sent } = await claimSms(at, calls.smsFixtures, calls.smsId, 10)
  await settleMessages(at.engine, lease, gatewayId, [
    smsOutcome(nth(sent, 0), { kind: 'refused' }),
    smsOutcome(nth(sent, 1), { kind: 'back' }),
  ])
  expect((await account(calls)).reserved).toBe(150)
  await expectSoundBooks(at)
  const again = await claimSms(at, calls.smsFixtures, calls.smsId, 10)
  expect(again.messages).toHaveLength(1)
  await settleMessages(
    at.engine,
    lease,
    gatewayId,
    again.messages.map((message) => smsOutcome(message, { kind: 'accepted' })),
  )
  expect((await account(calls)).reserved).toBe(0)
  await expectSoundBooks(at)
})

test('a number that went on the blacklist meanwhile gets none, and its money is released', async () => {
  const calls = await newCalls({ texts: [success], numbers: 2 })
  await end(calls, answered(12), answered(12))
  await at.pool.query('insert into blacklist (owner_id, phone) values ($1, $2)', [
    calls.fixtures.user.userId,
    calls.called[0],
  ])
  const claim = await claimSms(at, calls.smsFixtures, calls.smsId, 10)
  expect(claim).toMatchObject({ blocked: 1, messages: [{ phone: calls.called[1] }] })
  expect((await account(calls)).reserved).toBe(150)
  await expectSoundBooks(at)
})

test('a number that had its messages of the day keeps its own, and its money, for tomorrow', async () => {
  const calls = await newCalls({ texts: [success, one], numbers: 1 })
  await end(calls, answered(12, '1'))
  const caps = { account: 1, platform: 20 }
  const first = await claimSms(at, calls.smsFixtures, calls.smsId, 10, { caps })
  expect(first.messages).toHaveLength(1)
  expect(await claimSms(at, calls.smsFixtures, calls.smsId, 10, { caps })).toMatchObject({ messages: [], putOff: 1 })
  expect((await account(calls)).reserved).toBe(300)
  await expectSoundBooks(at)
})

test('stopped, what is due and unsent expires, and its money is released', async () => {
  const calls = await newCalls({ texts: [success], numbers: 3 })
  await end(calls, answered(12), answered(12))
  const rows = { campaignId: calls.smsId, rows: 100, slot: 0, reason: 'stopped' }
  expect(await expireSms(at.engine, coordinator, rows)).toBe(0)
  await moveSmsCampaign(at.engine, coordinator, {
    campaignId: calls.smsId,
    from: ['running'],
    to: 'cancelling',
    reason: null,
  })
  expect(await expireSms(at.engine, coordinator, rows)).toBe(2)
  await moveSmsCampaign(at.engine, coordinator, {
    campaignId: calls.smsId,
    from: ['cancelling'],
    to: 'cancelled',
    reason: null,
  })
  await end(calls, answered(12))
  expect(await messages(calls)).toEqual([1, 2].map((line) => ({ line, text_no: 0, state: 'expired' })))
  expect(await leftInQueues(at.engine)).toEqual([])
  expect((await account(calls)).reserved).toBe(0)
  await expectSoundBooks(at)
})

test('a row gets each text once, whatever is tried again', async () => {
  const calls = await newCalls({ texts: [fail], numbers: 1, retries: 0 })
  await end(calls, missed)
  await at.pool.query('update campaign set is_retry = true where id = $1', [calls.id])
  await at.pool.query("update campaign_contact set state = 'waiting' where campaign_id = $1", [calls.id])
  await at.pool.query('insert into contact_retry (campaign_id, due_at, no) values ($1, now(), 0)', [calls.id])
  await at.pool.query(
    'update campaign_count set waiting = waiting + 1, done = done - 1 where campaign_id = $1 and slot = 0',
    [calls.id],
  )
  await end(calls, missed)
  expect(await messages(calls)).toHaveLength(1)
  expect((await account(calls)).reserved).toBe(150)
  await expectSoundBooks(at)
})

test('a row that gets none of a text, a landline say, brings about none', async () => {
  const calls = await newCalls({ texts: [success], segments: [null], numbers: 1 })
  await end(calls, answered(12))
  expect(await messages(calls)).toEqual([])
  expect((await account(calls)).reserved).toBe(0)
  await expectSoundBooks(at)
})
