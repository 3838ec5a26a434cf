import { randomUUID } from 'node:crypto'
import { plainSipOptions } from '@ghanti/contract/sip-options.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test, vi } from 'vitest'
import { unseal } from '../../lib/secrets.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { forgetOldTests } from './actions-tests.ts'
import { sipSecretPurpose } from './rules-secrets.ts'
import { trunkHandlers } from './routes-trunks.ts'
import { polling } from '../../testing/timeouts.ts'

const app = await testApp({ embedded: false })
let http: FastifyInstance
let admin: { authorization: string }
let dialerId: number
beforeAll(async () => {
  http = await testHttp(app, { handlers: { trunks: trunkHandlers } })
  admin = await signedIn(app, await newSuperAdmin(app))
  ;({ dialerId } = await newLine(app))
})

const post = (url: string, payload: object, headers = admin) => http.inject({ method: 'POST', url, headers, payload })
const get = async (url: string) => (await http.inject({ url, headers: admin })).json()
const remove = (id: number) => http.inject({ method: 'DELETE', url: `/api/obd/trunk/${id}`, headers: admin })
const form = (of: object = {}) => ({
  trunkName: `NTC ${randomUUID()}`,
  pilotNumber: '01-5970000',
  dialerId,
  channels: 30,
  cps: 5,
  ...of,
})
async function created(of: object = {}) {
  const said = form(of)
  const reply = await post('/api/obd/trunk', said)
  expect(reply.statusCode, reply.body).toBe(200)
  return { ...said, trunkId: reply.json<{ trunkId: number }>().trunkId }
}
const test1 = (of: object) => post('/api/obd/trunk/test', of)
const held = (id: number) =>
  app.pool.query(
    `insert into dialer_lease values ($1, 'test', 1, now() + interval '1 minute')
     on conflict (dialer_id) do update set expires_at = excluded.expires_at`,
    [id],
  )

test('a trunk needs name, pilot number, dialer, channels and cps; SIP settings have defaults; it is listed and audited', async () => {
  const { trunkId, trunkName } = await created()
  const { name: dialerName } = await app.db
    .selectFrom('dialer')
    .select('name')
    .where('id', '=', dialerId)
    .executeTakeFirstOrThrow()
  const row = {
    trunkId,
    trunkName,
    pilotNumber: '01-5970000',
    dialerId,
    dialerName,
    channels: 30,
    cps: 5,
    contractId: null,
    contractName: null,
  }
  const listed = await get(`/api/obd/trunks/list?search=${encodeURIComponent(trunkName)}`)
  expect(listed).toEqual([{ ...row, activeCli: 0, state: null }])
  const sip = { host: null, port: null, transport: 'udp', user: null, hasSecret: false, codecs: ['alaw', 'ulaw'] }
  const numbers = {
    cliFormat: 'national',
    cliHeader: 'auto',
    numberStrip: '',
    numberPrefix: '',
    registers: false,
    ringSeconds: 45,
    testNumber: null,
  }
  const beside = { unusable: null, symptoms: [], sip: { ...sip, ...numbers, ...plainSipOptions } }
  expect(await get(`/api/obd/trunk/detail/${trunkId}`)).toEqual({ ...row, ...beside })
  const log = await app.db.selectFrom('audit_log').select('action').where('target', '=', `trunk ${trunkId}`).execute()
  expect(log).toEqual([{ action: 'trunk.create' }])
})

test.each([
  { why: 'no name', of: { trunkName: ' ' }, field: 'trunkName' },
  { why: 'no pilot number', of: { pilotNumber: '' }, field: 'pilotNumber' },
  { why: 'a pilot number of letters', of: { pilotNumber: 'NTC' }, field: 'pilotNumber' },
  { why: 'no dialer', of: { dialerId: '' }, field: 'dialerId' },
  { why: 'a dialer that is not there', of: { dialerId: 999_999 }, field: 'dialerId' },
  { why: 'no channels', of: { channels: '' }, field: 'channels' },
  { why: 'no calls per second', of: { cps: 0 }, field: 'cps' },
  { why: 'a host that is none', of: { sip: { host: 'a b' } }, field: 'sip.host' },
  { why: 'a line break in the user', of: { sip: { user: 'a\r\nb' } }, field: 'sip.user' },
  { why: 'a sign that no SIP address can have in its user', of: { sip: { user: 'a#b' } }, field: 'sip.user' },
  { why: 'a letter that no SIP address can have', of: { sip: { user: 'हिमाल' } }, field: 'sip.user' },
  { why: 'a line break in the password', of: { sip: { user: 'a', secret: 'x\r\ny' } }, field: 'sip.secret' },
  { why: 'a password without a user', of: { sip: { secret: 'x' } }, field: 'sip.user' },
  { why: 'registering nowhere', of: { sip: { registers: true, user: 'a' } }, field: 'sip.host' },
  { why: 'registering as nobody', of: { sip: { registers: true, host: 'sip.ntc.net.np' } }, field: 'sip.user' },
  { why: 'nobody in From', of: { sip: { host: 'sip.ntc.net.np', cliHeader: 'asserted' } }, field: 'sip.user' },
  { why: 'a codec that nobody speaks', of: { sip: { codecs: ['alaw', 'mp3'] } }, field: 'sip.codecs.1' },
  { why: 'no codec', of: { sip: { codecs: [] } }, field: 'sip.codecs' },
  { why: 'a codec twice', of: { sip: { codecs: ['alaw', 'alaw'] } }, field: 'sip.codecs' },
  { why: 'a beginning with a plus', of: { sip: { numberStrip: '+977' } }, field: 'sip.numberStrip' },
  { why: 'a ring time too short to pick up', of: { sip: { ringSeconds: 4 } }, field: 'sip.ringSeconds' },
  { why: 'a ring time of minutes', of: { sip: { ringSeconds: 121 } }, field: 'sip.ringSeconds' },
  { why: 'a test number that nobody may call', of: { sip: { testNumber: '1144' } }, field: 'sip.testNumber' },
  { why: 'a domain of digits', of: { sip: { host: '10.0.0.1', byDns: true } }, field: 'sip.host' },
  { why: 'a further host that is none', of: { sip: { host: 'h', hosts: ['a b'] } }, field: 'sip.hosts' },
  {
    why: 'further hosts beside a proxy',
    of: { sip: { host: 'h', hosts: ['a'], outboundProxy: 'p' } },
    field: 'sip.hosts',
  },
  { why: 'a name to sign in without a user', of: { sip: { authUser: 'a@b' } }, field: 'sip.user' },
  { why: 'a line break in it', of: { sip: { user: 'a', authUser: 'a\r\nb' } }, field: 'sip.authUser' },
  { why: 'a domain of From that is none', of: { sip: { fromDomain: 'a b' } }, field: 'sip.fromDomain' },
  { why: 'a proxy with parameters', of: { sip: { outboundProxy: 'a;lr' } }, field: 'sip.outboundProxy' },
  { why: 'a proxy at a port that is none', of: { sip: { outboundProxy: 'a:65536' } }, field: 'sip.outboundProxy' },
  { why: 'a contact user of two', of: { sip: { contactUser: 'a@b' } }, field: 'sip.contactUser' },
  { why: 'a header that nobody knows', of: { sip: { identityHeader: 'x' } }, field: 'sip.identityHeader' },
  { why: 'letters as the diverting number', of: { sip: { diversion: '01x' } }, field: 'sip.diversion' },
  {
    why: 'a certificate that is the name of a file',
    of: { sip: { host: 'h', transport: 'tls', clientCertificate: '../ari.key' } },
    field: 'sip.clientCertificate',
  },
  {
    why: 'a certificate without TLS',
    of: { sip: { host: 'h', transport: 'tcp', clientCertificate: 'ntc' } },
    field: 'sip.clientCertificate',
  },
  { why: 'several users, and no registration', of: { sip: { aors: ['a'] } }, field: 'sip.registers' },
  {
    why: 'a user that cannot be registered',
    of: { sip: { host: 'h', user: 'a', registers: true, aors: ['b', 'c@d'] } },
    field: 'sip.aors',
  },
  {
    why: 'more users than one trunk registers',
    of: { sip: { host: 'h', user: 'a', registers: true, aors: Array.from({ length: 11 }, (_, n) => `u${n}`) } },
    field: 'sip.aors',
  },
  { why: 'a name as the address of requests', of: { sip: { addresses: ['sip.ntc.net.np'] } }, field: 'sip.addresses' },
  { why: 'all addresses at once', of: { sip: { addresses: ['0.0.0.0/0'] } }, field: 'sip.addresses' },
  { why: 'keys in no known way', of: { sip: { dtmf: 'smoke' } }, field: 'sip.dtmf' },
  { why: 'sessions too short for SIP', of: { sip: { sessionSeconds: 60 } }, field: 'sip.sessionSeconds' },
  { why: 'no time for a reply', of: { sip: { silentSeconds: 1 } }, field: 'sip.silentSeconds' },
  { why: 'a prefix of letters', of: { sip: { numberPrefix: 'x' } }, field: 'sip.numberPrefix' },
])('refused with the field named: $why', async ({ of, field }) => {
  const reply = await post('/api/obd/trunk', form(of))
  expect(reply.statusCode, reply.body).toBe(400)
  expect(reply.json()).toMatchObject({ message: 'Parameters Incorrect', errors: [{ field }] })
})

test('a name is one trunk’s, in any case of letters', async () => {
  const { trunkName } = await created()
  const reply = await post('/api/obd/trunk', form({ trunkName: trunkName.toLowerCase() }))
  expect(reply.statusCode).toBe(409)
  expect(reply.json()).toMatchObject({ errors: [{ field: 'trunkName' }] })
})

test('the operator’s password is sealed and never answered; an update without SIP settings leaves them, one without password keeps it', async () => {
  const sip = {
    host: 'sip.ntc.net.np',
    transport: 'tls',
    user: 'ghanti',
    secret: 'hush hush',
    codecs: ['g722'],
    cliFormat: 'plus',
    cliHeader: 'both',
    numberStrip: '977',
    numberPrefix: '0',
    registers: true,
    ringSeconds: 30,
    testNumber: '9841000050',
    authUser: 'ghanti@ims.ntc.net.np',
    outboundProxy: '[2001:db8::1]:5080',
    addresses: ['203.0.113.0/29', '2001:db8::7'],
    aors: ['015970010'],
    identityHeader: 'preferred',
    sendsOptions: false,
    sessionSeconds: 600,
    silentSeconds: 10,
    rtpTimeoutSeconds: 0,
  }
  const { trunkId, ...said } = await created({ sip })
  const sealed = async () => {
    const row = await app.db
      .selectFrom('trunk')
      .select('sip_secret_sealed')
      .where('id', '=', trunkId)
      .executeTakeFirstOrThrow()
    return row.sip_secret_sealed ?? ''
  }
  expect(unseal(app.config.secret, sipSecretPurpose, await sealed())).toBe('hush hush')
  const { secret: _, ...kept } = sip
  const detail = async () => (await http.inject({ url: `/api/obd/trunk/detail/${trunkId}`, headers: admin })).body
  expect(JSON.parse(await detail()).sip).toEqual({ ...plainSipOptions, ...kept, port: null, hasSecret: true })
  expect((await post('/api/obd/trunk/update', { ...said, trunkId, sip: undefined, cps: 6 })).statusCode).toBe(200)
  expect(JSON.parse(await detail())).toMatchObject({ cps: 6, sip: { ...kept, hasSecret: true } })
  expect(
    (await post('/api/obd/trunk/update', { ...said, trunkId, sip: { ...kept, cliFormat: 'e164' } })).statusCode,
  ).toBe(200)
  expect(JSON.parse(await detail())).toMatchObject({ sip: { cliFormat: 'e164', hasSecret: true } })
  expect((await post('/api/obd/trunk/update', { ...said, trunkId, sip: { host: 'other' } })).statusCode).toBe(200)
  expect(JSON.parse(await detail())).toMatchObject({
    sip: { host: 'other', user: null, hasSecret: false, registers: false },
  })
  const list = await http.inject({ url: '/api/obd/trunks/list', headers: admin })
  const logged = await app.db
    .selectFrom('audit_log')
    .select('detail')
    .where('target', '=', `trunk ${trunkId}`)
    .orderBy('id')
    .execute()
  expect(`${await detail()}${list.body}${JSON.stringify(logged)}`).not.toMatch(/hush|sealed/)
  const name = said.trunkName
  const [, faster, slower, moved] = logged.map((line) => line.detail)
  expect([faster, slower], 'only what was changed').toEqual([
    { name, cps: 6 },
    { name, cps: 5, cli_format: 'e164' },
  ])
  expect(moved).toMatchObject({ sip_host: 'other', sip_user: '–', hasSecret: false })
})

test('a trunk that goes to another host needs its password again', async () => {
  const sip = { host: 'sip.ntc.net.np', user: 'ghanti', secret: 'one', codecs: ['alaw'] }
  const { trunkId, ...said } = await created({ sip })
  const update = (of: object) => post('/api/obd/trunk/update', { ...said, trunkId, sip: { ...sip, ...of } })
  const kept = { secret: undefined }
  expect((await update({ ...kept, port: 5070 })).statusCode).toBe(200)
  for (const elsewhere of [{ host: 'evil.example.com' }, { host: undefined }, { outboundProxy: 'evil.example.com' }]) {
    const reply = await update({ ...kept, ...elsewhere })
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({
      errors: [{ field: 'sip.secret', text: 'is required again when the address changes' }],
    })
  }
  expect((await update({ host: 'sip.other.net.np', secret: 'two' })).statusCode).toBe(200)
  expect((await update({ host: 'sip.third.net.np', user: undefined, secret: undefined })).statusCode).toBe(200)
})

test('a trunk in use is neither deleted nor moved, and says by whom', async () => {
  const user = await newUser(app, { rupees: 10 })
  const { trunkId, cli } = await newLine(app, { holders: [user], dialerId })
  const said = { ...form(), trunkId }
  const byCli = await remove(trunkId)
  expect(byCli.statusCode).toBe(409)
  expect(byCli.json()).toMatchObject({
    errors: [{ field: 'trunkId', text: `has the caller ID '${cli}': delete it or move it first` }],
  })
  const campaignId = await newCampaign(app, user, { rows: 1 })
  const { cli_id } = await app.db
    .selectFrom('cli')
    .select('id as cli_id')
    .where('number', '=', cli)
    .executeTakeFirstOrThrow()
  await app.db
    .updateTable('campaign')
    .set({ trunk_id: trunkId, dialer_id: dialerId, cli_id, status: 'running' })
    .where('id', '=', campaignId)
    .execute()
  const inUse = /^is used by '.+' \(Running\): wait until they are finished or stop them$/
  expect((await remove(trunkId)).json()).toMatchObject({
    errors: [{ field: 'trunkId', text: expect.stringMatching(inUse) }],
  })
  const other = await newLine(app)
  const moved = await post('/api/obd/trunk/update', { ...said, dialerId: other.dialerId })
  expect(moved.statusCode).toBe(409)
  expect(moved.json()).toMatchObject({ errors: [{ field: 'dialerId', text: expect.stringMatching(inUse) }] })
  await app.db.updateTable('campaign').set({ status: 'complete' }).where('id', '=', campaignId).execute()
  expect((await post('/api/obd/trunk/update', { ...said, dialerId: other.dialerId })).statusCode).toBe(200)
  await app.db.updateTable('cli').set({ deleted_at: new Date() }).where('trunk_id', '=', trunkId).execute()
  expect((await remove(trunkId)).statusCode).toBe(200)
  expect((await remove(trunkId)).statusCode).toBe(404)
})

test('only super admins', async () => {
  const { trunkId, ...said } = await created()
  for (const person of [await newUser(app), await newReseller(app)]) {
    const headers = await signedIn(app, person)
    for (const [url, payload] of [
      ['/api/obd/trunk', form()],
      ['/api/obd/trunk/update', { ...said, trunkId }],
      ['/api/obd/trunk/test', { trunkId, testKind: 'ping' }],
    ] as const)
      expect((await post(url, payload, headers)).statusCode).toBe(403)
    for (const url of ['/api/obd/trunks/list', `/api/obd/trunk/detail/${trunkId}`, '/api/obd/trunk/test/1'])
      expect((await http.inject({ url, headers })).statusCode).toBe(403)
    expect((await http.inject({ method: 'DELETE', url: `/api/obd/trunk/${trunkId}`, headers })).statusCode).toBe(403)
  }
})

test('a test is refused when no engine holds the dialer, when one runs already, and for numbers that nobody may call', async () => {
  const { trunkId } = await created()
  await app.pool.query('delete from dialer_lease where dialer_id = $1', [dialerId])
  const nobody = await test1({ trunkId, testKind: 'ping' })
  expect(nobody.statusCode).toBe(409)
  expect(nobody.json()).toMatchObject({
    errors: [
      {
        field: 'trunkId',
        code: 'no_engine',
        text: expect.stringMatching(/^cannot be tested: no engine holds its dialer '/),
      },
    ],
  })
  await held(dialerId)
  const call = (of: object) => test1({ trunkId, testKind: 'call', ...of })
  expect((await call({})).json()).toMatchObject({ errors: [{ field: 'number', text: 'is required' }] })
  expect((await call({ number: '+14155550100' })).json()).toMatchObject({
    errors: [{ field: 'number', text: 'is not Nepali' }],
  })
  expect((await call({ number: '9841000001', cli: '015979999' })).json()).toMatchObject({ errors: [{ field: 'cli' }] })
  await app.pool.query(
    `insert into blacklist (phone, owner_id) select 9779841000009, id from account where kind = 'mint'`,
  )
  expect((await call({ number: '9841000009' })).json()).toMatchObject({
    errors: [{ field: 'number', text: 'is blacklisted' }],
  })
  expect((await call({ number: '9841000001' })).statusCode).toBe(200)
  expect((await test1({ trunkId, testKind: 'ping' })).json()).toMatchObject({
    errors: [{ text: 'is being tested already' }],
  })
  const stopped = (what: string) =>
    `insert into dial_block (what, kind, reason, by_user_id) select '${what}', 'platform', 'fire', id from users limit 1`
  await app.pool.query(stopped('messages'))
  expect((await call({ number: '9841000001' })).json(), 'messages alone are stopped').toMatchObject({
    errors: [{ text: 'is being tested already' }],
  })
  await app.pool.query(stopped('calls'))
  expect((await call({ number: '9841000001' })).json()).toMatchObject({
    errors: [{ field: 'trunkId', code: 'stopped' }],
  })
  await app.pool.query('delete from dial_block')
})

test('a test that no engine takes up within ten seconds has failed, in words; after 30 days it is forgotten', async () => {
  const { trunkId } = await created()
  await held(dialerId)
  const { testId } = (await test1({ trunkId, testKind: 'call', number: '९८४१००००५५' })).json<{ testId: number }>()
  const result = () => get(`/api/obd/trunk/test/${testId}`)
  const asked = { testId, trunkId, testKind: 'call', number: '9841000055', cli: '015970000', progress: null }
  expect(await result()).toMatchObject({ ...asked, passed: null, result: null })
  await app.pool.query(`update trunk_test set asked_at = now() - interval '11 seconds' where id = $1`, [testId])
  expect(await result()).toMatchObject({ passed: false, result: 'no engine took it up within 10 seconds' })
  expect((await http.inject({ url: '/api/obd/trunk/test/999999', headers: admin })).statusCode).toBe(404)
  await forgetOldTests(app.db)
  expect(await result()).toMatchObject(asked)
  await app.pool.query(`update trunk_test set asked_at = now() - interval '31 days' where id = $1`, [testId])
  await forgetOldTests(app.db)
  expect(await result()).toMatchObject({ message: 'No data found' })
})

test('a trunk that its dialer cannot use says why, in the list and on itself, while an engine holds the dialer', async () => {
  const { trunkId, trunkName } = await created()
  const unusable = 'DNS does not know its host sip.example.com'
  await held(dialerId)
  await app.pool.query(
    'insert into trunk_state (trunk_id, calls, channels, begun, unusable) values ($1, 0, 0, 0, $2)',
    [trunkId, unusable],
  )
  const listed = () => get(`/api/obd/trunks/list?search=${encodeURIComponent(trunkName)}`)
  expect(await listed()).toMatchObject([{ state: { unusable, held: null } }])
  expect(await get(`/api/obd/trunk/detail/${trunkId}`)).toMatchObject({ unusable })
  await app.pool.query("update trunk_state set seen_at = now() - interval '1 minute' where trunk_id = $1", [trunkId])
  expect(await listed()).toMatchObject([{ state: null }])
  expect(await get(`/api/obd/trunk/detail/${trunkId}`)).toMatchObject({ unusable: null })
})

test('a trunk that is moved or deleted while a campaign is composed over it waits for that, neither fails', async () => {
  const held = await newLine(app)
  const { dialerId: other } = await newLine(app)
  const composing = await app.pool.connect()
  try {
    for (const act of [
      () => remove(held.trunkId),
      () => post('/api/obd/trunk/update', { ...form({ dialerId: other }), trunkId: held.trunkId }),
    ]) {
      await composing.query('begin')
      await composing.query('select from cli where id = $1 for share', [held.cliId])
      const acting = act()
      await vi.waitFor(async () => {
        const { rows } = await app.pool.query('select from pg_locks where not granted')
        expect(rows).not.toHaveLength(0)
      }, polling)
      await composing.query('select from trunk where id = $1 for key share', [held.trunkId]) // as the campaign's foreign key does
      await composing.query('commit')
      expect((await acting).statusCode).toBeLessThan(500)
    }
  } finally {
    composing.release()
  }
})
