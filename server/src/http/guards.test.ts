import { beforeAll, describe, expect, test } from 'vitest'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { testApp } from '../testing/app.ts'
import { signedIn, testHttp } from '../testing/http.ts'
import { newReseller, newUser, seededPassword } from '../testing/seed.ts'

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

describe('the demo behind a tunnel', () => {
  test('every request that a proxy passed on is refused, and the header is named', async () => {
    const demo = await newReseller(app)
    await app.db.updateTable('users').set({ is_demo: true }).where('id', '=', demo.userId).execute()
    const guarded = await testHttp(app)
    const from = (headers: Record<string, string>) =>
      guarded.inject({ url: '/healthz', headers: { host: 'localhost:3000', ...headers } })
    expect((await from({})).statusCode).toBe(200)
    for (const [name, value] of [
      ['X-Forwarded-For', '203.0.113.7'],
      ['X-Forwarded-Proto', 'https'],
      ['x-forwarded-host', 'localhost'],
      ['X-Forwarded-Anything', ''],
      ['Forwarded', 'for=203.0.113.7'],
    ] as const) {
      const reply = await from({ [name]: value })
      expect([reply.statusCode, reply.json()]).toMatchObject([
        403,
        { message: 'Not allowed', errors: [{ field: name.toLowerCase(), code: 'demo' }] },
      ])
      expect(reply.json().errors[0].text).toContain('came through a proxy or tunnel')
    }
    await app.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', demo.userId).execute()
    expect((await from({ 'x-forwarded-for': '203.0.113.7' })).statusCode).toBe(200)
  })
})

describe('PUBLIC_URL', () => {
  const signIn = async (publicUrl: string) => {
    const server = await testHttp({ ...app, config: { ...app.config, publicUrl } })
    const { username } = await newUser(app)
    return server.inject({ method: 'POST', url: '/api/obd/login', payload: { username, password: seededPassword } })
  }

  test('when it is https every cookie is Secure and HSTS is sent, even when the proxy’s X-Forwarded-Proto is not believed', async () => {
    const reply = await signIn('https://calls.example.com')
    expect(reply.cookies.map(({ name, secure }) => [name, secure])).toEqual([
      ['token', true],
      ['userId', true],
      ['role', true],
      ['device', true],
    ])
    expect(reply.headers['strict-transport-security']).toMatch(/^max-age=\d{8}/)
  })

  test('when it is http neither is, or the browser would drop the cookies', async () => {
    const reply = await signIn('http://127.0.0.1:3000')
    expect(reply.cookies.map(({ secure }) => secure)).toEqual([undefined, undefined, undefined, undefined])
    expect(reply.headers['strict-transport-security']).toBeUndefined()
  })
})

describe('a header that means one thing and is there twice', () => {
  const once = () => ({
    Host: '127.0.0.1',
    Origin: 'http://127.0.0.1',
    Authorization: `Bearer ${token}`,
    Cookie: `token=${token}`,
    'Content-Type': 'application/json',
    'Content-Length': '2',
    'Idempotency-Key': 'k',
    Range: 'bytes=0-1',
    'If-Range': '"a"',
    'If-None-Match': '"a"',
  })
  /** Over a socket, since clients send none twice. */
  async function answered(url: string, headers: readonly (readonly [string, string])[]): Promise<string> {
    const { port } = new URL(await http.listen({ host: '127.0.0.1', port: 0 }).catch(() => addressOf(http)))
    const socket = connect(Number(port), '127.0.0.1')
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.write(`POST ${url} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n{}`)
    return await text(socket)
  }
  const addressOf = ({ server }: FastifyInstance) => {
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  }

  test.each(Object.keys(once()))('is refused: %s', async (name) => {
    const all = Object.entries(once())
    for (const url of ['/api/obd/notices/readall', '/api/obd/login', '/healthz', '/nowhere'])
      for (const again of all
        .filter(([one]) => one === name)
        .map(([one, value]) => [one.toLowerCase(), value] as const)) {
        const reply = await answered(url, [...all, again])
        expect(reply, url).toMatch(/^HTTP\/1\.1 400 /)
        if (name !== 'Content-Length')
          expect(reply).toContain(`{"field":"${name}","code":"twice","text":"is there twice"}`)
      }
  })

  test('once, and others twice, nothing is refused', async () => {
    const proxied = [
      ['Accept', 'a/b'],
      ['Accept', 'c/d'],
      ['Via', 'x'],
      ['Via', 'y'],
    ] as const
    const reply = await answered('/api/obd/notices/readall', [...Object.entries(once()), ...proxied])
    expect(reply.split('\r\n', 1)[0]).toBe('HTTP/1.1 200 OK')
  })
})
