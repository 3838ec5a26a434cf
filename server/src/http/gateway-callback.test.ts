import * as nodeHttp from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { testApp } from '../testing/app.ts'
import { signedIn, testHttp } from '../testing/http.ts'
import { newSuperAdmin } from '../testing/seed.ts'

const app = await testApp()
let port = 0
let gatewayId = 0
const secret = 'sixteen letters & more'

beforeAll(async () => {
  const http = await testHttp(app)
  await http.listen({ host: '127.0.0.1', port: 0 })
  port = (http.server.address() as AddressInfo).port
  const boss = await newSuperAdmin(app)
  const payload = {
    gatewayName: 'Aggregator',
    driver: 'http',
    url: 'https://api.aggregator.example/?to={to}&text={text}',
    success: 'OK*',
    tps: 100,
    receiptSecret: secret,
    receipt: { id: 'msgid', status: 'st', delivered: ['DELIVRD'], failed: ['UNDELIV'] },
    incoming: { from: 'sender', to: 'code', text: 'text' },
  }
  const made = await http.inject({
    method: 'POST',
    url: '/app/sms/gateway',
    headers: await signedIn(app, boss),
    payload,
  })
  gatewayId = made.json<{ gatewayId: number }>().gatewayId
})

let connected = 0

/** A connection of its own, over which one request follows the other. */
function connection() {
  const agent = new nodeHttp.Agent({ keepAlive: true, maxSockets: 1 })
  const get = (query: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const path = `/app/sms/callback/${gatewayId}?${String(new URLSearchParams(query))}`
      nodeHttp
        .get({ host: '127.0.0.1', port, path, agent }, (reply) => {
          reply.resume().on('end', () => resolve(reply.statusCode ?? 0))
        })
        .on('socket', (socket) => socket.once('connect', () => (connected += 1)))
        .on('error', reject)
    })
  return { get, close: () => agent.destroy() }
}

test('while 1,500 connections guess secrets without a pause, every receipt and STOP of the gateway is taken before any of them has had three turns more', async () => {
  const strangers = Array.from({ length: 1500 }, connection)
  const statuses = new Set<number>()
  let answered = 0
  const end = new AbortController()
  const guess = async ({ get }: (typeof strangers)[number], n: number) => {
    while (!end.signal.aborted) {
      statuses.add(await get({ secret: `not the secret ${n}`, msgid: `s${n}`, st: 'DELIVRD' }))
      answered += 1
    }
  }
  const flood = Promise.allSettled(strangers.map(guess))
  await expect.poll(() => connected, { timeout: 60_000 }).toBe(strangers.length)

  const ours = connection()
  expect(await ours.get({ secret, what: 'is neither' })).toBe(200)
  const turns: number[] = []
  for (let n = 0; n < 20; n++) {
    const before = answered
    const said =
      n % 2 === 0 ? { msgid: `m${n}`, st: 'DELIVRD' } : { sender: `98410000${10 + n}`, code: '31001', text: 'STOP' }
    expect(await ours.get({ secret, ...said })).toBe(200)
    turns.push((answered - before) / strangers.length)
  }
  end.abort()
  await flood
  for (const { close } of [...strangers, ours]) close()

  expect(Math.max(...turns)).toBeLessThan(3)
  expect([...statuses]).toEqual([404])
  const { rows } = await sql<{ receipts: number; messages: number }>`
    select (select count(*)::int from sms_receipt_early) as receipts, (select count(*)::int from sms_inbox) as messages`.execute(
    app.db,
  )
  expect(rows).toEqual([{ receipts: 10, messages: 10 }])
}, 120_000)
