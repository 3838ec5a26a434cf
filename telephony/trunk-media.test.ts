/** Options of a trunk about sound and about what follows the answer, against an operator that answers: what Asterisk sends, and when it hangs up. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openBench } from '../server/src/drivers/telephony/asterisk/testing.ts'
import type { Suite } from '../server/src/drivers/telephony/suite-bench.ts'
import { polling } from '../server/src/testing/timeouts.ts'
import { startAnsweringPeer, type PeerRules } from './answering-peer.ts'

let suite: Suite
beforeAll(async () => {
  suite = await openBench('media')
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  await suite.fixture.close()
})

async function peerOf(rules: PeerRules = {}) {
  const peer = await startAnsweringPeer(rules)
  onTestFinished(() => peer.close())
  return peer
}
const isUp = async (channelId: string) =>
  (await suite.connection.live()).some((one) => one.channelId === channelId && one.state === 'up')

test('a call whose sound dies is hung up after the trunk’s limit, and one with sound, one on hold and one without a limit are not', async () => {
  const limitSeconds = 5
  const dying = await peerOf({ soundMs: 1500 })
  const sounding = await peerOf()
  const held = await peerOf({ soundMs: 1500, sdp: ['a=inactive'] })
  const limit = { rtpTimeoutSeconds: limitSeconds }
  await suite.connection.setTrunks([
    dying.trunk('dying', limit),
    sounding.trunk('sounding', limit),
    held.trunk('held', limit),
    dying.trunk('without a limit', { rtpTimeoutSeconds: 0 }),
  ])
  const answered = (trunk: string) => suite.answeredCall('99', { trunk, talkMsMax: 120_000 })
  const others = await Promise.all(['sounding', 'held', 'without a limit'].map(answered))
  const channelId = await answered('dying')
  const end = await suite.events.next('hungUp', channelId)
  expect(end).toMatchObject({ answeredAt: expect.any(Number) })
  await expect.poll(() => dying.requests('BYE').length, polling).toBe(1)
  const silentMs = (dying.requests('BYE')[0]?.at ?? 0) - dying.sound.sentAt()
  expect(silentMs).toBeGreaterThan((limitSeconds - 1.1) * 1000) // Asterisk counts whole seconds
  expect(end.at - (end.answeredAt ?? 0)).toBeLessThan(60_000)
  for (const other of others) {
    expect(await isUp(other)).toBe(true)
    await suite.connection.hangUp(other)
  }
})

test('a telephone that rings without sound for longer than the limit may still be answered', async () => {
  const peer = await peerOf({ announcedMs: 7500 })
  await suite.connection.setTrunks([peer.trunk('rings', { rtpTimeoutSeconds: 5 })])
  const channelId = await suite.call('99', { trunk: 'rings', ringMs: 60_000, talkMsMax: 60_000 })
  await suite.events.next('answered', channelId)
  expect(await suite.connection.play(channelId, `${channelId}-1`, suite.fixture.media)).toBe('done')
  await suite.events.next('playbackEnded', channelId)
  expect(await isUp(channelId)).toBe(true)
  await suite.connection.hangUp(channelId)
})
