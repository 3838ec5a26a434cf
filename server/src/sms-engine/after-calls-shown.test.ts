import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { finish as finishCalls } from '../engine/dispatch-finish.sql.ts'
import { claimed, newCampaign, newWorld, outcome, phones, type Ending } from '../engine/testing.ts'
import { engineDb } from '../engine/testing-db.ts'
import { reportHead, reportRows } from '../modules/reports/store-rows.ts'
import { textMessagesOf, textsOfCalls } from '../modules/sms-campaigns/actions-calls.ts'
import { callTextsOf } from './testing-calls.ts'

const at = await engineDb()
const client = new Client({ connectionString: at.url })
await client.connect()
afterAll(() => client.end())

const texts = [
  { occasion: 'success', key: null, minMs: 10_000, text: 'Thanks' },
  { occasion: 'fail', key: null, minMs: 0, text: 'Missed you' },
  { occasion: 'dtmf', key: '1', minMs: 0, text: 'You pressed one' },
] as const
const answered: Ending = { disposition: 'ANSWER', billMs: 12_000, keys: '1', answeredAt: new Date(), trail: '>done' }
const missed: Ending = { disposition: 'NO ANSWER', alerted: true }

const called = (campaignId: number, ...calls: readonly { no: number; id: number }[]) =>
  calls.map(({ no, id }) => ({ campaign_id: campaignId, no, id }))

async function endedCalls(retries = 0) {
  const world = await newWorld(at)
  const id = await newCampaign(at, { user: world.user, line: world.line, phones: phones(2), retries, retryMs: 0 })
  const smsId = await callTextsOf(at, { campaignId: id, user: world.user, texts, segments: [1, 1, 1] })
  await at.db.updateTable('sms_campaign').set({ status: 'running' }).where('id', '=', smsId).execute()
  const end = async (...endings: Ending[]) => {
    const calls = await claimed(at, world, id, endings.length)
    const outcomes = calls.map((call, i) => outcome(call, endings[i] ?? missed))
    await finishCalls(at.engine, world.lease, 0, outcomes)
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

test('the campaign of the calls says how its texts fare, and where', async () => {
  const { id, smsId, end } = await endedCalls()
  await end(answered, missed)
  expect(await textsOfCalls(at.db, id)).toMatchObject({ campaignId: smsId, cli: 'GHANTI' })
  expect(await textsOfCalls(at.db, smsId + 1_000_000)).toBeNull()
})
