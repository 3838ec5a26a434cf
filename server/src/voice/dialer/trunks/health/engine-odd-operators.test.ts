// @module-tag exhaustive
// What such replies do to rows and trunks is in engine-refusals and engine-proof, and a kill of each kind in engine-kills.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { testFiles } from '../../../../testing/files/test-files.ts'
import { connectControl } from '../../../../drivers/telephony/simulator/client.ts'
import type { TrunkFault } from '../../../../drivers/telephony/simulator/numbers.ts'
import { startSimulatorProcess } from '../../../../drivers/telephony/simulator/testing.ts'
import { newLine } from '../../../../testing/seed.ts'
import { trunkName } from '../../../model/calls/trunk-data.ts'
import { freeNumbers } from '../../../model/campaigns/numbers.sql.ts'
import { spawnEngine, Witness, type EngineProcess } from '../../../testing/crash/crash.ts'
import { dialAtAnyHour, flowsOver } from '../../../testing/engine.ts'
import {
  busyNumbers,
  counts,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  type Fixtures,
} from '../../../testing/fixtures.ts'
import { engineDb } from '../../../testing/db.ts'
import { until } from '../../../../testing/until.ts'

/** In order: an engine dies there, the next one finds what it left. `tests`: from then on there is also a trunk whose number is called when it is suspected. */
const deaths: readonly { what: string; nth?: number; tests?: true }[] = [
  { what: 'hungUp reported', nth: 9 },
  { what: 'settle sent', nth: 2 },
  { what: 'open_breaker done' },
  { what: 'begin_test done', tests: true },
  { what: 'claim of a congested row done' },
]
/** Simulated seconds in a real one, and the engine's waits: a row's second call comes after 0.9 s. */
const speed = 25
const timeScale = 0.03
const rowsEach = 40
const testNumber = 9779849999950
/** Nobody waits longer for a death or the end: the test fails and says for what. */

const at = await engineDb(4)
await dialAtAnyHour(at)
const folder = mkdtempSync(join(tmpdir(), 'ghanti-operators-'))
const filesFolder = join(folder, 'files')
const flow = await flowsOver(testFiles(filesFolder))
const simulator = await startSimulatorProcess({ speed, folder })
const simulatorUpBy = performance.now()
const witness = new Witness(join(folder, 'process-0.csv'))
const control = await connectControl(simulator.dialer)
const engines: EngineProcess[] = []
const trunks: number[] = []
const ids: number[] = []
afterAll(async () => {
  for (const engine of engines) await engine.kill()
  await control.close()
  await simulator.kill()
  rmSync(folder, { recursive: true, force: true })
})

const campaigns = () =>
  at.db.selectFrom('campaign').select(['id', 'status', 'hold_cause', 'reason']).orderBy('id').execute()
/** A campaign over a trunk of its own, to an operator who refuses everything. */
async function refused({ line, users }: Fixtures, fault: TrunkFault, testNumber: number | null): Promise<void> {
  const user = users[ids.length]
  if (!user) throw new Error('no users')
  const { trunkId, ...rest } = await newLine(at, { holders: [user], dialerId: line.dialerId, channels: 60, cps: 20 })
  await at.db.updateTable('trunk').set({ test_number: testNumber }).where('id', '=', trunkId).execute()
  await control.setTrunkFault(trunkName(trunkId), fault)
  const phones = Array.from({ length: rowsEach }, (_, i) => 9779841000050 + 1_000_000 * ids.length + 100 * i)
  trunks.push(trunkId)
  ids.push(await newCampaign(at, { user, line: { ...rest, trunkId }, phones, flow: flow(0), reservePaisa: 200 }))
}

async function engineInWaiting(): Promise<EngineProcess> {
  const engine = await spawnEngine()
  engines.push(engine)
  return engine
}
const order = { databaseUrl: at.url, filesFolder, engineId: 'test', leaseMs: 4000, timeScale, logLevel: 'silent' }

/** One engine after the other, each until its death; the last one lives on. */
async function killed(fixtures: Fixtures): Promise<void> {
  let next = engineInWaiting()
  for (const { what, nth = 1, tests } of deaths) {
    const engine = await next
    next = engineInWaiting()
    if (tests) await refused(fixtures, 'wrongPrefix', testNumber)
    engine.begin({ ...order, asterisk: null, killAt: { what, nth } })
    await until(what, () => engine.died !== null, { story: campaigns })
    expect(`${what}: ${engine.died}`).toBe(`${what}: SIGKILL`)
    await expectSoundBooks(at)
    if (tests) expect(await busyNumbers(at)).toContain(testNumber)
  }
  const last = await next
  last.begin({ ...order, asterisk: null, killAt: null })
}

async function outcomes(): Promise<string[]> {
  const { rows } = await at.pool.query<{ disposition: string }>(
    `select distinct disposition::text from attempt where disposition <> 'CANCEL' order by 1`,
  )
  return rows.map(({ disposition }) => disposition)
}

/**
 * Numbers that two deaths met in the midst of a call: of a 402 the dialer's record says only that the call was rejected, and a row that was rejected twice
 * is not called again (ADR 9). How many these are is a matter of the machine's speed.
 */
async function usedUp(campaignId: number): Promise<number> {
  const { rows } = await at.pool.query(
    `select no from attempt where campaign_id = $1 and disposition = 'REJECTED' group by no having count(*) > 1`,
    [campaignId],
  )
  return rows.length
}
/** What each row met, for those who read why this failed. */
const storyOf = async (campaignId: number): Promise<string> => {
  const { rows } = await at.pool.query<{ story: string; rows: number }>(
    `select story, count(*)::int as rows from (select string_agg(disposition::text, ' ' order by id) as story from attempt where campaign_id = $1 group by no) s group by 1 order by 2 desc`,
    [campaignId],
  )
  return rows.map(({ story, rows: n }) => `${n} × ${story}`).join('; ')
}

test('operators who say 402, 404 and 503 to everything use up no number, whenever the engine is killed; each is called until somebody answers, and then no more', async () => {
  const fixtures = await newFixtures(at, { users: 4, cps: 60, channels: 300 })
  const { host, port } = simulator.dialer
  await at.db.updateTable('dialer').set({ host, port }).where('id', '=', fixtures.line.dialerId).execute()
  for (const fault of ['noCredit', 'wrongPrefix', 'refusing'] as const) await refused(fixtures, fault, null)
  await sleep(Math.max(0, 5500 - (performance.now() - simulatorUpBy))) // a younger dialer is no witness of what never left
  await killed(fixtures)
  const isHeld = (cause: string | null) => cause === 'trunk' || cause === 'refusals'
  await until('all are on hold', async () => (await campaigns()).every(({ hold_cause }) => isHeld(hold_cause)), {
    story: campaigns,
  })
  await until('nobody is in a call', async () => (await counts(at))['in_call'] === 0, { story: campaigns })
  // the dialer's record knows the Q.850 cause alone, and that of 402 is a rejected call's: its row is called again
  const given = (await outcomes()).filter((one) => one !== 'REJECTED')
  expect(given).toEqual(['CONGESTION'])
  for (const id of ids)
    expect(await counts(at, id), await storyOf(id)).toMatchObject({ done: await usedUp(id), answered: 0 })
  const used = new Map(await Promise.all(ids.map(async (id) => [id, await usedUp(id)] as const)))
  await expectSoundBooks(at)

  for (const trunkId of trunks) await control.setTrunkFault(trunkName(trunkId), null)
  await until('all are complete', async () => (await campaigns()).every(({ status }) => status === 'complete'), {
    story: campaigns,
  })
  for (const id of ids)
    expect(await counts(at, id), await storyOf(id)).toMatchObject({
      done: rowsEach,
      answered: rowsEach - (used.get(id) ?? 0),
    })
  witness.read()
  const channels = [...witness.channels.values()]
  expect(channels.every(({ starts, endedAt }) => starts === 1 && endedAt !== null)).toBe(true)
  const answered = channels.filter(({ number, answeredAt }) => answeredAt !== null && number !== String(testNumber))
  const left = rowsEach * ids.length - [...used.values()].reduce((sum, n) => sum + n, 0)
  expect(new Set(answered.map(({ number }) => number)).size).toBe(left)
  expect(answered).toHaveLength(left)
  // the test whose engine died holds its number for three minutes
  await at.pool.query(`update trunk_test set taken_at = taken_at - interval '3 minutes' where ended_at is null`)
  await freeNumbers(at.engine)
  expect(await busyNumbers(at)).toEqual([])
  await expectSoundBooks(at)
}, 300_000)
