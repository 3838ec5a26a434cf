import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kyselyOver, openPool } from '../../../db/pool.ts'
import { atEndOfFile } from '../../../testing/cleanup.ts'
import { enginePoolOptions } from '../../../dispatch/statement.ts'
import { dialAtAnyHour } from '../engine.ts'
import type { EngineDb } from '../fixtures.ts'
import { KillableDialer } from './dialer.ts'
import { KillableEngines } from './engines.ts'
import { clusterFolder } from '../../../testing/cluster.ts'
import { KillablePostgres } from './postgres.ts'
import { until } from '../../../testing/until.ts'

/** Simulated seconds per real one; the engines' waits of minutes take a second or two. */
export const speed = 25
const timeScale = 0.002
const dialerCount = 3
/** How long an engine's lease on a dialer lasts. */
const leaseMs = 4000
/** Soon enough that an engine that came back gets a dialer before the next kill. */
const settleMs = 1500
const pollMs = 100
/** A younger dialer cannot prove that nothing was sent. */
const witnessFromMs = 5500

export type KillBench = {
  at: EngineDb
  filesFolder: string
  postgres: KillablePostgres
  dialers: KillableDialer[]
  engines: KillableEngines
  /** Waits until it holds. `meanwhile` is done in every round. Fails after two minutes, and says what it waited for. */
  until(what: string, holds: () => Promise<boolean> | boolean, meanwhile?: () => Promise<void>): Promise<void>
  /** The dialers are the simulators from now on, which are old enough to be witnesses. */
  connect(dialerIds: readonly number[]): Promise<void>
}

/** Two engines, three dialers and a PostgreSQL, each in processes of its own, with networks between them that a test cuts. */
export async function killBench(): Promise<KillBench> {
  const folder = clusterFolder('kills')
  const ends: (() => Promise<unknown>)[] = []
  atEndOfFile(async () => {
    for (const end of ends.toReversed()) await end()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  const postgres = await KillablePostgres.start(join(folder, 'postgres'))
  ends.push(() => postgres.stop())
  const dialers: KillableDialer[] = []
  for (let n = 0; n < dialerCount; n++) dialers.push(await KillableDialer.start(join(folder, `dialer-${n}`), speed))
  const upBy = performance.now()
  ends.push(() => Promise.all(dialers.map((one) => one.end())))
  const open = (options: string) => {
    const pool = openPool(
      { connectionString: postgres.url, max: 4, name: 'kill-test', options, asOwner: true },
      () => {},
    )
    ends.push(() => pool.end())
    return pool
  }
  const pool = open('')
  const at: EngineDb = { db: kyselyOver(pool), pool, url: postgres.url, engine: open(enginePoolOptions) }
  await dialAtAnyHour(at)
  const filesFolder = join(folder, 'files')
  const logLevel = process.env['LOG_LEVEL'] ?? 'silent'
  const order = { filesFolder, leaseMs, settleMs, timeScale, logLevel, asterisk: null }
  const engines = new KillableEngines(postgres.url, order)
  ends.push(() => engines.end())
  return {
    at,
    filesFolder,
    postgres,
    dialers,
    engines,
    async until(what, holds, meanwhile) {
      await until(what, holds, { pollMs, meanwhile, story: () => storyOf(at) })
    },
    async connect(dialerIds) {
      for (const [i, dialer] of dialers.entries()) {
        dialer.id = dialerIds[i] ?? 0
        const address = { host: '127.0.0.1', port: dialer.proxy.port }
        await at.db.updateTable('dialer').set(address).where('id', '=', dialer.id).execute()
      }
      await at.db.deleteFrom('dialer_lease').execute()
      await sleep(Math.max(0, witnessFromMs - (performance.now() - upBy)))
    },
  }
}

async function storyOf({ pool }: EngineDb): Promise<unknown[]> {
  const campaigns = `select id, dialer_id, status, reason, (select sum(fresh) from campaign_count k where k.campaign_id = c.id) as fresh,
    (select count(*) from attempt_open o where o.campaign_id = c.id) as up from campaign c where status <> 'complete' order by id`
  const leases = 'select dialer_id, engine_id, epoch, expires_at > now() as is_held from dialer_lease order by 1'
  const contracts =
    'select dialer_id, channels, legs, channels_wanted, cps, begun, cps_wanted from contract_grant order by 1'
  const trunks = 'select trunk_id, calls, recent, last_failure, takes_cps from trunk_state order by 1'
  const all = await Promise.allSettled([campaigns, leases, contracts, trunks].map((query) => pool.query(query)))
  return all.map((one) => (one.status === 'fulfilled' ? one.value.rows : String(one.reason)))
}
