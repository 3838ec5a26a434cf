import { expect } from 'vitest'
import { testFiles } from '../../../testing/files/test-files.ts'
import { connectControl } from '../../../drivers/telephony/simulator/client.ts'
import { trunkName } from '../../model/calls/trunk-data.ts'
import { crashFixtures, crashSpeed } from './crash-fixtures.ts'
import type { Witness, Witnessed } from './crash.ts'
import { flowsOver } from '../engine.ts'
import { busyNumbers, expectSoundBooks, newCampaign, newFixtures, type EngineDb, type Fixtures } from '../fixtures.ts'
import { expectPaid, owedFor, type Talk } from '../expected-charges.ts'
import { anotherTrunk, newRoute, type Ordered } from '../routes.ts'

/** At each an engine dies. */
export type Death = { what: string; nth?: number; engineId?: string }

type Ways = {
  name: string
  deaths: readonly Death[]
  /** The steps of the route over these trunks, the first of which refuses every call. */
  stepsOver(trunkIds: readonly [refusing: number, second: number, third: number]): readonly Ordered[]
  /** The numbers of the campaign of a round. */
  phonesOf(round: number): number[]
}

const timeoutMs = 90_000

/**
 * Kills engines one after the other while calls of campaigns with a route go on over the next trunk, and asserts after each that the books hold, and at
 * the end that no channel was dialled twice, no number in two calls at once, and each call paid once.
 */
export async function killOverRoute({
  name,
  deaths,
  stepsOver,
  phonesOf,
}: Ways): Promise<{ at: EngineDb; trunkIds: number[] }> {
  const { at, filesFolder, witness, engineInWaiting, orderOf, until, statementsEnded, allComplete, connect } =
    await crashFixtures({ name, timeoutMs })
  const flow = await flowsOver(testFiles(filesFolder))
  const fixtures = await newFixtures(at, { cps: 100, channels: 200 })
  const { user, line } = fixtures
  const second = await anotherTrunk(at, fixtures, { cps: 100, channels: 200 })
  const third = await anotherTrunk(at, fixtures, { cps: 100, channels: 200 })
  await newRoute(at, fixtures, stepsOver([line.trunkId, second, third]))
  await connect(line.dialerId)
  const control = await refuse(at, fixtures)
  let next = engineInWaiting()
  let engineName = 'test'
  for (const [round, { what, nth = 1, engineId }] of deaths.entries()) {
    engineName = engineId ?? engineName
    await at.db.deleteFrom('trunk_health').execute() // as a trunk that carried calls until now
    const of = { user, line, status: 'ready' as const, retries: 0, channels: 200, reservePaisa: 200, byOperator: true }
    await newCampaign(at, { ...of, phones: phonesOf(round), flow: flow(0) })
    const engine = await next
    next = engineInWaiting()
    engine.begin({ ...orderOf(engineName), killAt: { what, nth } })
    await until(what, () => engine.died !== null)
    expect(`${what}: ${engine.died}`).toBe(`${what}: SIGKILL`)
    await statementsEnded()
    await expectSoundBooks(at)
  }
  const last = await next
  last.begin({ ...orderOf(engineName), killAt: null })
  await until('all campaigns complete', allComplete)
  await last.kill()
  await control.close()
  witness.read()
  await expectSoundBooks(at)
  const all = deaths.flatMap((_, round) => phonesOf(round))
  expectOneCallANumber(witness, (number) => all.filter((phone) => String(phone) === number).length)
  await expectPaid(at, fixtures, await expectAttemptsMatchRecord(at, witness))
  expect(await busyNumbers(at)).toEqual([])
  return { at, trunkIds: [line.trunkId, second, third] }
}

/** The fixtures' own trunk refuses every call. */
async function refuse({ db }: EngineDb, { line }: Fixtures) {
  const dialer = await db
    .selectFrom('dialer')
    .select(['host', 'port'])
    .where('id', '=', line.dialerId)
    .executeTakeFirstOrThrow()
  const control = await connectControl(dialer)
  await control.setTrunkFault(trunkName(line.trunkId), 'refusing')
  return control
}

/** On the wall: the record has the network's own durations. */
const endOf = ({ startedAt, endedAt }: Witnessed): number =>
  startedAt + ((endedAt ?? Infinity) - startedAt) / crashSpeed

/** Asserts that no channel was dialled twice, no number in two calls at once, and that each attempt says what its channels did. */
async function expectAttemptsMatchRecord(at: EngineDb, witness: Witness): Promise<number[]> {
  const { rows } = await at.pool.query<{
    name: string
    disposition: string
    bill_ms: number | null
    trunk_id: number
    tried: number[] | null
  }>(
    `select i.id || '-' || a.epoch || '-' || a.id as name, a.disposition, a.bill_ms, a.trunk_id, a.tried from attempt a, installation i order by a.id`,
  )
  const calls: Talk[] = []
  const left = new Map(witness.channels)
  for (const { name, disposition, bill_ms, trunk_id, tried } of rows) {
    const channels = [`${name}-c`, `${name}-d1-c`].flatMap((id) => left.get(id) ?? [])
    for (const id of [`${name}-c`, `${name}-d1-c`]) left.delete(id)
    for (const { starts, endedAt } of channels) expect([name, starts, endedAt !== null]).toEqual([name, 1, true])
    const [before, last] = channels
    if (before && last) expect(last.startedAt).toBeGreaterThanOrEqual(Math.floor(endOf(before)))
    const answered = channels.filter(({ answeredAt }) => answeredAt !== null)
    expect(answered.length).toBeLessThanOrEqual(1)
    const [one] = answered
    const customerMs = one?.answeredAt ? (one.endedAt ?? 0) - one.answeredAt : null
    expect({ name, bill_ms, isAnswer: disposition === 'ANSWER' }).toEqual({
      name,
      bill_ms: customerMs,
      isAnswer: customerMs !== null,
    })
    if (tried)
      expect([name, tried.length, tried.includes(trunk_id), before !== undefined]).toEqual([name, 1, false, true])
    else expect([name, last]).toEqual([name, undefined])
    calls.push({ customerMs, agentMs: null })
  }
  expect([...left.keys()]).toEqual([]) // the dialer got no request without an attempt
  return owedFor(calls)
}

/** Expects one call of a number at a time, and one answer for each of its rows. */
function expectOneCallANumber(witness: Witness, rowsOf: (number: string) => number): void {
  const byNumber = Map.groupBy(witness.channels.values(), ({ number }) => number)
  for (const [number, channels] of byNumber) {
    const inOrder = channels.toSorted((a, b) => a.startedAt - b.startedAt)
    for (const [n, channel] of inOrder.entries()) {
      const before = inOrder[n - 1]
      expect([number, before === undefined || channel.startedAt >= Math.floor(endOf(before))]).toEqual([number, true])
    }
    const answered = channels.filter(({ answeredAt }) => answeredAt !== null).length
    expect([number, answered <= rowsOf(number)]).toEqual([number, true])
  }
}
