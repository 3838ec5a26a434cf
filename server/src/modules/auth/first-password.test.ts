import { routes } from '@ghanti/contract/routes.ts'
import type { Route } from '@ghanti/contract/route.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { policy } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let reseller: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  reseller = await newReseller(app, { planId: await newPlan(app, { pulsePaisa: 40 }), channels: 1000 })
})

const given = 'sunlit-teapot-47-goat'
const own = 'granite otter lantern 58'
type Headers = Record<string, string>
const post = (url: string, headers: Headers, payload: object) => http.inject({ method: 'POST', url, headers, payload })

async function signIn(username: string, password: string): Promise<Headers> {
  const reply = await post('/api/obd/login', {}, { username, password })
  expect(reply.statusCode).toBe(200)
  return { authorization: `Bearer ${reply.json<{ token: string }>().token}` }
}
const mustOf = async (headers: Headers) =>
  (await http.inject({ url: '/api/obd/session', headers })).json<{ must?: string }>().must ?? null

/** A user whose password the reseller set. */
async function givenTo(): Promise<Viewer> {
  const user = await newUser(app, { parent: reseller })
  const payload = { userId: user.userId, password: given }
  expect((await post('/api/obd/pwd/reset', await signedIn(app, reseller), payload)).statusCode).toBe(200)
  return user
}

describe('a password that an account above chose', () => {
  test('opens a session that changes it, says so, and then reaches everything', async () => {
    const user = await givenTo()
    const headers = await signIn(user.username, given)
    expect(await mustOf(headers)).toBe('password')
    const refused = await http.inject({ url: '/api/obd/notices', headers })
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({
      message: 'Not allowed',
      errors: [{ field: 'account', code: 'password_required' }],
    })
    const again = await post('/api/obd/password', headers, { current: given, password: given })
    expect(again.json()).toMatchObject({ errors: [{ field: 'password', code: 'same' }] })
    expect(await mustOf(headers)).toBe('password')
    expect((await post('/api/obd/password', headers, { current: given, password: own })).statusCode).toBe(200)
    expect(await mustOf(headers)).toBe(null)
    expect((await http.inject({ url: '/api/obd/notices', headers })).statusCode).toBe(200)
    expect(await mustOf(await signIn(user.username, own))).toBe(null)
  })

  test('reaches no other route that needs a session', async () => {
    const headers = await signIn((await givenTo()).username, given)
    const reached: string[] = []
    for (const [area, ofArea] of Object.entries(routes))
      for (const [name, route] of Object.entries<Route>(ofArea)) {
        const key = `${area}.${name}` as keyof typeof policy
        const allowed: 'public' | readonly string[] = policy[key]
        if (allowed === 'public' || !allowed.includes('user')) continue
        const url = route.path.replace(/:\w+/g, '1')
        const reply = await http.inject({ method: route.method, url, headers })
        const { errors = [] } = reply.json<{ errors?: { code: string }[] }>()
        if (reply.statusCode !== 403 || errors[0]?.code !== 'password_required') reached.push(key)
      }
    expect(reached.sort()).toEqual(['auth.session', 'sessions.changePassword'])
  })

  test('of a new account is one, too', async () => {
    const planId = await newPlan(app, { owner: reseller, pulsePaisa: 50 })
    const person = { name: 'Gita Rai', emailid: 'gita@example.com', number: '9841000001', company: 'Himal' }
    const account = {
      ...person,
      username: 'gita',
      password: given,
      accountType: 0,
      userType: 'user',
      planId,
      channels: 1,
    }
    const made = await post('/api/obd/register', await signedIn(app, reseller), {
      ...account,
      address: 'Patan',
      pincode: '44700',
    })
    expect(made.json()).toMatchObject({ message: 'User Created Successfully' })
    const headers = await signIn('gita', given)
    expect(await mustOf(headers)).toBe('password')
    const changes = Array.from({ length: 5 }, (_, n) =>
      post('/api/obd/password', headers, { current: given, password: `${own} ${n}` }),
    )
    const codes = (await Promise.all(changes)).map(({ statusCode }) => statusCode)
    expect(
      codes.filter((code) => code === 200),
      'of changes at once one succeeds',
    ).toHaveLength(1)
    expect(await mustOf(headers)).toBe(null)
  })

  test('stays as it is while the platform does not ask for another, and asks again once it does', async () => {
    const admin = await signedIn(app, await newSuperAdmin(app))
    const user = await givenTo()
    expect((await post('/api/obd/settings', admin, { firstPassword: false })).statusCode).toBe(200)
    const headers = await signIn(user.username, given)
    expect(await mustOf(headers)).toBe(null)
    expect((await post('/api/obd/settings', admin, { firstPassword: true })).statusCode).toBe(200)
    expect(await mustOf(headers), 'a session goes on as it began').toBe(null)
    expect(await mustOf(await signIn(user.username, given))).toBe('password')
  })
})
