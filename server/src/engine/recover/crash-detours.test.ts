import { expect, test } from 'vitest'
import { localFiles } from '../../drivers/files/local.ts'
import { connectControl } from '../../drivers/telephony/simulator/client.ts'
import type { Witnessed } from '../testing/crash.ts'
import { crashFixtures, crashSpeed } from '../testing/crash-fixtures.ts'
import { flowsOver } from '../testing/engine.ts'
import { busyNumbers, expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../testing/fixtures.ts'
import { expectPaid, owedFor, type Talk } from '../testing/paid.ts'
import { anotherTrunk, newRoute } from '../testing/routes.ts'
import { trunkName } from '../trunks/trunk-data.ts'

/** At each an engine dies, while its calls go on over the second trunk of their route. */
const deaths: readonly { what: string; nth?: number; engineId?: string }[] = [
  { what: 'hungUp arrives' },
  { what: 'hungUp reported' },
  { what: 'detour sent' },
  { what: 'detour done' },
  { what: 'detour done', nth: 3 },
  { what: 'detour dial sent' },
  { what: 'detour dial done', nth: 2, engineId: 'another' },
  { what: 'detour ringing arrives' },
  { what: 'detour answered arrives' },
  { what: 'detour answered reported' },
  { what: 'detour hungUp arrives', nth: 2 },
  { what: 'settle sent' },
]
const rowsEach = 12
const timeoutMs = 90_000
const { at, filesFolder, witness, engineInWaiting, orderOf, until, statementsEnded, allComplete, connect } =
  await crashFixtures({ name: 'crash-detours', timeoutMs })
const flow = await flowsOver(localFiles(filesFolder))

/** A campaign whose first trunk refuses every call, as a trunk that carried calls until now. */
async function composed({ user, line }: Fixtures, round: number): Promise<void> {
  await at.db.deleteFrom('trunk_health').execute()
  // they ring a second; every third has no room at any operator
  const phones = Array.from({ length: rowsEach }, (_, n) => 9779840000000 + 10_000 * round + 100 * n + (n % 3 ? 99 : 6))
  const of = { user, line, status: 'ready' as const, retries: 0, channels: 200, reservePaisa: 200 }
  await newCampaign(at, { ...of, phones, flow: flow(0) })
}

/** On the wall: the record has the network's own durations. */
const endOf = ({ startedAt, endedAt }: Witnessed): number =>
  startedAt + ((endedAt ?? Infinity) - startedAt) / crashSpeed

/** Asserts that no channel was dialled twice, no number in two calls at once, and that each attempt says what its channels did. */
async function expectAsSeen(trunkIds: readonly number[]): Promise<number[]> {
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
      expect([name, tried, before !== undefined]).toEqual([name, [trunkIds.find((id) => id !== trunk_id)], true])
    else expect([name, last]).toEqual([name, undefined])
    calls.push({ customerMs, agentMs: null })
  }
  expect([...left.keys()]).toEqual([]) // the dialer got no request without an attempt
  return owedFor(calls)
}

function expectOneCallANumber(): void {
  const byNumber = Map.groupBy(witness.channels.values(), ({ number }) => number)
  for (const [number, channels] of byNumber) {
    const inOrder = channels.toSorted((a, b) => a.startedAt - b.startedAt)
    for (const [n, channel] of inOrder.entries()) {
      const before = inOrder[n - 1]
      expect([number, before === undefined || channel.startedAt >= Math.floor(endOf(before))]).toEqual([number, true])
    }
    expect([number, channels.filter(({ answeredAt }) => answeredAt !== null).length <= 1]).toEqual([number, true])
  }
}

test('an engine killed at twelve points of calls that go on over another trunk leaves no two live calls, none without an attempt, and one charge for each', async () => {
  const fixtures = await newFixtures(at, { cps: 100, channels: 200 })
  const { line } = fixtures
  const second = await anotherTrunk(at, fixtures, { cps: 100, channels: 200 })
  await newRoute(at, fixtures, [
    { trunkId: line.trunkId, priority: 1, weight: 1 },
    { trunkId: second, priority: 2, weight: 1 },
  ])
  await connect(line.dialerId)
  const dialer = await at.db
    .selectFrom('dialer')
    .select(['host', 'port'])
    .where('id', '=', line.dialerId)
    .executeTakeFirstOrThrow()
  const control = await connectControl(dialer)
  await control.setTrunkFault(trunkName(line.trunkId), 'refusing')
  let next = engineInWaiting()
  let name = 'test'
  for (const [round, { what, nth = 1, engineId }] of deaths.entries()) {
    name = engineId ?? name
    await composed(fixtures, round)
    const engine = await next
    next = engineInWaiting()
    engine.begin({ ...orderOf(name), killAt: { what, nth } })
    await until(what, () => engine.died !== null)
    expect(`${what}: ${engine.died}`).toBe(`${what}: SIGKILL`)
    await statementsEnded()
    await expectSoundBooks(at)
  }
  const last = await next
  last.begin({ ...orderOf(name), killAt: null })
  await until('all campaigns complete', allComplete)
  await last.kill()
  await control.close()
  witness.read()
  await expectSoundBooks(at)
  expectOneCallANumber()
  await expectPaid(at, fixtures, await expectAsSeen([line.trunkId, second]))
  const { rows } = await at.pool.query<{ state: string; n: number }>(
    `select disposition || ' ' || state as state, count(*)::int as n from campaign_contact group by 1 order by 1`,
  )
  expect(rows).toEqual([
    { state: 'ANSWER done', n: (rowsEach * 2 * deaths.length) / 3 },
    { state: 'CONGESTION done', n: (rowsEach * deaths.length) / 3 },
  ])
  const { rows: detoured } = await at.pool.query(
    `select from attempt where tried is not null and disposition = 'ANSWER'`,
  )
  expect(detoured.length).toBeGreaterThan(deaths.length)
  expect(await busyNumbers(at)).toEqual([])
}, 600_000)
