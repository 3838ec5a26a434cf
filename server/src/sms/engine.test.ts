import { expect, test } from 'vitest'
import { settleOutcomes } from '../voice/settle/settle.sql.ts'
import { claimed, newCampaign, newFixtures, numbersEnding, outcome, phones } from '../voice/testing/fixtures.ts'
import { changeSetting } from '../modules/platform/actions.ts'
import { defaultCallingHours } from '../modules/platform/rules-hours.ts'
import { smsSending, withFile } from './testing/engine.ts'
import { callTextsOf } from './testing/calls.ts'
import { expectSoundBooks, money, newSmsCampaign, newSmsFixtures, smsCounts } from './testing/fixtures.ts'

const at = await smsSending({ speed: 200, timeScale: 0.005 })
const fixtures = await newSmsFixtures(at, { users: 3, leased: false })
const { user } = fixtures
at.start()

const progress = async (campaignId: number) =>
  at.db.selectFrom('sms_campaign_progress').selectAll().where('campaign_id', '=', campaignId).executeTakeFirstOrThrow()
const reasonOf = async (campaignId: number) => (await progress(campaignId)).reason

test('a campaign is prepared, sent and complete, its receipts counted, and the books are sound', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: [], status: 'processing' })
  const [landline, mobile] = ['01-5970001', '9841000010']
  await withFile(
    at,
    campaignId,
    `mobile,name\n${mobile},Sita\n${mobile},Sita\n${landline},Ram\n9801000020,Gita\nabc,x\n9621000030,\n`,
    1,
    'Namaste {name}',
  )
  await at.status(campaignId, 'complete')
  await expect
    .poll(() => smsCounts(at, campaignId))
    .toEqual({ delivered: 3, unreachable: 1, accepted: 3, segments: 3, cost_paisa: 450 })
  const detail = await at.db
    .selectFrom('sms_campaign_detail')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  expect(detail).toMatchObject({ rows_in_file: 6, invalid: 1, duplicate: 1, unreachable: 1 })
  const { rows } = await at.pool.query(
    'select line, operator, state from sms_message where campaign_id = $1 order by no',
    [campaignId],
  )
  expect(rows.map(({ line, operator, state }) => [line, operator, state])).toEqual([
    [2, 1, 'delivered'],
    [5, 2, 'delivered'],
    [7, 3, 'delivered'],
    [4, 0, 'unreachable'],
  ])
  await expect
    .poll(() => progress(campaignId))
    .toMatchObject({ status: 'complete', delivered: 3, uploaded: 4, pending: 0, segments: 3, cost_paisa: 450 })
  await expectSoundBooks(at)
})

test('rows have the same numbers and order whether they are blacklisted or not, among others or alone', async () => {
  const orderOf = async (from: number, listed: readonly number[]) => {
    const campaignId = await newSmsCampaign(at, { user, phones: [], status: 'processing' })
    await at.db
      .insertInto('blacklist')
      .values(listed.map((n) => ({ owner_id: fixtures.top.userId, phone: 9770000000000 + from + n })))
      .execute()
    await withFile(at, campaignId, `mobile\n${[0, 1, 2, 3, 4, 5].map((n) => `${from + n}\n`).join('')}`)
    await at.status(campaignId, 'complete')
    expect(await smsCounts(at, campaignId)).toMatchObject({ dnd: listed.length })
    const { rows } = await at.pool.query(
      'select no, line, operator, phone - $2::bigint as n from sms_message where campaign_id = $1 order by no',
      [campaignId, 9770000000000 + from],
    )
    return rows.map(({ no, line, operator, n }) => [no, line, operator, Number(n)])
  }
  const mixed = await orderOf(9841000100, [0, 2, 3])
  expect(mixed.map(([, line]) => line)).toEqual([2, 3, 4, 5, 6, 7])
  expect(await orderOf(9841000200, [5])).toEqual(mixed)
})

test('rows whose text is empty are refused with the reason, and nothing that can be sent refuses the campaign', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: [], status: 'processing' })
  await withFile(at, campaignId, 'mobile,name\n9841000011,\n', 1, '{name}')
  await at.status(campaignId, 'refused')
  expect(await reasonOf(campaignId)).toBe(
    'no row of the contact file can be sent a message: invalid 1, duplicate 0, landlines 0',
  )
  const refused = await at.db
    .selectFrom('sms_refused')
    .select(['line', 'reason'])
    .where('campaign_id', '=', campaignId)
    .execute()
  expect(refused).toEqual([{ line: 2, reason: 'the message is empty, since its columns are' }])
})

test('each fate ends as the gateway says: refused free, throttled later, early and double receipts once, no answer unknown', async () => {
  const campaignId = await newSmsCampaign(at, {
    user,
    phones: numbersEnding(['00', '01', '02', '03', '05', '06', '08', '09', '11'], 3),
  })
  await at.status(campaignId, 'complete')
  await expect
    .poll(() => smsCounts(at, campaignId))
    .toEqual({ delivered: 15, failed: 9, expired: 3, accepted: 24, segments: 24, cost_paisa: 24 * 150 })
  await expectSoundBooks(at)
})

test('a message that is never answered is unknown, keeps its money, and the campaign is complete without it', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: numbersEnding(['07', '10'], 1) })
  await at.status(campaignId, 'complete')
  await expect.poll(() => smsCounts(at, campaignId)).toMatchObject({ unknown: 1, delivered: 1 })
  const { rows } = await at.pool.query('select reserved_paisa from sms_open where campaign_id = $1', [campaignId])
  expect(rows).toEqual([{ reserved_paisa: 150 }])
  await expectSoundBooks(at)
  await at.pool.query(`update sms_open set unknown_at = now() - interval '73 hours' where campaign_id = $1`, [
    campaignId,
  ])
  await expect
    .poll(async () => (await at.pool.query('select from sms_open where campaign_id = $1', [campaignId])).rowCount)
    .toBe(0)
  expect(await smsCounts(at, campaignId)).toMatchObject({ unknown: 1, delivered: 1, segments: 1 }) // nothing was answered: released
  await expectSoundBooks(at)
})

test('an accepted message without a receipt in 72 h is unknown, and a receipt that comes later still counts', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: numbersEnding(['04'], 2) })
  await at.status(campaignId, 'complete')
  await expect.poll(() => smsCounts(at, campaignId)).toMatchObject({ submitted: 2 })
  await expect.poll(async () => (await progress(campaignId)).submitted).toBe(2)
  await at.pool.query(
    `update sms_message set submitted_at = now() - interval '73 hours' where campaign_id = $1 and no = 0`,
    [campaignId],
  )
  await at.pool.query(`update sms_campaign set receipts_checked_at = now() - interval '1 hour' where id = $1`, [
    campaignId,
  ])
  await expect
    .poll(() => smsCounts(at, campaignId))
    .toMatchObject({ submitted: 1, unknown: 1, accepted: 2, segments: 2 })
  const { rows } = await at.pool.query('select id_key from sms_segment_id where campaign_id = $1 and no = 0', [
    campaignId,
  ])
  await at.pool.query(`insert into sms_receipt_early (gateway_id, id_key, state) values ($1, $2, 'delivered')`, [
    fixtures.gatewayId,
    rows[0]?.id_key,
  ])
  await expect.poll(() => smsCounts(at, campaignId)).toMatchObject({ submitted: 1, delivered: 1 })
  await expectSoundBooks(at)
})

test('a pause, a stop and a resume are obeyed, and a retry sends failed ones once more', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(4), status: 'paused' })
  const set = (columns: string) => at.pool.query(`update sms_campaign set ${columns} where id = $1`, [campaignId])
  await at.tick(() => true)
  expect(await smsCounts(at, campaignId)).toEqual({ fresh: 4 })
  await set(`status = 'resuming'`)
  await at.status(campaignId, 'complete') // their ends: 00 to 03
  await expect.poll(() => smsCounts(at, campaignId)).toMatchObject({ delivered: 1, failed: 2, expired: 1, accepted: 3 })
  await set(`status = 'running', retry_requested = true, is_retry = true`)
  await at.status(campaignId, 'complete')
  await expect.poll(() => smsCounts(at, campaignId)).toMatchObject({ delivered: 1, failed: 2, expired: 1, accepted: 5 })
  await expectSoundBooks(at)
  const stopped = await newSmsCampaign(at, { user, phones: phones(2), status: 'cancelling' })
  await at.status(stopped, 'cancelled')
  expect(await smsCounts(at, stopped)).toEqual({ fresh: 2 })
})

test('outside its hours a running campaign is held with the time, and goes on by itself', async () => {
  const hours = { ...defaultCallingHours, weekdays: [], enabled: true }
  await at.db
    .transaction()
    .execute((tx) => changeSetting(tx, 'smsHours', { ...hours, weekdays: [(new Date().getUTCDay() + 3) % 7] }, null))
  const campaignId = await newSmsCampaign(at, { user, phones: phones(1) })
  await at.status(campaignId, 'onHold')
  expect(await reasonOf(campaignId)).toMatch(/^outside messaging hours, sends from \d{4}-/)
  await at.db
    .transaction()
    .execute((tx) => changeSetting(tx, 'smsHours', { ...hours, enabled: false, weekdays: [0] }, null))
  await at.status(campaignId, 'complete')
})

test('without money the campaign says what the next message costs, and offers to go on once there is enough', async () => {
  const poor = (await newSmsFixtures(at, { rupees: 4, leased: false })).user // two segments
  const campaignId = await newSmsCampaign(at, {
    user: poor,
    phones: phones(1, 0, 9779841000020).concat(phones(2, 0, 9779841000030)),
    segments: 1,
  })
  await at.status(campaignId, 'lowBalance')
  expect(await reasonOf(campaignId)).toBe('the next message costs Rs 1.50, you have Rs 1.00')
  expect(await smsCounts(at, campaignId)).toMatchObject({ accepted: 2, cost_paisa: 300 })
  await expectSoundBooks(at)
  await at.pool.query(
    `insert into transfer (payer_id, payee_id, amount_paisa, kind) select id, $1, 1000, 'credit_add' from account where kind = 'mint'`,
    [poor.userId],
  )
  await at.pool.query(`update account set balance_paisa = balance_paisa - 1000 where kind = 'mint'`)
  await at.pool.query(`update account set balance_paisa = balance_paisa + 1000 where id = $1`, [poor.userId])
  await at.status(campaignId, 'onHold')
  expect(await reasonOf(campaignId)).toBe('the next message costs Rs 1.50, you have Rs 11.00: resume it to go on')
  await at.pool.query(`update sms_campaign set status = 'resuming' where id = $1`, [campaignId])
  await at.status(campaignId, 'complete')
  await expectSoundBooks(at)
})

test('after the last day what was not sent expires, and the campaign is complete', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(5), sendUntil: new Date(Date.now() - 1000) })
  await at.status(campaignId, 'complete')
  expect(await smsCounts(at, campaignId)).toEqual({ expired: 5 })
  expect(await reasonOf(campaignId)).toBe('its last day is over')
})

test('after the end that its owner chose, campaign and messages say so, and nobody has paid', async () => {
  const before = await money(at, user.userId)
  const sendUntil = new Date(Date.now() - 1000)
  const campaignId = await newSmsCampaign(at, { user, phones: phones(3), sendUntil, notAfter: true })
  await at.status(campaignId, 'complete')
  expect(await smsCounts(at, campaignId)).toEqual({ expired: 3 })
  expect(await reasonOf(campaignId)).toBe('the time after which it sends no messages has come')
  const { rows } = await at.pool.query('select distinct state, reason from sms_message where campaign_id = $1', [
    campaignId,
  ])
  const reason = 'it was not sent before the time after which its campaign sends none'
  expect(rows).toEqual([{ state: 'expired', reason }])
  expect(await money(at, user.userId)).toEqual(before)
})

test('an account that is disabled holds its campaigns, and they go on when it is enabled', async () => {
  const other = fixtures.users[1] ?? user
  await at.pool.query(`update users set disabled_at = now(), disabled_reason = 'unpaid' where id = $1`, [other.userId])
  const campaignId = await newSmsCampaign(at, { user: other, phones: phones(1) })
  await at.status(campaignId, 'onHold')
  expect(await reasonOf(campaignId)).toBe('the account is disabled: unpaid')
  await at.pool.query(`update users set disabled_at = null, disabled_reason = null where id = $1`, [other.userId])
  await at.status(campaignId, 'complete')
})

test('a campaign that the super admin stops says so, and sends nothing until it is allowed', async () => {
  const stop = `insert into dial_block (what, kind, target_id, reason, by_user_id) values ('messages', 'account', $1, 'complaints', $1)`
  await at.pool.query(stop, [user.userId])
  const campaignId = await newSmsCampaign(at, { user, phones: phones(1) })
  await expect
    .poll(() => reasonOf(campaignId))
    .toBe('all messages of the account are stopped by the administrator: complaints')
  expect(await smsCounts(at, campaignId)).toEqual({ fresh: 1 })
  await at.pool.query('update dial_block set lifted_at = now()')
  await at.status(campaignId, 'complete')
})

test('a telephone that writes STOP gets a confirmation and no further message, and what it answers to that ends there', async () => {
  const [phone = 0] = numbersEnding(['15'], 1)
  const first = await newSmsCampaign(at, { user, phones: [phone] })
  await at.status(first, 'complete')
  await expect.poll(() => progress(first)).toMatchObject({ opted_out: 1 })
  const heard = () =>
    at.db.selectFrom('sms_gateway_test').select(['state', 'sender']).where('phone', '=', phone).execute()
  await expect.poll(heard).toEqual([{ state: 'delivered', sender: 'GHANTI' }])
  const wrote = async () =>
    (await at.db.selectFrom('sms_inbox').select('action').where('phone', '=', phone).orderBy('id').execute()).map(
      ({ action }) => action,
    )
  await expect.poll(wrote).toEqual(['optOut', 'alreadyOut'])
  const second = await newSmsCampaign(at, { user, phones: [phone] })
  await at.status(second, 'complete')
  expect(await smsCounts(at, second)).toEqual({ dnd: 1 })
  expect([await wrote(), await heard()]).toMatchObject([['optOut', 'alreadyOut'], [{ state: 'delivered' }]])
  await expectSoundBooks(at)
})

test('texts after calls leave as their calls end, with their columns, wait for messaging hours, and end with their calls', async () => {
  const calling = await newFixtures(at)
  const { line, lease, user: caller } = calling
  const called = numbersEnding(['20', '21', '22'], 1)
  const id = await newCampaign(at, { user: caller, line, phones: called, retries: 0 })
  const texts = [{ occasion: 'success', key: null, minMs: 0, text: 'Dear {name}' } as const]
  const smsId = await callTextsOf(at, { campaignId: id, user: caller, texts, segments: [1] })
  await at.pool.query(
    `insert into contact_value (campaign_id, no, vars) select $1, no, '{"name": "Sita"}' from campaign_contact where campaign_id = $1`,
    [id],
  )
  await at.status(smsId, 'running')
  const end = async (calls: number) => {
    const open = await claimed(at, calling, id, calls)
    const ends = open.map((call) => outcome(call, { disposition: 'ANSWER', billMs: 9000, trail: '>done' }))
    await settleOutcomes(at.engine, lease, 0, ends)
  }
  await end(1)
  await expect.poll(() => smsCounts(at, smsId)).toMatchObject({ delivered: 1, segments: 1, cost_paisa: 150 })
  await expect
    .poll(() => progress(smsId))
    .toMatchObject({ uploaded: 1, delivered: 1, reason: 'its messages leave as its calls end' })
  const setHours = (hours: Partial<typeof defaultCallingHours>) =>
    at.db.transaction().execute((tx) => changeSetting(tx, 'smsHours', { ...defaultCallingHours, ...hours }, null))
  await setHours({ weekdays: [(new Date().getUTCDay() + 3) % 7] })
  await end(1)
  await at.status(smsId, 'onHold')
  expect((await progress(smsId)).reason).toMatch(/^outside messaging hours/)
  expect(await smsCounts(at, smsId)).toMatchObject({ fresh: 1 })
  await setHours({ enabled: false })
  await expect.poll(() => smsCounts(at, smsId)).toMatchObject({ delivered: 2 })
  await at.pool.query("update campaign set status = 'complete' where id = $1", [id])
  await at.status(smsId, 'complete')
  await expectSoundBooks(at)
})

test('where texts are approved, rows whose columns say more wait; the others are sent, and approved ones follow', async () => {
  await at.db.updateTable('users').set({ account_type: 'promotional' }).where('id', '=', user.userId).execute()
  await at.db.transaction().execute((tx) => changeSetting(tx, 'textApproval', { promotional: true, words: [] }, null))
  const file =
    'mobile,name\n9841000010,Sita\n9841000020,win.example.com\n9801000030,Call 9841000001\n9841000040,1250.50\n'
  const waiting = async (campaignId: number) =>
    (
      await at.db
        .selectFrom('sms_unapproved')
        .select(['line', 'reason'])
        .where('campaign_id', '=', campaignId)
        .orderBy('line')
        .execute()
    ).map(({ line, reason }) => [line, reason])
  const decided = (campaignId: number, set: { values_decision: 'approved' | 'rejected'; values_reason?: string }) =>
    at.db.updateTable('sms_campaign').set(set).where('id', '=', campaignId).execute()
  const campaigns: number[] = []
  for (const decision of ['approved', 'rejected'] as const) {
    const campaignId = await newSmsCampaign(at, { user, phones: [], status: 'processing', name: `Values ${decision}` })
    campaigns.push(campaignId)
    await withFile(at, campaignId, file, 1, 'Namaste {name}')
    await expect.poll(() => reasonOf(campaignId)).toBe('2 rows wait for an administrator to approve their columns')
    expect(await waiting(campaignId)).toEqual([
      [3, 'its {name} waits for approval: it looks like an address'],
      [4, 'its {name} waits for approval: it has a telephone number'],
    ])
    await expect.poll(() => smsCounts(at, campaignId)).toMatchObject({ delivered: 2 })
    const reason = decision === 'rejected' ? { values_reason: 'Spam' } : {}
    await decided(campaignId, { values_decision: decision, ...reason })
    await at.status(campaignId, 'complete')
    expect(await waiting(campaignId)).toEqual([])
  }
  const [approved = 0, rejected = 0] = campaigns
  await expect.poll(() => smsCounts(at, approved)).toMatchObject({ delivered: 4, accepted: 4 })
  await expect.poll(() => smsCounts(at, rejected)).toMatchObject({ delivered: 2, accepted: 2 })
  const refused = at.db.selectFrom('sms_refused').select('reason').where('campaign_id', '=', rejected).orderBy('line')
  expect((await refused.execute())[0]?.reason).toBe(
    'its {name} waits for approval: it looks like an address; it was rejected: Spam',
  )
  await at.db.transaction().execute((tx) => changeSetting(tx, 'textApproval', { promotional: false, words: [] }, null))
  await expectSoundBooks(at)
})
