import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { CountKind } from '../../db/tables.ts'
import { engineDb } from '../../voice/testing/db.ts'
import { phones } from '../../voice/testing/fixtures.ts'
import { takeReceipts, type FinalReceipt } from '../../sms/settle/receipts.sql.ts'
import { settleMessages } from '../../sms/settle/settle.sql.ts'
import { newSender } from '../../testing/sms-campaigns.ts'
import { claimSms, expectSoundBooks, newSmsCampaign, newSmsFixtures, smsOutcome } from '../../sms/testing/fixtures.ts'
import { countAll } from './actions-count.ts'
import { checkCounters } from './actions-check.ts'
import { disagreements } from './testing.ts'

const at = await engineDb(8)
const fixtures = await newSmsFixtures(at, { users: 5 })
const { users, reseller, top, gatewayId, lease, coordinator } = fixtures

let taken = 0
/** Each test has an account of its own, so it knows every message that is counted. */
function nextUser() {
  const user = users[taken++]
  if (!user) throw new Error('one user more is needed')
  return user
}

/** A claimed message for each letter of `fates`: a accepted, r refused, u of unknown fate. Its segments' ids are `<name><no>`. */
async function sent(user: (typeof users)[number], name: string, fates: string) {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(fates.length) })
  await newSender(at, user, { name })
  await sql`update sms_campaign_detail set sender_id = (select id from sms_sender where name = ${name}) where campaign_id = ${campaignId}`.execute(
    at.db,
  )
  const { messages } = await claimSms(at, fixtures, campaignId, fates.length)
  expect(messages).toHaveLength(fates.length)
  const endings = messages.map((one, n) => {
    const idKeys = [`${name}${n}`]
    if (fates[n] === 'r') return smsOutcome(one, { kind: 'refused', reason: 'no such number' })
    return smsOutcome(
      one,
      fates[n] === 'u' ? { kind: 'unknown', answered: true, idKeys } : { kind: 'accepted', idKeys },
    )
  })
  await settleMessages(at.engine, lease, gatewayId, endings)
  return { campaignId, messages }
}

async function received(...receipts: [idKey: string, state: FinalReceipt['state']][]): Promise<void> {
  const taken = receipts.map(([idKey, state]) => ({ idKey, state, reason: null, at: null }))
  expect((await takeReceipts(at.engine, lease, gatewayId, taken)).unmatched).toEqual([])
}

const counted = async (kind: CountKind, accountId: number, slice: 'hour' | 'day' = 'day') =>
  at.db
    .selectFrom('sms_count')
    .selectAll()
    .where('slice', '=', slice)
    .where('kind', '=', kind)
    .where('account_id', '=', accountId)
    .orderBy('key')
    .execute()
const figuresOf = async (accountId: number) => {
  const [all] = await counted('all', accountId)
  return [all?.messages ?? 0, all?.delivered ?? 0, all?.undelivered ?? 0]
}

async function statesOf(campaignId: number) {
  const { rows } = await at.pool.query<{ state: string; n: number }>(
    'select state, count(*)::int as n from sms_message where campaign_id = $1 group by 1 order by 1',
    [campaignId],
  )
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}

test('messages and what receipts say of them count once for everybody who paid, as the messages themselves say', async () => {
  const user = nextUser()
  const { campaignId } = await sent(user, 'once', 'aaaar')
  await received(['once0', 'delivered'], ['once1', 'delivered'], ['once2', 'failed'])
  await countAll(at.db)
  await countAll(at.db)
  expect(await statesOf(campaignId)).toEqual({ delivered: 2, failed: 2, submitted: 1 })
  const expected = { messages: 5, accepted: 4, refused: 1, unknown: 0, delivered: 2, undelivered: 1, segments: 4 }
  for (const kind of ['all', 'campaign', 'operator', 'gateway', 'sender'] as const)
    expect(await counted(kind, user.userId), kind).toMatchObject([{ ...expected, cost_paisa: 600 }])
  expect(await counted('all', user.userId, 'hour')).toMatchObject([expected])
  const money = async (id: number) => (await counted('campaign', id)).find(({ key }) => key === campaignId)
  const paid = await Promise.all([user, reseller, top].map(({ userId }) => money(userId)))
  expect(paid.map((row) => [row?.paid_paisa, row?.received_paisa])).toEqual([
    [600, 0],
    [480, 600],
    [400, 480],
  ])
  expect((await counted('customer', reseller.userId)).map(({ key }) => key)).toContain(user.userId)
  expect(await disagreements(at.db)).toEqual([])
})

test('a receipt of a message whose fate is unknown waits in the counters until the message is settled', async () => {
  const user = nextUser()
  const { campaignId, messages } = await sent(user, 'unknown', 'u')
  await received(['unknown0', 'delivered'])
  await countAll(at.db)
  expect(await figuresOf(user.userId)).toEqual([0, 0, 0])
  const settled = messages.map((one) => smsOutcome(one, { kind: 'settled', accepted: 1 }))
  expect(await settleMessages(at.engine, coordinator, 0, settled)).toHaveLength(1)
  await countAll(at.db)
  const [all] = await counted('all', user.userId)
  expect(all).toMatchObject({ messages: 1, cost_paisa: 150 })
  expect(all?.delivered).toBe((await statesOf(campaignId))['delivered'] ?? 0)
  await expectSoundBooks(at)
})

test('a counter of messages that differs from what was sent is found and said', async () => {
  const user = nextUser()
  const { campaignId } = await sent(user, 'wrong', 'aa')
  await countAll(at.db)
  const add = (n: number) =>
    sql`update sms_count set delivered = delivered + ${n} where kind = 'campaign' and account_id = ${user.userId}`.execute(
      at.db,
    )
  await add(1)
  const said = `messages of campaign ${campaignId}, account ${user.userId}: 2 counted of 2, 1 delivered of 0`
  expect(await disagreements(at.db)).toEqual([said])
  const ended = { finished_at: new Date().toISOString() }
  await at.db.updateTable('sms_campaign_progress').set(ended).where('campaign_id', '=', campaignId).execute()
  expect(await checkCounters(at.db, new Date()), 'daily, of those that ended').toEqual([said])
  await add(-1)
  expect(await disagreements(at.db)).toEqual([])
  expect(await checkCounters(at.db, new Date())).toEqual([])
})
