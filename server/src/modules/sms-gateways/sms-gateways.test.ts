import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newSuperAdmin, newUser } from '../../testing/seed.ts'
import { driverSettings, openSecrets } from './rules-settings.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let serial = 0
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
})
const post = async (path: string, payload: object) =>
  http.inject({ method: 'POST', url: `/app/sms/${path}`, headers: await signedIn(app, boss), payload })
const get = async <T = Record<string, unknown>>(path: string) =>
  (await http.inject({ url: `/app/sms/${path}`, headers: await signedIn(app, boss) })).json<T>()
const remove = async (path: string) =>
  http.inject({ method: 'DELETE', url: `/app/sms/${path}`, headers: await signedIn(app, boss) })
const smpp = () => ({
  gatewayName: `Ncell ${++serial}`,
  driver: 'smpp',
  host: 'smsc.ncell.example',
  port: 2775,
  systemId: `ghanti${serial}`,
  password: 'pa$$word',
  window: 20,
  tps: 50,
})
const aggregator = () => ({
  gatewayName: `Aggregator ${++serial}`,
  driver: 'http',
  method: 'POST',
  url: 'https://api.aggregator.example/v2/sms/',
  headers: { 'Content-Type': 'application/json' },
  body: '{"token":"{token}","from":"{from}","to":"{to}","text":"{text}"}',
  token: 'a token of theirs',
  success: 'response_code=200',
  messageId: '$.id',
  tps: 10,
})
const create = async (body: object) => (await post('gateway', body)).json<{ gatewayId: number }>().gatewayId
const opened = async (gatewayId: number) => {
  const row = await app.db.selectFrom('sms_gateway').selectAll().where('id', '=', gatewayId).executeTakeFirstOrThrow()
  return driverSettings(row, openSecrets(app.config.secret, row.secrets_sealed), 'https://ghanti.example')
}
const seen = (gatewayId: number, state: object = {}) =>
  app.db
    .insertInto('sms_gateway_state')
    .values({ gateway_id: gatewayId, bound: true, ...state })
    .onConflict((on) => on.column('gateway_id').doUpdateSet({ seen_at: new Date(), ...state }))
    .execute()

test('an SMPP gateway is stored as its driver opens it; its password is sealed and never answered', async () => {
  const body = smpp()
  const gatewayId = await create({ ...body, tls: true, certificate: `AB:${'00:'.repeat(30)}CD`, sourceTon: 5 })
  expect(await opened(gatewayId)).toEqual({
    driver: 'smpp',
    host: 'smsc.ncell.example',
    port: 2775,
    systemId: body.systemId,
    password: 'pa$$word',
    systemType: '',
    bind: 'transceiver',
    tls: true,
    certificate: `ab${'00'.repeat(30)}cd`,
    sourceTon: 5,
    sourceNpi: null,
    destTon: 1,
    destNpi: 1,
    alphabet: 'gsm7',
    longMessages: 'udh',
    serviceType: '',
    window: 20,
    tps: 50,
  })
  const row = await app.db.selectFrom('sms_gateway').selectAll().where('id', '=', gatewayId).executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain('pa$$word')
  const detail = await get(`gateway/${gatewayId}`)
  expect(detail).toMatchObject({ hasSecret: true, host: 'smsc.ncell.example', url: null, hasReceiptSecret: false })
  expect(JSON.stringify([detail, await get('gateways')])).not.toContain('pa$$word')
  const log = await app.db.selectFrom('audit_log').selectAll().execute()
  expect(JSON.stringify(log)).not.toContain('pa$$word')
})

test('an HTTP gateway is stored as its driver opens it, with headers as JSON or as text', async () => {
  const body = { ...aggregator(), headers: '{"Content-Type": "application/json"}', receiptSecret: 'sixteen letters!' }
  const gatewayId = await create({ ...body, receipt: { id: 'id', status: 's', delivered: ['1'], failed: ['2'] } })
  expect(await opened(gatewayId)).toEqual({
    driver: 'http',
    method: 'POST',
    url: body.url,
    headers: { 'Content-Type': 'application/json' },
    body: body.body,
    token: 'a token of theirs',
    callback: `https://ghanti.example/app/sms/callback/${gatewayId}?secret=sixteen%20letters!`,
    success: 'response_code=200',
    messageId: '$.id',
    window: 10,
    tps: 10,
  })
  const detail = await get(`gateway/${gatewayId}`)
  expect(detail).toMatchObject({ hasSecret: true, hasReceiptSecret: true, receipt: { delivered: ['1'] }, host: null })
  expect(JSON.stringify(detail)).not.toMatch(/token of theirs|sixteen/)
})

test.each([
  ['an SMPP gateway without a host', () => ({ ...smpp(), host: '' }), 'host', 'is required'],
  ['one without a system ID', () => ({ ...smpp(), systemId: undefined }), 'systemId', 'is required'],
  ['a port that is none', () => ({ ...smpp(), port: 70_000 }), 'port', 'must be a whole number from 1 to 65535'],
  ['no rate', () => ({ ...smpp(), tps: 0 }), 'tps', 'must be a whole number from 1 to 10000'],
  ['a certificate without TLS', () => ({ ...smpp(), certificate: 'ab'.repeat(32) }), 'certificate', 'is for TLS alone'],
  ['another driver', () => ({ ...smpp(), driver: 'modem' }), 'driver', 'must be one of simulator, smpp, http'],
  ['no address', () => ({ ...aggregator(), url: undefined }), 'url', 'is required'],
  ['no rule of success', () => ({ ...aggregator(), success: '' }), 'success', 'is required'],
  [
    'a rule of success that compares with nothing',
    () => ({ ...aggregator(), success: '$.status' }),
    'success',
    'is no rule: write it like $.status = 200, or a text like OK*',
  ],
  [
    'a text that says nowhere where the ID is',
    () => ({ ...aggregator(), messageId: 'id' }),
    'messageId',
    'is no rule: write it like $.data[0].id, or a text with {id} like OK: {id}',
  ],
  [
    'an address of files',
    () => ({ ...aggregator(), url: 'file:///etc/passwd' }),
    'url',
    'must begin with http:// or https://',
  ],
  [
    'a host that depends on the message',
    () => ({ ...aggregator(), url: 'https://{to}.example.com/' }),
    'url',
    'is not an address, or has a place like {to} in its host',
  ],
  [
    'a user in the address',
    () => ({ ...aggregator(), url: 'https://me:secret@example.com/' }),
    'url',
    'must not hold a user: put it into a header',
  ],
  [
    'no place for the text',
    () => ({ ...aggregator(), body: 'to={to}' }),
    'url',
    'must have {text}, here or in the body',
  ],
  [
    'a secret in a header',
    () => ({ ...aggregator(), headers: { Authorization: 'Bearer abc' } }),
    'headers',
    'must have {token} where the secret stands: headers are shown',
  ],
])('a gateway with %s is refused, naming the field', async (_, body, field, text) => {
  const reply = await post('gateway', body())
  expect([reply.statusCode, reply.json()]).toMatchObject([400, { errors: [{ field, text }] }])
})

test('a secret stays when it is left out, unless the gateway moves: another place gets it only from who knows it', async () => {
  const body = smpp()
  const gatewayId = await create(body)
  const { password: _, ...rest } = body
  expect((await post('gateway/update', { gatewayId, ...rest, tps: 5 })).statusCode).toBe(200)
  expect(await opened(gatewayId)).toMatchObject({ password: 'pa$$word', tps: 5 })
  const moved = await post('gateway/update', { gatewayId, ...rest, host: 'evil.example' })
  expect([moved.statusCode, moved.json()]).toMatchObject([
    400,
    { errors: [{ field: 'password', text: 'is required again when the address changes' }] },
  ])
  expect(
    (await post('gateway/update', { gatewayId, ...body, host: 'new.example', password: 'other' })).statusCode,
  ).toBe(200)
  expect(await opened(gatewayId)).toMatchObject({ host: 'new.example', password: 'other' })
  const { token: __, ...http } = aggregator()
  expect((await post('gateway/update', { gatewayId, ...http })).json()).toMatchObject({
    errors: [{ field: 'token', text: 'is required: {token} stands in the request' }],
  })
})

test('two gateways with one login at one address are refused: each would get the receipts of the other', async () => {
  const body = smpp()
  const gatewayId = await create(body)
  const twin = { ...smpp(), systemId: body.systemId, host: body.host.toUpperCase() }
  const why = `is the login of gateway '${body.gatewayName}' at this address: the centre would send the receipts of one to the other`
  const refused = await post('gateway', twin)
  expect([refused.statusCode, refused.json()]).toMatchObject([409, { errors: [{ field: 'systemId', text: why }] }])
  const other = await create({ ...twin, gatewayName: 'Other port', port: 2776 })
  const moved = await post('gateway/update', { ...twin, gatewayId: other })
  expect([moved.statusCode, moved.json()]).toMatchObject([409, { errors: [{ field: 'systemId' }] }])
  expect((await post('gateway/update', { ...body, gatewayId, tps: 7 })).statusCode).toBe(200) // its own login does not conflict
  const both = await Promise.all(
    [1, 2].map((n) => post('gateway', { ...smpp(), gatewayName: `Twin ${n}`, systemId: 'twins' })),
  )
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  await remove(`gateway/${gatewayId}`)
  expect((await post('gateway', twin)).statusCode).toBe(200)
  const sixth = { ...smpp(), systemId: 'sixth', host: '2001:DB8::1' }
  await create(sixth)
  const spelled = await post('gateway', { ...sixth, gatewayName: 'Spelled out', host: '2001:db8:0:0:0:0:0:1' })
  expect([spelled.statusCode, spelled.json()]).toMatchObject([409, { errors: [{ field: 'systemId' }] }])
  await app.db
    .updateTable('sms_gateway')
    .set({ settings: sql`settings || '{"host": "smsc.ncell.example."}'` })
    .where(sql`settings ->> 'systemId'`, '=', 'twins')
    .execute()
  const dotted = await post('gateway', { ...smpp(), gatewayName: 'Dotted', systemId: 'twins' })
  expect(dotted.statusCode).toBe(409)
})

test('two gateways of one name are refused, in whatever case of letters', async () => {
  const body = smpp()
  await create(body)
  const reply = await post('gateway', { ...body, port: 1, gatewayName: body.gatewayName.toUpperCase() })
  expect([reply.statusCode, reply.json()]).toMatchObject([409, { errors: [{ field: 'gatewayName', code: 'taken' }] }])
})

test('the list shows what the engine sees of a gateway, and narrows down to it; old news is none', async () => {
  const [bound, held, unseen] = [await create(smpp()), await create(smpp()), await create(aggregator())]
  await seen(bound, {
    window_used: 3,
    per_second: 12,
    waiting: 40,
    last_error: 'it was away',
    last_error_at: new Date('2026-05-04T03:02:01Z'),
  })
  await seen(held, { held_since: new Date(), held_reason: 'it refuses the login' })
  const rows = await get<Record<string, unknown>[]>('gateways?sort=gatewayId&order=asc&search=n')
  expect(rows.find((row) => row['gatewayId'] === bound)).toMatchObject({
    place: 'smsc.ncell.example:2775',
    enabled: true,
    state: {
      bound: true,
      windowUsed: 3,
      perSecond: 12,
      waiting: 40,
      held: null,
      lastError: 'it was away',
      lastErrorTime: '2026-05-04 08:47:01',
    },
  })
  const of = async (state: string) =>
    (await get<{ gatewayId: number }[]>(`gateways?state=${state}`)).map(({ gatewayId }) => gatewayId)
  expect(await of('held')).toEqual([held])
  expect(await of('bound')).toEqual([bound])
  expect(await of('unbound')).toContain(unseen)
  await app.db
    .updateTable('sms_gateway_state')
    .set({ seen_at: new Date(Date.now() - 60_000) })
    .where('gateway_id', '=', bound)
    .execute()
  const old = await get<Record<string, unknown>[]>('gateways')
  expect(old.find((row) => row['gatewayId'] === bound)).toMatchObject({ state: null })
})

test('a hold raises one alert and tells every super admin; its end clears the alert', async () => {
  const gatewayId = await create(smpp())
  const down = { down_since: new Date(), down_reason: 'it refuses the login' }
  await seen(gatewayId, { held_since: new Date(), held_reason: 'it refuses the login', ...down })
  await seen(gatewayId, down)
  const alerts = app.db
    .selectFrom('alert')
    .select(['detail', 'cleared_at'])
    .where('subject', '=', `gateway ${gatewayId}`)
  expect(await alerts.execute()).toMatchObject([
    { detail: expect.stringMatching(/: it refuses the login$/), cleared_at: null },
  ])
  const notices = app.db
    .selectFrom('notice')
    .select('user_id')
    .where('kind', '=', 'gatewayDown')
    .where('subject_id', '=', gatewayId)
  expect(await notices.execute()).toEqual([{ user_id: boss.userId }])
  await seen(gatewayId, { held_since: null, held_reason: null, down_since: null, down_reason: null })
  expect(await alerts.execute()).toMatchObject([{ cleared_at: expect.any(Date) }])
})

test('a gateway is disabled and enabled; it is deleted when no route leads through it and nothing is in flight', async () => {
  const gatewayId = await create(smpp())
  expect((await post('gateway/enable', { gatewayId, enabled: false })).statusCode).toBe(200)
  expect(await get<object[]>('gateways?state=disabled')).toMatchObject([{ gatewayId, enabled: false }])
  const { routeId } = (
    await post('route', { operators: ['ntc', 'ncell'], cliName: 'Momo', steps: [{ gatewayId }] })
  ).json<{ routeId: number }>()
  const onRoute = await remove(`gateway/${gatewayId}`)
  expect([onRoute.statusCode, onRoute.json()]).toMatchObject([
    409,
    {
      errors: [
        { field: 'gatewayId', text: "is on the way of 'Nepal Telecom, Ncell (Momo)': change these routes first" },
      ],
    },
  ])
  await remove(`route/${routeId}`)
  const user = await newUser(app)
  const open = {
    gateway_id: gatewayId,
    epoch: 1,
    campaign_id: 1,
    no: 1,
    account_id: user.userId,
    phone: 9779841000001,
    operator: 1,
    segments: 1,
    reserved_paisa: 0,
    from_state: 'fresh',
    day: '2026-11-20',
  } as const
  await app.db.insertInto('sms_open').values(open).execute()
  expect((await remove(`gateway/${gatewayId}`)).json()).toMatchObject({
    errors: [{ text: 'has 1 message in flight: disable it and wait until they are answered' }],
  })
  await app.db.deleteFrom('sms_open').execute()
  expect((await remove(`gateway/${gatewayId}`)).statusCode).toBe(200)
  expect((await remove(`gateway/${gatewayId}`)).statusCode).toBe(404)
})

test('a test is left for the engine that is connected; without one, or while another runs, it is refused', async () => {
  const gatewayId = await create(smpp())
  const message = { gatewayId, mobile: '9841000001', smsText: 'नमस्ते' }
  expect((await post('gateway/test', message)).json()).toMatchObject({ errors: [{ code: 'no_engine' }] })
  await seen(gatewayId)
  const { testId } = (await post('gateway/test', message)).json<{ testId: number }>()
  expect((await post('gateway/test', { gatewayId, testKind: 'ping' })).json()).toMatchObject({
    errors: [{ code: 'busy' }],
  })
  const result = () => get(`gateway/test/${testId}`)
  expect(await result()).toMatchObject({
    deliveryStatus: 'Waiting',
    isOver: false,
    mobile: '9841000001',
    testKind: 'message',
  })
  const taken = {
    taken_at: new Date(),
    state: 'failed',
    reason: 'it refuses the number',
    ended_at: new Date(),
  } as const
  await app.db.updateTable('sms_gateway_test').set(taken).where('id', '=', testId).execute()
  expect(await result()).toMatchObject({ deliveryStatus: 'Failed', reason: 'it refuses the number', isOver: true })
})

test('a test that nobody takes up within ten seconds has failed', async () => {
  const gatewayId = await create(smpp())
  await seen(gatewayId)
  const { testId } = (await post('gateway/test', { gatewayId, testKind: 'ping' })).json<{ testId: number }>()
  await app.db
    .updateTable('sms_gateway_test')
    .set({ asked_at: new Date(Date.now() - 11_000) })
    .where('id', '=', testId)
    .execute()
  expect(await get(`gateway/test/${testId}`)).toMatchObject({
    deliveryStatus: 'Failed',
    reason: 'no engine took it up within 10 seconds',
    isOver: true,
  })
})

test.each([
  ['no number', { smsText: 'x' }, 'mobile', 'is required'],
  ['no text', { mobile: '9841000001' }, 'smsText', 'is required'],
  ['a landline', { mobile: '015970001', smsText: 'x' }, 'mobile', 'takes no messages: it is not a mobile number'],
])('a test message with %s is refused, naming the field', async (_, said, field, text) => {
  const gatewayId = await create(smpp())
  await seen(gatewayId)
  const reply = await post('gateway/test', { gatewayId, ...said })
  expect([reply.statusCode, reply.json()]).toMatchObject([400, { errors: [{ field, text }] }])
})

test('with demo accounts a gateway is this machine or the simulator, and nothing else', async () => {
  const demo = await testAppWithDemo()
  const refused = await demo('gateway', smpp())
  expect([refused.statusCode, refused.json()]).toMatchObject([400, { errors: [{ field: 'host', code: 'demo' }] }])
  expect((await demo('gateway', aggregator())).json()).toMatchObject({ errors: [{ field: 'url', code: 'demo' }] })
  expect((await demo('gateway', { ...smpp(), host: '127.0.0.1' })).statusCode).toBe(200)
  expect((await demo('gateway', { ...aggregator(), url: 'http://localhost:9/sms' })).statusCode).toBe(200)
  expect((await demo('gateway', { gatewayName: 'Another simulator', driver: 'simulator', tps: 5 })).statusCode).toBe(
    200,
  )
})

async function testAppWithDemo() {
  const user = await newUser(app)
  await app.db.updateTable('users').set({ is_demo: true }).where('id', '=', user.userId).execute()
  return async (path: string, body: object) => post(path, body)
}
