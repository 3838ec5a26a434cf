/** Operators who ask for the password by SHA-256 (RFC 8760), alone or beside MD5, for registrations and for calls. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openBench } from '../server/src/drivers/telephony/asterisk/testing.ts'
import type { Suite } from '../server/src/drivers/telephony/suite-bench.ts'
import { polling } from '../server/src/testing/timeouts.ts'
import { account, startAnsweringPeer, type Algorithm } from './answering-peer.ts'

let suite: Suite
beforeAll(async () => {
  suite = await openBench('digests')
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  await suite.fixture.close()
})

test.each<{ why: string; algorithms: Algorithm[]; by: Algorithm }>([
  { why: 'by SHA-256 alone', algorithms: ['SHA-256'], by: 'SHA-256' },
  { why: 'by SHA-256 before MD5', algorithms: ['SHA-256', 'MD5'], by: 'SHA-256' },
  { why: 'by MD5 alone', algorithms: ['MD5'], by: 'MD5' },
])('a trunk registers and calls at an operator who asks for the password $why', async ({ algorithms, by }) => {
  const peer = await startAnsweringPeer({ algorithms })
  onTestFinished(() => peer.close())
  await suite.connection.setTrunks([peer.trunk('asks', {}, { ...account, registers: true })])
  const registered = async () => (await suite.connection.trunkStates()).find(({ name }) => name === 'asks')?.registered
  await expect.poll(registered, polling).toBe('registered')
  const channelId = await suite.answeredCall('99', { trunk: 'asks' })
  await suite.connection.hangUp(channelId)
  await suite.events.next('hungUp', channelId)
  expect(peer.accepted).toContain(`REGISTER by ${by}`)
  expect(peer.accepted).toContain(`INVITE by ${by}`)
})
