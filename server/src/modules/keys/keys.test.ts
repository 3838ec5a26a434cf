import { createHash } from 'node:crypto'
import { keyScopes, type KeyScope } from '@ghanti/contract/keys.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { httpPortsOf } from '../../http-ports.ts'
import { policy, type Viewer } from '../../policy.ts'
import { keyScopeOf } from '../../policy-keys.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newApiKey } from '../../testing/keys.ts'
import { listedRoutes, namesInPath, type ListedRoute } from '../../testing/requests.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { auditReadOf } from '../audit/actions.ts'
import { stopStranger } from '../auth/actions-reset.ts'
import { isKey, isWhole, newKey } from './actions-secret.ts'
import { isWithin, networkOf } from './rules.ts'
import { resumeKeys } from './actions-revoke.ts'

const app = await testApp()
let http: FastifyInstance
let reseller: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  const boss = await newSuperAdmin(app)
  reseller = await newReseller(app, { parent: boss, planId: await newPlan(app), rupees: 1000, channels: 10_000 })
})

type Headers = Record<string, string>
const create = (headers: Headers, payload: object) =>
  http.inject({ method: 'POST', url: '/api/obd/keys', headers, payload })
const list = async (headers: Headers) =>
  (await http.inject({ url: '/api/obd/keys', headers })).json<{ keyId: number; state: string; last4: string }[]>()
const askAs = (headers: Headers, url: string, remoteAddress = '127.0.0.1') =>
  http.inject({ url, headers, remoteAddress })
const campaignsOf = ({ userId }: Viewer) => `/api/obd/campaign/${userId}`
const auditedOf = (userId: number) =>
  app.db.selectFrom('audit_log').select(['action', 'detail']).where('actor_id', '=', userId).orderBy('id').execute()
const textOf = (reply: { json<T>(): T }) => reply.json<{ errors: { text: string }[] }>().errors[0]?.text

describe('a key', () => {
  test('is shown once, kept as a hash, listed by its last four digits, and leaves a line of audit', async () => {
    const user = await newUser(app)
    const headers = { ...(await signedIn(app, user)), 'idempotency-key': 'the same' }
    const reply = await create(headers, { name: 'Core banking', scopes: ['messages:write', 'messages:write'] })
    expect(reply.statusCode, reply.body).toBe(200)
    const { key } = reply.json<{ key: string }>()
    expect(key).toMatch(/^gh_live_[0-9a-f]{72}$/)
    const rows = await list(headers)
    expect(rows).toMatchObject([
      { name: 'Core banking', last4: key.slice(-4), state: 'active', scopes: ['messages:write'], networks: null },
    ])
    expect(JSON.stringify(rows)).not.toContain(key.slice(0, 20))
    const { secret_hash } = await app.db
      .selectFrom('api_key')
      .select('secret_hash')
      .where('user_id', '=', user.userId)
      .executeTakeFirstOrThrow()
    expect(secret_hash).toEqual(createHash('sha256').update(key).digest())
    expect(JSON.stringify(await auditedOf(user.userId))).not.toContain(key)
    expect(JSON.stringify(await app.db.selectFrom('idempotency_key').select('reply').execute())).not.toContain(key)
    expect((await auditedOf(user.userId)).map(({ action }) => action)).toContain('key.create')
    const told = app.db.selectFrom('notice').select('kind').where('user_id', '=', user.userId)
    expect(await told.execute(), 'its owner is told').toEqual([{ kind: 'keyMade' }])
  })

  test('does what its scopes say in the name of its account, and says which one lacks', async () => {
    const user = await newUser(app)
    const { headers } = await newApiKey(app, user, { scopes: ['campaigns:read'] })
    expect((await askAs(headers, campaignsOf(user))).statusCode).toBe(200)
    const blacklist = await askAs(headers, `/api/obd/blacklist/${user.userId}`)
    expect([blacklist.statusCode, textOf(blacklist)]).toEqual([403, 'needs the scope blacklist:read'])
    const passkeys = { method: 'POST', url: '/api/obd/login/passkey/options', payload: { own: true } } as const
    expect((await http.inject({ ...passkeys, headers })).statusCode).toBe(401)
    const keys = await askAs(headers, '/api/obd/keys')
    expect([keys.statusCode, textOf(keys)]).toEqual([403, 'may not do this: it needs somebody who is logged in'])
  })

  test('is named in the lines of audit of what it did', async () => {
    const user = await newUser(app)
    const { headers } = await newApiKey(app, user, { name: 'CRM', scopes: ['blacklist:write'] })
    const payload = { mobile: '9841000001' }
    const reply = await http.inject({ method: 'POST', url: '/api/obd/blacklist', headers, payload })
    expect(reply.statusCode, reply.body).toBe(200)
    expect(await auditedOf(user.userId)).toContainEqual(
      expect.objectContaining({ action: 'blacklist.add', detail: expect.objectContaining({ apiKey: 'CRM' }) }),
    )
    const seller = await newReseller(app)
    const { userId } = await newUser(app, { parent: seller })
    const { key } = await newApiKey(app, seller, { name: 'Panel' })
    const viewer = await httpPortsOf(app).viewerOfToken(key)
    const ctx = { app, viewer, origin: { ip: '127.0.0.1', host: 'localhost', userAgent: '' } }
    await auditReadOf(ctx, 'calls.open', [userId])
    const line = { action: 'calls.open', detail: { ownerId: userId, apiKey: 'Panel' } }
    expect(await auditedOf(seller.userId)).toContainEqual(line)
  })

  test('works from its networks alone, and the answer says from where it may not', async () => {
    const user = await newUser(app)
    const { headers } = await newApiKey(app, user, { networks: ['203.0.113.9', '2001:db8::/32'] })
    expect((await askAs(headers, campaignsOf(user), '203.0.113.9')).statusCode).toBe(200)
    expect((await askAs(headers, campaignsOf(user), '::ffff:203.0.113.9')).statusCode).toBe(200)
    expect((await askAs(headers, campaignsOf(user), '2001:db8:1::2')).statusCode).toBe(200)
    const elsewhere = await askAs(headers, campaignsOf(user), '203.0.113.10')
    expect([elsewhere.statusCode, textOf(elsewhere)]).toEqual([403, 'may not be used from 203.0.113.10'])
  })

  test('that is unknown, miscopied, expired or revoked is answered 401', async () => {
    const user = await newUser(app)
    const { key, keyId, headers } = await newApiKey(app, user)
    const as = (key: string) => askAs({ authorization: `Bearer ${key}` }, campaignsOf(user))
    for (const wrong of [newKey(), key.slice(0, -1), `${key}0`, key.replace(/.$/, (c) => (c === '0' ? '1' : '0'))])
      expect((await as(wrong)).json()).toEqual({ message: 'Token Not Valid.' })
    expect((await as(key)).statusCode).toBe(200)
    await app.db
      .updateTable('api_key')
      .set({ expires_at: new Date(0) })
      .where('id', '=', keyId)
      .execute()
    expect((await as(key)).json()).toEqual({ message: 'Token Expired' })
    await app.db.updateTable('api_key').set({ expires_at: null }).where('id', '=', keyId).execute()
    expect((await as(key)).statusCode).toBe(200)
    const session = await signedIn(app, user)
    const revoke = () =>
      http.inject({ method: 'POST', url: '/api/obd/keys/revoke', headers: session, payload: { keyId } })
    expect((await revoke()).statusCode).toBe(200)
    expect((await as(key)).statusCode).toBe(401)
    expect((await askAs(headers, campaignsOf(user))).statusCode).toBe(401)
    expect((await revoke()).statusCode, 'it works no more').toBe(404)
  })

  test('stops with its account: disabled, expired, or disabled above', async () => {
    const parent = await newReseller(app, { parent: reseller })
    const user = await newUser(app, { parent })
    const { headers } = await newApiKey(app, user)
    const status = async () => (await askAs(headers, campaignsOf(user))).statusCode
    const set = ({ userId }: Viewer, change: object) =>
      app.db.updateTable('users').set(change).where('id', '=', userId).execute()
    expect(await status()).toBe(200)
    for (const one of [user, parent]) {
      await set(one, { disabled_at: new Date() })
      expect(await status()).toBe(401)
      await set(one, { disabled_at: null })
      expect(await status()).toBe(200)
    }
    await set(user, { expires_at: new Date(0) })
    expect(await status()).toBe(401)
  })

  test('that is rolled works beside the new one for so long, and ends', async () => {
    const user = await newUser(app)
    const session = await signedIn(app, user)
    const before = await newApiKey(app, user, { scopes: ['campaigns:read'] })
    const payload = { keyId: before.keyId, overlapHours: 2 }
    const roll = () => http.inject({ method: 'POST', url: '/api/obd/keys/roll', headers: session, payload })
    const after = (await roll()).json<{ key: string; keyId: number }>()
    const status = async (key: string) =>
      (await askAs({ authorization: `Bearer ${key}` }, campaignsOf(user))).statusCode
    expect([await status(before.key), await status(after.key)]).toEqual([200, 200])
    expect((await list(session)).map(({ keyId, state }) => [keyId, state])).toEqual([
      [after.keyId, 'active'],
      [before.keyId, 'ending'],
    ])
    expect(textOf(await roll())).toBe('was rolled already: roll the one that follows it')
    app.clock.advance(2 * 3600_000)
    expect([await status(before.key), await status(after.key)]).toEqual([401, 200])
  })

  test('says when it was used last and from where, at most once a minute', async () => {
    const user = await newUser(app)
    const { headers, keyId } = await newApiKey(app, user, { networks: ['10.0.0.0/8'] })
    const used = () =>
      app.db.selectFrom('api_key').select(['used_at', 'used_ip']).where('id', '=', keyId).executeTakeFirstOrThrow()
    await askAs(headers, campaignsOf(user), '10.1.2.3')
    const first = await used()
    expect(first).toEqual({ used_at: app.clock.now(), used_ip: '10.1.2.3' })
    app.clock.advance(59_000)
    await askAs(headers, campaignsOf(user), '10.1.2.4')
    expect(await used()).toEqual(first)
    app.clock.advance(2000)
    await askAs(headers, campaignsOf(user), '10.1.2.4')
    expect(await used()).toMatchObject({ used_ip: '10.1.2.4' })
  })

  test('is revoked by “It was not me”, with all others of the account', async () => {
    const user = await newUser(app)
    const { headers } = await newApiKey(app, user)
    const token_hash = createHash('sha256').update('not me').digest()
    const expires_at = new Date(app.clock.now().getTime() + 60_000)
    await app.db.insertInto('not_me_link').values({ token_hash, user_id: user.userId, expires_at }).execute()
    await stopStranger(app, 'not me', { ip: '127.0.0.1', host: 'localhost', userAgent: '' })
    const { revoked_at } = await app.db
      .selectFrom('api_key')
      .select('revoked_at')
      .where('user_id', '=', user.userId)
      .executeTakeFirstOrThrow()
    expect(revoked_at).not.toBeNull()
    expect((await askAs(headers, campaignsOf(user))).statusCode).toBe(401)
  })

  test('is paused by a restore until somebody resumes all', async () => {
    const user = await newUser(app)
    const { headers } = await newApiKey(app, user)
    await app.db.updateTable('api_key').set({ is_paused: true }).execute()
    expect((await askAs(headers, campaignsOf(user))).statusCode).toBe(401)
    expect(await list(await signedIn(app, user))).toMatchObject([{ state: 'paused' }])
    const resumed = await resumeKeys(app.db)
    expect(resumed.keys).toBeGreaterThan(0)
    const lines = app.db.selectFrom('audit_log').select(['detail', 'ip']).where('action', '=', 'key.resumeAll')
    expect(await lines.execute()).toEqual([{ detail: resumed, ip: 'admin command' }])
    expect((await askAs(headers, campaignsOf(user))).statusCode).toBe(200)
  })

  test('makes an account but gives it neither credits without their scope nor caller IDs', async () => {
    const { headers } = await newApiKey(app, reseller, { scopes: ['accounts:write'] })
    const person = { name: 'New', company: 'New', address: 'Pokhara', pincode: '33700', number: '9841000070' }
    const login = { username: 'new by key', password: 'granite otter lantern 58', emailid: 'new@example.com' }
    const planId = await newPlan(app, { owner: reseller })
    const account = { ...person, ...login, userType: 'user', accountType: 0, channels: 1, planId }
    const register = (more: object) =>
      http.inject({ method: 'POST', url: '/api/obd/register', headers, payload: { ...account, ...more } })
    expect(textOf(await register({ credits: 5 }))).toBe('needs the scope credits:write')
    expect((await register({ clis: ['015970001'] })).statusCode).toBe(403)
    const made = await register({})
    expect(made.statusCode, made.body).toBe(200)
  })

  test('changes an account, but not what gives access to it, and deletes none with credits without their scope', async () => {
    const user = await newUser(app, { parent: reseller, rupees: 10 })
    const { headers } = await newApiKey(app, reseller, { scopes: ['accounts:write'] })
    const person = { name: 'New', company: 'New', address: 'Pokhara', pincode: '33700', number: '9841000070' }
    const emailid = `${user.username}@example.com`
    const kept = { ...person, emailid, userId: user.userId, userType: 'user', accountType: 0, expiryDate: 'never' }
    const update = (more: object) =>
      http.inject({ method: 'POST', url: '/api/obd/user/update', headers, payload: { ...kept, ...more } })
    const byPeople = 'may not do this: it needs somebody who is logged in'
    for (const more of [
      { emailid: 'thief@example.org' },
      { domain: 'calls.example.org' },
      { removeDomain: true },
      { recordingDays: 1 },
    ])
      expect(textOf(await update(more)), JSON.stringify(more)).toBe(byPeople)
    const renamed = await update({ name: 'Renamed' })
    expect(renamed.statusCode, renamed.body).toBe(200)
    const url = `/api/obd/user/${user.userId}`
    const remove = (as: Headers) => http.inject({ method: 'DELETE', url, headers: as })
    expect(textOf(await remove(headers))).toBe('needs the scope credits:write')
    const both = await newApiKey(app, reseller, { scopes: ['accounts:write', 'credits:write'] })
    expect((await remove(both.headers)).statusCode).toBe(200)
  })
})

describe('making one', () => {
  test.each([
    { what: 'no scope', said: { scopes: [] }, field: 'scopes', text: 'must name at least one' },
    {
      what: 'an unknown scope',
      said: { scopes: ['everything'] },
      field: 'scopes.0',
      text: /^must be one of messages:read/,
    },
    {
      what: 'credits from everywhere',
      said: { scopes: ['credits:write'] },
      field: 'networks',
      text: 'are needed for the scope credits:write: say from where it may be used',
    },
    {
      what: 'an endless key from everywhere',
      said: { expiresAt: 'none' },
      field: 'expiresAt',
      text: 'may be none only for a key that names its networks',
    },
    {
      what: 'a key for centuries from everywhere',
      said: { expiresAt: '2999-01-01 00:00:00' },
      field: 'expiresAt',
      text: 'may be in more than a year only for a key that names its networks',
    },
    { what: 'a time that is over', said: { expiresAt: '2001-01-01 00:00:00' }, field: 'expiresAt', text: 'is over' },
    { what: 'the whole Internet', said: { networks: ['0.0.0.0/0'] }, field: 'networks', text: /^is too wide/ },
    { what: 'no network', said: { networks: ['example.com'] }, field: 'networks', text: /^is not an address/ },
    { what: 'an address in short', said: { networks: ['10.1'] }, field: 'networks', text: /^is not an address/ },
  ])('with $what is refused in words', async ({ said, field, text }) => {
    const headers = await signedIn(app, await newUser(app))
    const reply = await create(headers, { name: 'A program', scopes: ['messages:read'], ...said })
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({
      errors: [{ field, text: typeof text === 'string' ? text : expect.stringMatching(text) }],
    })
    expect(await list(headers)).toEqual([])
  })

  test('beyond twenty is refused, also at once', async () => {
    const user = await newUser(app)
    const headers = await signedIn(app, user)
    const replies = await Promise.all(
      Array.from({ length: 25 }, (_, n) => create(headers, { name: `No ${n}`, scopes: ['messages:read'] })),
    )
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20)
    expect(replies.filter(({ statusCode }) => statusCode === 409)).toHaveLength(5)
  })
})

function keyIn({ key }: Viewer) {
  if (!key) throw new Error('no key')
  return key
}

describe('the rate', () => {
  test('is fifty a second for a key and two hundred for an account, over two APIs', async () => {
    const user = await newUser(app)
    const keys = await Promise.all(Array.from({ length: 5 }, (_, n) => newApiKey(app, user, { name: `No ${n}` })))
    const viewers = await Promise.all(keys.map(({ key }) => httpPortsOf(app).viewerOfToken(key)))
    const apis = [httpPortsOf(app), httpPortsOf(app)]
    const passed = async (viewer: Viewer, asked: number): Promise<number> => {
      const each = Array.from({ length: asked }, (_, n) =>
        apis[n % 2]?.admitKey(viewer, keyIn(viewer), '127.0.0.1').then(
          () => 1,
          (error: { code?: string }) => (expect(error.code).toBe('throttled'), 0),
        ),
      )
      return (await Promise.all(each)).reduce<number>((sum, one) => sum + (one ?? 0), 0)
    }
    const began = performance.now()
    const [first] = viewers
    const ofOne = first ? await passed(first, 150) : 0
    const ofAll = (await Promise.all(viewers.slice(1).map((viewer) => passed(viewer, 150)))).reduce((a, b) => a + b, 0)
    const seconds = Math.floor((performance.now() - began) / 1000) + 1 // each begins a window
    expect(ofOne).toBeGreaterThanOrEqual(40)
    expect(ofOne).toBeLessThanOrEqual(50 * seconds)
    expect(ofOne + ofAll).toBeLessThanOrEqual(200 * seconds)
  })
})

describe('of the routes', () => {
  let ungated: FastifyInstance
  let ofEachScope: { scope: KeyScope; headers: Record<'user' | 'reseller', Headers> }[]
  beforeAll(async () => {
    ungated = await testHttp(app, { ports: { admitKey: async () => {} } })
    const [user, seller] = [await newUser(app), await newReseller(app)]
    const made = keyScopes.map(async (scope) => {
      const keyOf = async (viewer: Viewer) => (await newApiKey(app, viewer, { scopes: [scope] })).headers
      return { scope, headers: { user: await keyOf(user), reseller: await keyOf(seller) } }
    })
    ofEachScope = await Promise.all(made)
  })

  const ofSessions = listedRoutes.filter(({ key, route }) => policy[key] !== 'public' && route.kind !== 'events')

  async function expectOpenByScope({ key, route }: ListedRoute, scopes: typeof ofEachScope): Promise<void> {
    const url = namesInPath(route).reduce((path, name) => path.replace(`:${name}`, '999999999'), route.path)
    const role = [policy[key]].flat().includes('user') ? 'user' : 'reseller'
    for (const { scope, headers } of scopes) {
      const reply = await ungated.inject({ method: route.method, url, headers: headers[role] })
      if (includes(scope, keyScopeOf[key])) expect(reply.body, scope).not.toContain('scope_missing')
      else expect(reply.statusCode, `${scope}: ${reply.body}`).toBe(403)
    }
  }
  const includes = (scope: KeyScope, needed: KeyScope | null): boolean =>
    scope === needed || scope === needed?.replace(':read', ':write')

  test.each(ofSessions)('$key is open to a key with its scope, and closed to one without', async (line) => {
    const needed = keyScopeOf[line.key]
    const [other] = ofEachScope.filter(({ scope }) => !includes(scope, needed))
    await expectOpenByScope(line, [...ofEachScope.filter(({ scope }) => scope === needed), ...(other ? [other] : [])])
  })

  test.each(ofSessions)('$key is open to the keys with its scope alone', { tags: ['exhaustive'] }, (line) =>
    expectOpenByScope(line, ofEachScope),
  )

  test('none that is open to strangers, and none for super admins, has a scope', () => {
    const others = listedRoutes.filter(({ key }) => policy[key] === 'public' || `${policy[key]}` === 'superAdmin')
    expect(others.filter(({ key }) => keyScopeOf[key] !== null)).toEqual([])
  })
})

test.each([
  ['203.0.113.9', '203.0.113.9/32'],
  ['203.0.113.77/24', '203.0.113.0/24'],
  ['2001:DB8::1/32', '2001:db8::/32'],
  ['::ffff:203.0.113.9', '203.0.113.9/32'],
])('the network %s is %s', (said, network) => expect(networkOf(said)).toEqual({ network }))

test('an address lies in networks of its own kind', () => {
  expect(isWithin('203.0.113.9', ['2001:db8::/32', '203.0.113.0/24'])).toBe(true)
  expect(isWithin('203.0.114.9', ['2001:db8::/32', '203.0.113.0/24'])).toBe(false)
  expect(isWithin('unknown', ['203.0.113.0/24'])).toBe(false)
})

test('a key that was copied whole is told from one that was not', () => {
  const key = newKey()
  expect([isKey(key), isWhole(key), isWhole(key.slice(1)), isWhole(`${key} `)]).toEqual([true, true, false, false])
})
