import type { InboxRow } from '@ghanti/contract/sms-inbox.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'
import { changeSetting } from '../platform/actions.ts'
import { forgetOldInbox } from './actions.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer, reseller: Viewer, user: Viewer, neighbour: Viewer
let campaignId = 0
let serial = 0
const write = (phone: number | null, more: object = {}) =>
  app.db
    .insertInto('sms_inbox')
    .values({
      gateway_id: 1,
      key: `k${++serial}`,
      from_number: phone === null ? '1415' : String(phone),
      to_number: '31001',
      text: 'बन्द',
      at: new Date(),
      phone,
      action: 'kept',
      ...more,
    })
    .execute()
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  reseller = await newReseller(app, { parent: boss })
  user = await newUser(app, { parent: reseller })
  neighbour = await newUser(app, { parent: boss })
  campaignId = await newSmsCampaign(app, user, { name: 'Tihar sale' })
  await write(9_779_841_000_001, { account_id: user.userId, campaign_id: campaignId, action: 'optOut' })
  await write(9_779_841_000_002, { account_id: user.userId })
  await write(9_779_801_000_003, { account_id: neighbour.userId })
  await write(null)
})
const read = async (viewer: Viewer, query = '', userId = viewer.userId) =>
  http.inject({ url: `/app/sms/inbox/${userId}${query}`, headers: await signedIn(app, viewer) })
const numbers = async (viewer: Viewer, query = '') =>
  (await read(viewer, query)).json<InboxRow[]>().map(({ msisdn }) => msisdn)

test('a user reads the own messages, a reseller those of the accounts below, the super admin all, nobody’s too', async () => {
  expect(await numbers(user)).toEqual(['9841000002', '9841000001'])
  expect(await numbers(reseller)).toEqual(['9841000002', '9841000001'])
  expect(await numbers(neighbour)).toEqual(['9801000003'])
  expect(await numbers(boss)).toEqual(['1415', '9801000003', '9841000002', '9841000001'])
  expect((await read(user, '', neighbour.userId)).statusCode).toBe(404)
  expect((await read(user, '?action=optOut')).json()).toEqual([
    {
      inboxId: expect.any(Number),
      msisdn: '9841000001',
      to: '31001',
      smsText: 'बन्द',
      receivedTime: expect.any(String),
      campaignId,
      campaignName: 'Tihar sale',
      action: 'optOut',
      username: user.username,
    },
  ])
})

test.each([
  ['?action=kept', ['1415', '9801000003', '9841000002']],
  ['?campaign=tihar', ['9841000001']],
  ['?campaign=nobody', []],
  ['?search=9841', ['9841000002', '9841000001']],
  ['?search=0003', ['9801000003']],
  ['?received=today', ['1415', '9801000003', '9841000002', '9841000001']],
  ['?received=yesterday', []],
])('%s narrows the list down', async (query, found) => expect(await numbers(boss, query)).toEqual(found))

test('a campaign’s name finds messages of the reader’s own part of the tree', async () => {
  for (const viewer of [user, reseller]) expect(await numbers(viewer, '?campaign=tihar')).toEqual(['9841000001'])
  expect(await numbers(neighbour, '?campaign=tihar')).toEqual([])
})

test('by a campaign’s ID, and by a customer', async () => {
  expect(await numbers(boss, `?campaign=${campaignId}`)).toEqual(['9841000001'])
  expect(await numbers(boss, `?customer=${reseller.userId}`)).toEqual(['9841000002', '9841000001'])
})

test('reading leaves a line of the audit log, which the account that was read sees', async () => {
  await read(reseller, '', user.userId)
  const lines = await app.db
    .selectFrom('audit_log')
    .select(['actor_id', 'owner_id', 'target'])
    .where('action', '=', 'inbox.open')
    .where('actor_id', '=', reseller.userId)
    .where('target', '=', `user ${user.userId}`)
    .execute()
  expect(lines).toEqual([{ actor_id: reseller.userId, owner_id: user.userId, target: `user ${user.userId}` }])
})

test('messages older than the days of the setting are removed, and nothing else', async () => {
  await app.db.transaction().execute((tx) => changeSetting(tx, 'inboxDays', 10, null))
  const first = await app.db.selectFrom('sms_inbox').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()
  await app.db
    .updateTable('sms_inbox')
    .set({ received_at: sql<Date>`now() - interval '11 days'` })
    .where('id', '=', first.id)
    .execute()
  await forgetOldInbox(app)
  expect(await numbers(boss)).toEqual(['1415', '9801000003', '9841000002'])
})
