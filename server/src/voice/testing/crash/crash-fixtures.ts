import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSimulatorProcess } from '../../../drivers/telephony/simulator/testing.ts'
import { crashTestName } from '../../../testing/processes/engine-moments.ts'
import type { EngineOrder } from '../../../testing/processes/engine-process.ts'
import { spawnEngine, Witness, type EngineProcess } from './crash.ts'
import { engineDb } from '../db.ts'
import { dialAtAnyHour } from '../engine.ts'
import type { EngineDb } from '../fixtures.ts'
import { atEndOfFile } from '../../../testing/cleanup.ts'
import { until } from '../../../testing/until.ts'

/** Simulated seconds per real one; the engine's waits of minutes take a second or two. */
export const crashSpeed = 25
const timeScale = 0.002
/** A younger dialer cannot prove that nothing was sent. */
const witnessFromMs = 5500

type CrashFixtures = {
  at: EngineDb
  filesFolder: string
  /** What the dialer itself recorded; of several, the first. */
  witness: Witness
  witnesses: Witness[]
  /** A process that has loaded everything and waits for its order. */
  engineInWaiting(): Promise<EngineProcess>
  orderOf(engineId: string): Omit<EngineOrder, 'killAt'>
  /** Waits until the condition holds; after `timeoutMs` it fails and says what it waited for. */
  until(what: string, holds: () => Promise<boolean> | boolean): Promise<void>
  /** Ends the process of the nth dialer at once, with all its calls. */
  killDialer(nth: number): Promise<void>
  /** Waits until PostgreSQL has finished the statements of killed engines: a statement continues without its client, and may still settle a call. */
  statementsEnded(): Promise<void>
  allComplete(): Promise<boolean>
  /** These dialers of the database are the simulators from now on, which are old enough to be witnesses. */
  connect(...dialerIds: number[]): Promise<void>
}

/** A database, simulated dialers in processes of their own, and engines that a test kills. Call it at the top of a test file. */
export async function crashFixtures(of: {
  name: string
  timeoutMs: number
  dialers?: number
  speed?: number
}): Promise<CrashFixtures> {
  const { name, timeoutMs, dialers = 1, speed = crashSpeed } = of
  const at = await engineDb(4)
  await dialAtAnyHour(at)
  const folder = mkdtempSync(join(tmpdir(), `ghanti-${name}-`))
  const filesFolder = join(folder, 'files')
  const folders = Array.from({ length: dialers }, (_, i) => join(folder, `dialer-${i}`))
  for (const own of folders) mkdirSync(own)
  const simulators = await Promise.all(folders.map((own) => startSimulatorProcess({ speed, folder: own })))
  const simulatorUpBy = performance.now()
  const engines: EngineProcess[] = []
  atEndOfFile(async () => {
    for (const engine of engines) await engine.kill()
    for (const simulator of simulators) await simulator.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  const campaigns = () => at.db.selectFrom('campaign').select(['status', 'reason']).orderBy('id').execute()
  const shared = { databaseUrl: at.url, filesFolder, leaseMs: 4000, timeScale, logLevel: 'silent', asterisk: null }
  const untilHolds: CrashFixtures['until'] = async (what, holds) => {
    await until(what, holds, { timeoutMs, story: campaigns })
  }
  const witnesses = folders.map((own) => new Witness(join(own, 'process-0.csv')))
  const [witness] = witnesses
  assert(witness)
  return {
    at,
    filesFolder,
    witness,
    witnesses,
    async engineInWaiting() {
      const engine = await spawnEngine()
      engines.push(engine)
      return engine
    },
    async killDialer(nth) {
      await simulators[nth]?.kill()
    },
    orderOf: (engineId) => ({ ...shared, engineId }),
    until: untilHolds,
    statementsEnded: () =>
      untilHolds('the end of the statements of killed engines', async () => {
        const { rows } = await at.pool.query(
          'select from pg_stat_activity where application_name = $1 and datname = current_database()',
          [crashTestName],
        )
        return rows.length === 0
      }),
    allComplete: async () => (await campaigns()).every((one) => one.status === 'complete'),
    async connect(...dialerIds) {
      for (const [i, { dialer }] of simulators.entries()) {
        const { host, port } = dialer
        await at.db
          .updateTable('dialer')
          .set({ host, port })
          .where('id', '=', dialerIds[i] ?? 0)
          .execute()
      }
      await sleep(Math.max(0, witnessFromMs - (performance.now() - simulatorUpBy)))
    },
  }
}
