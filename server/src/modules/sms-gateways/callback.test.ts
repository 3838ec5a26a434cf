import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newSuperAdmin } from '../../testing/seed.ts'
import type { Viewer } from '../../policy.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let gatewayId = 0
const secret = 'sixteen letters & more'
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
})
let serial = 0
const names = {
  receipt: { id: 'msgid', status: 'st', delivered: ['DELIVRD'], failed: ['UNDELIV', 'EXPIRED'] },
  incoming: { from: 'sender', to: 'code', text: 'text' },
}
const create = async (more: object = {}) => {
  const payload = {
    gatewayName: `Aggregator ${++serial}`,
    driver: 'http',
    url: 'https://api.aggregator.example/?to={to}&text={text}',
    success: 'OK*',
    tps: 1,
    receiptSecret: secret,
    ...names,
    ...more,
  }
  const said = await http.inject({
    method: 'POST',
    url: '/app/sms/gateway',
    headers: await signedIn(app, boss),
    payload,
  })
  return said.json<{ gatewayId: number }>().gatewayId
}
beforeEach(async () => {
  gatewayId = await create()
})
const url = (query: Record<string, string> = {}, to: number | string = gatewayId) =>
  `/app/sms/callback/${to}?${String(new URLSearchParams({ secret, ...query }))}`
const get = (query: Record<string, string>) => http.inject({ url: url(query) })
const receipts = () =>
  app.db
    .selectFrom('sms_receipt_early')
    .select(['id_key', 'state', 'reason'])
    .where('gateway_id', '=', gatewayId)
    .orderBy('id_key')
    .execute()
const inbox = () =>
  app.db
    .selectFrom('sms_inbox')
    .select(['from_number', 'to_number', 'text'])
    .where('gateway_id', '=', gatewayId)
    .execute()
const unmatched = async () =>
  (
    await app.db
      .selectFrom('sms_gateway_count')
      .select('unmatched')
      .where('gateway_id', '=', gatewayId)
      .executeTakeFirst()
  )?.unmatched ?? 0

test('a receipt sent by query, form or JSON waits for the engine once, however often it is sent', async () => {
  const first = await get({ msgid: 'A1', st: 'DELIVRD' })
  expect([first.statusCode, first.body]).toEqual([200, 'OK'])
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await http.inject({ method: 'POST', url: url(), headers: form, payload: 'msgid=B2&st=UNDELIV' })
  await http.inject({ method: 'POST', url: url(), payload: { msgid: 77, st: 'expired' } })
  expect((await get({ msgid: 'a1', st: 'UNDELIV' })).statusCode).toBe(200)
  expect((await get({ msgid: 'D4', st: 'on its way' })).statusCode).toBe(200)
  expect(await receipts()).toEqual([
    { id_key: '77', state: 'expired', reason: 'the gateway says: expired' },
    { id_key: 'a1', state: 'delivered', reason: null },
    { id_key: 'b2', state: 'failed', reason: 'the gateway says: UNDELIV' },
  ])
  expect(await unmatched()).toBe(0)
})

test('a message written back stands in the inbox once, and what is neither is counted', async () => {
  const stop = { sender: '+9779841000000', code: '31001', text: 'बन्द' }
  expect((await get(stop)).body).toBe('OK')
  expect((await get(stop)).body).toBe('OK')
  expect(await inbox()).toEqual([{ from_number: '9779841000000', to_number: '31001', text: 'बन्द' }])
  expect((await get({ what: 'is this' })).body).toBe('OK')
  expect((await http.inject({ method: 'POST', url: url() })).body).toBe('OK')
  expect((await http.inject({ method: 'POST', url: url(), payload: [1] })).body).toBe('OK')
  expect([await unmatched(), await receipts()]).toEqual([3, []])
})

test('a wrong secret, another gateway and one that has no secret are answered alike, and nothing is kept', async () => {
  const bare = await create({ receiptSecret: undefined })
  const smpp = await app.db
    .insertInto('sms_gateway')
    .values({ name: 'SMPP', driver: 'smpp', settings: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const query = { msgid: 'A1', st: 'DELIVRD' }
  const wrong = [
    url({ ...query, secret: 'sixteen letters?' }),
    url({ ...query, secret: '' }),
    `${url(query)}&secret=again`,
    `/app/sms/callback/${gatewayId}?msgid=A1&st=DELIVRD`,
    url(query, gatewayId + 1000),
    url(query, bare),
    url(query, smpp.id),
    url(query, 'x'),
    url(query, '99999999999999999999'),
  ]
  for (const address of wrong) {
    const said = await http.inject({ url: address })
    expect([address, said.statusCode, said.json()]).toEqual([address, 404, { message: 'No data found' }])
  }
  expect([await receipts(), await unmatched()]).toEqual([[], 0])
})

test('a body that is too long, too deep, of another type or no JSON is refused', async () => {
  const post = (type: string, payload: string) =>
    http.inject({ method: 'POST', url: url(), headers: { 'content-type': type }, payload })
  expect((await post('application/json', `{"msgid":"${'x'.repeat(66_000)}"}`)).statusCode).toBe(413)
  expect((await post('application/xml', '<a/>')).statusCode).toBe(415)
  expect((await post('application/json', '{')).statusCode).toBe(400)
  expect((await post('application/json', `${'['.repeat(30_000)}${']'.repeat(30_000)}`)).statusCode).toBe(400)
})

const message = { kind: 'message', phone: 9_779_841_000_000, sender: 'Ghanti', text: 'A test' } as const
test('a test message follows its receipt', async () => {
  await app.db
    .insertInto('sms_gateway_test')
    .values({
      ...message,
      gateway_id: gatewayId,
      by_user_id: boss.userId,
      state: 'submitted',
      taken_at: new Date(),
      id_keys: ['t1'],
    })
    .execute()
  expect((await get({ msgid: 'T1', st: 'DELIVRD' })).statusCode).toBe(200)
  const test = app.db.selectFrom('sms_gateway_test').select('state').where('gateway_id', '=', gatewayId)
  expect([await test.execute(), await receipts()]).toEqual([[{ state: 'delivered' }], []])
})

test('a gateway that calls too often is told to wait a second, and another is not', async () => {
  app.clock.advance(0)
  const all = await Promise.all(Array.from({ length: 110 }, (_, n) => get({ msgid: `M${n}`, st: 'DELIVRD' })))
  expect(all.filter(({ statusCode }) => statusCode === 200)).toHaveLength(104)
  const refused = all.filter(({ statusCode }) => statusCode === 429)
  expect(refused.map(({ headers }) => headers['retry-after'])).toEqual(Array(6).fill('1'))
  gatewayId = await create()
  expect((await get({ msgid: 'A1', st: 'DELIVRD' })).statusCode).toBe(200)
})

test('beyond 100,000 receipts that nobody knows no more are taken', async () => {
  await sql`insert into sms_receipt_early (gateway_id, id_key, state)
    select ${gatewayId}, 'k' || n, 'delivered' from generate_series(1, 99999) n`.execute(app.db)
  expect((await get({ msgid: 'last', st: 'DELIVRD' })).statusCode).toBe(200)
  const refused = await get({ msgid: 'one more', st: 'DELIVRD' })
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
  expect(await receipts()).toHaveLength(100_000)
})
