import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newUser, seededPassword } from '../../testing/seed.ts'
import { tidySignIns } from './actions.ts'

const app = await testApp()
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})
beforeEach(async () => {
  await app.db.deleteFrom('rate_limit').execute()
})

type From = { ip?: string; device?: string | undefined }
const login = (username: string, password: string, { ip = '198.51.100.1', device }: From = {}) =>
  http.inject({
    method: 'POST',
    url: '/api/obd/login',
    payload: { username, password },
    remoteAddress: ip,
    ...(device === undefined ? {} : { cookies: { device } }),
  })
type Reply = Awaited<ReturnType<typeof login>>
const status = async (reply: Promise<Reply>) => (await reply).statusCode
const deviceIn = (reply: Reply) => reply.cookies.find(({ name }) => name === 'device')
async function knownBrowser(user: Viewer, from: From = {}): Promise<string> {
  const cookie = deviceIn(await login(user.username, seededPassword, from))
  if (!cookie) throw new Error('no cookie')
  return cookie.value
}
async function fail(username: string, times: number, from: From = {}): Promise<number[]> {
  const codes: number[] = []
  for (let n = 0; n < times; n++) codes.push(await status(login(username, 'wrong', from)))
  return codes
}
const age = (seconds: number) =>
  app.db
    .updateTable('rate_limit')
    .set({ expire: sql`expire - ${seconds * 1000}` })
    .execute()
/** Guesses at a name from many networks until all strangers must wait. */
async function flood(username: string): Promise<number[]> {
  const codes: number[] = []
  for (let n = 0; n < 12; n++) codes.push(...(await fail(username, 1, { ip: `10.0.${n}.1` })))
  for (let n = 0; n < 4; n++) codes.push(...(await fail(username, 6, { ip: `10.1.0.${n}` })))
  return codes
}
const count = (codes: readonly number[], code: number) => codes.filter((one) => one === code).length

describe('failures from one network', () => {
  test('close a name to it, for longer and longer, and leave other names and other networks alone', async () => {
    const { username } = await newUser(app)
    expect(await fail(username, 12)).toEqual([...Array<number>(10).fill(401), 429, 429])
    const closed = await login(username, seededPassword)
    expect([closed.statusCode, closed.headers['retry-after']]).toEqual([429, '10'])
    expect(closed.json()).toMatchObject({
      errors: [{ field: 'username', code: 'throttled', text: 'has failed too often, try again in 10 s' }],
    })
    expect(await status(login((await newUser(app)).username, seededPassword))).toBe(200)
    await age(10)
    expect(await fail(username, 2)).toEqual([401, 429])
    expect((await login(username, seededPassword)).headers['retry-after']).toBe('20')
    expect(await status(login(username, seededPassword, { ip: '198.51.100.2' }))).toBe(200)
  })

  test('are counted before the password is looked at, so that parallel tries count too; waiting costs no hash', async () => {
    const { username } = await newUser(app)
    await fail(username, 8)
    const codes = await Promise.all(Array.from({ length: 14 }, () => status(login(username, 'wrong'))))
    expect([count(codes, 401), count(codes, 429)]).toEqual([2, 12])
    const began = process.cpuUsage()
    await fail(username, 50)
    const { user, system } = process.cpuUsage(began)
    expect((user + system) / 1000, 'ms for fifty; a hash takes twenty').toBeLessThan(50 * 15)
  })

  test('a right password is none, and clears those before it', async () => {
    const { username } = await newUser(app)
    for (let n = 0; n < 12; n++) expect(await status(login(username, seededPassword))).toBe(200)
    await fail(username, 9)
    expect(await status(login(username, seededPassword))).toBe(200)
    expect(await fail(username, 10)).toEqual(Array<number>(10).fill(401))
  })

  test('an IPv6 network is a /64, and an IPv4 address in IPv6 clothes is itself', async () => {
    const { username } = await newUser(app)
    for (let n = 0; n < 10; n++) await fail(username, 1, { ip: `2001:db8::${n + 1}` })
    expect(await fail(username, 1, { ip: '2001:db8::ffff' })).toEqual([429])
    expect(await fail(username, 1, { ip: '2001:db8:0:1::1' })).toEqual([401])
    const other = await newUser(app)
    await fail(other.username, 10, { ip: '::ffff:203.0.113.7' })
    expect(await fail(other.username, 1, { ip: '203.0.113.7' })).toEqual([429])
  })

  test('the case of letters makes no other name', async () => {
    const { username } = await newUser(app)
    await fail(username.toUpperCase(), 5)
    expect(await fail(username, 6)).toEqual([...Array<number>(5).fill(401), 429])
  })

  test('with many names hold up strangers alone: who signed in from there before gets in', async () => {
    const [owner, newcomer] = [await newUser(app), await newUser(app)]
    await knownBrowser(owner)
    for (let n = 0; n < 20; n++) expect(await fail(`nobody ${n}`, 1)).toEqual([401])
    expect(await fail('nobody 21', 1)).toEqual([429])
    expect(await status(login(newcomer.username, seededPassword))).toBe(429)
    expect(await status(login(owner.username, seededPassword))).toBe(200)
    await age(180)
    expect(await status(login(newcomer.username, seededPassword))).toBe(200)
  })
})

describe('while strangers flood a name from many networks', () => {
  test('their guesses are bounded, whatever their number', async () => {
    const { username } = await newUser(app)
    expect(count(await flood(username), 401)).toBe(10 + 15)
    expect(count(await flood(username), 401)).toBe(0)
    await age(300)
    expect(count(await flood(username), 401), 'the networks of before are fresh no more').toBeLessThanOrEqual(10)
  })

  test('a browser that signed in before gets in from anywhere, also through its own typing errors', async () => {
    const user = await newUser(app)
    const device = await knownBrowser(user)
    await flood(user.username)
    expect(await fail(user.username, 9, { ip: '10.0.0.1', device })).toEqual(Array<number>(9).fill(401))
    expect(await status(login(user.username, seededPassword, { ip: '10.0.0.1', device }))).toBe(200)
  })

  test('so does any browser of a network that signed in before', async () => {
    const user = await newUser(app)
    await knownBrowser(user, { ip: '203.0.113.1' })
    await flood(user.username)
    expect(await status(login(user.username, seededPassword, { ip: '203.0.113.1' }))).toBe(200)
    expect(await status(login(user.username, seededPassword, { ip: '203.0.113.2' }))).toBe(429)
  })

  test('so does a new browser in a new network: those that hardly tried do not wait for those that did', async () => {
    const user = await newUser(app)
    for (let n = 0; n < 4; n++) await fail(user.username, 10, { ip: `10.1.0.${n}` })
    expect(await fail(user.username, 1, { ip: '10.1.0.200' })).toEqual([429])
    expect(await status(login(user.username, seededPassword, { ip: '192.0.2.1' }))).toBe(200)
  })

  test('another one’s name is not touched', async () => {
    await flood((await newUser(app)).username)
    expect(await status(login((await newUser(app)).username, seededPassword, { ip: '10.1.0.1' }))).toBe(200)
  })

  test('a new password from the parent opens the name', async () => {
    const parent = await newReseller(app)
    const user = await newUser(app, { parent })
    await flood(user.username)
    const password = 'marigold tunnel 58 kite'
    const headers = await signedIn(app, parent)
    const payload = { userId: user.userId, password }
    const reply = await http.inject({ method: 'POST', url: '/api/obd/pwd/reset', headers, payload })
    expect(reply.statusCode).toBe(200)
    expect(await status(login(user.username, password, { ip: '10.1.0.1' }))).toBe(200)
  })
})

describe('the cookie of a browser that signed in', () => {
  /** Whether the device may sign in where strangers must wait. */
  const counts = async (user: Viewer, device: string): Promise<boolean> => {
    await app.db.deleteFrom('rate_limit').execute()
    await fail(user.username, 10)
    const code = await status(login(user.username, seededPassword, { device }))
    expect([200, 429]).toContain(code)
    return code === 200
  }

  test('is HttpOnly, SameSite=Lax, long-lived, and stays after a logout', async () => {
    const reply = await login((await newUser(app)).username, seededPassword)
    expect(deviceIn(reply)).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 400 * 24 * 3600 })
    const { token } = reply.json<{ token: string }>()
    const logout = await http.inject({
      method: 'POST',
      url: '/api/obd/logout',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(logout.cookies.map(({ name }) => name)).toEqual(['token', 'userId', 'role'])
  })

  test('is set for nobody who failed', async () => {
    expect(deviceIn(await login((await newUser(app)).username, 'wrong'))).toBeUndefined()
  })

  test('counts for its account alone, and keeps five accounts of one browser', async () => {
    const users = [await newUser(app), await newUser(app), await newUser(app)] as const
    let device = await knownBrowser(users[0])
    device = await knownBrowser(users[1], { device })
    expect(await counts(users[0], device)).toBe(true)
    expect(await counts(users[1], device)).toBe(true)
    expect(await counts(users[2], device)).toBe(false)
    for (let n = 0; n < 5; n++) device = await knownBrowser(await newUser(app), { device, ip: `192.0.2.${n}` })
    expect(device.split('~')).toHaveLength(5)
    expect(await counts(users[0], device)).toBe(false)
  })

  test('is worth nothing when it was changed, made up, too long or too old', async () => {
    const [user, other] = [await newUser(app), await newUser(app)]
    const device = await knownBrowser(user)
    const [, ...rest] = device.split('.')
    for (const cookie of [
      [other.userId, ...rest].join('.'),
      device.slice(0, -1),
      `${device.slice(0, -2)}xx`,
      '~'.repeat(5000),
      `${'x'.repeat(2000)}~${device}`,
    ]) {
      expect(await counts(cookie.startsWith(`${other.userId}.`) ? other : user, cookie), cookie.slice(0, 40)).toBe(
        false,
      )
    }
    expect(await counts(user, device)).toBe(true)
    const now = app.clock.now()
    app.clock.advance(401 * 24 * 3600_000)
    expect(await counts(user, device)).toBe(false)
    app.clock.set(now)
  })

  test('ends with a new password, though it be the same one, and with disabling', async () => {
    const parent = await newReseller(app)
    const [one, two] = [await newUser(app, { parent }), await newUser(app, { parent })]
    const devices = [await knownBrowser(one), await knownBrowser(two)] as const
    const headers = await signedIn(app, parent)
    const post = async (url: string, payload: object) =>
      expect((await http.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200)
    await post('/api/obd/pwd/reset', { userId: one.userId, password: seededPassword })
    for (const disabled of [true, false])
      await post('/api/obd/user/disable', { userId: two.userId, disabled, reason: 'unpaid' })
    expect(await counts(one, devices[0])).toBe(false)
    expect(await counts(two, devices[1])).toBe(false)
  })

  test('does not let its own browser guess for ever: its failures close the name to it', async () => {
    const user = await newUser(app)
    const device = await knownBrowser(user)
    expect(await fail(user.username, 11, { device })).toEqual([...Array<number>(10).fill(401), 429])
    expect(await fail(user.username, 1, { device, ip: '192.0.2.77' }), 'wherever it is carried').toEqual([429])
  })
})

test('counts that are over are forgotten, others are not', async () => {
  await fail('somebody', 2)
  await age(600)
  await fail('somebody else', 1)
  const kept = async () => (await app.db.selectFrom('rate_limit').select('key').execute()).length
  const before = await kept()
  await tidySignIns(app)
  const left = await kept()
  expect([left > 0, left < before]).toEqual([true, true])
})

describe('lines of the audit log, which stay for good', () => {
  const full = (key: string, points: number) =>
    app.db.updateTable('rate_limit').set({ points }).where('key', 'like', `${key}%`).executeTakeFirstOrThrow()
  const lines = async (action: string) =>
    (await app.db.selectFrom('audit_log').select('id').where('action', '=', action).execute()).length

  test('who knows the password signs in as often as a program needs; beyond that no line is written, and others sign in', async () => {
    const [user, other] = [await newUser(app), await newUser(app)]
    const device = await knownBrowser(user)
    const logged = await lines('login')
    for (const [points, seconds] of [
      [600, 60],
      [20_000, 86_400],
    ] as const) {
      await full(`sign-ins of ${user.userId} in ${seconds}`, points)
      const refused = await login(user.username, seededPassword, { device })
      expect([refused.statusCode, refused.cookies]).toEqual([429, []])
      expect(refused.json<{ errors: { text: string }[] }>().errors[0]?.text).toMatch(/^signed in too often, try again/)
      await age(seconds)
    }
    expect(await lines('login')).toBe(logged)
    expect(await status(login(other.username, seededPassword))).toBe(200)
    expect(await status(login(user.username, seededPassword, { device }))).toBe(200)
  })

  test('failures with names that no account has are logged up to a number from one neighbourhood; those of accounts always are', async () => {
    const user = await newUser(app)
    await fail('nobody', 1, { ip: '2001:db8:5:1::1' })
    await full('unknown names near 2001:db8:5', 200)
    const logged = await lines('login.failed')
    for (let n = 0; n < 5; n++) await fail(`nobody ${n}`, 1, { ip: `2001:db8:5:${n}::1` })
    expect(await lines('login.failed')).toBe(logged)
    await fail('nobody', 1, { ip: '2001:db8:6::1' })
    await fail(user.username, 1, { ip: '2001:db8:5:9::1' })
    expect(await lines('login.failed')).toBe(logged + 2)
  })
})
