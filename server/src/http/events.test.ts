import { connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../testing/app.ts'
import { signedIn, testHttp } from '../testing/http.ts'
import { newUser } from '../testing/seed.ts'
import Fastify from 'fastify'
import { backlogMax, EventStreams, streamsOfAccountMax, streamsOfSessionMax } from './events.ts'
import type { EventStream } from './types.ts'

const app = await testApp()
let address: string
let opened = 0
beforeAll(async () => {
  const http = await testHttp(app, {
    handlers: {
      voiceCampaigns: {
        async events() {
          opened++
        },
      },
    },
  })
  await http.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}/api/obd/events`
})

type Opened = { text: string; ended: boolean }
const controllers: AbortController[] = []
afterEach(() => controllers.splice(0).forEach((controller) => controller.abort()))

async function open(headers: Record<string, string>): Promise<Opened> {
  const controller = new AbortController()
  controllers.push(controller)
  const reply = await fetch(address, { headers, signal: controller.signal })
  expect(reply.status).toBe(200)
  const stream = { text: '', ended: false }
  const decoder = new TextDecoder()
  void (async () => {
    for await (const chunk of reply.body ?? []) stream.text += decoder.decode(chunk, { stream: true })
    stream.ended = true
  })().catch(() => undefined)
  return stream
}
async function openMany(headers: Record<string, string>, count: number): Promise<Opened[]> {
  const streams: Opened[] = []
  for (let i = 0; i < count; i++) streams.push(await open(headers))
  return streams
}
const ended = (streams: Opened[]) => streams.flatMap(({ ended }, at) => (ended ? [at] : []))

test('the eleventh stream of a session is served; the oldest is notified that it was replaced, and ends', async () => {
  const user = await newUser(app)
  const headers = await signedIn(app, user)
  const elsewhere = await open(await signedIn(app, user))
  const streams = await openMany(headers, streamsOfSessionMax)
  expect(ended(streams)).toEqual([])
  await open(headers)
  await expect.poll(() => ended(streams)).toEqual([0])
  expect(streams[0]?.text).toContain('event: replaced\ndata: {}\n\n')
  expect(elsewhere.ended).toBe(false)
})

test('thirty of six hundred that one account opens stay, and those of others are not touched', async () => {
  const user = await newUser(app)
  const neighbour = await open(await signedIn(app, await newUser(app)))
  const streams: Opened[] = []
  for (let session = 0; session < 60; session++)
    streams.push(...(await openMany(await signedIn(app, user), streamsOfSessionMax)))
  await expect
    .poll(() => ended(streams), { timeout: 10_000 })
    .toEqual(Array.from({ length: 600 - streamsOfAccountMax }, (_, at) => at))
  expect(neighbour.ended).toBe(false)
  expect(opened).toBeGreaterThanOrEqual(600)
}, 60_000)

/** A stream whose reader takes nothing after the headers, on a server whose heartbeat is short. */
async function unread(): Promise<{ stream: EventStream; socket: Socket; isClosed: () => boolean }> {
  const streams = new EventStreams({ heartbeatMs: 100 })
  const http = Fastify()
  let stream: EventStream | undefined
  let closed = false
  http.get('/', (request, reply) => {
    stream = streams.open(request, reply, { accountId: 1, session: 's' }, async () => true)
    stream.response.on('close', () => (closed = true))
  })
  await http.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(async () => {
    socket.destroy()
    await http.close()
  })
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'data')
  socket.pause()
  if (!stream) throw new Error('no stream was opened')
  return { stream, socket, isClosed: () => closed }
}

test('a stream whose reader stands still is closed at a heartbeat, with one large event in it and with no other to come', async () => {
  const { stream, isClosed } = await unread()
  stream.send('campaigns', 'x'.repeat(12 * backlogMax))
  await expect.poll(isClosed, { timeout: 5000 }).toBe(true)
})

test('at most one event beyond the backlog is held for a reader that stands still', async () => {
  const { stream, isClosed } = await unread()
  let most = 0
  for (let n = 0; n < 200; n++) {
    stream.send('campaigns', 'x'.repeat(backlogMax / 2))
    most = Math.max(most, stream.response.writableLength)
  }
  expect(most).toBeLessThan(2 * backlogMax)
  await expect.poll(isClosed).toBe(true)
})

test('a reader that reads slowly keeps its stream', async () => {
  const { stream, socket, isClosed } = await unread()
  stream.send('campaigns', 'x'.repeat(12 * backlogMax))
  socket.on('data', () => undefined).pause()
  while (socket.bytesRead < 12 * backlogMax) {
    socket.resume()
    await sleep(2)
    socket.pause()
    await sleep(40)
  }
  expect(isClosed()).toBe(false)
}, 20_000)
