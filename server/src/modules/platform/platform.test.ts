import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { callingHoursOf, changeSetting, settingOf, stopsOf } from './actions.ts'
import { defaultCallingHours } from './rules-hours.ts'
import { platformHandlers } from './routes.ts'

const app = await testApp()
let http: FastifyInstance
let admin: { authorization: string }
beforeAll(async () => {
  http = await testHttp(app, { handlers: { platform: platformHandlers } })
  admin = await signedIn(app, await newSuperAdmin(app, { username: 'Boss' }))
})
async function newGateway(name: string): Promise<number> {
  const values = { name, driver: 'simulator', settings: { window: 5, tps: 10 } } as const
  return (await app.db.insertInto('sms_gateway').values(values).returning('id').executeTakeFirstOrThrow()).id
}
const post = (url: string, payload: object, headers = admin) => http.inject({ method: 'POST', url, headers, payload })
const stop = (payload: object, headers = admin) => post('/api/obd/dialblock', payload, headers)

test('stops are listed by name, newest first, until they are lifted; each step is audited', async () => {
  const { trunkId, dialerId } = await newLine(app)
  const user = await newUser(app, { username: 'Ram' })
  const targets = [
    { kind: 'platform' },
    { kind: 'dialer', targetId: dialerId },
    { kind: 'trunk', targetId: trunkId },
    { kind: 'account', targetId: user.userId },
  ]
  for (const target of targets) expect((await stop({ ...target, reason: 'complaints' })).statusCode).toBe(200)
  const list = async () =>
    (await http.inject({ url: '/api/obd/dialblocks', headers: admin })).json<{ dialBlockId: number }[]>()
  const blocks = await list()
  expect(blocks).toMatchObject([
    { kind: 'account', target: 'Ram', targetId: user.userId, reason: 'complaints', by: 'Boss' },
    { kind: 'trunk', target: expect.stringMatching(/^Trunk/) },
    { kind: 'dialer', target: expect.stringMatching(/^Dialer/) },
    { kind: 'platform', target: 'All dialling', targetId: null },
  ])
  for (const { dialBlockId } of blocks)
    expect((await post('/api/obd/dialblock/lift', { dialBlockId })).statusCode).toBe(200)
  expect(await list()).toEqual([])
  const log = await app.db
    .selectFrom('audit_log')
    .select(['action', 'target'])
    .where('action', 'like', 'dialling%')
    .execute()
  expect(log).toHaveLength(8)
  expect(log).toContainEqual({ action: 'dialling.stop', target: `account ${user.userId}` })
})

test('fifty stop the same at once, and one succeeds; fifty lift it, and one succeeds', async () => {
  const { dialerId } = await newLine(app)
  const stops = await Promise.all(
    Array.from({ length: 50 }, () => stop({ kind: 'dialer', targetId: dialerId, reason: 'test' })),
  )
  expect(stops.filter((reply) => reply.statusCode === 409)).toHaveLength(49)
  const dialBlockId = stops.find((reply) => reply.statusCode === 200)?.json<{ dialBlockId: number }>().dialBlockId
  const lifts = await Promise.all(Array.from({ length: 50 }, () => post('/api/obd/dialblock/lift', { dialBlockId })))
  expect(lifts.map((reply) => reply.statusCode).sort()).toEqual([200, ...Array.from({ length: 49 }, () => 409)])
})

test.each([
  { why: 'a dialer that is not there', said: { kind: 'dialer', targetId: 999_999, reason: 'x' }, field: 'targetId' },
  { why: 'no target', said: { kind: 'trunk', reason: 'x' }, field: 'targetId' },
  { why: 'the platform with a target', said: { kind: 'platform', targetId: 1, reason: 'x' }, field: 'targetId' },
  { why: 'a gateway that is not there', said: { kind: 'gateway', targetId: 999_999, reason: 'x' }, field: 'targetId' },
  { why: 'calls of a gateway', said: { kind: 'gateway', targetId: 1, what: 'calls', reason: 'x' }, field: 'what' },
  { why: 'messages of a trunk', said: { kind: 'trunk', targetId: 1, what: 'messages', reason: 'x' }, field: 'what' },
  { why: 'something that is nothing', said: { kind: 'platform', what: 'mails', reason: 'x' }, field: 'what' },
  { why: 'no reason', said: { kind: 'platform' }, field: 'reason' },
])('refused with the field named: $why', async ({ said, field }) => {
  const reply = await stop(said)
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ message: 'Parameters Incorrect', errors: [{ field }] })
})

test('only super admins stop dialling; what is not there cannot be lifted', async () => {
  const user = await signedIn(app, await newUser(app))
  expect((await stop({ kind: 'platform', reason: 'x' }, user)).statusCode).toBe(403)
  expect((await post('/api/obd/dialblock/lift', { dialBlockId: 999_999 })).statusCode).toBe(404)
})

test('stops of messages, of calls and of both are reported separately to those whom they affect', async () => {
  const boss = await newSuperAdmin(app)
  const user = await newUser(app)
  const stops = () => stopsOf(app.db, [boss.userId, user.userId])
  const isListed = async () => (await http.inject({ url: '/api/obd/dialblocks', headers: admin })).json<unknown[]>()
  const by = { reason: 'complaints', by_user_id: boss.userId }
  const ofMessages = { ...by, what: 'messages' }
  await app.db
    .insertInto('dial_block')
    .values([
      { ...ofMessages, kind: 'platform' },
      { ...ofMessages, kind: 'account', target_id: user.userId },
      { ...ofMessages, kind: 'gateway', target_id: 1 },
    ])
    .execute()
  const ofPlatform = 'all messages of the platform are stopped by the administrator: complaints'
  const ofGateway = 'all messages of gateway gateway 1 are stopped by the administrator: complaints'
  const ofAccount = 'all messages of the account are stopped by the administrator: complaints'
  expect((await stops()).get(boss.userId)).toEqual([ofPlatform, ofGateway])
  expect((await stops()).get(user.userId)).toEqual([ofPlatform, ofAccount])
  expect(await isListed()).toMatchObject([
    { kind: 'gateway', target: 'gateway 1' },
    { kind: 'account', target: user.username },
    { target: 'All messages' },
  ])
  await app.db
    .insertInto('dial_block')
    .values({ ...by, what: 'all', kind: 'platform' })
    .execute()
  const ofBoth = 'all dialling and messages of the platform are stopped by the administrator: complaints'
  expect((await stops()).get(user.userId)).toEqual([ofPlatform, ofAccount, ofBoth])
  expect(await isListed()).toMatchObject([{ kind: 'platform', what: 'all' }, {}, {}, {}])
  await app.db.deleteFrom('dial_block').where('reason', '=', 'complaints').execute()
})

test('a stop concerns whom it stops: all of the platform, an account with all below it, who calls over a dialer or trunk, and the super admins', async () => {
  const boss = await newSuperAdmin(app)
  const reseller = await newReseller(app)
  const user = await newUser(app, { parent: reseller })
  const stranger = await newUser(app)
  const { dialerId, trunkId } = await newLine(app, { holders: [stranger] })
  const { dialerId: deadDialer, cliId } = await newLine(app, { holders: [stranger] })
  await app.db.updateTable('cli').set({ deleted_at: new Date() }).where('id', '=', cliId).execute()
  const people = { boss, reseller, user, stranger }
  const concerned = async () => {
    const stops = await stopsOf(
      app.db,
      Object.values(people).map(({ userId }) => userId),
    )
    return Object.entries(people).flatMap(([who, { userId }]) => ((stops.get(userId) ?? []).length > 0 ? [who] : []))
  }
  const ends = /is stopped by the administrator: complaints$/
  const cases = [
    { target: { kind: 'platform' }, says: /^all dialling of the platform /, concerns: Object.keys(people) },
    { target: { kind: 'account', targetId: reseller.userId }, says: /of the account /, concerns: ['reseller', 'user'] },
    { target: { kind: 'dialer', targetId: dialerId }, says: /of dialer Dialer \d+ /, concerns: ['boss', 'stranger'] },
    { target: { kind: 'trunk', targetId: trunkId }, says: /of trunk Trunk \d+ /, concerns: ['boss', 'stranger'] },
    { target: { kind: 'dialer', targetId: deadDialer }, says: /of dialer/, concerns: ['boss'] },
  ]
  expect(await concerned()).toEqual([])
  for (const { target, says, concerns } of cases) {
    const { dialBlockId } = (await stop({ ...target, reason: 'complaints' })).json<{ dialBlockId: number }>()
    expect(await concerned(), JSON.stringify(target)).toEqual(concerns)
    const stops = [...(await stopsOf(app.db, [boss.userId, user.userId])).values()].flat()
    expect(stops[0]).toMatch(says)
    expect(stops[0]).toMatch(ends)
    await post('/api/obd/dialblock/lift', { dialBlockId })
  }
})

test('before anything is stopped it is counted: campaigns that dial, that are to begin, and the calls they have not made', async () => {
  const reseller = await newReseller(app)
  const user = await newUser(app, { parent: reseller })
  const line = await newLine(app, { holders: [user] })
  for (const status of ['running', 'ready', 'paused', 'complete'] as const) {
    const campaignId = await newCampaign(app, user, { line, status })
    await app.db
      .updateTable('campaign_progress')
      .set({ status, fresh: 10, waiting: 2, in_call: status === 'running' ? 3 : 0 })
      .where('campaign_id', '=', campaignId)
      .execute()
  }
  const effect = async (query: string) =>
    (await http.inject({ url: `/api/obd/dialblock/effect?${query}`, headers: admin })).json<unknown>()
  const counted = { running: 1, toBegin: 1, calls: 24, underWay: 3, elsewhere: 0, messages: null }
  expect(await effect('kind=platform')).toEqual(counted)
  expect(await effect(`kind=dialer&targetId=${line.dialerId}`)).toEqual({ ...counted, underWay: 0 })
  expect(await effect(`kind=trunk&targetId=${line.trunkId}`)).toEqual({ ...counted, underWay: 0 })
  expect(await effect(`kind=account&targetId=${reseller.userId}`)).toEqual(counted)
  const other = await newUser(app)
  const none = { running: 0, toBegin: 0, calls: 0, underWay: 0, elsewhere: 0, messages: null }
  expect(await effect(`kind=account&targetId=${other.userId}`)).toEqual(none)
  expect(await effect('kind=trunk&targetId=999999')).toMatchObject({ errors: [{ field: 'targetId' }] })
  expect(await effect('kind=trunk')).toMatchObject({ errors: [{ field: 'targetId' }] })
})

test('a stop of a trunk counts the campaigns that have no other trunk left, and says how many go on over the others of their route', async () => {
  const user = await newUser(app)
  const line = await newLine(app, { holders: [user] })
  const { trunkId: other } = await newLine(app, { dialerId: line.dialerId })
  const { id } = await app.db
    .insertInto('call_route')
    .values({ name: 'Either' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const steps = [line.trunkId, other].map((trunk_id) => ({ route_id: id, trunk_id, priority: 1, weight: 1 }))
  await app.db.insertInto('call_route_step').values(steps).execute()
  await app.db.updateTable('cli').set({ route_id: id }).where('id', '=', line.cliId).execute()
  const campaignId = await newCampaign(app, user, { line, status: 'running' })
  await app.db
    .updateTable('campaign_progress')
    .set({ status: 'running', fresh: 10 })
    .where('campaign_id', '=', campaignId)
    .execute()
  const effect = async (trunkId: number) =>
    (
      await http.inject({ url: `/api/obd/dialblock/effect?kind=trunk&targetId=${trunkId}`, headers: admin })
    ).json<unknown>()
  for (const trunkId of [line.trunkId, other])
    expect(await effect(trunkId)).toMatchObject({ running: 0, calls: 0, elsewhere: 1 })
  const ntcAlone = app.db.updateTable('call_route_step').where('trunk_id', '=', line.trunkId)
  await ntcAlone.set({ operators: [1] }).execute()
  expect(await effect(line.trunkId)).toMatchObject({ running: 0, elsewhere: 1 })
  expect(await effect(other)).toMatchObject({ running: 1, calls: 10, elsewhere: 0 }) // numbers of other operators have no trunk then
  await ntcAlone.set({ operators: null }).execute()
  const { dialBlockId } = (await stop({ kind: 'trunk', targetId: line.trunkId, reason: 'works' })).json<{
    dialBlockId: number
  }>()
  expect(await effect(other)).toMatchObject({ running: 1, calls: 10, elsewhere: 0 })
  await post('/api/obd/dialblock/lift', { dialBlockId })
})

test('messages are stopped apart from calls or with them, of the platform, an account or a gateway; what is stopped already, alone or with more, is refused', async () => {
  const user = await newUser(app)
  const gatewayId = await newGateway('First')
  const ofUser = { kind: 'account', targetId: user.userId, reason: 'stopping' }
  const open: number[] = []
  const stopped = async (payload: object) => {
    const reply = await stop(payload)
    if (reply.statusCode === 200) open.push(reply.json<{ dialBlockId: number }>().dialBlockId)
    return reply.statusCode
  }
  expect(await stopped({ kind: 'gateway', targetId: gatewayId, reason: 'stopping' })).toBe(200)
  expect(await stopped({ kind: 'gateway', targetId: gatewayId, what: 'messages', reason: 'stopping' })).toBe(409)
  expect(await stopped({ ...ofUser, what: 'messages' })).toBe(200)
  expect(await stopped(ofUser)).toBe(200)
  expect(await stopped({ ...ofUser, what: 'all' })).toBe(200)
  expect(await stopped({ ...ofUser, what: 'calls' })).toBe(409)
  const listed = (await http.inject({ url: '/api/obd/dialblocks', headers: admin })).json<unknown[]>()
  expect(listed).toMatchObject([
    { kind: 'account', what: 'all' },
    { kind: 'account', what: 'calls' },
    { kind: 'account', what: 'messages' },
    { kind: 'gateway', what: 'messages', targetId: gatewayId, target: 'First' },
  ])
  for (const dialBlockId of open) expect((await post('/api/obd/dialblock/lift', { dialBlockId })).statusCode).toBe(200)
})

test('messages that a stop would hold back are counted: of the platform, an account and all below it, and what is on its way to a gateway', async () => {
  const reseller = await newReseller(app)
  const user = await newUser(app, { parent: reseller })
  const campaignId = await newSmsCampaign(app, user, { status: 'running' })
  await app.db
    .updateTable('sms_campaign_progress')
    .set({ fresh: 10, waiting: 2, in_flight: 3 })
    .where('campaign_id', '=', campaignId)
    .execute()
  const effect = async (query: string) =>
    (await http.inject({ url: `/api/obd/dialblock/effect?${query}`, headers: admin })).json<unknown>()
  const messages = { running: 1, toBegin: 0, waiting: 12, underWay: 3 }
  const noCalls = { running: 0, toBegin: 0, calls: 0, underWay: 0, elsewhere: 0 }
  expect(await effect(`kind=account&targetId=${reseller.userId}&what=messages`)).toEqual({ ...noCalls, messages })
  expect(await effect(`kind=account&targetId=${reseller.userId}&what=all`)).toEqual({ ...noCalls, messages })
  const gatewayId = await newGateway('Second')
  const none = { running: 0, toBegin: 0, waiting: 0, underWay: 0 }
  expect(await effect(`kind=gateway&targetId=${gatewayId}`)).toEqual({ ...noCalls, messages: none })
})

test('settings have defaults, and an account the hours of the nearest above it that has some', async () => {
  const reseller = await newReseller(app)
  const user = await newUser(app, { parent: reseller })
  expect(await settingOf(app.db, 'dialDays')).toBe(7)
  expect(await callingHoursOf(app.db, user.userId)).toEqual(defaultCallingHours)
  const off = { ...defaultCallingHours, enabled: false }
  await app.db.transaction().execute((tx) => changeSetting(tx, 'callingHours', off, null))
  await app.db.transaction().execute((tx) => changeSetting(tx, 'dialDays', 3, null))
  expect(await settingOf(app.db, 'dialDays')).toBe(3)
  expect(await callingHoursOf(app.db, user.userId)).toEqual(off)
  const short = { ...defaultCallingHours, to: '12:00' }
  await app.db
    .insertInto('account_calling_hours')
    .values({ account_id: reseller.userId, hours: JSON.stringify(short), reason: 'test', changed_by: reseller.userId })
    .execute()
  expect(await callingHoursOf(app.db, user.userId)).toEqual(short)
})

test('a setting that nobody understands is refused', async () => {
  const wrong = { ...defaultCallingHours, from: '22:00' }
  await expect(app.db.transaction().execute((tx) => changeSetting(tx, 'callingHours', wrong, null))).rejects.toThrow(
    /begin/,
  )
})
