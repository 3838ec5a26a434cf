import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newUser, seededPassword } from '../../testing/seed.ts'
import { programOf } from '../security/rules.ts'

const app = await testApp()
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})

type Row = { sessionId: number; current: boolean; browser: string; system: string; ip: string }
type Headers = Record<string, string>
const list = async (headers: Headers) => (await http.inject({ url: '/api/obd/sessions', headers })).json<Row[]>()
const end = (headers: Headers, payload: object) =>
  http.inject({ method: 'POST', url: '/api/obd/sessions/end', headers, payload })
async function signIn({ username }: Viewer): Promise<Headers> {
  const payload = { username, password: seededPassword }
  const reply = await http.inject({ method: 'POST', url: '/api/obd/login', payload })
  return { authorization: `Bearer ${reply.json<{ token: string }>().token}` }
}
const isIn = async (headers: Headers) => (await http.inject({ url: '/api/obd/session', headers })).statusCode === 200
const audited = (userId: number, action: string) =>
  app.db.selectFrom('audit_log').select('detail').where('actor_id', '=', userId).where('action', '=', action).execute()

describe('open sessions', () => {
  test('are listed with what they came from, by table and never as the program calls itself', async () => {
    const user = await newUser(app)
    const login = await http.inject({
      method: 'POST',
      url: '/api/obd/login',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0 <script>' },
      remoteAddress: '103.10.28.7',
      payload: { username: user.username, password: seededPassword },
    })
    app.clock.advance(60_000)
    const headers = await signedIn(app, user)
    const { token } = login.json<{ token: string }>()
    const rows = await list(headers)
    expect(rows).toMatchObject([
      { current: true, browser: 'other', system: 'other', ip: '127.0.0.1' },
      { current: false, browser: 'firefox', system: 'linux', ip: '103.10.28.7' },
    ])
    expect(JSON.stringify(rows)).not.toContain('script')
    expect(await list({ authorization: `Bearer ${token}` })).toMatchObject([{ current: false }, { current: true }])
  })

  test('one of them ends alone, all others together, and each leaves a line of audit', async () => {
    const user = await newUser(app)
    const [mine, phone, office] = [await signedIn(app, user), await signedIn(app, user), await signedIn(app, user)]
    const ofPhone = (await list(phone)).find(({ current }) => current)
    const reply = await end(mine, { sessionId: ofPhone?.sessionId })
    expect([reply.statusCode, reply.json()]).toEqual([200, { message: 'Success', ended: 1 }])
    expect([await isIn(mine), await isIn(phone), await isIn(office)]).toEqual([true, false, true])
    expect((await end(mine, { others: true })).json()).toMatchObject({ ended: 1 })
    expect([await isIn(mine), await isIn(office)]).toEqual([true, false])
    expect((await end(mine, { others: true })).json()).toMatchObject({ ended: 0 })
    expect(await audited(user.userId, 'logout.elsewhere')).toEqual([
      { detail: { sessions: 1 } },
      { detail: { sessions: 1 } },
    ])
  })

  test('the one in use, none, and both at once are refused in words', async () => {
    const headers = await signedIn(app, await newUser(app))
    const [own] = await list(headers)
    const inUse = await end(headers, { sessionId: own?.sessionId })
    expect(inUse.statusCode).toBe(409)
    expect(inUse.json()).toMatchObject({ errors: [{ text: 'is the one that you use: log out instead' }] })
    for (const payload of [{}, { sessionId: own?.sessionId, others: true }])
      expect((await end(headers, payload)).statusCode).toBe(400)
    expect(await isIn(headers)).toBe(true)
  })

  test('an account has twenty: at the next sign-in the one unused for longest ends', async () => {
    const user = await newUser(app)
    const opened: Headers[] = []
    for (let n = 0; n < 20; n++) {
      opened.push(await signIn(user))
      app.clock.advance(1000)
    }
    app.clock.advance(61_000)
    expect(await isIn(opened[0] ?? {}), 'the first is used again').toBe(true)
    const newest = await signIn(user)
    expect([await isIn(opened[0] ?? {}), await isIn(opened[1] ?? {}), await isIn(opened[2] ?? {})]).toEqual([
      true,
      false,
      true,
    ])
    expect(await list(newest)).toHaveLength(20)
  })

  test('a program that signs in for each call ends its own sessions before those of the person beside it', async () => {
    const user = await newUser(app)
    const person = await signIn(user)
    const payload = { username: user.username, password: seededPassword }
    for (let n = 0; n < 25; n++) {
      app.clock.advance(100)
      const headers = { 'user-agent': 'curl/8.9' }
      const reply = await http.inject({ method: 'POST', url: '/api/obd/login', headers, payload })
      expect(reply.statusCode).toBe(200)
    }
    expect(await isIn(person)).toBe(true)
    expect(await list(person)).toHaveLength(20)
  })

  test('thirty sign-ins at once leave twenty sessions', async () => {
    const user = await newUser(app)
    await Promise.all(Array.from({ length: 30 }, () => signIn(user)))
    const { sessions } = await app.db
      .selectFrom('session')
      .select((e) => e.fn.countAll<number>().as('sessions'))
      .where('user_id', '=', user.userId)
      .executeTakeFirstOrThrow()
    expect(sessions).toBe(20)
  })
})

test.each([
  {
    browser: 'chrome',
    system: 'windows',
    of: 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
  },
  { browser: 'edge', system: 'windows', of: 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0' },
  { browser: 'opera', system: 'linux', of: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36 OPR/120.0' },
  {
    browser: 'samsung',
    system: 'android',
    of: 'Mozilla/5.0 (Linux; Android 15) SamsungBrowser/28.0 Chrome/130.0 Safari/537.36',
  },
  {
    browser: 'safari',
    system: 'iphone',
    of: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1',
  },
  { browser: 'safari', system: 'mac', of: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1' },
  { browser: 'other', system: 'other', of: 'curl/8.15.0' },
])('$of is $browser on $system', ({ of, ...expected }) => expect(programOf(of)).toEqual(expected))
