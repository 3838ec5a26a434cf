/** An engine is killed during conversations over Asterisk: who dials next, how soon, and what people who had answered hear. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { expectSoundFiles, newCampaign } from '../server/src/voice/testing/fixtures.ts'
import { attemptLine, attemptsOf, byNumber, callsIn, expectNobodyTwice, expectNothingLeft } from './call-log-checks.ts'
import { sipBench } from './testing.ts'
import { CrashBench, rangOut } from './testing-crash.ts'

/** So long that an engine that waited for its end, because it did not see that the other one is dead, would be noticed on a busy machine too. */
const leaseMs = 40_000
/**
 * From the death of an engine, or the start of the next one once its process has loaded the code, to its first call at the operator: 3 to 5 s on a
 * quiet machine.
 */
const dialsWithinMs = leaseMs / 2
/** Somebody who presses nothing hears the menu twice and then the closing: long enough to be there before, during and after. */
const heardMs = 12_000
const rows = 120

const at = await sipBench()

test('when an engine is killed during calls, the one beside it, or a new one with the same name, dials before the lease ends; whoever answered hears everything', async () => {
  const fixtures = await at.fixtures({ cps: 5, channels: 200 })
  await at.db.deleteFrom('dialer_lease').execute() // as if no engine had ever had it
  const bench = new CrashBench(at, fixtures)
  const [first, second, third] = [await bench.load(), await bench.load(), await bench.load()]
  const phones = Array.from({ length: rows }, (_, n) => 9779800000099 + 100 * n)
  const of = { user: fixtures.user, line: fixtures.line, phones, flow: at.flow(1), reservePaisa: 1000, channels: 200 }
  const id = await newCampaign(at, { ...of, retries: 1 }) // for a phone that the operator answers too late
  const talking = () => callsIn(at.sipp.operator.log()).filter((call) => call.answeredAt !== null && !call.endedAt)
  const epochs = async () =>
    (await sql<{ n: number }>`select max(epoch)::int as n from dialer_lease`.execute(at.db)).rows[0]?.n
  /** When the operator received the first call of a later epoch than this one. */
  const dialledAfter = async (epoch = 0): Promise<number> => {
    const first = async (): Promise<number> => {
      const { rows } = await sql<{ phone: number }>`select phone from attempt_open where epoch > ${epoch}
        union select phone from attempt where epoch > ${epoch} and disposition <> 'CANCEL'`.execute(at.db)
      const later = new Set(rows.map(({ phone }) => phone))
      return Math.min(
        ...callsIn(at.sipp.operator.log()).flatMap((call) => (later.has(Number(call.number)) ? [call.at] : [])),
      )
    }
    await at.until('the next one dials', async () => (await first()) < Infinity)
    return first()
  }

  bench.begin(first, 'one', { leaseMs })
  await at.until('it dials', async () => callsIn(at.sipp.operator.log()).length > 0)
  bench.begin(second, 'two', { leaseMs })
  await at.until('many talk', async () => talking().length >= 15)
  let epoch = await epochs()
  let since = Date.now()
  await first.kill()
  expect((await dialledAfter(epoch)) - since).toBeLessThan(dialsWithinMs)

  await at.until('many talk', async () => talking().length >= 15)
  epoch = await epochs()
  await second.kill()
  await sleep(500)
  since = Date.now()
  bench.begin(third, 'two', { leaseMs })
  expect((await dialledAfter(epoch)) - since).toBeLessThan(dialsWithinMs)

  await bench.completed({ id, phones })
  await third.kill()
  const calls = callsIn(at.sipp.operator.log())
  expectNobodyTwice(calls, await attemptsOf(at, [id]))
  const answered = calls.filter(({ answeredAt }) => answeredAt !== null)
  expect([...byNumber(answered).keys()].map(Number).toSorted()).toEqual(phones)
  expect(answered.filter(({ answeredAt, endedAt }) => (endedAt ?? 0) - (answeredAt ?? 0) < heardMs)).toEqual([])
  const attempts = (await attemptsOf(at, [id])).filter((one) => one.disposition !== 'CANCEL' && !rangOut(one))
  expect(attempts.filter(({ disposition }) => disposition !== 'ANSWER').map(attemptLine)).toEqual([])
  expect(attempts.length).toBe(rows)
  const unanswered = (await attemptsOf(at, [id])).filter(rangOut)
  expect(calls.length - answered.length).toBeLessThanOrEqual(unanswered.length)
  await expectSoundFiles(at)
  await expectNothingLeft(at)
}, 300_000)
