import { beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { testApp } from '../testing/app.ts'
import { signedIn, testHttp } from '../testing/http.ts'
import { newUser } from '../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let token: string
beforeAll(async () => {
  http = await testHttp(app)
  token = (await signedIn(app, await newUser(app))).authorization.slice('Bearer '.length)
})

describe('a request with an Authorization header never counts the cookie', () => {
  const host = 'localhost:3000'
  const session = (authorization?: string) =>
    http.inject({
      url: '/api/obd/session',
      headers: { cookie: `token=${token}`, ...(authorization === undefined ? {} : { authorization }) },
    })

  test('a good cookie counts alone', async () => {
    expect((await session()).statusCode).toBe(200)
  })

  test.each(['Bearer wrong', 'Bearer', 'Basic dXNlcjpwYXNz', 'Bearer a b', 'x', ''])(
    'with Authorization: %j a good cookie is 401',
    async (authorization) => {
      const reply = await session(authorization)
      expect([reply.statusCode, reply.json()]).toEqual([401, { message: 'Token Not Valid.' }])
    },
  )

  test('a page elsewhere gains nothing with the header: what spares it the check of its origin spares it the cookie too', async () => {
    const write = (headers: Record<string, string>) =>
      http.inject({
        method: 'POST',
        url: '/api/obd/notices/readall',
        headers: { host, origin: 'https://evil.example', cookie: `token=${token}`, ...headers },
      })
    expect((await write({})).statusCode).toBe(403)
    for (const authorization of ['', 'Basic x', 'Bearer wrong'])
      expect((await write({ authorization })).statusCode).toBe(401)
  })

  test('signing out with a header ends the session of the header and leaves that of the cookie', async () => {
    const other = await signedIn(app, await newUser(app))
    const headers = { cookie: `token=${token}`, ...other }
    expect((await http.inject({ method: 'POST', url: '/api/obd/logout', headers })).statusCode).toBe(200)
    expect((await http.inject({ url: '/api/obd/session', headers: other })).statusCode).toBe(401)
    expect((await session()).statusCode).toBe(200)
  })
})
