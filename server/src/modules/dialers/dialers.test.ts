import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { unseal } from '../../lib/secrets.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { dialerHandlers } from './routes-dialers.ts'
import { ariSecretPurpose } from './rules-secrets.ts'

const app = await testApp({ embedded: false })
let http: FastifyInstance
let admin: { authorization: string }
beforeAll(async () => {
  http = await testHttp(app, { handlers: { dialers: dialerHandlers } })
  admin = await signedIn(app, await newSuperAdmin(app))
})

const post = (url: string, payload: object, headers = admin) => http.inject({ method: 'POST', url, headers, payload })
const get = async (url: string) => (await http.inject({ url, headers: admin })).json()
const remove = (id: number) => http.inject({ method: 'DELETE', url: `/api/obd/dialer/${id}`, headers: admin })
let port = 9000
const form = (of: object = {}) => ({
  dialerName: `KTM ${randomUUID()}`,
  dialerIP: '10.0.0.5',
  dialerPort: ++port,
  ...of,
})
async function created(of: object = {}) {
  const said = form(of)
  const reply = await post('/api/obd/dialer', said)
  expect(reply.statusCode, reply.body).toBe(200)
  return { ...said, dialerId: reply.json<{ dialerId: number }>().dialerId }
}
const lastAudit = () =>
  app.db.selectFrom('audit_log').select(['action', 'target', 'detail']).orderBy('id', 'desc').executeTakeFirstOrThrow()

test('a dialer needs its name, IP and port; the rest has defaults; it is listed, offered in pickers, and audited', async () => {
  const { dialerId, dialerName, dialerPort } = await created()
  const row = { dialerId, dialerName, dialerIP: '10.0.0.5', dialerPort, cps: 10, totalChannels: 100 }
  const none = { cpsReduction: null, channelReduction: null, driver: 'asterisk' }
  const calls = { dialerCalls: 0, callCampaigns: 0, callAccounts: 0, givenUp: null, state: null }
  const listed = await get(`/api/obd/dialers/list?search=${encodeURIComponent(dialerName)}`)
  expect(listed).toEqual([{ ...row, ...none, activeCli: 0, ...calls }])
  expect(await get('/api/obd/dialers/')).toContainEqual({ dialerId, dialerName })
  const ari = { user: null, hasSecret: false, tlsFingerprint: null, mediaFolder: null, mediaUrl: null }
  expect(await get(`/api/obd/dialer/detail/${dialerId}`)).toEqual({ ...row, ...none, ...calls, ari })
  expect(await lastAudit()).toMatchObject({ action: 'dialer.create', target: `dialer ${dialerId}` })
})

const fingerprint = Array(32).fill('Ab').join(':')

test.each([
  { why: 'no name', of: { dialerName: '' }, field: 'dialerName', text: 'is required' },
  { why: 'no IP', of: { dialerIP: '' }, field: 'dialerIP', text: 'is required' },
  { why: 'no port', of: { dialerPort: '' }, field: 'dialerPort', text: 'is required' },
  { why: 'a port beyond all', of: { dialerPort: 65_536 }, field: 'dialerPort', text: /from 1 to 65535/ },
  { why: 'an address that is none', of: { dialerIP: '10.0.0.300' }, field: 'dialerIP', text: /IP address/ },
  { why: 'a path in it', of: { dialerIP: 'evil/../x' }, field: 'dialerIP', text: /IP address/ },
  {
    why: 'credentials in the clear across networks',
    of: { dialerIP: '203.0.113.9' },
    field: 'ari.tlsFingerprint',
    text: /must not pass unencrypted/,
  },
  { why: 'a password without a user', of: { ari: { secret: 'x' } }, field: 'ari.user', text: /is required/ },
  {
    why: 'a fingerprint that is none',
    of: { ari: { tlsFingerprint: 'abc' } },
    field: 'ari.tlsFingerprint',
    text: /64/,
  },
  {
    why: 'prompts from two places',
    of: { ari: { mediaFolder: '/a', mediaUrl: 'https://a' } },
    field: 'ari.mediaUrl',
    text: /one place/,
  },
  { why: 'a simulator in production', of: { driver: 'simulator' }, field: 'driver', text: /belongs to the demo/ },
])('refused with the field named: $why', async ({ of, field, text }) => {
  const reply = await post('/api/obd/dialer', form(of))
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({
    message: 'Parameters Incorrect',
    errors: [{ field, text: expect.stringMatching(text) }],
  })
})

test('names are unique without regard to case, an address is one dialer’s; a deleted one leaves both free', async () => {
  const one = await created({ dialerName: 'Pokhara' })
  const sameName = await post('/api/obd/dialer', form({ dialerName: 'POKHARA' }))
  expect(sameName.statusCode).toBe(409)
  expect(sameName.json()).toMatchObject({
    message: 'Request Failed!! Please try again',
    errors: [{ field: 'dialerName', text: "'POKHARA' is taken" }],
  })
  const there = { dialerIP: one.dialerIP, dialerPort: one.dialerPort }
  expect((await post('/api/obd/dialer', form(there))).json()).toMatchObject({
    errors: [{ field: 'dialerPort', text: "is where dialer 'Pokhara' is already" }],
  })
  expect((await remove(one.dialerId)).statusCode).toBe(200)
  await created({ dialerName: 'pokhara', ...there })
})

test('a secret is sealed in the database and never answered; left out it stays, without its user it goes', async () => {
  const made = await created({
    ari: { user: 'ghanti', secret: 'hush hush', tlsFingerprint: fingerprint, mediaUrl: 'https://calls.example.com/m' },
  })
  const { dialerId } = made
  const detail = async () => (await http.inject({ url: `/api/obd/dialer/detail/${dialerId}`, headers: admin })).body
  const sealed = async () => {
    const row = await app.db
      .selectFrom('dialer')
      .select('ari_secret_sealed')
      .where('id', '=', dialerId)
      .executeTakeFirstOrThrow()
    return row.ari_secret_sealed
  }
  expect(await sealed()).not.toContain('hush')
  expect(unseal(app.config.secret, ariSecretPurpose, (await sealed()) ?? '')).toBe('hush hush')
  const said = JSON.parse(await detail())
  expect(said.ari).toEqual({
    user: 'ghanti',
    hasSecret: true,
    tlsFingerprint: 'ab'.repeat(32),
    mediaFolder: null,
    mediaUrl: 'https://calls.example.com/m',
  })
  const update = (ari?: object) => post('/api/obd/dialer/update', { ...made, ...(ari ? { ari } : { ari: undefined }) })
  for (const ari of [undefined, { user: 'other' }]) {
    expect((await update(ari)).statusCode).toBe(200)
    expect(JSON.parse(await detail()).ari.hasSecret).toBe(true)
  }
  expect((await update({})).statusCode).toBe(200)
  expect(await sealed()).toBeNull()
  const logged = await app.db
    .selectFrom('audit_log')
    .select('detail')
    .where('target', '=', `dialer ${dialerId}`)
    .execute()
  expect(JSON.stringify(logged)).not.toMatch(/hush|sealed/)
  expect(await detail()).not.toContain('hush')
})

test('update sends the caps of now: below the total they hold, at it they are none, above it they are refused', async () => {
  const { dialerId, ...said } = await created({ cps: 20, totalChannels: 50 })
  const update = (of: object) => post('/api/obd/dialer/update', { dialerId, ...said, ...of })
  const caps = async () => {
    const { cps, totalChannels, cpsReduction, channelReduction } = await get(`/api/obd/dialer/detail/${dialerId}`)
    return [cps, totalChannels, cpsReduction, channelReduction]
  }
  expect((await update({ cpsReduction: '5', channelReduction: 0 })).statusCode).toBe(200)
  expect(await caps()).toEqual([20, 50, 5, 0])
  expect((await update({})).statusCode).toBe(200)
  expect(await caps()).toEqual([20, 50, 5, 0])
  expect((await update({ cpsReduction: 20, channelReduction: 50 })).statusCode).toBe(200)
  expect(await caps()).toEqual([20, 50, null, null])
  const tooMany = await update({ cpsReduction: 21 })
  expect(tooMany.statusCode).toBe(400)
  expect(tooMany.json()).toMatchObject({ errors: [{ field: 'cpsReduction', text: 'is more than the total of 20' }] })
})

test('everything that is wrong with an update is said at once, each at its field', async () => {
  const { dialerId, ...said } = await created({ cps: 20, totalChannels: 50 })
  const update = async (of: object) => {
    const reply = await post('/api/obd/dialer/update', { dialerId, ...said, ...of })
    const { errors } = reply.json<{ errors: { field: string; text: string }[] }>()
    return Object.fromEntries(errors.map(({ field, text }) => [field, text]))
  }
  const above = { cpsReduction: 'is more than the total of 20', channelReduction: 'is more than the total of 50' }
  const wrong = { cpsReduction: '21', channelReduction: '51', dialerPort: '0', ari: { secret: 'x', mediaFolder: 'x' } }
  expect(await update(wrong)).toEqual({
    ...above,
    dialerPort: 'must be a whole number from 1 to 65535',
    'ari.user': 'is required with a password',
    'ari.mediaFolder': 'must be a whole path that begins with /',
  })
  const kept = { cps: undefined, totalChannels: undefined }
  expect(await update({ ...kept, cpsReduction: '21', channelReduction: '51' }), 'above what stays').toEqual(above)
})

test('a dialer with trunks is not deleted and says which; without them it is gone, and its engine lets go of it', async () => {
  const { dialerId, trunkId } = await newLine(app)
  await app.pool.query(`insert into dialer_lease values ($1, 'test', 7, now() + interval '10 seconds')`, [dialerId])
  const trunk = await app.db.selectFrom('trunk').select('name').where('id', '=', trunkId).executeTakeFirstOrThrow()
  const refused = await remove(dialerId)
  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({
    errors: [{ field: 'dialerId', text: `has the trunk '${trunk.name}': delete it or move it first` }],
  })
  await app.db.updateTable('trunk').set({ deleted_at: new Date() }).where('id', '=', trunkId).execute()
  expect((await remove(dialerId)).statusCode).toBe(200)
  expect((await remove(dialerId)).statusCode).toBe(404)
  expect(await get('/api/obd/dialers/list')).not.toContainEqual(expect.objectContaining({ dialerId }))
  const { rows } = await app.pool.query('select epoch from dialer_lease where dialer_id = $1', [dialerId])
  expect(rows).toEqual([{ epoch: 8 }])
})

test('where a dialer stands does not change while it has calls; else its engine is sent there, and a stored password must be given again', async () => {
  const { dialerId, ...said } = await created({ ari: { user: 'ghanti', secret: 'one' } })
  await app.pool.query(`insert into dialer_lease values ($1, 'test', 1, now() + interval '10 seconds')`, [dialerId])
  const update = (of: object) => post('/api/obd/dialer/update', { dialerId, ...said, ari: undefined, ...of })
  const epoch = async () =>
    (await app.pool.query<{ epoch: number }>('select epoch from dialer_lease where dialer_id = $1', [dialerId])).rows[0]
      ?.epoch
  expect((await update({ dialerIP: '10.0.0.6' })).json()).toMatchObject({ errors: [{ field: 'ari.secret' }] })
  const moved = { dialerIP: '10.0.0.6', ari: { user: 'ghanti', secret: 'two' } }
  await app.pool.query(insertCall, [dialerId, 1, 1])
  const refused = await update(moved)
  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({
    errors: [{ field: 'dialerIP', text: 'cannot change while calls are up there (1): stop dialling first' }],
  })
  expect((await update({ cps: 3 })).statusCode).toBe(200)
  expect(await epoch()).toBe(1)
  await app.pool.query('delete from attempt_open where dialer_id = $1', [dialerId])
  expect((await update(moved)).statusCode).toBe(200)
  expect(await epoch()).toBe(2)
})

const insertCall = `insert into attempt_open (dialer_id, epoch, campaign_id, no, attempt_no, from_state, account_id, phone, reserved_paisa) values ($1, 1, $2, 1, 1, 'fresh', $3, 9779841000001, 0)`
const giveUp = (dialerId: number, reason: string = 'burnt', headers = admin) =>
  post(`/api/obd/dialer/giveup/${dialerId}`, { reason }, headers)
async function seen(dialerId: number, reachable: boolean, comesBack = false): Promise<void> {
  await app.pool.query(
    `insert into dialer_lease values ($1, 'test', 1, now() + interval '10 minutes') on conflict do nothing`,
    [dialerId],
  )
  await app.pool.query(
    `insert into dialer_state (dialer_id, reachable, reason, since, calls, channels, begun, comes_back) values ($1, $2, $3, now(), 0, 0, 0, $4)
     on conflict (dialer_id) do update set reachable = excluded.reachable, reason = excluded.reason, comes_back = excluded.comes_back, seen_at = now()`,
    [dialerId, reachable, reachable ? null : 'no route to it', comesBack],
  )
}

test('a dialer says which engine leads it; nothing of an engine that does not say who it is', async () => {
  const { dialerId } = await created()
  await seen(dialerId, true)
  const engineName = async () => (await get(`/api/obd/dialer/detail/${dialerId}`)).state.engineName
  expect(await engineName()).toBeNull()
  await app.pool.query(
    `insert into engine (liveness, engine_id, name, weight, drivers, leaving) values (4711, 'one', 'rack-1', 1, '{simulator}', false)`,
  )
  await app.pool.query('update dialer_lease set liveness = 4711 where dialer_id = $1', [dialerId])
  expect(await engineName()).toBe('rack-1')
})

test('giving up says before how many calls of how many campaigns and accounts end; it is audited, and shown with its reason', async () => {
  const { dialerId } = await created()
  for (const [campaign, account] of [
    [1, 1],
    [1, 1],
    [2, 1],
    [3, 2],
  ])
    await app.pool.query(insertCall, [dialerId, campaign, account])
  await seen(dialerId, false)
  const detail = () => get(`/api/obd/dialer/detail/${dialerId}`)
  expect(await detail()).toMatchObject({ dialerCalls: 4, callCampaigns: 3, callAccounts: 2, givenUp: null })
  expect((await giveUp(dialerId)).statusCode).toBe(200)
  expect(await detail()).toMatchObject({ givenUp: { at: expect.any(String), reason: 'burnt' } })
  expect(await lastAudit()).toMatchObject({
    action: 'dialer.giveUp',
    target: `dialer ${dialerId}`,
    detail: { reason: 'burnt', calls: 4, campaigns: 3, accounts: 2 },
  })
  await app.pool.query('delete from attempt_open where dialer_id = $1', [dialerId])
})

test('a dialer that was given up already, answers, comes back at this moment or is not there is refused with its sentence, and nothing changes', async () => {
  const { dialerId } = await created()
  const refused = async (id = dialerId) => {
    const reply = await giveUp(id)
    return `${reply.statusCode} ${reply.json<{ errors?: { text: string }[] }>().errors?.[0]?.text}`
  }
  await seen(dialerId, true)
  expect(await refused()).toBe('409 answers: there is nothing to give up')
  await seen(dialerId, false, true)
  expect(await refused()).toBe('409 is coming back at this moment: look again in a few seconds')
  expect(await get(`/api/obd/dialer/detail/${dialerId}`)).toMatchObject({ givenUp: null })
  await seen(dialerId, false)
  const without = await giveUp(dialerId, ' ')
  expect(without.json()).toMatchObject({ errors: [{ field: 'reason', text: 'is required' }] })
  const both = await Promise.all([giveUp(dialerId), giveUp(dialerId)])
  expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(await refused()).toBe('409 was given up already')
  expect((await giveUp(999_999)).statusCode).toBe(404)
})

test('a dialer that does not answer is neither moved nor deleted while calls are open, and says what to do; afterwards it is', async () => {
  const { dialerId, ...said } = await created()
  await app.pool.query(insertCall, [dialerId, 1, 1])
  await seen(dialerId, false)
  const move = () => post('/api/obd/dialer/update', { dialerId, ...said, dialerIP: '10.0.0.77' })
  const text = (reply: { json: () => { errors: { text: string }[] } }) => reply.json().errors[0]?.text
  const toDo = 'does not answer and has calls that are open (1): give it up first'
  expect([text(await move()), text(await remove(dialerId))]).toEqual([toDo, toDo])
  expect((await giveUp(dialerId)).statusCode).toBe(200)
  expect(text(await remove(dialerId))).toBe('has calls that are being ended (1): try again in a few seconds')
  await app.pool.query('delete from attempt_open where dialer_id = $1', [dialerId]) // as the engine does
  expect((await move()).statusCode).toBe(200)
  expect((await remove(dialerId)).statusCode).toBe(200)
})

test('only super admins; what is not there is not found', async () => {
  const { dialerId, ...said } = await created()
  for (const person of [await newUser(app), await newReseller(app)]) {
    const headers = await signedIn(app, person)
    expect((await post('/api/obd/dialer', form(), headers)).statusCode).toBe(403)
    expect((await post('/api/obd/dialer/update', { dialerId, ...said }, headers)).statusCode).toBe(403)
    for (const url of ['/api/obd/dialers', '/api/obd/dialers/list', `/api/obd/dialer/detail/${dialerId}`])
      expect((await http.inject({ url, headers })).statusCode).toBe(403)
    expect((await http.inject({ method: 'DELETE', url: `/api/obd/dialer/${dialerId}`, headers })).statusCode).toBe(403)
    expect((await giveUp(dialerId, 'burnt', headers)).statusCode).toBe(403)
  }
  expect((await http.inject({ url: '/api/obd/dialer/detail/999999', headers: admin })).statusCode).toBe(404)
  expect((await post('/api/obd/dialer/update', { ...said, dialerId: 999_999 })).statusCode).toBe(404)
})

test('twenty create the same dialer at once, and one succeeds', async () => {
  const said = form()
  const replies = await Promise.all(Array.from({ length: 20 }, () => post('/api/obd/dialer', said)))
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(replies.filter(({ statusCode }) => statusCode === 409)).toHaveLength(19)
})
