import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { callingHoursOf, changeSetting, dialDays } from './actions.ts'
import { defaultCallingHours } from './rules-hours.ts'
import { platformHandlers } from './routes.ts'

const app = await testApp()
let http: FastifyInstance
let admin: { authorization: string }
beforeAll(async () => {
  http = await testHttp(app, { handlers: { platform: platformHandlers } })
  admin = await signedIn(app, await newSuperAdmin(app, { username: 'Boss' }))
})
const post = (url: string, payload: object, headers = admin) => http.inject({ method: 'POST', url, headers, payload })
const stop = (payload: object, headers = admin) => post('/api/obd/dialblock', payload, headers)

test('what is stopped is listed by name, newest first, until it is lifted; each step is audited', async () => {
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

test('of fifty who stop the same at once one does; of fifty who lift it one does', async () => {
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

test('settings have defaults, and an account the hours of the nearest above it that has some', async () => {
  const reseller = await newReseller(app)
  const user = await newUser(app, { parent: reseller })
  expect(await dialDays(app.db)).toBe(7)
  expect(await callingHoursOf(app.db, user.userId)).toEqual(defaultCallingHours)
  const off = { ...defaultCallingHours, enabled: false }
  await app.db.transaction().execute((tx) => changeSetting(tx, 'callingHours', off, null))
  await app.db.transaction().execute((tx) => changeSetting(tx, 'dialDays', 3, null))
  expect(await dialDays(app.db)).toBe(3)
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
