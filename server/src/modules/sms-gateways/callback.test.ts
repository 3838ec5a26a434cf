import type { FastifyInstance } from 'fastify'
import type { GatewayDetail } from '@ghanti/contract/sms-gateways.ts'
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
const notUnderstood = async () => {
  const said = await http.inject({ url: `/app/sms/gateway/${gatewayId}`, headers: await signedIn(app, boss) })
  const { notUnderstood: count, samples } = said.json<GatewayDetail>().receipts
  return { count, samples: samples.map(({ text }) => text) }
}
const nothing = { count: 0, samples: [] }

test('a receipt sent by query, form or JSON waits for the engine once, however often it is sent', async () => {
  const first = await get({ msgid: 'A1', st: 'DELIVRD' })
  expect([first.statusCode, first.body]).toEqual([200, 'OK'])
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await http.inject({ method: 'POST', url: url(), headers: form, payload: 'msgid=B2&st=UNDELIV' })
  await http.inject({ method: 'POST', url: url(), payload: { msgid: 77, st: 'expired' } })
  expect((await get({ msgid: 'a1', st: 'UNDELIV' })).statusCode).toBe(200)
  expect((await get({ msgid: 'D4', st: 'ACCEPTED' })).statusCode).toBe(200)
  expect(await receipts()).toEqual([
    { id_key: '77', state: 'expired', reason: 'the gateway says: expired' },
    { id_key: 'a1', state: 'delivered', reason: null },
    { id_key: 'b2', state: 'failed', reason: 'the gateway says: UNDELIV' },
  ])
  expect(await notUnderstood()).toEqual(nothing)
})

test('a message written back stands in the inbox once, and what is neither is counted', async () => {
  const stop = { sender: '+9779841000000', code: '31001', text: 'बन्द' }
  expect((await get(stop)).body).toBe('OK')
  expect((await get(stop)).body).toBe('OK')
  expect(await inbox()).toEqual([{ from_number: '9779841000000', to_number: '31001', text: 'बन्द' }])
  expect((await get({ what: 'is this' })).body).toBe('OK')
  expect((await http.inject({ method: 'POST', url: url() })).body).toBe('OK')
  expect((await http.inject({ method: 'POST', url: url(), payload: [1] })).body).toBe('OK')
  expect((await get({ msgid: '9779841000001', st: 'on its way' })).body).toBe('OK')
  expect(await notUnderstood()).toEqual({
    count: 4,
    samples: ['msgid: 97xxxxxxxxx01, st: on its way', '{}', '{}', '{"what":"is this"}'],
  })
  expect(await receipts()).toEqual([])
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
  expect([await receipts(), await notUnderstood()]).toEqual([[], nothing])
})

test('a body that is too long, too deep, of another type or no JSON is refused, and counted', async () => {
  const post = (type: string, payload: string) =>
    http.inject({ method: 'POST', url: url(), headers: { 'content-type': type }, payload })
  expect((await post('application/json', `{"msgid":"${'x'.repeat(66_000)}"}`)).statusCode).toBe(413)
  expect((await post('application/xml', '<a/>')).statusCode).toBe(415)
  expect((await post('application/json', '{')).statusCode).toBe(400)
  expect((await post('application/json', `${'['.repeat(30_000)}${']'.repeat(30_000)}`)).statusCode).toBe(400)
  expect((await post('application/json', `{"a":[${'1,'.repeat(5000)}1]}`)).statusCode).toBe(400)
  const { count, samples } = await notUnderstood()
  expect(count).toBe(5)
  expect(samples.slice(2)).toEqual(['{', '(content-type: application/xml)', '(more than 64 KiB)'])
  expect(samples.every((sample) => sample.length <= 300)).toBe(true)
})

const post = (payload: string, type?: string) =>
  http.inject({ method: 'POST', url: url(), headers: type === undefined ? {} : { 'content-type': type }, payload })
const batch = {
  results: [
    { messageId: 'a1', status: { name: 'DELIVRD' } },
    { messageId: 'b2', status: { name: 'UNDELIV' } },
  ],
}
const form = 'application/x-www-form-urlencoded'
const ofBatch = { id: '$.results[*].messageId', status: '$.results[*].status.name' }
const form2 =
  'results[0][messageId]=a1&results[0][status][name]=DELIVRD&results[1][messageId]=b2&results[1][status][name]=UNDELIV'
const list = batch.results
test.each<{ why: string; rule: object; payload: string; type?: string }>([
  { why: 'nested JSON', rule: ofBatch, payload: JSON.stringify(batch), type: 'application/json' },
  {
    why: 'JSON of a type of its own',
    rule: ofBatch,
    payload: JSON.stringify(batch),
    type: 'application/vnd.api+json; charset=utf-8',
  },
  { why: 'JSON as text', rule: ofBatch, payload: JSON.stringify(batch), type: 'text/plain' },
  { why: 'JSON that is called a form', rule: ofBatch, payload: JSON.stringify(batch), type: form },
  { why: 'JSON of no type', rule: ofBatch, payload: JSON.stringify(batch) },
  {
    why: 'a list',
    rule: { id: '$[*].messageId', status: '$[*].status.name' },
    payload: JSON.stringify(list),
    type: 'application/json',
  },
  { why: 'a form with lists', rule: ofBatch, payload: form2, type: form },
  {
    why: 'JSON in a form',
    rule: { id: '$.data.results[*].messageId', status: '$.data.results[*].status.name' },
    payload: `data=${encodeURIComponent(JSON.stringify(batch))}`,
    type: form,
  },
  {
    why: 'one id and a list of states',
    rule: { id: '$.tx', status: '$.list[*].st' },
    payload: '{"tx":"a1","list":[{"st":"DELIVRD"}]}',
    type: 'application/json',
  },
])('receipts in $why are read by the rule', async ({ rule, payload, type }) => {
  gatewayId = await create({ receipt: { ...names.receipt, ...rule } })
  expect((await post(payload, type)).body).toBe('OK')
  const both = [
    { id_key: 'a1', state: 'delivered', reason: null },
    { id_key: 'b2', state: 'failed', reason: 'the gateway says: UNDELIV' },
  ]
  expect(await receipts()).toEqual(payload.includes('b2') ? both : both.slice(0, 1))
  expect(await notUnderstood()).toEqual(nothing)
})

test('messages in nested JSON stand in the inbox, and paths that are none are refused', async () => {
  const incoming = { from: '$.messages[*].sender.number', to: '$.to', text: '$.messages[*].body' }
  gatewayId = await create({ incoming })
  const said = {
    to: '31001',
    messages: [
      { sender: { number: 9779841000000 }, body: 'STOP' },
      { sender: { number: '9779841000001' }, body: 'hi' },
    ],
  }
  expect((await post(JSON.stringify(said), 'application/json')).body).toBe('OK')
  expect((await inbox()).map(({ from_number: from, text }) => [from, text])).toEqual([
    ['9779841000000', 'STOP'],
    ['9779841000001', 'hi'],
  ])
  const refused = await http.inject({
    method: 'POST',
    url: '/app/sms/gateway',
    headers: await signedIn(app, boss),
    payload: {
      gatewayName: 'Wrong',
      driver: 'http',
      url: 'https://api.example/?to={to}&text={text}',
      success: 'OK*',
      tps: 1,
      receipt: { ...names.receipt, id: '$.a[' },
    },
  })
  expect([refused.statusCode, refused.body]).toEqual([
    400,
    expect.stringContaining('is no rule: write a name like msgid'),
  ])
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
