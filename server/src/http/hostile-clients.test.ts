import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { mebibyte } from '@ghanti/contract/values.ts'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../testing/app.ts'
import { signedIn, testHttp } from '../testing/http.ts'
import { newReseller, newUser } from '../testing/seed.ts'
import { isShared, limitConnections } from './connections.ts'

const app = await testApp()
const http = await testHttp(app)
await http.listen({ port: 0, host: '127.0.0.1' })
const { port } = http.server.address() as AddressInfo
const { authorization } = await signedIn(app, await newUser(app))
const signIn = { path: '/api/obd/login', headers: '' }
const refused = { path: '/api/obd/notices/readall', headers: '' }
const taken = { path: '/api/obd/notices/readall', headers: `Authorization: ${authorization}\r\n` }
const json = 'Content-Type: application/json\r\n'

const statusIn = (reply: string): number => Number(reply.split(' ', 2)[1])

async function answerTo(request: string | Buffer): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(request)
  return statusIn(await text(socket))
}

/** Sends a body in pieces, and resolves with the bytes that the server took before it disconnected or all was sent. */
async function sendPieces({ path, headers }: { path: string; headers: string }, pieces: number, bytes: number) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined).resume()
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${json}${headers}Transfer-Encoding: chunked\r\n\r\n`)
  const piece = `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`
  for (let left = pieces; left > 0 && !socket.closed; left -= 1000)
    await new Promise((done) => socket.write(piece.repeat(Math.min(left, 1000)), done))
  if (!socket.closed) socket.end('0\r\n\r\n')
  for (let waits = 0; waits < 50 && !socket.closed; waits += 1) await new Promise((done) => setTimeout(done, 10))
  const wasCut = socket.closed
  socket.destroy()
  return { wasCut }
}

test.each([
  { why: 'that is refused unread', to: refused },
  { why: 'to a path that does not exist', to: { path: '/nothing', headers: '' } },
  { why: 'to an address that cannot be read', to: { path: '/api/obd/prompts/%E0%A4', headers: '' } },
  { why: 'that is taken', to: taken },
])('a body $why ends after some thousand pieces of a few bytes', async ({ to }) => {
  expect(await sendPieces(to, 200_000, 1)).toEqual({ wasCut: true })
})

test('a body in few pieces, or in long ones, is taken', async () => {
  const post = (body: string) =>
    answerTo(
      `POST ${taken.path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${json}${taken.headers}Transfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`,
    )
  expect(await post('1\r\n{\r\n1\r\n}\r\n')).toBe(200)
  expect(await post(`1\r\n{\r\n${`80\r\n${' '.repeat(128)}\r\n`.repeat(6000)}1\r\n}\r\n`)).toBe(200)
})

test.each([signIn, taken])('a packed body is not unpacked: $path', async ({ path, headers }) => {
  const bomb = gzipSync(Buffer.alloc(10 * mebibyte, ' '))
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${json}${headers}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`
  expect(await answerTo(Buffer.concat([Buffer.from(head), bomb]))).toBe(400)
})

test('more headers than any client sends are refused, so that none of a proxy is lost behind them', async () => {
  const demo = await newReseller(app)
  await app.db.updateTable('users').set({ is_demo: true }).where('id', '=', demo.userId).execute()
  const guarded = await testHttp(app)
  await guarded.listen({ port: 0, host: '127.0.0.1' })
  const ask = async (headers: string): Promise<number> => {
    const socket = connect((guarded.server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`)
    return statusIn(await text(socket))
  }
  const forwarded = 'X-Forwarded-For: 203.0.113.1\r\n'
  expect(await ask('')).toBe(200)
  expect(await ask('a:\r\n'.repeat(150))).toBe(200)
  expect(await ask(forwarded)).toBe(403)
  expect(await ask('a:1\r\n'.repeat(900) + forwarded)).toBe(400)
  expect(await ask('a:\r\n'.repeat(2000))).toBe(431)
})

test('an address of twenty thousand letters is refused', async () => {
  expect(await answerTo(`GET /api/obd/session?${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).toBe(431)
})

test('a network that opens connections without end has the first, and others have theirs', async () => {
  const server = createServer((_request, response) => response.end('here'))
  const told: unknown[] = []
  limitConnections(server, {
    networkOf: (ip) => (ip === '127.0.0.9' ? null : ip),
    ofNetworkMax: 20,
    onRefused: (refused) => told.push(refused),
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  afterAll(() => server.close())
  const { port: its } = server.address() as AddressInfo
  const open = (localAddress: string) => {
    const socket = connect({ port: its, host: '127.0.0.1', localAddress })
    return socket.on('error', () => undefined).resume()
  }
  const ask = async (localAddress: string): Promise<string> => {
    const socket = connect({ port: its, host: '127.0.0.1', localAddress })
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    return await text(socket).catch(() => '')
  }
  const idle = Array.from({ length: 500 }, () => open('127.0.0.2'))
  const shared = Array.from({ length: 100 }, () => open('127.0.0.9'))
  const isOpen = () => idle.filter((socket) => !socket.closed && !socket.connecting).length
  await expect.poll(isOpen).toBe(20)
  expect(await ask('127.0.0.2')).toBe('')
  expect(told, 'once a minute').toEqual([{ network: '127.0.0.2', connections: 20 }])
  expect(await ask('127.0.0.3')).toContain('here')
  expect(await ask('127.0.0.9'), 'a proxy').toContain('here')
  for (const socket of [...idle, ...shared]) socket.destroy()
  await expect.poll(() => ask('127.0.0.2')).toContain('here')
})

test('a proxy that is trusted, and a private network, are many people', () => {
  const shared = isShared(['203.0.113.5', '198.51.100.0/24', '2001:db8::/32', 'loopback'])
  const many = ['127.0.0.1', '::ffff:10.0.0.1', '::1', '203.0.113.5', '::ffff:203.0.113.5', '198.51.100.9', '']
  const one = ['203.0.114.6', '::ffff:203.0.114.6', '2400:1a00::1']
  expect([...many, ...one].filter(shared)).toEqual(many)
})
