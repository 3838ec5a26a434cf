// @module-tag exhaustive
/**
 * An engine dies in the middle of a campaign and nobody takes its place for a while: what people hear, who pays, and what is called again. Of it
 * lost-server.test.ts has what the dialer does and reports, voice/dialer/call/soundless.test.ts what becomes of such a report.
 */
import { pulsesOf } from '@ghanti/contract/money.ts'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { expectPaid, owedFor } from '../server/src/voice/testing/expected-charges.ts'
import { expectSoundFiles, newCampaign, threeLevels, type Fixtures } from '../server/src/voice/testing/fixtures.ts'
import { newLine } from '../server/src/testing/seed.ts'
import { startAnsweringPeer } from './answering-peer.ts'
import { attemptsOf, byNumber, callsIn, expectNobodyTwice, expectNothingLeft } from './call-log-checks.ts'
import { sipBench } from './testing.ts'
import { CrashBench } from './testing-crash.ts'

/** The dialer asks once a second whether an engine is there, and a busy machine answers later. */
const exactMs = 2500

const at = await sipBench()
let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await at.fixtures({ cps: 10, channels: 60 })
})

test('nobody pays for what nobody said any more; who answered in vain is called again, and who had heard something is not', async () => {
  const bench = new CrashBench(at, fixtures)
  const [first, second] = [await bench.load(), await bench.load()]
  const phones = Array.from({ length: 40 }, (_, n) => 9779800000000 + 100 * n + (n % 2 === 0 ? 99 : 7)) // 7 rings for 8 s
  const { user, line } = fixtures
  const of = { user, line, phones, flow: at.flow(1), reservePaisa: 1000, channels: 60 }
  const id = await newCampaign(at, { ...of, retries: 1 })
  const calls = () => callsIn(at.sipp.operator.log())
  const open = () => calls().filter(({ endedAt }) => endedAt === null)

  bench.begin(first, 'test')
  const hasHeard = ({ answeredAt }: { answeredAt: number | null }) =>
    answeredAt !== null && answeredAt < Date.now() - 4000
  await at.until('many talk and many ring', async () => calls().length >= 30 && open().some(hasHeard))
  const diedAt = Date.now()
  await first.kill()
  await at.until('the dialer has ended all calls', async () => open().length === 0)
  const backAt = Date.now()
  const before = byNumber(calls())
  bench.begin(second, 'test')
  await bench.completed({ id, phones })
  await second.kill()

  const after = callsIn(at.sipp.operator.log())
  expectNobodyTwice(after.filter(({ answeredAt }) => answeredAt === null || answeredAt < diedAt || answeredAt > backAt))
  const attempts = (await attemptsOf(at, [id])).filter(({ disposition }) => disposition !== 'CANCEL')
  const pulseOf = (ms: number) => pulsesOf(ms, threeLevels[0]?.pulseMs ?? 0) * (threeLevels[0]?.pulsePaisa ?? 0)
  let [heard, unheard] = [0, 0]
  for (const [number, theirs] of before) {
    const [call] = theirs
    const [attempt, ...more] = attempts.filter(({ phone }) => String(phone) === number)
    const story = JSON.stringify({ call, attempt, diedAt, backAt })
    if (!call?.answeredAt || (call.endedAt ?? 0) < diedAt) continue
    if (call.answeredAt > diedAt + exactMs) {
      unheard += 1
      expect(attempt, story).toMatchObject({
        disposition: 'NO ANSWER',
        bill_ms: null,
        cost_paisa: 0,
        uncollected_paisa: 0,
      })
      expect(more, story).toMatchObject([{ disposition: 'ANSWER' }])
    } else if (call.answeredAt < diedAt - exactMs) {
      heard += 1
      expect(attempt, story).toMatchObject({ disposition: 'ANSWER', ended_by: 'network' })
      expect(Math.abs((attempt?.bill_ms ?? 0) - (diedAt - call.answeredAt)), story).toBeLessThan(exactMs)
      expect(attempt?.cost_paisa).toBe(pulseOf(attempt?.bill_ms ?? 0))
      expect(more, story).toEqual([])
    }
  }
  expect(heard).toBeGreaterThan(0)
  expect(unheard).toBeGreaterThan(0)
  await expectPaid(at, fixtures, owedFor(attempts.map(({ bill_ms }) => ({ customerMs: bill_ms, agentMs: null }))))
  await expectSoundFiles(at)
  await expectNothingLeft(at)
}, 240_000)

test('the sentence that comes with the product is heard by somebody whose engine has died', async () => {
  const bench = new CrashBench(at, fixtures)
  const peer = await startAnsweringPeer()
  onTestFinished(() => peer.close())
  const { user, users, line: other } = fixtures
  const address = { host: '127.0.0.1', port: peer.port }
  const line = await newLine(at, { holders: users, dialerId: other.dialerId, channels: 10, cps: 10, address })
  const flow = at.flow(1, { menuWaitSeconds: 60 })
  await newCampaign(at, { user, line, phones: [9779820000499], flow, reservePaisa: 1000, retries: 0 })
  const engine = await bench.load()
  bench.begin(engine, 'test')
  const isQuiet = () => peer.sound.loudAt() > 0 && performance.now() - peer.sound.loudAt() > 1500
  await at.until('the menu was heard', async () => isQuiet())
  const diedAt = performance.now()
  await engine.kill()
  await at.until('the dialer has hung up', async () => peer.requests('BYE').length > 0)
  expect(peer.sound.loudAt() - diedAt).toBeGreaterThan(5000)
}, 120_000)
