import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { settleOutcomes } from '../voice/settle/settle.sql.ts'
import { claimed, newCampaign, newFixtures, outcome, phones, type CallOutcome } from '../voice/testing/fixtures.ts'
import { engineDb } from '../voice/testing/db.ts'
import { reportHead, reportRows } from '../modules/reports/store-rows.ts'
import { textMessagesOf, textsOfCalls } from '../modules/sms-campaigns/actions-calls.ts'
import { callTextsOf } from './testing/calls.ts'

const at = await engineDb()
const client = new Client({ connectionString: at.url })
await client.connect()
afterAll(() => client.end())

const texts = [
  { occasion: 'success', key: null, minMs: 10_000, text: 'Thanks' },
  { occasion: 'fail', key: null, minMs: 0, text: 'Missed you' },
  { occasion: 'dtmf', key: '1', minMs: 0, text: 'You pressed one' },
] as const
const answered: CallOutcome = {
  disposition: 'ANSWER',
  billMs: 12_000,
  keys: '1',
  answeredAt: new Date(),
  trail: '>done',
}
const missed: CallOutcome = { disposition: 'NO ANSWER', alerted: true }

const called = (campaignId: number, ...calls: readonly { no: number; id: number }[]) =>
  calls.map(({ no, id }) => ({ campaign_id: campaignId, no, id }))

async function endedCalls(retries = 0) {
  const fixtures = await newFixtures(at)
  const id = await newCampaign(at, { user: fixtures.user, line: fixtures.line, phones: phones(2), retries, retryMs: 0 })
  const smsId = await callTextsOf(at, { campaignId: id, user: fixtures.user, texts, segments: [1, 1, 1] })
  await at.db.updateTable('sms_campaign').set({ status: 'running' }).where('id', '=', smsId).execute()
  const end = async (...endings: CallOutcome[]) => {
    const calls = await claimed(at, fixtures, id, endings.length)
    const outcomes = calls.map((call, i) => outcome(call, endings[i] ?? missed))
    await settleOutcomes(at.engine, fixtures.lease, 0, outcomes)
    return calls
  }
  return { id, smsId, end }
}

test('each call says what became of the texts that it brought about', async () => {
  const { id, smsId, end } = await endedCalls()
  const [first, second] = await end(answered, missed)
  if (!first || !second) throw new Error('no calls')
  await at.pool.query(
    "update sms_message set state = 'delivered', sms_id = 1, submitted_at = now(), final_at = '2026-11-23T04:15:00Z' where campaign_id = $1 and no % 16 = 0",
    [smsId],
  )
  const shown = await textMessagesOf(at.db, called(id, first, second))
  const ofText = { by: 'text', host: 'GHANTI', reason: null }
  expect(shown.get(first.id)).toMatchObject([
    { ...ofText, occasion: 'success', key: null, state: 'delivered', time: '2026-11-23 10:00:00' },
    { ...ofText, occasion: 'dtmf', key: '1', state: 'waiting' },
  ])
  expect(shown.get(second.id)).toMatchObject([{ ...ofText, occasion: 'fail', state: 'waiting' }])
})

test('a text of failure belongs to the last call before it left, and none to one of a later round', async () => {
  const { id, smsId, end } = await endedCalls()
  const [first] = await end(missed, missed)
  await at.pool.query(
    "update sms_message set state = 'submitted', sms_id = 1, submitted_at = now() where campaign_id = $1",
    [smsId],
  )
  await at.pool.query('update campaign set is_retry = true where id = $1', [id])
  await at.pool.query("update campaign_contact set state = 'waiting' where campaign_id = $1 and no = $2", [
    id,
    first?.no,
  ])
  await at.pool.query('insert into contact_retry (campaign_id, due_at, no) values ($1, now(), $2)', [id, first?.no])
  await at.pool.query(
    'update campaign_count set waiting = waiting + 1, done = done - 1 where campaign_id = $1 and slot = 0',
    [id],
  )
  const [again] = await end(missed)
  if (!first || !again) throw new Error('no calls')
  const shown = await textMessagesOf(at.db, called(id, first, again))
  expect(shown.get(first.id)).toMatchObject([{ occasion: 'fail', state: 'sent' }])
  expect(shown.get(again.id)).toBeUndefined()
})

test('the report of the calls has a column with what became of each text', async () => {
  const { id, smsId, end } = await endedCalls()
  await end(answered, missed)
  await at.pool.query(
    "update sms_message set state = 'failed', reason = 'refused by the gateway', final_at = now() where campaign_id = $1 and no % 16 = 0",
    [smsId],
  )
  expect(await reportHead(client, id)).toMatchObject({ hasSms: true })
  await client.query('begin')
  const rows = (await Array.fromAsync(reportRows(client, id, 'cc'))).flat()
  await client.query('rollback')
  expect(rows.map((row) => row.sms)).toEqual(['dtmf 1: waiting; success: failed, refused by the gateway'])
})

test('a call says which texts its row did not get and why, where the call would have brought them about', async () => {
  const { id, end } = await endedCalls()
  const withheld = ['its {name} is not approved: it looks like an address', 'a "quoted" reason', null]
  await at.pool.query('update call_text_row set segments = $2, withheld = $3 where campaign_id = $1', [
    id,
    [null, null, 1],
    withheld,
  ])
  const [first, second] = await end(answered, missed)
  if (!first || !second) throw new Error('no calls')
  const shown = await textMessagesOf(at.db, called(id, first, second))
  const none = { by: 'text', host: 'GHANTI', key: null, state: 'withheld' }
  expect(shown.get(first.id)).toMatchObject([
    { occasion: 'dtmf', state: 'waiting' },
    { ...none, occasion: 'success', reason: withheld[0] },
  ])
  expect(shown.get(second.id)).toMatchObject([{ ...none, occasion: 'fail', reason: withheld[1] }])
  await client.query('begin')
  const rows = (await Array.fromAsync(reportRows(client, id, 'cc'))).flat()
  await client.query('rollback')
  expect(rows.map((row) => row.sms)).toEqual([`dtmf 1: waiting; success: withheld, ${withheld[0]}`])
})

test('a row that is called again says of its text of failure only after the last call', async () => {
  const { id, end } = await endedCalls(1)
  await at.pool.query(
    `update call_text_row set segments = '{1,null,1}', withheld = '{null,why,null}' where campaign_id = $1`,
    [id],
  )
  const [first] = await end({ ...missed, retryInMs: 0 })
  const [last] = await end(missed)
  if (!first || first.no !== last?.no) throw new Error('not two calls of one row')
  const shown = await textMessagesOf(at.db, called(id, first, last))
  expect([...shown].map(([call, messages]) => [call, messages.map(({ reason }) => reason)])).toEqual([
    [last.id, ['why']],
  ])
})

test('the campaign of the calls says how its texts fare, and where', async () => {
  const { id, smsId, end } = await endedCalls()
  await end(answered, missed)
  expect(await textsOfCalls(at.db, id)).toMatchObject({ campaignId: smsId, cli: 'GHANTI' })
  expect(await textsOfCalls(at.db, smsId + 1_000_000)).toBeNull()
})

/** Answered calls of so many rows, each with its text of success, as they were settled. */
async function manyCalls(count: number): Promise<{ id: number; calls: ReturnType<typeof called> }> {
  const fixtures = await newFixtures(at)
  const id = await newCampaign(at, { user: fixtures.user, line: fixtures.line, phones: phones(count) })
  const smsId = await callTextsOf(at, { campaignId: id, user: fixtures.user, texts, segments: [1, 1, 1] })
  await at.pool.query(
    `insert into sms_message (campaign_id, no, line, phone, operator, segments)
     select $2, no * 16, line, phone, 1, 1 from campaign_contact where campaign_id = $1`,
    [id, smsId],
  )
  const { rows } = await client.query<{ id: number; no: number }>(
    `insert into attempt (id, campaign_id, no, phone, started_at, answered_at, ended_at, claimed_at, epoch, cost_paisa, uncollected_paisa, pulses, bill_ms,
       attempt_no, disposition, keys, account_id, cli_id, kind)
     select nextval('attempt_open_id_seq'), r.campaign_id, r.no, r.phone, now(), now(), now(), now(), 1, 50, 0, 1, 12000, 1, 'ANSWER', '', c.account_id, c.cli_id, 'campaign'
       from campaign_contact r join campaign c on c.id = r.campaign_id where r.campaign_id = $1 returning id::int, no`,
    [id],
  )
  return { id, calls: called(id, ...rows) }
}

/** Rows of a table and its partitions that this transaction looked at. */
const looks = (table: string) =>
  `select sum(seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables where relname ~ '^${table}(_[0-9]+)?$'`

test('messages that follow calls are found by their numbers', async () => {
  const { calls } = await manyCalls(5000)
  await client.query('analyze attempt, sms_message, sms_campaign, call_text')
  await at.db.transaction().execute(async (tx) => {
    const shown = await textMessagesOf(tx, calls.slice(0, 50))
    expect(shown.size).toBe(50)
    const { rows } = await sql<{ n: number }>`${sql.raw(looks('attempt'))}`.execute(tx)
    expect(rows[0]?.n, 'not all calls of the campaign for each').toBeLessThan(500)
  })
})

test('a report reads its own campaign’s messages alone', async () => {
  const { id } = await manyCalls(20)
  await manyCalls(5000)
  await client.query('analyze attempt, sms_message, sms_campaign, call_text')
  await client.query('begin')
  const rows = (await Array.fromAsync(reportRows(client, id, 'cc'))).flat()
  const { rows: looked } = await client.query<{ n: number }>(looks('sms_message'))
  await client.query('rollback')
  expect(rows.map((row) => row.sms)).toEqual(Array.from({ length: 20 }, () => 'success: waiting'))
  // The planner looks up the ends of indexes, too: a row each time.
  expect(looked[0]?.n).toBeGreaterThanOrEqual(20)
  expect(looked[0]?.n, 'none of the other campaign’s five thousand').toBeLessThan(30)
})
