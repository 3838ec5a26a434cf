import { routes } from '@ghanti/contract/routes.ts'
import type { Route } from '@ghanti/contract/route.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { policy, type Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { codeAt, giveTotp } from '../../testing/factors.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser, seededPassword } from '../../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let admin: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  admin = await newSuperAdmin(app)
})

type Headers = Record<string, string>
const post = (url: string, payload: object = {}, headers: Headers = {}) =>
  http.inject({ method: 'POST', url: `/api/obd/${url}`, payload, headers })
const rule = async (secondFactor: { superAdmins: string; resellers: string; users: string }) => {
  const reply = await post('settings', { secondFactor }, await signedIn(app, admin))
  expect(reply.statusCode).toBe(200)
}
const off = { superAdmins: 'off', resellers: 'off', users: 'off' }
beforeEach(() => rule(off))

async function signIn({ username }: Viewer, password = seededPassword): Promise<Headers> {
  const reply = await post('login', { username, password })
  return { authorization: `Bearer ${reply.json<{ token: string }>().token}` }
}
const mustOf = async (headers: Headers) =>
  (await http.inject({ url: '/api/obd/session', headers })).json<{ must?: string }>().must ?? null

/** Nobody confirmed its address, so no code is mailed. */
async function without(person: Promise<Viewer>): Promise<Viewer> {
  const viewer = await person
  await app.db.updateTable('users').set({ verified_emailid: null }).where('id', '=', viewer.userId).execute()
  return viewer
}

async function addTotp(headers: Headers): Promise<void> {
  const begun = (await post('factors/totp/begin', {}, headers)).json<Record<string, string>>()
  const code = codeAt(app.clock.now(), begun['secret'])
  expect((await post('factors/totp', { token: begun['token'], code }, headers)).statusCode).toBe(200)
}

describe('an account that must have a second factor', () => {
  test('reaches nothing but what adds one, then everything in the same session, and its next sign-in asks for a code', async () => {
    await rule({ ...off, users: 'required' })
    const user = await without(newUser(app))
    const headers = await signIn(user)
    expect(await mustOf(headers)).toBe('factor')
    const refused = await http.inject({ url: '/api/obd/notices', headers })
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({ errors: [{ field: 'account', code: 'factor_required' }] })
    await addTotp(headers)
    expect(await mustOf(headers)).toBe(null)
    expect((await http.inject({ url: '/api/obd/notices', headers })).statusCode).toBe(200)
    expect((await post('login', { username: user.username, password: seededPassword })).json()).toHaveProperty('ticket')
  })

  test('reaches no other route that needs a session', async () => {
    await rule({ ...off, users: 'required' })
    const headers = await signIn(await without(newUser(app)))
    const reached: string[] = []
    for (const [area, ofArea] of Object.entries(routes))
      for (const [name, route] of Object.entries<Route>(ofArea)) {
        const key = `${area}.${name}` as keyof typeof policy
        const allowed: 'public' | readonly string[] = policy[key]
        if (allowed === 'public' || !allowed.includes('user')) continue
        const url = route.path.replace(/:\w+/g, '1')
        const reply = await http.inject({ method: route.method, url, headers })
        const { errors = [] } = reply.json<{ errors?: { code: string }[] }>()
        if (reply.statusCode !== 403 || errors[0]?.code !== 'factor_required') reached.push(key)
      }
    expect(reached.sort()).toEqual([
      'auth.session',
      'factors.addPasskey',
      'factors.addTotp',
      'factors.beginTotp',
      'factors.list',
      'factors.passkeyOptions',
      'factors.prove', // whoever takes longer than a proof lasts
    ])
  })

  test('is of the roles that the platform names', async () => {
    await rule({ ...off, resellers: 'required' })
    const reseller = await without(newReseller(app))
    expect(await mustOf(await signIn(reseller))).toBe('factor')
    expect(await mustOf(await signIn(await newUser(app, { parent: reseller })))).toBe(null)
    expect(await mustOf(await signIn(admin))).toBe(null)
    await rule({ ...off, superAdmins: 'required' })
    expect(await mustOf(await signIn(reseller))).toBe(null)
    expect(await mustOf(await signIn(admin))).toBe('factor')
  })

  test('keeps its last one, but changes it, and has it removed from above', async () => {
    const reseller = await newReseller(app)
    const user = await newUser(app, { parent: reseller })
    const factorId = await giveTotp(app, user.userId)
    const headers = await signedIn(app, user)
    await rule({ ...off, users: 'required' })
    const reply = await http.inject({ method: 'DELETE', url: `/api/obd/factors/${factorId}`, headers })
    expect(reply.statusCode).toBe(409)
    expect(reply.json()).toMatchObject({
      errors: [{ field: 'factorId', text: 'is the last one, and this account must have one' }],
    })
    expect((await http.inject({ url: '/api/obd/factors', headers })).json()).toMatchObject({
      factors: [{ factorId }],
      isRequired: true,
    })
    await addTotp(headers)
    const payload = { userId: user.userId, reason: 'Lost' }
    expect((await post('user/factors/remove', payload, await signedIn(app, reseller))).statusCode).toBe(200)
    expect(await mustOf(await signIn(user))).toBe('factor')
  })

  test('whose password others chose changes that first', async () => {
    await rule({ ...off, users: 'required' })
    const user = await without(newUser(app))
    await app.db.updateTable('users').set({ password_given: true }).where('id', '=', user.userId).execute()
    const headers = await signIn(user)
    expect(await mustOf(headers)).toBe('password')
    const payload = { current: seededPassword, password: 'granite otter lantern 58' }
    expect((await post('password', payload, headers)).statusCode).toBe(200)
    expect(await mustOf(headers)).toBe('factor')
    await addTotp(headers)
    expect(await mustOf(headers)).toBe(null)
  })
})
