/** Messages that programs send one by one: how they are claimed, settled and given up, and what is held for them. */
import { expect, test } from 'vitest'
import { engineDb } from '../voice/testing/db.ts'
import { defaultCallingHours } from '../modules/platform/rules-hours.ts'
import { loadSmsCampaigns, moveSmsCampaign, type SmsCampaignRow } from './model/campaign.sql.ts'
import { expireLate } from './model/feeds.sql.ts'
import { words } from './model/words.ts'
import { decide } from './schedule/decide.ts'
import { settleMessages } from './settle/settle.sql.ts'
import { endTimes, newFeed, sendTo } from './testing/feeds.ts'
import { claimSms, expectSoundBooks, money, newSmsFixtures, smsCounts, smsOutcome } from './testing/fixtures.ts'

const at = await engineDb()
const fixtures = await newSmsFixtures(at, { users: 12 })
let next = 0
function newUser() {
  const user = fixtures.users[next++]
  if (!user) throw new Error('too few users')
  return user
}
const phone = 9_779_841_000_001
const settle = (...outcomes: Parameters<typeof settleMessages>[3]) =>
  settleMessages(at.engine, fixtures.lease, fixtures.gatewayId, outcomes)
const expire = (campaignId: number, lease = fixtures.coordinator) =>
  expireLate(at.engine, lease, { campaignId, rows: 100, slot: 0, reason: words.late })
const load = async (id: number): Promise<SmsCampaignRow | undefined> =>
  (await loadSmsCampaigns(at.engine, { all: true })).find((row) => row.id === id)
const stateOf = async (campaignId: number) => {
  const { rows } = await at.pool.query<{ state: string; reason: string | null }>(
    'select state, reason from sms_message where campaign_id = $1 order by no',
    [campaignId],
  )
  return rows.map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`))
}

test('an accepted message holds what it costs, leaves with its own text, and is paid once', async () => {
  const user = newUser()
  const feed = await newFeed(at, user)
  const before = await money(at, user.userId)
  expect(await sendTo(at, feed, { phone, segments: 2, text: 'Your {code} is 1' })).toMatchObject({ no: 0, paisa: 300 })
  expect(await sendTo(at, feed, { phone: phone + 1, text: 'Hello' })).toMatchObject({ no: 1, paisa: 150 })
  expect(await money(at, user.userId)).toEqual({ ...before, reserved: 450 })
  const { messages } = await claimSms(at, fixtures, feed, 10)
  expect(messages.map(({ no, vars, is_urgent }) => ({ no, vars, is_urgent }))).toEqual([
    { no: 0, vars: { text: 'Your {code} is 1' }, is_urgent: false },
    { no: 1, vars: { text: 'Hello' }, is_urgent: false },
  ])
  expect(await money(at, user.userId), 'its money goes along').toEqual({ ...before, reserved: 450 })
  await expectSoundBooks(at)
  await settle(...messages.map((one) => smsOutcome(one, { kind: 'accepted', idKeys: [`f${one.id}`] })))
  expect(await money(at, user.userId)).toEqual({ owned: before.owned - 450, reserved: 0 })
  expect(await smsCounts(at, feed)).toEqual({ submitted: 2, accepted: 2, segments: 3, cost_paisa: 450 })
  await expectSoundBooks(at)
})

test('a message whose time is over is not claimed, and ends once, with its money free', async () => {
  const user = newUser()
  const feed = await newFeed(at, user)
  await sendTo(at, feed, { phone })
  await endTimes(at, feed)
  expect((await claimSms(at, fixtures, feed, 10)).messages).toEqual([])
  expect(await load(feed)).toMatchObject({ has_late: true })
  expect(await expire(feed, { ...fixtures.coordinator, epoch: 999 }), 'of a lease that is over').toBe(0)
  expect(await Promise.all([expire(feed), expire(feed)])).toEqual(expect.arrayContaining([1, 0]))
  expect(await stateOf(feed)).toEqual([`expired: ${words.late}`])
  expect(await smsCounts(at, feed)).toEqual({ expired: 1 })
  expect((await money(at, user.userId)).reserved).toBe(0)
  await expectSoundBooks(at)
})

test('what comes back from a gateway keeps its time and its money, and expires with them', async () => {
  const user = newUser()
  const feed = await newFeed(at, user)
  await sendTo(at, feed, { phone, isUrgent: true })
  const { messages } = await claimSms(at, fixtures, feed, 1)
  await settle(...messages.map((one) => smsOutcome(one, { kind: 'back' })))
  const { rows } = await at.pool.query('select held_paisa, is_urgent, until > now() as waits from sms_retry')
  expect(rows).toEqual([{ held_paisa: 150, is_urgent: true, waits: true }])
  expect((await money(at, user.userId)).reserved).toBe(150)
  await endTimes(at, feed)
  expect(await expire(feed)).toBe(1)
  expect((await money(at, user.userId)).reserved).toBe(0)
  await expectSoundBooks(at)
})

test('a number that is blacklisted, or had its messages of the day, is passed by with its money', async () => {
  const user = newUser()
  const feed = await newFeed(at, user)
  await at.pool.query('insert into blacklist (owner_id, phone) values ($1, $2)', [user.userId, phone + 5])
  await sendTo(at, feed, { phone: phone + 5 })
  await sendTo(at, feed, { phone: phone + 6 })
  await sendTo(at, feed, { phone: phone + 6 })
  await claimSms(at, fixtures, feed, 1, { caps: { account: 1, platform: 100 }, looks: 10 })
  const { messages, putOff } = await claimSms(at, fixtures, feed, 10, { caps: { account: 1, platform: 100 } })
  expect([messages.length, putOff]).toEqual([0, 1])
  expect((await stateOf(feed))[0]).toBe('dnd')
  expect((await money(at, user.userId)).reserved, 'one in flight, one put off').toBe(300)
  await expectSoundBooks(at)
})

test('outside the hours only what is urgent is claimed', async () => {
  const feed = await newFeed(at, newUser())
  await sendTo(at, feed, { phone })
  await sendTo(at, feed, { phone: phone + 1, isUrgent: true })
  const { messages } = await claimSms(at, fixtures, feed, 10, { urgentOnly: true })
  expect(messages.map(({ no, is_urgent }) => [no, is_urgent])).toEqual([[1, true]])
  expect((await claimSms(at, fixtures, feed, 10)).messages.map(({ no }) => no)).toEqual([0])
  await expectSoundBooks(at)
})

const hours = { ...defaultCallingHours, from: '10:00', to: '18:00' }
const context = (time: string): Parameters<typeof decide>[1] => ({
  now: new Date(`2026-11-23T${time}+05:45`),
  hours,
  blocks: [],
  preparing: false,
  noGatewayReason: () => null,
})

test('a feed stays open outside the hours, and says that its messages wait for them unless they are urgent', async () => {
  const feed = await newFeed(at, newUser())
  await sendTo(at, feed, { phone })
  const closed = { do: 'wait', reason: 'outside messaging hours, sends from 10:00' }
  expect(decide(await loaded(feed), context('08:00:00'))).toEqual(closed)
  await sendTo(at, feed, { phone: phone + 1, isUrgent: true })
  expect(decide(await loaded(feed), context('08:00:00'))).toEqual({ do: 'wait', reason: null })
  expect(decide(await loaded(feed), context('11:00:00'))).toEqual({ do: 'wait', reason: null })
})

async function loaded(feed: number): Promise<SmsCampaignRow> {
  const row = await load(feed)
  if (!row) throw new Error('the feed is not read')
  return row
}

test('a feed into which nothing came is not read, is complete when its day is over, and takes nothing then', async () => {
  const feed = await newFeed(at, newUser())
  expect(await load(feed)).toBeUndefined()
  const old = await newFeed(at, newUser(), { daysAgo: 1 })
  expect(await sendTo(at, old, { phone })).toEqual({ no: null, paisa: null, freePaisa: null })
  expect(decide(await loaded(old), context('11:00:00'))).toEqual({ do: 'move', to: 'complete', reason: null })
})

test('a message that still waits when the day is over is sent, and the feed is complete after it', async () => {
  const feed = await newFeed(at, newUser())
  await sendTo(at, feed, { phone })
  await at.pool.query('update sms_campaign set feed = feed - 1 where id = $1', [feed])
  expect(decide(await loaded(feed), context('11:00:00'))).toEqual({ do: 'wait', reason: null })
  const { messages } = await claimSms(at, fixtures, feed, 1)
  expect(decide(await loaded(feed), context('11:00:00'))).toEqual({ do: 'wait', reason: null })
  await settle(...messages.map((one) => smsOutcome(one, { kind: 'accepted' })))
  expect(decide(await loaded(feed), context('11:00:00'))).toEqual({ do: 'move', to: 'complete', reason: null })
  const move = { campaignId: feed, from: ['running'], to: 'complete', reason: null } as const
  expect(await moveSmsCampaign(at.engine, fixtures.coordinator, move)).toBe(true)
  await expectSoundBooks(at)
})

test('a feed that is stopped gives up what waits, and releases it', async () => {
  const user = newUser()
  const feed = await newFeed(at, user)
  await sendTo(at, feed, { phone })
  await at.pool.query(`update sms_campaign set status = 'cancelling' where id = $1`, [feed])
  expect(decide(await loaded(feed), context('11:00:00'))).toEqual({ do: 'expire' })
})

test('the books say when a waiting message holds nothing, or another sum', async () => {
  const feed = await newFeed(at, newUser())
  await sendTo(at, feed, { phone })
  await expectSoundBooks(at)
  for (const held of [0, 100]) {
    await at.pool.query('update sms_retry set held_paisa = $2 where campaign_id = $1', [feed, held])
    await expect(expectSoundBooks(at)).rejects.toThrow(/sms_held_wrong|reservation_wrong/)
  }
  await at.pool.query('update sms_retry set held_paisa = 150 where campaign_id = $1', [feed])
  await at.pool.query(`update sms_campaign_count set fresh = 2 where campaign_id = $1 and slot < 0`, [feed])
  await expect(expectSoundBooks(at)).rejects.toThrow(/sms_counters_wrong/)
  await at.pool.query(`update sms_campaign_count set fresh = 1 where campaign_id = $1 and slot < 0`, [feed])
  await expectSoundBooks(at)
})
