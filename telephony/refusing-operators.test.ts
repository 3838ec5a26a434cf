// @module-tag exhaustive
/**
 * Operators that refuse every call with one code, over Asterisk: the campaigns are On Hold, no number is used up, and all are called once the
 * operator accepts calls.
 */
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { expectSoundFiles, newCampaign, type Fixtures } from '../server/src/voice/testing/fixtures.ts'
import { expectPaid, owedFor } from '../server/src/voice/testing/expected-charges.ts'
import { newLine } from '../server/src/testing/seed.ts'
import { attemptsOf, expectNothingLeft } from './call-log-checks.ts'
import { startExchange } from './sipp/exchange.ts'
import { startPeer } from './sipp/sipp.ts'
import { writeRefusing } from './sipp/scenarios.ts'
import { sipBench } from './testing.ts'

/** Long enough for ten halvings before a row is due again, short enough for a test. */
const waits = 0.4
const numbers = 24
const callsPerSecond = 20

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-refusing-'))
const at = await sipBench({ waits })
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await at.fixtures({ cps: 100, channels: 200 })
  at.dial()
})

/** A trunk to an operator that answers every call with `status` until `mend`. */
async function refusing(status: string) {
  const peer = await startPeer(folder, writeRefusing(folder, status))
  at.atEnd(() => peer.end())
  let refuses = true
  const exchange = await startExchange([
    { port: peer.port, serves: () => refuses },
    { port: at.sipp.operator.port, serves: () => true },
  ])
  at.atEnd(async () => exchange.close())
  const of = { holders: fixtures.users, dialerId: fixtures.line.dialerId, channels: 60, cps: callsPerSecond }
  const line = await newLine(at, { ...of, address: { host: exchange.host, port: exchange.port } })
  return { line, peer, mend: () => (refuses = false) }
}

const campaignOf = (id: number) =>
  at.db.selectFrom('campaign').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test.concurrent.for([
  {
    status: '402 Payment Required',
    hold: {
      hold_cause: 'trunk',
      reason: /^trunk Trunk \d+ is on hold: 10 calls running failed: 402: it wants to be paid;/,
    },
    callsMax: 20,
  },
  {
    status: '404 Not Found',
    hold: {
      hold_cause: 'refusals',
      reason: /^its last 10 calls were all refused alike: SIP 404; it will be tried again/,
    },
    callsMax: 20,
  },
  {
    status: '503 Service Unavailable',
    hold: {
      hold_cause: 'trunk',
      reason: /^trunk Trunk \d+ is on hold: 10 calls running failed: 503: it takes no calls now;/,
    },
    callsMax: 40,
  },
])(
  'an operator who answers $status to everything uses up no number: its campaign is held, and complete when the operator takes calls',
  async ({ status, hold, callsMax }, { expect }) => {
    const { line, peer, mend } = await refusing(status)
    const code = Number(status.slice(0, 3))
    const phones = Array.from({ length: numbers }, (_, n) => 9779800000046 + code * 100_000 + 100 * n)
    const id = await newCampaign(at, { user: fixtures.user, line, phones, flow: at.flow(0), reservePaisa: 200 })
    const held = async () => (await campaignOf(id)).status === 'onHold'
    await at.until(`${code}: it is on hold`, held)
    expect(await campaignOf(id)).toMatchObject({
      hold_cause: hold.hold_cause,
      reason: expect.stringMatching(hold.reason),
    })
    expect(peer.log().filter(({ what }) => what === 'INVITE').length).toBeLessThanOrEqual(callsMax)
    mend()
    await at.until(`${code}: it is complete`, async () => (await campaignOf(id)).status === 'complete')
    const attempts = await attemptsOf(at, [id])
    const refused = attempts.filter(({ disposition }) => disposition !== 'ANSWER')
    expect([...new Set(refused.map(({ disposition }) => disposition))].filter((one) => one !== 'CANCEL')).toEqual([
      'CONGESTION',
    ])
    for (const attempt of refused) expect(attempt).toMatchObject({ cost_paisa: 0, uncollected_paisa: 0, pulses: 0 })
    const answered = attempts.filter(({ disposition }) => disposition === 'ANSWER')
    expect(answered.map(({ phone }) => phone).toSorted()).toEqual(phones)
  },
)

test('in the end everybody has paid for what was answered, and for nothing else', async () => {
  const attempts = await at.db.selectFrom('attempt').selectAll().execute()
  await expectPaid(at, fixtures, owedFor(attempts.map(({ bill_ms }) => ({ customerMs: bill_ms, agentMs: null }))))
  await expectSoundFiles(at)
  await expectNothingLeft(at)
})
