import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newUser, seededPassword } from '../../testing/seed.ts'
import { WorkLimits } from './actions.ts'
import { workLimits } from './rules.ts'

const app = { ...(await testApp()), workLimits: new WorkLimits() }
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})

const count = (replies: LightMyRequestResponse[], status: number) =>
  replies.filter(({ statusCode }) => statusCode === status).length
/** What was begun within the minute is forgotten. */
const anotherMinute = () => app.db.deleteFrom('rate_limit').execute()

describe('of passwords', () => {
  let hostile: Viewer
  let child: Viewer
  let headers: { authorization: string }
  beforeAll(async () => {
    hostile = await newReseller(app)
    child = await newUser(app, { parent: hostile })
    headers = await signedIn(app, hostile)
  })
  let serial = 0
  const reset = (as = headers, userId = child.userId) =>
    http.inject({
      method: 'POST',
      url: '/api/obd/pwd/reset',
      headers: as,
      payload: { userId, password: `marigold tunnel kite ${++serial}` },
    })

  test('an account that sets five hundred at once has few done, and others sign in and set theirs meanwhile', async () => {
    const neighbour = await newReseller(app)
    const theirs = await newUser(app, { parent: neighbour })
    const asNeighbour = await signedIn(app, neighbour)
    let flooded = false
    const flood = Promise.all(Array.from({ length: 500 }, () => reset())).finally(() => (flooded = true))
    const [login, other] = await Promise.all([
      http.inject({
        method: 'POST',
        url: '/api/obd/login',
        payload: { username: theirs.username, password: seededPassword },
      }),
      reset(asNeighbour, theirs.userId),
    ])
    expect({ login: login.statusCode, other: other.statusCode }, other.body).toEqual({ login: 200, other: 200 })
    const replies = await flood
    expect(flooded).toBe(true)
    expect(count(replies, 200)).toBe(workLimits.newPasswords.atOnce)
    expect(count(replies, 429)).toBe(500 - workLimits.newPasswords.atOnce)
    const refused = replies.find(({ statusCode }) => statusCode === 429)
    expect(refused?.headers['retry-after']).toBe('2')
    expect(refused?.json()).toEqual({
      message: 'Request Failed!! Please try again',
      errors: [
        {
          field: 'account',
          code: 'throttled',
          text: 'One account may have 4 new passwords under way at once. Try again in 2 s',
        },
      ],
    })
  }, 60_000)

  test('thirty a minute are taken, then it says in how many seconds the next one is, and others are not counted with it', async () => {
    await anotherMinute()
    const wrong = () =>
      http.inject({
        method: 'POST',
        url: '/api/obd/pwd/reset',
        headers,
        payload: { userId: child.userId, password: 'x' },
      })
    for (let i = 0; i < workLimits.newPasswords.perMinute; i++) expect((await wrong()).statusCode).toBe(400)
    const late = await reset()
    expect(late.statusCode).toBe(429)
    const seconds = Number(late.headers['retry-after'])
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(late.json<{ errors: { text: string }[] }>().errors[0]?.text).toBe(
      `One account may begin 30 new passwords a minute. Try again in ${seconds} s`,
    )
    expect((await reset(await signedIn(app, await newReseller(app)))).statusCode).toBe(404)
    await anotherMinute()
    expect((await reset()).statusCode).toBe(200)
  }, 60_000)
})
