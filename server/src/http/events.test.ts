import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { testApp } from '../testing/app.ts'
import { signedIn, testHttp } from '../testing/http.ts'
import { newUser } from '../testing/seed.ts'
import { streamsOfAccountMax, streamsOfSessionMax } from './events.ts'

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
