// @module-tag exhaustive
// engine-lost-dialer.test.ts has a dialer that never comes back, also after a restart of the engine; engine-kills.test.ts kills both at once.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { testFiles } from '../../../testing/files/test-files.ts'
import { startSimulatorProcess } from '../../../drivers/telephony/simulator/testing.ts'
import { newLine } from '../../../testing/seed.ts'
import { spawnEngine, Witness, type EngineProcess } from '../../testing/crash/crash.ts'
import { dialAtAnyHour, flowsOver } from '../../testing/engine.ts'
import { expectPaid, owedFor } from '../../testing/expected-charges.ts'
import {
  busyNumbers,
  counts,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  numbersEnding,
} from '../../testing/fixtures.ts'
import { engineDb } from '../../testing/db.ts'
import { until } from '../../../testing/until.ts'

/** Simulated seconds per real one. */
const speed = 4
const at = await engineDb(4)
await dialAtAnyHour(at)
const folder = mkdtempSync(join(tmpdir(), 'ghanti-gone-'))
const filesFolder = join(folder, 'files')
const flow = await flowsOver(testFiles(filesFolder))
const simulators = await Promise.all(
  ['one', 'other'].map((name) => startSimulatorProcess({ speed, folder: join(folder, name) })),
)
const witnesses = ['one', 'other'].map((name) => new Witness(join(folder, name, 'process-0.csv')))
const engines: EngineProcess[] = []
afterAll(async () => {
  for (const engine of engines) await engine.kill()
  for (const simulator of simulators) await simulator.kill()
  rmSync(folder, { recursive: true, force: true })
})

async function begun(goneScale: number): Promise<EngineProcess> {
  const engine = await spawnEngine()
  engines.push(engine)
  const order = { engineId: 'test', leaseMs: 4000, timeScale: 0.01, logLevel: 'silent', asterisk: null, killAt: null }
  engine.begin({ ...order, databaseUrl: at.url, filesFolder, goneScale })
  return engine
}

const inCall = async (id: number) => (await counts(at, id))['in_call'] ?? 0
const isStatus = (id: number, status: string) => async () =>
  (await at.db.selectFrom('campaign').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status === status

test('a dialer dies for good and the engine with it: the next one ends its calls as lost, one that was given up at once; a campaign without rows is complete, a stop ends, the other dialer’s calls are charged to the paisa, nobody is called twice', async () => {
  const fixtures = await newFixtures(at, { users: 2, cps: 40, channels: 200 })
  const [first, second] = fixtures.users
  if (!first || !second) throw new Error('no users')
  const spare = await newLine(at, { holders: [second], channels: 200, cps: 40 })
  const lines = [fixtures.line, spare]
  for (const [i, { dialerId }] of lines.entries()) {
    const { host = '', port = 0 } = simulators[i]?.dialer ?? {}
    await at.db.updateTable('dialer').set({ host, port }).where('id', '=', dialerId).execute()
  }
  await at.db.deleteFrom('dialer_lease').execute()
  await sleep(5500) // a younger dialer cannot prove that nothing was sent
  const of = { status: 'ready' as const, flow: flow(0), reservePaisa: 200, retries: 0 }
  const shared = numbersEnding(['02', '50', '05', '51'], 5) // half of them ring for long
  const last = await newCampaign(at, { ...of, user: first, line: fixtures.line, phones: shared })
  const more = shared.map((phone) => phone + 10_000_000)
  const many = numbersEnding(['02', '50'], 30).map((phone) => phone + 20_000_000)
  const stopped = await newCampaign(at, {
    ...of,
    user: second,
    line: fixtures.line,
    phones: [...more, ...many],
    channels: 20,
  })
  const engine = await begun(1)
  await until('all is in the air', async () => {
    const { fresh, waiting, in_call } = await counts(at, last)
    return fresh === 0 && waiting === 0 && (in_call ?? 0) >= 8 && (await inCall(stopped)) >= 15
  })
  await simulators[0]?.kill()
  await engine.kill()
  witnesses[0]?.read()
  const open = (await inCall(last)) + (await inCall(stopped))
  expect(open).toBeGreaterThanOrEqual(20)
  const others = await newCampaign(at, { ...of, user: second, line: spare, phones: [...shared, ...more] })
  await at.db.updateTable('campaign').set({ status: 'cancelling' }).where('id', '=', stopped).execute()
  await begun(1)
  await until('the dialer is out of reach', async () => {
    const state = await at.db
      .selectFrom('dialer_state')
      .select(['reachable', 'seen_at'])
      .where('dialer_id', '=', fixtures.line.dialerId)
      .executeTakeFirst()
    return state?.reachable === false
  })
  expect(await inCall(last)).toBeGreaterThan(0) // their ends are unknown, and ten minutes are not over
  await at.db
    .updateTable('dialer')
    .set({ given_up_at: new Date(), given_up_reason: 'burnt' })
    .where('id', '=', fixtures.line.dialerId)
    .execute()
  await until('the stop', isStatus(stopped, 'cancelled'))
  await until('the last calls', isStatus(last, 'complete'))
  await until('the other dialer', isStatus(others, 'complete'))
  for (const witness of witnesses) witness.read()
  const calls = witnesses.map((witness) => [...witness.channels.values()])
  for (const one of calls.flat()) expect(one.starts).toBe(1)
  const ofDead = (calls[0] ?? []).map(({ number }) => number)
  expect(new Set(ofDead).size).toBe(ofDead.length)
  await expectSoundBooks(at)
  const { rows } = await at.pool.query<{
    dialer: string
    bill_ms: number | null
    patch_bill_ms: number | null
    cost_paisa: number
  }>(`select a.disposition as dialer, a.bill_ms, a.patch_bill_ms, a.cost_paisa from attempt a`)
  const lost = rows.filter(({ dialer }) => dialer === 'LOST')
  expect(lost.length).toBeGreaterThan(0)
  for (const one of lost) expect(one).toMatchObject({ bill_ms: null, cost_paisa: 0 })
  const talks = rows.map(({ bill_ms, patch_bill_ms }) => ({ customerMs: bill_ms, agentMs: patch_bill_ms }))
  await expectPaid(at, fixtures, owedFor(talks))
  expect(await busyNumbers(at)).toEqual([])
  expect(await at.db.selectFrom('attempt_open').selectAll().execute()).toEqual([])
}, 300_000)
