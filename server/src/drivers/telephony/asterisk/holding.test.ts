import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Suite } from '../suite-bench.ts'
import { HoldingBridge } from './holding.ts'
import { AriHttp } from './http.ts'
import { Legs } from './legs.ts'
import { asteriskDialer, openBench } from './testing.ts'
import { Proxy } from './testing-proxy.ts'

const bridge = '/bridges/holds-holding'
let proxy: Proxy
let suite: Suite
let beside: AriHttp
beforeAll(async () => {
  proxy = await Proxy.to(inject('asterisk').dialer)
  beside = new AriHttp(asteriskDialer('/nowhere'))
  suite = await openBench('holds', { port: proxy.port })
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  await suite.fixture.close()
  await proxy.close()
  await beside.did('DELETE', bridge)
  beside.cut()
})

let plays = 0
/** Answers whether it was heard, when it has ended. */
async function hears(channelId: string): Promise<boolean> {
  const playbackId = `${channelId}-${(plays += 1)}`
  expect(await suite.connection.play(channelId, playbackId, [suite.fixture.media[0]])).toBe('done')
  const ended = await suite.ear.until((event) => event.type === 'playbackEnded' && event.playbackId === playbackId)
  return ended.type === 'playbackEnded' && !ended.failed
}

/** The last words of what was asked since then that moves somebody or plays. */
function askedSince(from: number): string[] {
  return proxy.requests.slice(from).flatMap((request) => /(addChannel|removeChannel|play)\b/.exec(request)?.[1] ?? [])
}

const channelsIn = async (path: string): Promise<unknown> => Object(await beside.ari('GET', path)).channels

test('who is played to leaves the dial bridge before, once; his keys are heard and his call keeps its limit', async () => {
  const channelId = await suite.answeredCall('32', { talkMsMax: 8000 })
  const from = proxy.requests.length
  expect(await hears(channelId)).toBe(true)
  expect(await hears(channelId)).toBe(true)
  expect(askedSince(from)).toEqual(['addChannel', 'removeChannel', 'play', 'play'])
  expect(await channelsIn(bridge)).toEqual([])
  const end = await suite.ear.next('hungUp', channelId)
  expect(end.endedBy).toBe('timeLimit')
  expect(end.at - (end.answeredAt ?? 0)).toBeLessThan(8400)
  expect(suite.ear.storyOf(channelId)).toBe('ringing answered 1 2 3 hungUp')
})

test('the end of a call that has left the dial bridge is told as what it was', async () => {
  const [leaves, isCut] = [await suite.answeredCall('37'), await suite.answeredCall('99')]
  await Promise.all([hears(leaves), hears(isCut)])
  await suite.connection.hangUp(isCut)
  expect(await suite.ear.next('hungUp', leaves)).toMatchObject({ endedBy: 'callee', cause: 16 })
  expect(await suite.ear.next('hungUp', isCut)).toMatchObject({ endedBy: 'hangUp' })
})

test('who is cut does not leave the dial bridge first', async () => {
  const channelId = await suite.answeredCall('99')
  const from = proxy.requests.length
  const cut = suite.connection.hangUp(channelId)
  const [one] = suite.fixture.media
  await suite.connection.play(channelId, `${channelId}-1`, [one])
  expect(await cut).toBe('done')
  await suite.ear.next('hungUp', channelId)
  expect(askedSince(from)).not.toContain('addChannel')
})

test('calls that end on their way out of the dial bridge are gone, and their ends are told once', async () => {
  const calls = await Promise.all(Array.from({ length: 8 }, () => suite.answeredCall('99')))
  const [one] = suite.fixture.media
  const from = proxy.requests.length
  const replies = await Promise.all(
    calls.map(async (channelId) => {
      const played = suite.connection.play(channelId, `${channelId}-1`, [one])
      await expect.poll(() => askedSince(from).length, { interval: 0 }).toBeGreaterThan(0)
      return [await suite.connection.hangUp(channelId), await played]
    }),
  )
  for (const [hungUp, played] of replies) {
    expect(hungUp).toBe('done')
    expect(['done', 'gone']).toContain(played)
  }
  for (const channelId of calls) await suite.ear.next('hungUp', channelId)
  for (const channelId of calls) expect(suite.ear.storyOf(channelId)).toBe('ringing answered hungUp')
  expect(await channelsIn(bridge)).toEqual([])
})

test('what is stopped while its call is on its way out of the dial bridge ends at once', async () => {
  const channelId = await suite.answeredCall('99')
  const [one, other] = suite.fixture.media
  const from = performance.now()
  const played = suite.connection.play(channelId, `${channelId}-1`, [one, other, one, other, one, other])
  expect(await suite.connection.stopPlayback(`${channelId}-1`)).toBe('done')
  expect(await played).toBe('done')
  await suite.ear.next('playbackEnded', channelId)
  expect(performance.now() - from).toBeLessThan(2000)
  await suite.connection.hangUp(channelId)
})

test('two who have left the dial bridge, and two who have not, are joined and part again', async () => {
  const talk = async (haveLeft: boolean): Promise<void> => {
    const customer = await suite.answeredCall('99', { talkMsMax: 60_000 })
    const agent = await suite.answeredCall('48', { talkMsMax: 60_000 }) // hangs up after 5 s
    if (haveLeft) await Promise.all([hears(customer), hears(agent)])
    expect(await suite.connection.bridge(`${customer}-b`, [customer, agent])).toBe('done')
    expect(await channelsIn(`/bridges/${customer}-b`)).toEqual(expect.arrayContaining([customer, agent]))
    await suite.ear.next('hungUp', agent)
    const from = proxy.requests.length
    expect(await hears(customer)).toBe(true)
    expect(askedSince(from)).not.toContain('addChannel')
    await suite.connection.hangUp(customer)
  }
  await talk(true)
  await talk(false)
})

test('each connection finds the bridge or makes it; when it is lost in between the next call makes it', async () => {
  const made = Object(await beside.ari('GET', bridge)).creationtime
  await suite.connect()
  expect(Object(await beside.ari('GET', bridge)).creationtime).toBe(made)
  await beside.did('DELETE', bridge)
  await suite.connect()
  expect(await beside.did('GET', bridge)).toBe(true)
  await beside.did('DELETE', bridge)
  const channelId = await suite.answeredCall('99')
  const from = proxy.requests.length
  expect(await hears(channelId)).toBe(true)
  expect(askedSince(from)).toEqual(['addChannel', 'addChannel', 'removeChannel', 'play'])
  expect(await beside.did('GET', bridge)).toBe(true)
  await suite.connection.hangUp(channelId)
})

/** A leg that is up, of a dialer which answers as `statusOf` says; and what that was asked. */
async function legAt(statusOf: (asked: string) => number) {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    const what = `${request.method} ${String(request.url).replace(/\?.*/, '').replace('/ari/bridges/', '')}`
    asked.push(what)
    response.writeHead(statusOf(what)).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const http = new AriHttp({ ...asteriskDialer('/nowhere'), port })
  const nobody = () => undefined
  const record = async () => new Map<string, never>()
  const legs = new Legs({ tell: nobody, answered: nobody, ringing: nobody, ended: nobody, gone: nobody, record })
  legs.expect(suite.requestTo('99', { channelId: 'leg' }), Date.now()).isUp = true
  return {
    asked,
    holding: new HoldingBridge({ app: 'holds', http, legs }),
    close() {
      http.cut()
      server.close()
    },
  }
}

test('a dialer that makes no such bridge is asked once, and calls stay where they are', async () => {
  const { holding, asked, close } = await legAt((what) => (what.startsWith('GET') ? 404 : 500))
  await holding.make()
  await holding.leaveDialBridge('leg')
  expect(asked).toEqual(['GET holds-holding', 'POST holds-holding'])
  close()
})

test('a bridge that takes nobody is tried twice, and the call goes on', async () => {
  const { holding, asked, close } = await legAt((what) => (what.endsWith('addChannel') ? 500 : 204))
  await holding.make()
  await holding.leaveDialBridge('leg')
  const add = 'POST holds-holding/addChannel'
  expect(asked).toEqual(['GET holds-holding', add, 'GET holds-holding', add])
  close()
})

test.each([400, 404, 409, 422])('a channel that is gone (%i) by the second step is no error', async (status) => {
  const { holding, asked, close } = await legAt((what) => (what.endsWith('removeChannel') ? status : 204))
  await holding.make()
  await Promise.all([holding.leaveDialBridge('leg'), holding.leaveDialBridge('leg')])
  expect(asked).toEqual(['GET holds-holding', 'POST holds-holding/addChannel', 'POST holds-holding/removeChannel'])
  close()
})
