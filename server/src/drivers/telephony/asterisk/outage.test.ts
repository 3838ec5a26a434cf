// @module-tag exhaustive
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { TelephonyError } from '../driver.ts'
import type { Suite } from '../suite-bench.ts'
import { AriHttp } from './ari/http.ts'
import { asteriskDialer, openBench } from './testing.ts'
import { Proxy } from '../../../testing/proxy.ts'
import { polling } from '../../../testing/timeouts.ts'

let proxy: Proxy
let suite: Suite
let beside: AriHttp
beforeAll(async () => {
  proxy = await Proxy.to(inject('asterisk').dialer)
  beside = new AriHttp(asteriskDialer('/nowhere'))
  suite = await openBench('outage', { port: proxy.port })
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  await suite.fixture.close()
  await proxy.close()
  beside.cut()
})

const isThere = (channelId: string) => beside.did('GET', `/channels/${channelId}`)
const stateOf = async (channelId: string) => String(Object(await beside.ari('GET', `/channels/${channelId}`)).state)

const appOf = async (channelId: string) =>
  Object(Object(await beside.ari('GET', `/channels/${channelId}`)).dialplan).app_name

async function next(type: 'lost' | 'restored') {
  const from = suite.events.recorded.length
  return suite.events.until((event) => event.type === type && suite.events.recorded.indexOf(event) >= from)
}

test('while a connection is cut no request is possible, but calls continue, and it comes back by itself', async () => {
  const [talks, ends] = [await suite.answeredCall('99'), await suite.answeredCall('09')]
  const { startedAt } = (await suite.connection.readRecord(Date.now() - 60_000)).channels.get(ends) ?? { startedAt: 0 }
  const lost = next('lost')
  proxy.cut()
  await lost
  expect(await suite.connection.dial(suite.requestTo('99'))).toMatchObject({ outcome: 'notSent' })
  expect(await suite.connection.hangUp(talks)).toBe('lost')
  await expect(suite.connection.live()).rejects.toThrow(TelephonyError)
  await expect.poll(() => isThere(ends), polling).toBe(false) // it hangs up, unheard
  const restored = next('restored')
  proxy.mend()
  await restored
  const live = await suite.connection.live()
  expect(live).toContainEqual({ channelId: talks, state: 'up' })
  expect(live.some(({ channelId }) => channelId === ends)).toBe(false)
  expect((await suite.connection.readRecord(startedAt)).channels.get(ends)).toMatchObject({
    cause: 16,
    endedByFarEnd: true,
  })
  expect(await suite.connection.hangUp(talks)).toBe('done')
  const end = await suite.events.next('hungUp', talks)
  expect(end.answeredAt).toBe((await suite.events.next('answered', talks)).at)
  expect(suite.events.storyOf(ends)).toBe('ringing answered')
})

test('a customer who answers without a client waits for the next one, and the call lasts no longer', async () => {
  const answers = await suite.call('07', { ringMs: 20_000, talkMsMax: 12_000 }) // answers after 8 s
  await suite.events.next('ringing', answers)
  proxy.cut()
  await suite.connection.close()
  await expect.poll(() => stateOf(answers), polling).toBe('Up')
  expect(await appOf(answers)).not.toBe('Stasis')
  proxy.mend()
  await suite.connect()
  const [one] = suite.fixture.media
  expect(await suite.connection.play(answers, `${answers}-1`, [one])).toBe('done')
  expect(await suite.events.next('playbackEnded', answers)).toMatchObject({ failed: false })
  const end = await suite.events.next('hungUp', answers)
  const record = (await suite.connection.readRecord(end.startedAt - 1000)).channels.get(answers)
  expect(end).toMatchObject({ endedBy: 'timeLimit', answeredAt: record?.answeredAt })
  expect(end.at - (end.answeredAt ?? 0)).toBeGreaterThan(11_900)
  expect(end.at - (end.answeredAt ?? 0)).toBeLessThan(12_400)
})

test('a silent network is noticed; a customer who answers meanwhile is not hung up on, and the call keeps its limit', async () => {
  const answers = await suite.call('07', { ringMs: 20_000, talkMsMax: 9000 }) // answers after 8 s
  await suite.events.next('ringing', answers)
  const lost = next('lost')
  proxy.silence()
  await lost
  await expect.poll(() => stateOf(answers), polling).toBe('Up')
  const restored = next('restored')
  proxy.mend()
  await restored
  expect(await suite.connection.live()).toContainEqual({ channelId: answers, state: 'up' })
  const end = await suite.events.next('hungUp', answers)
  const record = (await suite.connection.readRecord(end.startedAt - 1000)).channels.get(answers)
  expect(end).toMatchObject({ endedBy: 'timeLimit', answeredAt: record?.answeredAt })
  expect(end.at - (end.answeredAt ?? 0)).toBeGreaterThan(8900)
  expect(end.at - (end.answeredAt ?? 0)).toBeLessThan(9400)
})

test('a patch whose agent leaves in a gap: the recording is found again, no bridge stays, the customer does', async () => {
  const customer = await suite.answeredCall('99', { talkMsMax: 60_000 })
  const agent = await suite.answeredCall('48', { talkMsMax: 60_000 })
  const bridgeId = `${customer}-b`
  await suite.connection.bridge(bridgeId, [customer, agent])
  await suite.connection.record(bridgeId, bridgeId)
  const lost = next('lost')
  proxy.cut()
  await lost
  await expect.poll(() => isThere(agent), polling).toBe(false)
  const restored = next('restored')
  proxy.mend()
  await restored
  await expect.poll(() => suite.connection.storedRecordings(), polling).toContain(bridgeId)
  expect(await suite.connection.record(bridgeId, 'another')).toBe('gone')
  expect(await suite.connection.live()).toContainEqual({ channelId: customer, state: 'up' })
  const [one] = suite.fixture.media
  expect(await suite.connection.play(customer, `${customer}-1`, [one])).toBe('done')
  await suite.events.next('playbackEnded', customer)
  await suite.connection.hangUp(customer)
  await suite.connection.deleteRecording(bridgeId)
})

test('a new client finds the calls of one that died, and reports their ends with the times of their answers', async () => {
  const channelId = await suite.answeredCall('99', { talkMsMax: 30_000 })
  const answer = await suite.events.next('answered', channelId)
  proxy.cut() // as if its process was killed
  await suite.connection.close()
  proxy.mend()
  await suite.connect()
  expect(await suite.connection.setTalkMax(channelId, 5000)).toBe('done')
  const end = await suite.events.next('hungUp', channelId)
  expect(end).toMatchObject({ endedBy: 'timeLimit', answeredAt: answer.at })
  expect(end.at - answer.at).toBeGreaterThan(4900)
  expect(end.at - answer.at).toBeLessThan(5400)
})

test('a request to ring that left and was not answered is unknown, and its outcome is found later', async () => {
  const request = suite.requestTo('99', { deadlineMs: 500 })
  const restored = next('restored')
  proxy.silenceAfter(request.channelId)
  expect(await suite.connection.dial(request)).toMatchObject({ outcome: 'unknown' })
  await expect.poll(() => stateOf(request.channelId), polling).toBe('Up')
  proxy.mend()
  await restored
  expect(await suite.connection.live()).toContainEqual({ channelId: request.channelId, state: 'up' })
  await suite.connection.hangUp(request.channelId)
  expect(await suite.events.next('hungUp', request.channelId)).toMatchObject({ endedBy: 'hangUp' })
})

test('a network that fell silent is noticed within 4 s of a call that got no answer, and not only by the next ping', async () => {
  await suite.connection.close()
  await suite.connect() // pings every 5 s from now on
  const [lost, restored] = [next('lost'), next('restored')]
  const silentAt = performance.now()
  proxy.silence()
  expect(await suite.connection.dial(suite.requestTo('01', { deadlineMs: 1000 }))).toMatchObject({ outcome: 'unknown' })
  await lost
  expect(performance.now() - silentAt).toBeLessThan(4000)
  proxy.mend()
  await restored
})

async function waiting(ringMs: number) {
  const customer = await suite.answeredCall('99', { talkMsMax: 60_000 })
  const agent = await suite.call('02', { ringBackTo: customer, ringMs })
  await expect.poll(() => beside.did('GET', `/playbacks/${customer}-ringing`), polling).toBe(true)
  return { customer, agent }
}

async function hears(customer: string): Promise<void> {
  const [one] = suite.fixture.media
  expect(await suite.connection.play(customer, `${customer}-1`, [one])).toBe('done')
  expect(await suite.events.next('playbackEnded', customer)).toMatchObject({ failed: false })
  await suite.connection.hangUp(customer)
}

test('when an agent stops ringing in a gap, the customer hears the next prompt and not the ringing tone for ever', async () => {
  const { customer, agent } = await waiting(3000)
  const lost = next('lost')
  proxy.cut()
  await lost
  await expect.poll(() => isThere(agent), polling).toBe(false)
  const restored = next('restored')
  proxy.mend()
  await restored
  await hears(customer)
})

test('when a client dies while an agent rings, the next one ends the ringing tone before it plays anything', async () => {
  const { customer, agent } = await waiting(20_000)
  proxy.cut()
  await suite.connection.close()
  proxy.mend()
  await suite.connect()
  await suite.connection.hangUp(agent)
  await hears(customer)
})
