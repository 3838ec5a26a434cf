/** What becomes of calls that an operator answers without sound, or whose sound or session dies: who ended them, what was heard, and what is charged. */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openBench } from '../server/src/drivers/telephony/asterisk/testing.ts'
import type { Suite } from '../server/src/drivers/telephony/suite-bench.ts'
import { expectPaid, owedFor } from '../server/src/voice/testing/expected-charges.ts'
import { expectSoundFiles, newCampaign, type Fixtures } from '../server/src/voice/testing/fixtures.ts'
import { polling } from '../server/src/testing/timeouts.ts'
import { startAnsweringPeer, type PeerRules } from './answering-peer.ts'
import { attemptsOf, expectNothingLeft } from './call-log-checks.ts'
import { sipBench, skewMs } from './testing.ts'

/** The calls before have what is heard and who ends them, event and record alike; three of these wait for half a minute. */
const exhaustive = { tags: ['exhaustive'] }

const at = await sipBench()
let suite: Suite
let fixtures: Fixtures
beforeAll(async () => {
  suite = await openBench('answered', at.own.dialer)
  fixtures = await at.fixtures({ cps: 20, channels: 10 })
  at.dial()
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  await suite.fixture.close()
})

async function peerOf(rules: PeerRules) {
  const peer = await startAnsweringPeer(rules)
  onTestFinished(() => peer.close())
  return peer
}
const ringsMs = 300
const keys = ['a=rtpmap:101 telephone-event/8000', 'a=fmtp:101 0-16']
const g729 = { formats: '18 101', sdp: ['a=rtpmap:18 G729/8000', ...keys] }

/** On hold from the answer on: the far end wants no sound, or names no address to which it could be sent. */
const inactive = ['a=inactive']
const nowhere =
  'v=0\r\no=operator 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 0.0.0.0\r\nt=0 0\r\nm=audio 40000 RTP/AVP 8\r\n'
const fax = 'v=0\r\no=operator 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=image 9 udptl t38\r\n'

async function endAndRecord(rules: PeerRules, rtpTimeoutSeconds = 60) {
  const peer = await peerOf(rules)
  await suite.connection.setTrunks([peer.trunk('answers', { rtpTimeoutSeconds })])
  const channelId = await suite.call('99', { trunk: 'answers', talkMsMax: 60_000 })
  const answered = await Promise.race([
    suite.events.next('answered', channelId).then(() => true),
    suite.events.next('hungUp', channelId).then(() => false),
  ])
  if (answered) await suite.connection.play(channelId, `${channelId}-1`, suite.fixture.media)
  const end = await suite.events.next('hungUp', channelId)
  const recorded = async () => (await suite.connection.readRecord(end.startedAt - 1000)).channels.get(channelId)
  await vi.waitFor(async () => expect((await recorded())?.endedAt).toBeCloseTo(end.at, -2), polling)
  return { peer, end, record: await recorded() }
}

test.each<{ why: string; rules: PeerRules }>([
  { why: 'has no SDP', rules: { sdp: null, ringsMs } },
  { why: 'has no SDP and came without ringing', rules: { sdp: null } },
  { why: 'has a codec that was not offered, beside keys', rules: { ...g729, ringsMs } },
  { why: 'has nothing but keys', rules: { formats: '101', sdp: keys, ringsMs } },
])('an answer that $why was taken by somebody who could hear nothing, and ends at once', async ({ rules }) => {
  const { peer, end, record } = await endAndRecord({ ...rules, bye: { afterMs: 8000, headers: [] } })
  expect(end).toMatchObject({ answeredAt: null, alerted: true, endedBy: 'network', sipStatus: null, cause: 58 })
  expect(end.at - end.startedAt).toBeLessThan(7000)
  expect(record).toMatchObject({ answeredAt: null, alerted: true, endedByFarEnd: true, cause: 58 })
  expect(peer.sound.heard).toEqual([])
})

test.each<{ why: string; body: string }>([
  { why: 'has a fax instead of sound', body: fax },
  { why: 'has an SDP that nobody can read', body: 'v=0\r\nhello\r\n' },
])('an answer that $why was taken, too; in the record it looks like a refusal of the codecs', async ({ body }) => {
  const { peer, end, record } = await endAndRecord({ body })
  expect(end).toMatchObject({ answeredAt: null, alerted: true, endedBy: 'network', sipStatus: null, cause: 58 })
  expect(record).toMatchObject({ answeredAt: null, endedByFarEnd: true, cause: 58 })
  await expect.poll(() => peer.requests('BYE').length, polling).toBeGreaterThan(0)
})

test('a call to which nothing is played, as a test of a trunk, was answered', async () => {
  const peer = await peerOf({ ringsMs })
  await suite.connection.setTrunks([peer.trunk('tested')])
  const channelId = await suite.answeredCall('99', { trunk: 'tested' })
  await new Promise((resolve) => setTimeout(resolve, 2500))
  await suite.connection.hangUp(channelId)
  expect(await suite.events.next('hungUp', channelId)).toMatchObject({
    endedBy: 'hangUp',
    answeredAt: expect.any(Number),
  })
  const [state] = await suite.connection.trunkStates()
  expect(state?.lastFailure).toBeNull()
})

test.each([
  { why: 'without a reason', headers: [], endedBy: 'callee' },
  { why: 'with normal clearing', headers: ['Reason: Q.850;cause=16;text="Normal call clearing"'], endedBy: 'callee' },
  { why: 'because the operator’s network failed', headers: ['Reason: Q.850;cause=38'], endedBy: 'network' },
])('a call that was heard and is hung up $why is answered, ended by the $endedBy', async ({ headers, endedBy }) => {
  const { peer, end, record } = await endAndRecord({ ringsMs, bye: { afterMs: 2000, headers } })
  expect(end).toMatchObject({ answeredAt: expect.any(Number), endedBy, sipStatus: null })
  expect(end).not.toHaveProperty('silentMs')
  expect(record).toMatchObject({ answeredAt: end.answeredAt, endedByFarEnd: true })
  expect(peer.sound.heard.length).toBeGreaterThan(10)
})

test('somebody who hangs up as soon as the call is answered has answered it', async () => {
  const { end, record } = await endAndRecord({ ringsMs, bye: { afterMs: 20, headers: [] } })
  expect(end).toMatchObject({ answeredAt: expect.any(Number), endedBy: 'callee' })
  expect(record).toMatchObject({ answeredAt: end.answeredAt })
})

test(
  'a call whose sound dies is ended by the network, and billed to the last sound by event and record alike',
  exhaustive,
  async () => {
    const limitMs = 5000
    const { end, record } = await endAndRecord({ ringsMs, soundMs: 1500 }, limitMs / 1000)
    expect(end).toMatchObject({ endedBy: 'network', silentMs: limitMs })
    const billMs = end.at - limitMs - (end.answeredAt ?? 0)
    expect(billMs).toBeGreaterThan(0)
    expect(billMs).toBeLessThan(1500 + skewMs)
    expect(record).toMatchObject({ answeredAt: end.answeredAt, endedByFarEnd: true, silentMs: limitMs })
  },
)

test('event and record say alike whether one packet of sound was sent to a call', exhaustive, async () => {
  const bye = { afterMs: 3000, headers: [] }
  for (const { rules, soundless } of [
    { rules: { sdp: inactive, soundMs: 0, bye }, soundless: true },
    { rules: { body: nowhere, soundMs: 0, bye }, soundless: true },
    { rules: { bye }, soundless: undefined },
  ]) {
    const { end, record } = await endAndRecord(rules)
    expect(end).toMatchObject({ answeredAt: expect.any(Number), endedBy: 'callee' })
    expect([end.soundless, record?.soundless]).toEqual([soundless, soundless])
  }
})

/** A campaign of one row over a line to such an operator, until it is complete. */
async function campaignOver(
  rules: PeerRules,
  phone: number,
  sip: object = {},
  { retries = 1, flow = at.flow(1, { menuWaitSeconds: 120 }) } = {},
) {
  const peer = await peerOf(rules)
  const options = peer.trunk('x', sip).options
  await at.db
    .updateTable('trunk')
    .set({ sip_host: '127.0.0.1', sip_port: peer.port, sip_options: JSON.stringify(options) })
    .where('id', '=', fixtures.line.trunkId)
    .execute()
  const { user, line } = fixtures
  const id = await newCampaign(at, { user, line, phones: [phone], flow, retries, reservePaisa: 400 })
  const statusOf = async () =>
    (await at.db.selectFrom('campaign').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
  await at.until('it is complete', async () => (await statusOf()) === 'complete')
  return attemptsOf(at, [id])
}

test(
  'somebody who took a call and could hear nothing is not rung again without re-attempts, whatever their telephone answered',
  exhaustive,
  async () => {
    for (const [phone, rules] of [
      [9779820000399, { body: fax }],
      [9779820000499, { sdp: null }],
    ] as const) {
      const attempts = await campaignOver(rules, phone, {}, { retries: 0 })
      expect(attempts).toMatchObject([{ disposition: 'NO ANSWER', alerted: true, bill_ms: null, cost_paisa: 0 }])
    }
  },
)

test(
  'a call that is on hold from its answer to its end is not answered and free, whoever ends it, and its row goes on',
  exhaustive,
  async () => {
    const bye = { afterMs: 12_500, headers: [] } // later than Asterisk would keep the path open by a packet
    for (const { phone, rules, retries, flow } of [
      { phone: 9779820000599, rules: { sdp: inactive, soundMs: 0, ringsMs }, retries: 1, flow: at.flow(0) },
      { phone: 9779820000699, rules: { body: nowhere, soundMs: 0 }, retries: 0, flow: at.flow(0) },
      { phone: 9779820000799, rules: { sdp: inactive, soundMs: 0, bye }, retries: 0, flow: undefined },
    ]) {
      const attempts = await campaignOver(rules, phone, {}, { retries, ...(flow && { flow }) })
      const free = { disposition: 'NO ANSWER', ended_by: 'network', alerted: true, bill_ms: null, cost_paisa: 0 }
      expect(attempts).toMatchObject(Array.from({ length: retries + 1 }, () => free))
    }
  },
)

test(
  'of campaigns over such operators, nobody pays for what nobody heard, the rows go on, and all books agree',
  { ...exhaustive, timeout: 200_000 },
  async () => {
    const mute = await campaignOver({ ...g729, ringsMs }, 9779820000199)
    expect(
      mute.map(({ disposition, ended_by, alerted, bill_ms, cost_paisa }) => ({
        disposition,
        ended_by,
        alerted,
        bill_ms,
        cost_paisa,
      })),
    ).toEqual(
      Array.from({ length: 2 }, () => ({
        disposition: 'NO ANSWER',
        ended_by: 'network',
        alerted: true,
        bill_ms: null,
        cost_paisa: 0,
      })),
    )
    const [dying, ...more] = await campaignOver({ ringsMs, soundMs: 3500 }, 9779820000299, { rtpTimeoutSeconds: 10 })
    expect(more).toEqual([])
    expect(dying).toMatchObject({ disposition: 'ANSWER', ended_by: 'network' })
    const heardMs = dying?.bill_ms ?? 0
    expect(heardMs).toBeGreaterThan(2000)
    expect(heardMs).toBeLessThan(3500 + skewMs)
    await expectPaid(at, fixtures, owedFor([{ customerMs: heardMs, agentMs: null }]))
    await expectSoundFiles(at)
    await expectNothingLeft(at)
  },
)

test(
  'a call that is taken off hold in time was heard, and is answered and paid for',
  { ...exhaustive, timeout: 200_000 },
  async () => {
    const hold = { afterMs: 200, direction: 'inactive', forMs: 600 } as const
    const attempts = await campaignOver({ sdp: inactive, hold }, 9779820000899, {}, { flow: at.flow(0) })
    expect(attempts).toMatchObject([{ disposition: 'ANSWER', ended_by: 'us', bill_ms: expect.any(Number) }])
    expect(attempts[0]?.cost_paisa).toBeGreaterThan(0)
  },
)
