// @module-tag exhaustive
/** A dialer whose SIP listens on an IPv6 address: calls over a trunk to an operator with such an address, with sound in both directions. */
import { expect, onTestFinished, test } from 'vitest'
import { openBench, ownDialer } from '../server/src/drivers/telephony/asterisk/testing.ts'
import { polling } from '../server/src/testing/timeouts.ts'
import { startAnsweringPeer } from './answering-peer.ts'

test.each(['::1', '[::1]'])('with SIP_BIND=%s calls pass over IPv6, with sound', async (address) => {
  const own = await ownDialer({ SIP_BIND: address })
  onTestFinished(() => own.remove())
  const peer = await startAnsweringPeer({ address: '::1' })
  onTestFinished(() => peer.close())
  const suite = await openBench('ipv6', own.dialer)
  onTestFinished(async () => {
    await suite.connection.close()
    await suite.fixture.close()
  })
  await suite.connection.setTrunks([peer.trunk('ipv6', { rtpTimeoutSeconds: 5 })])
  const state = async () => (await suite.connection.trunkStates()).find(({ name }) => name === 'ipv6')
  await expect.poll(state, polling).toMatchObject({ reachable: true, fault: null })
  const channelId = await suite.answeredCall('99', { trunk: 'ipv6' })
  expect(await suite.connection.play(channelId, `${channelId}-1`, suite.fixture.media)).toBe('done')
  await suite.events.next('playbackEnded', channelId)
  expect(peer.sound.heard.length).toBeGreaterThan(10)
  await suite.connection.hangUp(channelId)
  await suite.events.next('hungUp', channelId)
  expect(peer.requests('INVITE')[0]?.message).toMatch(/^c=IN IP6 ::1\r$/m)
  await expect.poll(() => peer.requests('BYE').length, polling).toBe(1)
})
