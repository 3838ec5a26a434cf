// @module-tag exhaustive
/** Operators with odd behaviour, over Asterisk: an announcement that never ends, and half of the calls that the contract allows. */
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSoundFiles, newCampaign, type Fixtures } from '../server/src/voice/testing/fixtures.ts'
import { newLine } from '../server/src/testing/seed.ts'
import { attemptsOf, callsIn, expectNothingLeft } from './call-log-checks.ts'
import { startExchange } from './sipp/exchange.ts'
import { startPeer } from './sipp/sipp.ts'
import { writeRefusing } from './sipp/scenarios.ts'
import { sipBench, skewMs } from './testing.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-odd-'))
const at = await sipBench({ waits: 1 })
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await at.fixtures({ cps: 100, channels: 300 })
  at.dial()
})

async function lineTo({ host, port }: { host: string; port: number }, cps: number, ringSeconds?: number) {
  const line = await newLine(at, { holders: fixtures.users, dialerId: fixtures.line.dialerId, channels: 100, cps })
  const trunk = { sip_host: host, sip_port: port, ...(ringSeconds && { ring_seconds: ringSeconds }) }
  await at.db.updateTable('trunk').set(trunk).where('id', '=', line.trunkId).execute()
  return line
}
const isComplete = async (id: number) =>
  (await at.db.selectFrom('campaign').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status ===
  'complete'

test('an endless announcement ends at the trunk’s ring time and is no answer', async () => {
  const ringSeconds = 5
  const line = await lineTo(at.exchange, 10, ringSeconds)
  const phones = [9779810000041, 9779810000141, 9779810000241]
  const id = await newCampaign(at, {
    user: fixtures.user,
    line,
    phones,
    flow: at.flow(0),
    reservePaisa: 200,
    retries: 0,
  })
  await at.until('it is complete', () => isComplete(id))
  const attempts = await attemptsOf(at, [id])
  expect(attempts.map(({ phone }) => phone).toSorted()).toEqual(phones)
  for (const { disposition, ended_by, started_at, ended_at, alerted, cost_paisa } of attempts) {
    expect({ disposition, ended_by, cost_paisa }).toEqual({ disposition: 'NO ANSWER', ended_by: 'us', cost_paisa: 0 })
    const rangMs = Number(ended_at) - Number(started_at)
    expect(rangMs).toBeGreaterThan(ringSeconds * 1000 - 500)
    expect(rangMs).toBeLessThan(ringSeconds * 1000 + skewMs)
    expect(alerted).toBe(true)
  }
  const heard = callsIn(at.sipp.operator.log()).filter(({ number }) => phones.includes(Number(number)))
  expect(heard.map(({ answeredAt }) => answeredAt)).toEqual([null, null, null])
  await expectSoundFiles(at)
}, 200_000)

test('with an operator that takes five of ten calls a second, less than a twentieth of the INVITEs is refused, and everybody is called', async () => {
  const [asked, takes, rows] = [10, 5, 300]
  const refuser = await startPeer(folder, writeRefusing(folder, '503 Service Unavailable'))
  at.atEnd(() => refuser.end())
  const taken: number[] = []
  /** At most this many in any second. */
  const isFull = (): boolean => {
    const now = performance.now()
    if (taken.filter((time) => now - time < 1000).length >= takes) return true
    taken.push(now)
    return false
  }
  const exchange = await startExchange([
    { port: refuser.port, serves: isFull },
    { port: at.sipp.operator.port, serves: () => true },
  ])
  at.atEnd(async () => exchange.close())
  const line = await lineTo(exchange, asked)
  const phones = Array.from({ length: rows }, (_, n) => 9779820000099 + 100 * n)
  const id = await newCampaign(at, {
    user: fixtures.user,
    line,
    phones,
    flow: at.flow(0),
    reservePaisa: 200,
    channels: 100,
  })
  await at.until('it is complete', () => isComplete(id))
  const refused = refuser.log().filter(({ what }) => what === 'INVITE').length
  const invites =
    refused + callsIn(at.sipp.operator.log()).filter(({ number }) => phones.includes(Number(number))).length
  expect(refused).toBeGreaterThan(0)
  expect(refused / invites, `${refused} of ${invites}`).toBeLessThan(0.05)
  const answered = (await attemptsOf(at, [id])).filter(({ disposition }) => disposition === 'ANSWER')
  expect(answered.map(({ phone }) => phone).toSorted()).toEqual(phones)
  const held = await at.db.selectFrom('campaign_event').select('to_status').where('campaign_id', '=', id).execute()
  expect(held.map(({ to_status }) => to_status)).not.toContain('onHold')
  await expectSoundFiles(at)
  await expectNothingLeft(at)
}, 240_000)
