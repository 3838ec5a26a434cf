import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../db/pool.ts'
import { enginePoolOptions } from '../../dispatch/statement.ts'
import type { Viewer } from '../../policy.ts'
import { takeReceipts } from '../../sms/settle/receipts.sql.ts'
import { settleMessages } from '../../sms/settle/settle.sql.ts'
import {
  claimSms,
  newSmsCampaign,
  newSmsFixtures,
  smsOutcome,
  expectSoundBooks,
  type SmsFixtures,
} from '../../sms/testing/fixtures.ts'
import { testApp } from '../../testing/app.ts'
import { newUser } from '../../testing/seed.ts'
import { settleOutcomes } from '../../voice/settle/settle.sql.ts'
import { claimed, newCampaign, newFixtures, outcome } from '../../voice/testing/fixtures.ts'
import { countAll } from '../insight/actions-count.ts'
import { written } from './actions-body.ts'
import { eventsAfter } from './actions-events.ts'
import { makeHook } from './actions.ts'
import { hookEvents } from '@ghanti/contract/hooks.ts'
import { makeEvents } from './store-send.ts'
import { ctxOf } from './testing.ts'

const app = await testApp()
const engine = openPool(
  { connectionString: app.loginUrl, max: 4, name: 'ghanti-engine-test', options: enginePoolOptions },
  () => {},
)
const at = { db: app.db, pool: app.pool, url: app.url, engine }
afterAll(() => engine.end())
const calls = await newFixtures(at)
let sms: SmsFixtures
beforeAll(async () => {
  sms = await newSmsFixtures(at)
  for (const user of [calls.user, sms.user]) await makeHook(ctxOf(app, user), { events: [...hookEvents] })
})

const lastOf = new Map<number, number>()
/** What the account's program reads since it last read. */
async function told(viewer: Viewer) {
  await countAll(app.db)
  await makeEvents(app.db, 1000)
  const { events, next } = await eventsAfter(ctxOf(app, viewer), lastOf.get(viewer.userId) ?? 0)
  lastOf.set(viewer.userId, next)
  return events.map(({ type, data }) => ({ type, data }))
}

test('calls that ended are told with what they heard, pressed and cost, a campaign apart, and its changes of status', async () => {
  const phones = [9779841555001, 9779841555002]
  const [one, other] = [
    await newCampaign(at, { user: calls.user, line: calls.line, phones, name: 'One' }),
    await newCampaign(at, { user: calls.user, line: calls.line, phones: [9779841555003], name: 'Other' }),
  ]
  const ended = [...(await claimed(at, calls, one, 2)), ...(await claimed(at, calls, other, 1))]
  const answered = { disposition: 'ANSWER', billMs: 9000, answeredAt: new Date(), keys: '1' } as const
  await settleOutcomes(
    engine,
    calls.lease,
    0,
    ended.map((call) => outcome(call, { ...answered, trail: 'menu1=1 >done' })),
  )
  await app.db.updateTable('campaign').set({ status: 'complete' }).where('id', '=', one).execute()
  const events = await told(calls.user)
  expect(events.filter(({ type }) => type === 'calls.ended')).toMatchObject([
    {
      data: {
        campaignId: one,
        campaignName: 'One',
        calls: [
          { customerNo: '9841555001', disposition: 'ANSWER', seconds: 9, keys: '1', trail: 'menu1=1 >done' },
          { customerNo: '9841555002' },
        ],
      },
    },
    { data: { campaignId: other, calls: [{ customerNo: '9841555003', cost: expect.any(Number) }] } },
  ])
  expect(events.filter(({ type }) => type === 'campaign.status').at(-1)).toMatchObject({
    data: { campaignId: one, kind: 'calls', status: 'complete', label: 'Complete' },
  })
})

test('messages are told when they are sent, when a receipt comes, and when they end unsent', async () => {
  const { user } = sms
  const phones = [9779841555001, 9779841555002, 9779841555003]
  await app.db.insertInto('blacklist').values({ phone: 9779841555003, owner_id: user.userId }).execute()
  const id = await newSmsCampaign(at, { user, phones, name: 'Texts' })
  const { messages } = await claimSms(at, sms, id, 3)
  const events = await told(user)
  expect(events).toMatchObject([
    { type: 'messages.changed', data: { campaignId: id, messages: [{ msisdn: '9841555003', state: 'dnd' }] } },
  ])
  const key = (n: number) => `k${id}-${n}`
  const outcomes = messages.map((message, n) =>
    smsOutcome(
      message,
      n === 0 ? { kind: 'accepted', accepted: 1, idKeys: [key(n)] } : { kind: 'refused', reason: 'x' },
    ),
  )
  await settleMessages(engine, sms.lease, 0, outcomes)
  expect(await told(user)).toMatchObject([
    {
      type: 'messages.changed',
      data: {
        messages: [
          { msisdn: '9841555001', state: 'submitted' },
          { msisdn: '9841555002', state: 'failed' },
        ],
      },
    },
  ])
  await takeReceipts(engine, sms.lease, 0, [{ idKey: key(0), state: 'delivered', reason: null, at: new Date() }])
  expect(await told(user)).toMatchObject([{ data: { messages: [{ msisdn: '9841555001', state: 'delivered' }] } }])
  await expectSoundBooks(at)
})

test('a hundred rows of one campaign are one event, and one more is another', async () => {
  const { user } = sms
  const phones = Array.from({ length: 101 }, (_, n) => 9779842000000 + n)
  await app.db
    .insertInto('blacklist')
    .values(phones.map((phone) => ({ phone, owner_id: user.userId })))
    .execute()
  const id = await newSmsCampaign(at, { user, phones })
  await claimSms(at, sms, id, 101)
  const events = await told(user)
  expect(events.map(({ data }) => (data['messages'] as unknown[]).length)).toEqual([100, 1])
})

test('what somebody writes back, a balance that falls below the limit and a ready export are told', async () => {
  const { user } = sms
  const base = { gateway_id: sms.gatewayId, from_number: '9841555001', to_number: '3344', text: 'STOP' }
  const inbox = app.db.insertInto('sms_inbox').values({ ...base, key: 'in', phone: 9779841555001, at: new Date() })
  const { id } = await inbox.returning('id').executeTakeFirstOrThrow()
  const done = { action: 'optOut', account_id: user.userId } as const
  await app.db.updateTable('sms_inbox').set(done).where('id', '=', id).execute()
  const limit = { low_balance_paisa: 5_000_000 }
  await app.db.updateTable('account').set(limit).where('id', '=', user.userId).execute()
  await app.pool.query('update account set balance_paisa = 4000000 where id = $1', [user.userId])
  const queued = { owner_id: user.userId, kind: 'calls', format: 'csv', filter: '{}', file_name: 'calls.csv' } as const
  const made = await app.db.insertInto('export').values(queued).returning('id').executeTakeFirstOrThrow()
  const ready = { status: 'ready', file_hash: randomBytes(32).toString('hex'), expires_at: new Date() } as const
  await app.db.updateTable('export').set(ready).where('id', '=', made.id).execute()
  expect(await told(user)).toMatchObject([
    { type: 'message.received', data: { inboxId: id, smsText: 'STOP', optOut: true, msisdn: '9841555001' } },
    { type: 'balance.low', data: { balance: 40_000, limit: 50_000 } },
    { type: 'export.ready', data: { exportId: made.id, fileName: 'calls.csv' } },
  ])
})

test('nothing is written for accounts whose webhooks want other things, are off or untested', async () => {
  const user = await newUser(app)
  const { hookId } = await makeHook(ctxOf(app, user), { events: ['campaign.status'] })
  const news = () => app.db.selectFrom('hook_news').select('type').where('user_id', '=', user.userId).execute()
  const happen = (type: string) => app.pool.query(`select note_for_hooks($1, $2, '{}')`, [user.userId, type])
  await happen('balance.low')
  expect(await news()).toEqual([])
  for (const state of ['off', 'unverified', 'active'] as const) {
    await app.db.updateTable('hook').set({ state }).where('id', '=', hookId).execute()
    await happen('campaign.status')
  }
  expect(await news()).toHaveLength(1)
})

test('what a body has too much of are trails, which are left out of it', () => {
  const calls = Array.from({ length: 100 }, (_, n) => ({ attemptId: n, trail: 'x'.repeat(5000) }))
  const body = { type: 'calls.ended', timestamp: '', data: { calls } }
  const text = written(body)
  expect(Buffer.byteLength(text)).toBeLessThan(256 * 1024)
  expect(JSON.parse(text)).toEqual({
    ...body,
    data: { calls: calls.map(({ attemptId }) => ({ attemptId, trail: null })) },
  })
  expect(written({ ...body, data: { calls: calls.slice(0, 2) } })).toContain('xxx')
})
