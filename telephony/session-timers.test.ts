// @module-tag exhaustive
/** Session timers (RFC 4028) and operators who insist on them: a call goes up, outlives a refresh by either side, and ends when nobody refreshes. */
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { plainSipOptions, type SipOptions } from '@ghanti/contract/sip-options.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newNumber, openBench, operatorTrunk } from '../server/src/drivers/telephony/asterisk/testing.ts'
import type { Suite } from '../server/src/drivers/telephony/suite-bench.ts'
import { expectPaid, owedFor } from '../server/src/voice/testing/expected-charges.ts'
import { newCampaign, expectSoundFiles } from '../server/src/voice/testing/fixtures.ts'
import { polling } from '../server/src/testing/timeouts.ts'
import { startAnsweringPeer } from './answering-peer.ts'
import { attemptsOf, expectNothingLeft } from './call-log-checks.ts'
import { longerSeconds, sessionSeconds } from './sipp/timers.ts'
import { startWitness, type Witness } from './sipp/witness.ts'
import { sipBench, skewMs } from './testing.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-timers-'))
const at = await sipBench()
const refreshed = { timeout: 75_000, interval: 100 }
let suite: Suite
let operator: Witness
let refuser: Awaited<ReturnType<typeof startAnsweringPeer>>
beforeAll(async () => {
  operator = await startWitness(folder)
  suite = await openBench('timers', at.own.dialer)
  refuser = await startAnsweringPeer({ refreshes: '488 Not Acceptable Here' })
  await suite.connection.setTrunks([
    trunkWith('always', { sessionTimers: 'always' }),
    trunkWith('off', { sessionTimers: 'off' }),
    refuser.trunk('refuses'),
    refuser.trunk('refuses, always', { sessionTimers: 'always' }),
  ])
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  refuser.close()
  await Promise.all([suite.fixture.close(), operator.end()])
  fs.rmSync(folder, { recursive: true, force: true })
})

function trunkWith(name: string, options: Partial<SipOptions> = {}) {
  const { host, port } = operator
  return operatorTrunk(name, { host, port, options: { ...plainSipOptions, ...options } })
}
const header = (message: string, name: string): string | null =>
  new RegExp(`^${name}: *(.*?)\r?$`, 'im').exec(message)?.[1] ?? null
/** What the operator received of the call to this number: requests and replies. */
function messagesOf(number: string): string[] {
  const all = operator.messages()
  const first = all.find((one) => one.startsWith(`INVITE sip:${number.slice(1)}@`)) ?? ''
  const callId = header(first, 'Call-ID') ?? 'none'
  return all.filter((one) => header(one, 'Call-ID') === callId)
}
const requestsOf = (number: string, method: string) => messagesOf(number).filter((one) => one.startsWith(`${method} `))
const repliesOf = (number: string, method: string) =>
  messagesOf(number).filter((one) => one.startsWith('SIP/2.0 200') && header(one, 'CSeq')?.endsWith(` ${method}`))

async function answered(suffix: string, trunk = 'always') {
  const number = newNumber(suffix)
  return { number, channelId: await suite.answeredCall(suffix, { trunk, number, talkMsMax: 120_000 }) }
}
/** It is up, and ends as we end it. */
async function expectAlive(channelId: string): Promise<void> {
  expect(await suite.connection.live()).toContainEqual({ channelId, state: 'up' })
  expect(await suite.connection.hangUp(channelId)).toBe('done')
  expect(await suite.events.next('hungUp', channelId)).toMatchObject({
    endedBy: 'hangUp',
    answeredAt: expect.any(Number),
  })
}

test.concurrent('an operator who finds the session too short (422) gets the time that it names, in the same call', async () => {
  const { number, channelId } = await answered('80')
  const invites = requestsOf(number, 'INVITE')
  const asked = new Map(invites.map((one) => [header(one, 'CSeq'), header(one, 'Session-Expires')?.split(';')[0]]))
  expect([...asked.values()]).toEqual(['90', String(longerSeconds)])
  expect(header(invites.at(-1) ?? '', 'Min-SE')).toBe(String(longerSeconds))
  await expectAlive(channelId)
})

test.concurrent.each([
  { how: 'by UPDATE where the operator takes it', suffix: '81', method: 'UPDATE' },
  { how: 'by INVITE where it does not', suffix: '82', method: 'INVITE' },
])('a call whose operator insists on timers is refreshed by the dialer in time $how', async ({ suffix, method }) => {
  const { number, channelId } = await answered(suffix)
  const refreshes = () => requestsOf(number, method).filter((one) => /;tag=/.test(header(one, 'To') ?? ''))
  await vi.waitFor(() => expect(refreshes().length).toBeGreaterThan(0), refreshed)
  expect(header(refreshes()[0] ?? '', 'Session-Expires')).toMatch(new RegExp(`^${sessionSeconds};refresher=uac`))
  await expectAlive(channelId)
})

test.concurrent.each([
  { method: 'INVITE', suffix: '83' },
  { method: 'UPDATE', suffix: '84' },
])(
  'an operator who refreshes by $method gets the timers confirmed, and the call goes on',
  async ({ suffix, method }) => {
    const { number, channelId } = await answered(suffix)
    await vi.waitFor(() => expect(repliesOf(number, method).length).toBeGreaterThan(0), refreshed)
    expect(header(repliesOf(number, method)[0] ?? '', 'Session-Expires')).toMatch(new RegExp(`^${sessionSeconds}`))
    await expectAlive(channelId)
  },
)

test.concurrent('an operator who knows no timers and refuses refreshes keeps its calls, unless its trunk always refreshes', async () => {
  const lost = await answered('99', 'refuses, always')
  const kept = await answered('98', 'refuses')
  expect(await suite.events.next('hungUp', lost.channelId)).toMatchObject({ answeredAt: expect.any(Number) })
  await expectAlive(kept.channelId)
})

test.concurrent('a trunk without timers is refused by an operator who insists on them (421), in words; one with them is called', async () => {
  const channelId = await suite.call('86', { trunk: 'off' })
  expect(await suite.events.next('hungUp', channelId)).toMatchObject({ sipStatus: 421, alerted: false })
  const off = (await suite.connection.trunkStates()).find(({ name }) => name === 'off')
  expect(off?.lastFailure?.reason).toBe('421: it refuses the call')
})

test.concurrent('a call whose operator never refreshes, as when it died, is ended by the dialer, counts as answered and is charged for what it lasted', async () => {
  const fixtures = await at.fixtures({ cps: 20, channels: 10 })
  const { host, port } = operator
  await at.db
    .updateTable('trunk')
    .set({ sip_host: host, sip_port: port })
    .where('id', '=', fixtures.line.trunkId)
    .execute()
  at.dial()
  const { user, line } = fixtures
  const flow = at.flow(1, { menuWaitSeconds: 120 })
  const id = await newCampaign(at, { user, line, phones: [9779820000085], flow, retries: 2, reservePaisa: 400 })
  const statusOf = async () =>
    (await at.db.selectFrom('campaign').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
  await at.until('it is complete', async () => (await statusOf()) === 'complete')
  const attempts = await attemptsOf(at, [id])
  expect(attempts).toMatchObject([{ disposition: 'ANSWER', attempt_no: 1, ended_by: 'network' }])
  const lasted = attempts[0]?.bill_ms ?? 0
  expect(lasted).toBeGreaterThan(sessionSeconds * 600)
  expect(lasted).toBeLessThan(sessionSeconds * 1000 + skewMs)
  const bye = requestsOf('+9779820000085', 'BYE')
  expect(bye.length).toBeGreaterThan(0)
  await expectPaid(at, fixtures, owedFor([{ customerMs: lasted, agentMs: null }]))
  await expectSoundFiles(at)
  await expectNothingLeft(at)
})

test.concurrent('the dialer’s record tells of such an end what its events told', async () => {
  const { channelId } = await answered('85')
  const end = await suite.events.next('hungUp', channelId)
  expect(end).toMatchObject({ endedBy: 'network', answeredAt: expect.any(Number) })
  const recorded = async () => (await suite.connection.readRecord(end.startedAt - 1000)).channels.get(channelId)
  await vi.waitFor(async () => expect((await recorded())?.endedAt).toBeCloseTo(end.at, -2), polling)
  expect(await recorded()).toMatchObject({ answeredAt: end.answeredAt })
})
