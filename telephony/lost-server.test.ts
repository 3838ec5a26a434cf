/** What becomes of calls whose server has died, and of those who answer meanwhile: what they hear, who ends them, and what of it counts. */
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openBench, ownDialer } from '../server/src/drivers/telephony/asterisk/testing.ts'
import type { ChannelRecord, Media } from '../server/src/drivers/telephony/driver.ts'
import type { Suite } from '../server/src/drivers/telephony/suite-bench.ts'
import { toneFile } from '../server/src/testing/files/sound.ts'
import { Proxy } from '../server/src/testing/proxy.ts'
import { polling } from '../server/src/testing/timeouts.ts'
import { startAnsweringPeer, type PeerRules } from './answering-peer.ts'

const waitsMs = 5000
/** What a busy machine adds, beside the second in which the dialer asks. */
const slackMs = 4000
const soundMs = 1500
const exhaustive = { tags: ['exhaustive'] }

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-lost-server-'))
let own: Awaited<ReturnType<typeof ownDialer>>
let suite: Suite
let proxy: Proxy
/** The file of the sentence. */
let sorry: string
const farewell = (): Media => ({ hash: 'sorry', path: sorry, durationMs: soundMs })
let isConnected = true
beforeAll(async () => {
  sorry = path.join(folder, 'sorry.wav')
  fs.writeFileSync(sorry, Buffer.from(await toneFile('sorry', soundMs / 1000).arrayBuffer()))
  own = await ownDialer({ http_proxy: 'http://127.0.0.1:9' }) // a machine's own proxy, which sounds must not take
  proxy = await Proxy.to(own.dialer)
  suite = await openBench('lost', { ...own.dialer, port: proxy.port })
  await suite.connection.setFarewell?.({ waitMs: waitsMs, media: [farewell()] })
}, 60_000)
afterAll(async () => {
  await suite.connection.close()
  await suite.fixture.close()
  await proxy.close()
  await own.remove()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function peerOf(rules: PeerRules = {}) {
  const peer = await startAnsweringPeer(rules)
  onTestFinished(() => peer.close())
  return peer
}

/** As if its process had died: it says nothing to the dialer any more. */
async function dies(): Promise<void> {
  proxy.cut()
  await leaves()
  proxy.mend()
}

async function leaves(): Promise<void> {
  await suite.connection.close()
  isConnected = false
}

async function returns(): Promise<void> {
  await suite.connect()
  isConnected = true
}
beforeEach(() => isConnected || returns())

async function recordOf(channelId: string): Promise<ChannelRecord | undefined> {
  const recorded = async () => (await suite.connection.readRecord(0)).channels.get(channelId)
  await expect.poll(async () => (await recorded())?.endedAt, polling).toEqual(expect.any(Number))
  return recorded()
}

const byesTo = (peer: { requests(method: string): { at: number }[] }) => peer.requests('BYE')

test('whoever was in a call hears a sentence after five seconds and is hung up; what they did not hear is not billed', async () => {
  const peer = await peerOf()
  await suite.connection.setTrunks([peer.trunk('peer')])
  const channelId = await suite.answeredCall('99', { trunk: 'peer', talkMsMax: 60_000 })
  await suite.connection.play(channelId, `${channelId}-1`, suite.fixture.media)
  await suite.events.next('playbackEnded', channelId)
  const quietAt = peer.sound.loudAt()
  const [diedAt, diedMono] = [Date.now(), performance.now()]
  await dies()
  await expect.poll(() => byesTo(peer).length, { ...polling, timeout: 20_000 }).toBe(1)
  const endedMs = (byesTo(peer)[0]?.at ?? 0) - diedMono
  expect(endedMs).toBeGreaterThan(waitsMs)
  expect(endedMs).toBeLessThan(waitsMs + 2000 + soundMs + slackMs)
  expect(peer.sound.loudAt() - quietAt).toBeGreaterThan(waitsMs)
  await returns()
  const record = await recordOf(channelId)
  expect(record).toMatchObject({ answeredAt: expect.any(Number), endedByFarEnd: true, silentMs: expect.any(Number) })
  const heardTo = (record?.endedAt ?? 0) - (record?.silentMs ?? 0)
  expect(Math.abs(heardTo - diedAt)).toBeLessThan(1500)
})

test('whoever hangs up in the silence before that is not billed for it either', exhaustive, async () => {
  const peer = await peerOf({ bye: { afterMs: 4500, headers: [] } })
  await suite.connection.setTrunks([peer.trunk('peer')])
  const channelId = await suite.answeredCall('99', { trunk: 'peer', talkMsMax: 60_000 })
  await sleep(1500)
  const diedAt = Date.now()
  await dies()
  await sleep(5000)
  await returns()
  const record = await recordOf(channelId)
  expect(byesTo(peer)).toEqual([])
  expect(Math.abs((record?.endedAt ?? 0) - (record?.silentMs ?? 0) - diedAt)).toBeLessThan(1500)
})

test('a client that connects within five seconds has the calls, and they go on', exhaustive, async () => {
  const peer = await peerOf()
  await suite.connection.setTrunks([peer.trunk('peer')])
  const channelId = await suite.answeredCall('99', { trunk: 'peer', talkMsMax: 60_000 })
  for (let time = 0; time < 3; time++) {
    await dies()
    await sleep(2500)
    await returns()
    await sleep(1500)
  }
  expect(await suite.connection.live()).toEqual([{ channelId, state: 'up' }])
  expect(await suite.connection.play(channelId, `${channelId}-1`, suite.fixture.media)).toBe('done')
  expect(await suite.events.next('playbackEnded', channelId)).toMatchObject({ failed: false })
  await suite.connection.hangUp(channelId)
  expect(await suite.events.next('hungUp', channelId)).not.toHaveProperty('silentMs')
  expect(await recordOf(channelId)).not.toHaveProperty('silentMs')
})

test('a client that has announced itself has five seconds from then on', exhaustive, async () => {
  const peer = await peerOf()
  await suite.connection.setTrunks([peer.trunk('peer')])
  const channelId = await suite.answeredCall('99', { trunk: 'peer', talkMsMax: 60_000 })
  await dies()
  for (let time = 0; time < 2; time++) {
    await sleep(3000)
    await suite.fixture.driver.announce?.(suite.fixture.dialer)
  }
  await sleep(2500)
  await returns()
  expect(await suite.connection.live()).toEqual([{ channelId, state: 'up' }])
  await suite.connection.hangUp(channelId)
})

test('a client that left in order has half a minute to come back', exhaustive, async () => {
  const peer = await peerOf()
  await suite.connection.setTrunks([peer.trunk('peer')])
  const channelId = await suite.answeredCall('99', { trunk: 'peer', talkMsMax: 60_000 })
  await leaves()
  await sleep(9000)
  await returns()
  expect(await suite.connection.live()).toEqual([{ channelId, state: 'up' }])
  await suite.connection.hangUp(channelId)
})

test('whoever answers while no client is connected hears the sentence, and has not answered', async () => {
  const peer = await peerOf({ ringsMs: 1500 })
  await suite.connection.setTrunks([peer.trunk('peer')])
  const channelId = await suite.call('99', { trunk: 'peer', talkMsMax: 60_000 })
  await suite.events.next('ringing', channelId)
  await dies()
  await expect.poll(() => byesTo(peer).length, { ...polling, timeout: 20_000 }).toBe(1)
  expect(peer.sound.loudAt()).toBeGreaterThan(0)
  await returns()
  expect(await recordOf(channelId)).toMatchObject({ answeredAt: null, alerted: true, endedByFarEnd: true, cause: 19 })
})

test('whoever hangs up while no client is connected, having heard nothing, has not answered', exhaustive, async () => {
  const peer = await peerOf({ ringsMs: 1500, bye: { afterMs: 1500, headers: [] } })
  await suite.connection.setTrunks([peer.trunk('peer')])
  const channelId = await suite.call('99', { trunk: 'peer', talkMsMax: 60_000 })
  await suite.events.next('ringing', channelId)
  await dies()
  await sleep(4000)
  await returns()
  expect(await recordOf(channelId)).toMatchObject({ answeredAt: null, alerted: true, endedByFarEnd: true, cause: 19 })
})

test('whoever waited for the client and then hangs up has answered', exhaustive, async () => {
  const peer = await peerOf({ ringsMs: 1500, bye: { afterMs: 6000, headers: [] } })
  await suite.connection.setTrunks([peer.trunk('peer')])
  const channelId = await suite.call('99', { trunk: 'peer', talkMsMax: 60_000 })
  await suite.events.next('ringing', channelId)
  await dies()
  await expect.poll(() => peer.requests('ACK').length, polling).toBe(1)
  await sleep(1000)
  await returns()
  expect(await suite.connection.play(channelId, `${channelId}-1`, suite.fixture.media)).toBe('done')
  expect(await suite.events.next('hungUp', channelId)).toMatchObject({
    answeredAt: expect.any(Number),
    endedBy: 'callee',
  })
  expect(await recordOf(channelId)).toMatchObject({ answeredAt: expect.any(Number) })
})

test(
  'two who talk to each other go on, and the one who stays is told when the other has hung up',
  exhaustive,
  async () => {
    const [peer, leaving] = [await peerOf(), await peerOf({ bye: { afterMs: 11_000, headers: [] } })]
    await suite.connection.setTrunks([peer.trunk('peer'), leaving.trunk('leaving')])
    const [customer, agent] = [
      await suite.answeredCall('99', { trunk: 'peer', talkMsMax: 60_000 }),
      await suite.answeredCall('99', { trunk: 'leaving', talkMsMax: 60_000 }),
    ]
    await suite.connection.bridge(`${customer}-b`, [customer, agent])
    await dies()
    await sleep(9000)
    expect(byesTo(peer)).toEqual([])
    await expect.poll(() => byesTo(peer).length, { ...polling, timeout: 20_000 }).toBe(1)
    expect(peer.sound.loudAt()).toBeGreaterThan(0)
    await returns()
    expect(await recordOf(agent)).not.toHaveProperty('silentMs')
  },
)

test('of two hundred calls, all are ended', exhaustive, async () => {
  const peer = await peerOf()
  await suite.connection.setTrunks([peer.trunk('peer')])
  const all = await Promise.all(
    Array.from({ length: 200 }, () =>
      suite.answeredCall('99', { trunk: 'peer', talkMsMax: 90_000, deadlineMs: 30_000 }),
    ),
  )
  await dies()
  await expect.poll(() => byesTo(peer).length, { ...polling, timeout: 30_000 }).toBe(all.length)
  await returns()
  await recordOf(all.at(-1) ?? '')
  const { channels } = await suite.connection.readRecord(0)
  expect(all.filter((channelId) => !channels.get(channelId)?.silentMs)).toEqual([])
})

/** A client of a dialer that calls a peer and dies: when the peer last heard sound, and when it was hung up on. */
async function endOfCall(dying: Suite, kill: () => Promise<void>) {
  const peer = await peerOf()
  await dying.connection.setTrunks([peer.trunk('peer')])
  await dying.answeredCall('99', { trunk: 'peer', talkMsMax: 60_000 })
  const from = performance.now()
  await kill()
  await expect.poll(() => byesTo(peer).length, { ...polling, timeout: 30_000 }).toBe(1)
  return { loudMs: peer.sound.loudAt() - from, endedMs: (byesTo(peer)[0]?.at ?? 0) - from }
}

test(
  'a dialer that fetches its sounds says the sentences although nobody gives them to it any more, one after the other',
  exhaustive,
  async () => {
    const server = createServer((_request, response) => {
      const headers = { 'content-type': 'audio/wav', 'cache-control': 'public, max-age=31536000, immutable' }
      response.writeHead(200, headers).end(fs.readFileSync(sorry))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const way = await Proxy.to(own.dialer)
    const signature = 'a-b_c='.padStart(43, 'x')
    const addressOf = (hash: string): string => `http://127.0.0.1:${port}/media/${hash}.wav?signature=${signature}`
    const far = await openBench('fetching', { ...own.dialer, port: way.port, media: { addressOf } })
    try {
      // As long as real ones: Asterisk finds no fetched file whose path is longer than the address (render.sh).
      const media = ['first', 'second'].map((hash) => ({ ...farewell(), hash: hash.padEnd(64, '0') }))
      expect(await far.connection.prefetch(media)).toEqual({ failed: [] })
      await far.connection.setFarewell?.({ waitMs: waitsMs, media })
      const { loudMs, endedMs } = await endOfCall(far, async () => {
        server.closeAllConnections()
        server.close()
        way.cut()
        await far.connection.close()
      })
      expect(loudMs).toBeGreaterThan(waitsMs + 2 * soundMs - 1000)
      expect(endedMs).toBeLessThan(waitsMs + 2000 + 2 * soundMs + slackMs)
    } finally {
      await far.connection.close()
      await far.fixture.close()
      await way.close()
    }
  },
)

test('what a dialer has been set to wait and to say comes before what it was told', exhaustive, async () => {
  const other = await ownDialer({ LOST_SECONDS: '2', LOST_SOUND: sorry })
  const way = await Proxy.to(other.dialer)
  const told = await openBench('told', { ...other.dialer, port: way.port })
  try {
    await told.connection.setFarewell?.({ waitMs: 60_000, media: [] })
    const { loudMs, endedMs } = await endOfCall(told, async () => {
      way.cut()
      await told.connection.close()
    })
    expect(loudMs).toBeGreaterThan(2000)
    expect(endedMs).toBeLessThan(2000 + 2000 + soundMs + slackMs)
  } finally {
    await told.connection.close()
    await told.fixture.close()
    await way.close()
    await other.remove()
  }
})
