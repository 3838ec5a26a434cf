// @module-tag exhaustive
/** Options of a trunk about sound and about what follows the answer, against an operator that answers: what Asterisk sends, and when it hangs up. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openBench } from '../server/src/drivers/telephony/asterisk/testing.ts'
import type { Suite } from '../server/src/drivers/telephony/suite-bench.ts'
import { polling } from '../server/src/testing/timeouts.ts'
import { headerOf, startAnsweringPeer, type PeerRules } from './answering-peer.ts'

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
const rtpHeadBytes = 12
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

test.each(['inactive', 'sendonly'] as const)(
  'a call that the operator puts on hold by %s is not ended for its silence, and is once it is taken up again and stays silent',
  async (direction) => {
    const limitSeconds = 5
    const peer = await peerOf({ hold: { afterMs: 1500, direction, forMs: 12_000 } })
    await suite.connection.setTrunks([peer.trunk('holds', { rtpTimeoutSeconds: limitSeconds })])
    const channelId = await suite.answeredCall('99', { trunk: 'holds', talkMsMax: 120_000 })
    await expect.poll(() => peer.changes, { ...polling, timeout: 20_000 }).toEqual([direction, 'sendrecv'])
    expect(performance.now() - peer.sound.sentAt()).toBeGreaterThan(2 * limitSeconds * 1000)
    expect(await isUp(channelId)).toBe(true)
    const end = await suite.events.next('hungUp', channelId)
    expect(end).toMatchObject({ answeredAt: expect.any(Number), endedBy: 'network' })
    expect(peer.changes).toEqual([direction, 'sendrecv'])
  },
)

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

test('requests within a call go to where the operator’s replies come from, if its Contact names an address that leads nowhere', async () => {
  const peer = await peerOf({ contact: '127.0.0.9:9' })
  await suite.connection.setTrunks([
    peer.trunk('rewritten', { rewriteContact: true }),
    peer.trunk('as it says', { sendsOptions: false }),
  ])
  const lost = await suite.answeredCall('98', { trunk: 'as it says', number: '+9779841000198' })
  await suite.connection.hangUp(lost)
  await suite.events.next('hungUp', lost)
  const channelId = await suite.answeredCall('99', { trunk: 'rewritten', number: '+9779841000199' })
  await suite.connection.hangUp(channelId)
  await expect.poll(() => peer.requests('BYE').length, polling).toBe(1)
  const [bye] = peer.requests('BYE')
  expect(headerOf(bye?.message ?? '', 'To')).toContain('9779841000199')
  expect(peer.requests('ACK').every(({ message }) => message.includes('9779841000199'))).toBe(true)
})

test.each<{ why: string; ptimeMs: number; answer?: string; bytes: number }>([
  { why: '20 ms', ptimeMs: 20, bytes: 160 },
  { why: '20 ms if the operator does not say that it takes what the trunk asks for', ptimeMs: 40, bytes: 160 },
  { why: 'as the trunk asks, and the operator agrees', ptimeMs: 40, answer: 'a=ptime:40', bytes: 320 },
  { why: 'as the operator’s answer asks', ptimeMs: 20, answer: 'a=ptime:30', bytes: 240 },
  { why: 'as the operator’s answer asks, if that is less', ptimeMs: 40, answer: 'a=ptime:10', bytes: 80 },
])('a packet holds as much sound as agreed: $why', async ({ ptimeMs, answer, bytes }) => {
  const peer = await peerOf({ sdp: answer === undefined ? [] : [answer] })
  await suite.connection.setTrunks([peer.trunk('packets', { ptimeMs })])
  const channelId = await suite.answeredCall('99', { trunk: 'packets' })
  expect(await suite.connection.play(channelId, `${channelId}-1`, suite.fixture.media)).toBe('done')
  const sizes = () => peer.sound.heard.map((bytes) => bytes - rtpHeadBytes).filter((size) => size > 1) // one byte keeps the way open
  await vi.waitFor(() => expect(sizes().slice(0, 5)).toEqual(Array.from({ length: 5 }, () => bytes)), polling)
  await suite.connection.hangUp(channelId)
  expect(peer.requests('INVITE')[0]?.message).toContain(`a=ptime:${ptimeMs}`)
})

/** Each UDP packet that this machine receives: '5060 24' is one for port 5060 with DSCP 24. A raw socket is the only one that shows it. */
const sniffer = `use Socket; $| = 1; socket(my $raw, AF_INET, SOCK_RAW, getprotobyname('udp') || 17) or die $!; print "ready\\n";
while (defined recv($raw, my $packet, 65535, 0)) {
  my ($length, $tos) = unpack('CC', $packet); my ($from, $to) = unpack('nn', substr($packet, ($length & 15) * 4, 4)); print $to, ' ', $tos >> 2, "\\n" }`

test('SIP and sound are marked with their DSCP: 24 and 46, or for sound what the trunk says', async () => {
  const seen = new Set<string>()
  const child = spawn('perl', ['-e', sniffer], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  createInterface({ input: child.stdout }).on('line', (line) => seen.add(line))
  await expect.poll(() => seen.has('ready'), polling).toBe(true)
  for (const [options, dscp] of [
    [{}, 46],
    [{ rtpDscp: 0 }, 0],
    [{ rtpDscp: 63 }, 63],
  ] as const) {
    const peer = await peerOf()
    await suite.connection.setTrunks([peer.trunk('marked', options)])
    const channelId = await suite.answeredCall('99', { trunk: 'marked' })
    await suite.connection.play(channelId, `${channelId}-1`, suite.fixture.media)
    await suite.events.next('playbackEnded', channelId)
    await suite.connection.hangUp(channelId)
    await expect.poll(() => peer.requests('BYE').length, polling).toBe(1)
    const of = (port: number) => [...seen].filter((line) => line.startsWith(`${port} `))
    expect(of(peer.sound.port)).toEqual([`${peer.sound.port} ${dscp}`])
    expect(of(peer.port)).toEqual([`${peer.port} 24`])
  }
})
