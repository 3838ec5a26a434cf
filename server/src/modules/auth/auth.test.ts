import { beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser, seededPassword } from '../../testing/seed.ts'
import { endSessions, tidySignIns } from './actions.ts'
import { hashPassword } from './actions-passwords.ts'

const app = await testApp()
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})

const login = (username: string, password = seededPassword, remoteAddress = '127.0.0.1') =>
  http.inject({ method: 'POST', url: '/api/obd/login', payload: { username, password }, remoteAddress })
const whoAmI = (headers: Record<string, string>) => http.inject({ url: '/api/obd/session', headers })

describe('login', () => {
  test('answers token, id and role, and sets the cookies, of which the token and what knows the browser again are HttpOnly', async () => {
    const user = await newUser(app, { rupees: 12.5 })
    const reply = await login(user.username.toUpperCase())
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ message: 'Success', userid: user.userId, role: ['ROLE_USER'] })
    const cookies = reply.cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))
    expect(cookies).toEqual([
      { name: 'token', httpOnly: true, sameSite: 'Lax' },
      { name: 'userId', httpOnly: undefined, sameSite: 'Lax' },
      { name: 'role', httpOnly: undefined, sameSite: 'Lax' },
      { name: 'device', httpOnly: true, sameSite: 'Lax' },
    ])
    const { token } = reply.json<{ token: string }>()
    const expected = {
      userId: user.userId,
      role: 'ROLE_USER',
      balance: { credits: 12.5, reserved: 0 },
      simulatorSpeed: 30,
      virtualOperator: false,
      stopped: [],
    }
    expect((await whoAmI({ authorization: `Bearer ${token}` })).json()).toMatchObject(expected)
    expect((await whoAmI({ cookie: `token=${token}; role=ROLE_SADMIN; userId=1` })).json()).toMatchObject(expected)
  })

  test('the session says that the network is simulated also when it is as fast as a real one', async () => {
    const atRealSpeed = await testHttp({ ...app, config: { ...app.config, simulatorSpeed: 1 } })
    const reply = await atRealSpeed.inject({
      url: '/api/obd/session',
      headers: await signedIn(app, await newUser(app)),
    })
    expect(reply.json()).toMatchObject({ simulatorSpeed: 1 })
  })

  test('the session names the account above, whom to ask, to users and resellers', async () => {
    const reseller = await newReseller(app)
    await app.db
      .updateTable('users')
      .set({ company: 'Sagarmatha Voice', number: '9851000002' })
      .where('id', '=', reseller.userId)
      .execute()
    const user = await newUser(app, { parent: reseller })
    const admin = await newSuperAdmin(app)
    expect((await whoAmI(await signedIn(app, user))).json()).toMatchObject({
      provider: { company: 'Sagarmatha Voice', number: '9851000002' },
    })
    expect((await whoAmI(await signedIn(app, admin))).json()).toMatchObject({ provider: null })
  })

  test('a wrong password and an unknown name answer alike, take alike, and lose no session', async () => {
    const user = await newUser(app)
    const ofRealCost = { password_hash: await hashPassword(seededPassword, user.userId) }
    await app.db.updateTable('users').set(ofRealCost).where('id', '=', user.userId).execute()
    const headers = await signedIn(app, user)
    const wrong = await login(user.username, 'wrong')
    const unknown = await login('nobody at all', 'wrong')
    for (const reply of [wrong, unknown]) {
      expect(reply.statusCode).toBe(401)
      expect(reply.json()).toEqual({ message: 'Bad credentials' })
      expect(reply.statusMessage).toBe('Bad credentials')
      expect(reply.cookies).toEqual([])
    }
    expect((await whoAmI(headers)).statusCode).toBe(200)
    const took = async (username: string) => {
      const began = performance.now()
      await login(username, 'wrong')
      return performance.now() - began
    }
    const hashMs = 8 // a refusal without a hash takes a fraction of this
    expect(await took('nobody at all either')).toBeGreaterThan(hashMs)
    expect(await took(user.username)).toBeGreaterThan(hashMs)
  })

  test('both fields are required, with the catalogue’s text', async () => {
    const reply = await http.inject({
      method: 'POST',
      url: '/api/obd/login',
      payload: { username: ' ', password: null },
    })
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({
      message: 'Parameters Incorrect',
      errors: [
        { field: 'username', text: 'Please enter username & password.' },
        { field: 'password', text: 'Please enter username & password.' },
      ],
    })
  })

  test('with the password before, under way while a new one is set, opens no session', async () => {
    const reseller = await newReseller(app)
    const person = await newUser(app, { parent: reseller })
    const above = await signedIn(app, reseller)
    const tokens: string[] = []
    const isSet = new AbortController()
    const first = Promise.withResolvers<void>()
    const signIns = Array.from({ length: 4 }, async () => {
      while (!isSet.signal.aborted) {
        const reply = await login(person.username)
        if (reply.statusCode !== 200) continue
        tokens.push(reply.json<{ token: string }>().token)
        first.resolve()
      }
    })
    await first.promise // on a busy machine the new password would be set before any of them had begun
    const payload = { userId: person.userId, password: 'granite otter lantern 58' }
    const reply = await http.inject({ method: 'POST', url: '/api/obd/pwd/reset', headers: above, payload })
    isSet.abort()
    await Promise.all(signIns)
    expect(reply.statusCode).toBe(200)
    expect(tokens.length).toBeGreaterThan(0)
    const sessions = tokens.map((token) =>
      http.inject({ url: '/api/obd/session', headers: { authorization: `Bearer ${token}` } }),
    )
    expect((await Promise.all(sessions)).filter(({ statusCode }) => statusCode !== 401)).toEqual([])
  })

  test('an expired account is told so, a disabled one why', async () => {
    const expired = await newUser(app, { expiresAt: new Date(Date.now() - 1000) })
    const reply = await login(expired.username)
    expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([403, 'Account Expired'])
    const disabled = await newUser(app)
    await app.db
      .updateTable('users')
      .set({ disabled_at: new Date(), disabled_reason: 'unpaid' })
      .where('id', '=', disabled.userId)
      .execute()
    const other = await login(disabled.username)
    expect(other.statusCode).toBe(403)
    expect(other.json()).toMatchObject({
      message: 'Not allowed',
      errors: [{ code: 'disabled', text: 'is disabled: unpaid' }],
    })
  })

  test('sign-ins and failures are in the audit log, without the password', async () => {
    const user = await newUser(app)
    await login(user.username)
    await login(user.username, 'hunter2')
    const lines = await app.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(2).execute()
    expect(lines).toMatchObject([
      { actor_id: null, action: 'login.failed', detail: { username: user.username } },
      { actor_id: user.userId, action: 'login', ip: '127.0.0.1' },
    ])
    expect(JSON.stringify(lines)).not.toContain('hunter2')
  })

  test('a name that no account has is not kept: people type their password there', async () => {
    await login('correct horse battery', 'ramesh')
    const line = await app.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
    expect(line).toMatchObject({ actor_id: null, action: 'login.failed', detail: {} })
    expect(line?.detail).toEqual({})
  })
})

describe('session', () => {
  const message = (reply: { json(): { message?: string } }) => reply.json().message

  test('without a token and with an unknown one: Token Not Valid. and all three cookies expire', async () => {
    for (const headers of [{}, { authorization: 'Bearer nonsense' }, { cookie: 'token=nonsense' }]) {
      const reply = await whoAmI(headers)
      expect([reply.statusCode, reply.statusMessage, message(reply)]).toEqual([
        401,
        'Token Not Valid.',
        'Token Not Valid.',
      ])
      expect(reply.cookies.map(({ name, value }) => [name, value])).toEqual([
        ['token', ''],
        ['userId', ''],
        ['role', ''],
      ])
    }
  })

  test('lives twelve hours from the last request', async () => {
    const headers = await signedIn(app, await newUser(app))
    app.clock.advance(11.9 * 3600_000)
    expect((await whoAmI(headers)).statusCode).toBe(200)
    app.clock.advance(11.9 * 3600_000)
    expect((await whoAmI(headers)).statusCode).toBe(200)
    app.clock.advance(12.1 * 3600_000)
    const reply = await whoAmI(headers)
    expect([reply.statusCode, message(reply)]).toEqual([401, 'Token Expired'])
    expect(reply.cookies).toHaveLength(3)
    expect(message(await whoAmI(headers))).toBe('Token Expired')
    app.clock.advance(14 * 24 * 3600_000)
    await tidySignIns(app)
    expect(message(await whoAmI(headers))).toBe('Token Not Valid.')
  })

  test('ends after seven days in any case', async () => {
    const headers = await signedIn(app, await newUser(app))
    for (const hours of [...Array.from({ length: 15 }, () => 11), 2.9]) {
      app.clock.advance(hours * 3600_000)
      expect((await whoAmI(headers)).statusCode).toBe(200)
    }
    app.clock.advance(0.2 * 3600_000)
    expect(message(await whoAmI(headers))).toBe('Token Expired')
  })

  test('ends when the account expires while signed in', async () => {
    const user = await newUser(app, { expiresAt: new Date(app.clock.now().getTime() + 60_000) })
    const headers = await signedIn(app, user)
    expect((await whoAmI(headers)).statusCode).toBe(200)
    app.clock.advance(61_000)
    expect(message(await whoAmI(headers))).toBe('Token Expired')
  })

  test('logout ends it, for its token alone; a second logout is no failure', async () => {
    const user = await newUser(app)
    const [one, two] = [await signedIn(app, user), await signedIn(app, user)]
    const logout = (headers: Record<string, string>) => http.inject({ method: 'POST', url: '/api/obd/logout', headers })
    const reply = await logout(one)
    expect([reply.statusCode, reply.cookies.length]).toEqual([200, 3])
    expect((await logout(one)).statusCode).toBe(200)
    expect((await whoAmI(one)).statusCode).toBe(401)
    expect((await whoAmI(two)).statusCode).toBe(200)
    await endSessions(app.db, user.userId)
    expect((await whoAmI(two)).statusCode).toBe(401)
  })

  test('only the token’s hash is stored', async () => {
    const { authorization } = await signedIn(app, await newUser(app))
    const rows = await app.db.selectFrom('session').select('token_hash').execute()
    expect(rows.some((row) => row.token_hash.toString().includes(authorization.slice(7)))).toBe(false)
    expect(rows.every((row) => row.token_hash.length === 32)).toBe(true)
  })

  test('a role that may not is 403, a super admin has no balance', async () => {
    const admin = await signedIn(app, await newSuperAdmin(app))
    expect((await whoAmI(admin)).json()).toMatchObject({ role: 'ROLE_SADMIN', balance: null })
    const reseller = await signedIn(app, await newReseller(app))
    const reply = await http.inject({ url: '/api/obd/prompts/list', headers: reseller })
    expect([reply.statusCode, message(reply)]).toEqual([403, 'Not allowed'])
  })
})
