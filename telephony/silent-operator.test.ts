// @module-tag exhaustive
/** Operators who reply nothing, or late: what a call over their trunk costs, and what goes on over the next one. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openBench, startTersePeer } from '../server/src/drivers/telephony/asterisk/testing.ts'
import { silentCause } from '../server/src/lib/trunk-limits.ts'
import type { Suite } from '../server/src/drivers/telephony/suite-bench.ts'
import { polling } from '../server/src/testing/timeouts.ts'

let suite: Suite
beforeAll(async () => {
  suite = await openBench('terse')
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  await suite.fixture.close()
})

async function peerOf(name: string, ...replies: Parameters<typeof startTersePeer>[0]) {
  const peer = await startTersePeer(replies)
  onTestFinished(() => peer.close())
  await suite.connection.setTrunks([peer.trunk(name, { silentSeconds: 2 })])
  return peer
}

test('an operator who says 100 Trying in time has as long as the telephone may ring', async () => {
  const peer = await peerOf('slow', { afterMs: 1200, status: '100 Trying' })
  const channelId = await suite.call('99', { trunk: 'slow', ringMs: 5000 })
  const end = await suite.events.next('hungUp', channelId)
  expect(end).toMatchObject({ endedBy: 'ringTimeout', alerted: false, cause: 19 })
  expect(end.at - end.startedAt).toBeGreaterThan(4900)
  await expect.poll(() => peer.received('CANCEL').length, polling).toBe(1)
})

test('one whose telephone rings after that is not given up', async () => {
  await peerOf('rings', { afterMs: 1000, status: '100 Trying' }, { afterMs: 3500, status: '180 Ringing' })
  const channelId = await suite.call('99', { trunk: 'rings', ringMs: 5000 })
  const end = await suite.events.next('hungUp', channelId)
  expect(end).toMatchObject({ endedBy: 'ringTimeout', alerted: true, cause: 19 })
})

test('one who says 100 Trying too late is told at once that the call is over', async () => {
  const peer = await peerOf('late', { afterMs: 3500, status: '100 Trying' })
  const channelId = await suite.call('99', { trunk: 'late', ringMs: 30_000 })
  const end = await suite.events.next('hungUp', channelId)
  expect(end).toMatchObject({ endedBy: 'ringTimeout', alerted: false, cause: silentCause })
  expect(end.at - end.startedAt).toBeLessThan(3400)
  expect(peer.received('CANCEL')).toEqual([]) // not before anything was replied: RFC 3261, 9.1
  await expect.poll(() => peer.received('CANCEL').length, polling).toBe(1)
})

test('a call on which nobody hangs up ends by itself after 32 s, and is no time-out of the ringing', async () => {
  const peer = await peerOf('deaf')
  await suite.connection.setTrunks([peer.trunk('deaf', { silentSeconds: 60 })])
  const channelId = await suite.call('99', { trunk: 'deaf', ringMs: 60_000 })
  const end = await suite.events.next('hungUp', channelId)
  expect(end).toMatchObject({ endedBy: 'network', alerted: false, sipStatus: 408 })
  expect(end.at - end.startedAt).toBeGreaterThan(31_000)
  expect(end.at - end.startedAt).toBeLessThan(45_000)
})

test('a hundred calls to which nothing is replied all end in time, and another trunk’s calls pass beside them', async () => {
  const peer = await peerOf('mute')
  await suite.connection.setTrunks([peer.trunk('mute', { silentSeconds: 2 }), suite.fixture.trunk])
  const calls = await Promise.all(
    Array.from({ length: 100 }, () => suite.call('99', { trunk: 'mute', ringMs: 30_000 })),
  )
  const answered = await suite.answeredCall('46')
  const ends = await Promise.all(calls.map((channelId) => suite.events.next('hungUp', channelId)))
  for (const end of ends) expect(end).toMatchObject({ endedBy: 'ringTimeout', alerted: false, cause: silentCause })
  const longest = Math.max(...ends.map(({ at, startedAt }) => at - startedAt))
  expect(longest).toBeLessThan(10_000)
  await suite.connection.hangUp(answered)
})
