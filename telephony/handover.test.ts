// @module-tag exhaustive
/** A dialer changes hands between engines during calls over Asterisk: to one that joins, and back when that one is told to end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { attemptsOf, byNumber, callsIn, type AttemptRow, type Heard } from './call-log-checks.ts'
import { sipBench, skewMs } from './testing.ts'
import { CrashBench } from './testing-crash.ts'

/** Those who press a key late, after a wrong one: some of them answer before the dialer changes hands and press it afterwards. */
const latePressers = ['21', '22', '23', '21']
/** From the answer to the end of the key, for whoever presses one, and for whoever presses a wrong one before (README.md here). */
const pressedAfterMs = { 1: 2160, 2: 6320 }
/** Nobody may hear a key so shortly before and after the dialer has changed hands, or before the next engine calls. */
const deafMs = { before: 1000, after: 2500 }

/** When an engine got the dialer, and until when it may be deaf. */
type Change = { at: number; until: number }

const at = await sipBench()

/** Waits until the engine of this name has the dialer, and says since when and in which epoch. */
async function ledBy(name: string): Promise<{ at: number; epoch: number }> {
  const lease = () => at.db.selectFrom('dialer_lease').select(['engine_id', 'epoch']).executeTakeFirst()
  for (const deadline = performance.now() + 30_000; ; await sleep(20)) {
    const held = await lease()
    if (held?.engine_id === name) return { at: Date.now(), epoch: held.epoch }
    if (performance.now() > deadline) throw new Error(`${name} does not get the dialer`)
  }
}

test('a dialer that changes hands twice during calls: nobody is called twice, lost or cut off, keys and agents are heard, all pay as long as they talked', async () => {
  const bench = new CrashBench(at, await at.fixtures({ cps: 5, channels: 60 }))
  await at.db.deleteFrom('dialer_lease').execute() // as if no engine had ever had it
  const [first, second] = [await bench.load(), await bench.load()]
  const settled = { settleMs: 500 }
  bench.begin(first, 'one', settled)
  const campaign = await bench.campaignUnderWay(latePressers)
  bench.begin(second, 'two', { ...settled, weight: 100 })
  const joined = await ledBy('two')
  const answered = () => callsIn(at.sipp.operator.log()).filter((call) => (call.answeredAt ?? 0) > joined.at)
  await at.until('many answered under the next one', async () => answered().length >= 25)
  await at.until('somebody has just answered who presses late', async () => answered().some(isFreshPresser))
  second.signal('SIGTERM')
  const left = await ledBy('one')
  await at.until('it has ended', async () => second.died !== null)
  expect(second.died).toBe(0)
  await bench.completed(campaign)
  await first.kill()

  await bench.expectAsTheOperatorSaw(campaign, null)
  expect(await at.db.selectFrom('alert').selectAll().execute()).toEqual([])
  const attempts = await attemptsOf(at, [campaign.id])
  expect(attempts.filter(({ disposition }) => disposition === 'LOST')).toEqual([])
  const calls = callsIn(at.sipp.operator.log())
  const talks = callsIn(at.sipp.agents.log())
  const changes = [joined, left].map((change) => ({ at: change.at, until: deafUntil(change, attempts, calls) }))
  for (const change of changes) {
    const isDuring = ({ answeredAt, endedAt }: Heard): boolean =>
      answeredAt !== null && answeredAt < change.at && (endedAt ?? 0) > change.at
    expect(calls.filter(isDuring).length, 'calls go on').toBeGreaterThan(5)
    expect(talks.filter(isDuring).length, 'talks with agents go on').toBeGreaterThan(0)
    expect(pressersAt(calls, change), 'somebody presses a key afterwards').toBeGreaterThan(0)
  }
  expectKeysHeard(attempts, calls, changes)
  const lengths = talks.flatMap(({ answeredAt, endedAt }) => (answeredAt && endedAt ? [endedAt - answeredAt] : []))
  const charged = attempts.flatMap(({ patch_bill_ms }) => (patch_bill_ms === null ? [] : [patch_bill_ms]))
  expect(charged.length).toBe(lengths.length)
  const [longest, shortest] = [charged, lengths].map((all) => all.toSorted((a, b) => b - a))
  for (const [n, ms] of (longest ?? []).entries()) expect(Math.abs(ms - (shortest?.[n] ?? 0))).toBeLessThan(skewMs)
}, 300_000)

/** Which key this caller presses, and when. Null: none, or they did not answer. */
function keyOf({ number, answeredAt }: Heard): { key: string; at: number } | null {
  const [, kind, key] = /([12])([123])$/.exec(number) ?? []
  if (answeredAt === null || key === undefined) return null
  return { key, at: answeredAt + pressedAfterMs[kind === '1' ? 1 : 2] }
}

/** They press their key after the dialer has changed hands, if that happens now. */
function isFreshPresser(call: Heard): boolean {
  return (keyOf(call)?.at ?? 0) > Date.now() + pressedAfterMs[2] - 1000
}

/** An engine calls nobody before it has taken over the calls that it found. */
function deafUntil(
  of: { at: number; epoch: number },
  attempts: readonly AttemptRow[],
  calls: readonly Heard[],
): number {
  const its = new Set(attempts.filter(({ epoch }) => epoch === of.epoch).map(({ phone }) => String(phone)))
  const first = calls.find((call) => call.at > of.at && its.has(call.number.replace('+', '')))
  if (!first) throw new Error(`nobody was called in epoch ${of.epoch}`)
  return Math.max(of.at + deafMs.after, first.at)
}

/** How many answered before the change and press their key after it, when the next engine surely listens. */
function pressersAt(calls: readonly Heard[], { at: moment, until }: Change): number {
  const isLate = (call: Heard): boolean => (keyOf(call)?.at ?? 0) > until
  return calls.filter((call) => call.answeredAt !== null && call.answeredAt < moment && isLate(call)).length
}

function expectKeysHeard(
  attempts: readonly { phone: number; keys: string | null }[],
  calls: readonly Heard[],
  changes: readonly Change[],
): void {
  const heard = byNumber(calls)
  for (const { phone, keys } of attempts) {
    const call = heard.get(String(phone))?.find(({ answeredAt }) => answeredAt !== null)
    const pressed = call ? keyOf(call) : null
    if (!pressed) continue
    const isDeaf = changes.some((change) => pressed.at > change.at - deafMs.before && pressed.at < change.until)
    if (!isDeaf) expect([phone, keys]).toEqual([phone, pressed.key])
  }
}
