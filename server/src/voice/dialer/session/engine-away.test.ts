// @module-tag exhaustive
// engine-database-away.test.ts has the death of PostgreSQL and a longer cut than the lease; this is one of 30 s.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startPostgres, testSettings } from '../../../db/embedded/pg-local.ts'
import { clusterFolder, startMigrated } from '../../../testing/cluster.ts'
import { kyselyOver, openPool } from '../../../db/pool.ts'
import { testFiles } from '../../../testing/files/test-files.ts'
import { startSimulatorProcess } from '../../../drivers/telephony/simulator/testing.ts'
import { enginePoolOptions } from '../../../dispatch/statement.ts'
import { spawnEngine, Witness } from '../../testing/crash/crash.ts'
import { dialAtAnyHour, flowsOver } from '../../testing/engine.ts'
import { expectSoundBooks, newCampaign, newFixtures, numbersEnding, type EngineDb } from '../../testing/fixtures.ts'
import { until } from '../../../testing/until.ts'

const awayMs = 30_000
const folder = clusterFolder('engine-away')
const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  rmSync(folder, { recursive: true, force: true })
})

/** Connections to the test's own cluster. */
function databaseAt(url: string): EngineDb {
  const pool = openPool({ connectionString: url, max: 4, name: 'away-test', asOwner: true }, () => {})
  const options = { connectionString: url, max: 4, name: 'away-test-engine', options: enginePoolOptions }
  const engine = openPool(options, () => {})
  ends.push(() => Promise.all([pool.end(), engine.end()]))
  return { db: kyselyOver(pool), pool, url, engine }
}

test('an engine whose PostgreSQL is away for 30 s lives on, and when it is back settles what ended meanwhile, loses nobody and dials nobody twice', async () => {
  const cluster = { folder: join(folder, 'cluster'), settings: testSettings }
  let postgres = await startMigrated(cluster)
  ends.push(() => postgres.stop())
  const at = databaseAt(postgres.url())
  await dialAtAnyHour(at)
  const filesFolder = join(folder, 'files')
  const flow = await flowsOver(testFiles(filesFolder))
  const simulator = await startSimulatorProcess({ speed: 1, folder })
  ends.push(() => simulator.kill())
  const upBy = performance.now()
  const fixtures = await newFixtures(at, { cps: 10, channels: 300 })
  const { host, port } = simulator.dialer
  await at.db.updateTable('dialer').set({ host, port }).where('id', '=', fixtures.line.dialerId).execute()
  await at.db.deleteFrom('dialer_lease').execute()
  const phones = numbersEnding(['50', '51', '01', '04', '09'], 40)
  const of = {
    user: fixtures.user,
    line: fixtures.line,
    phones,
    flow: flow(0),
    reservePaisa: 400,
    channels: 200,
    retries: 0,
  }
  const campaignId = await newCampaign(at, of)
  await sleep(Math.max(0, 5500 - (performance.now() - upBy))) // a younger dialer cannot prove that nothing was sent
  const engine = await spawnEngine()
  ends.push(() => engine.kill())
  const order = { engineId: 'one', leaseMs: 10_000, timeScale: 0.01, logLevel: 'silent', asterisk: null, killAt: null }
  engine.begin({ databaseUrl: postgres.url(), filesFolder, ...order })
  const witness = new Witness(join(folder, 'process-0.csv'))
  const seen = (): number => {
    witness.read()
    return witness.channels.size
  }
  await until('some were dialled', () => seen() > 40)

  await postgres.stop()
  await sleep(3000) // earlier claims are dialled or given back
  const dialledBefore = seen()
  await sleep(awayMs - 3000)
  expect(engine.died).toBeNull()
  expect(seen()).toBe(dialledBefore)
  postgres = await startPostgres(cluster)
  const again = databaseAt(postgres.url())
  const row = again.db.selectFrom('campaign').select('status').where('id', '=', campaignId)
  await until('the campaign is complete', async () => (await row.executeTakeFirstOrThrow()).status === 'complete')

  expect(engine.died).toBeNull()
  seen()
  for (const [channelId, { starts }] of witness.channels)
    expect({ channelId, starts }).toEqual({ channelId, starts: 1 })
  // A number that does not exist may be retried: none of these calls rang, and many alike prove nothing (docs/adr/9).
  const called = [...witness.channels.values()]
    .map((channel) => channel.number)
    .filter((number) => !number.endsWith('04'))
  expect(called).toHaveLength(new Set(called).size)
  const { rows } = await again.pool.query<{ suffix: string; disposition: string; n: number }>(
    `select right(phone::text, 2) as suffix, disposition, count(*)::int as n from campaign_contact where campaign_id = $1 group by 1, 2 order by 1`,
    [campaignId],
  )
  expect(rows).toEqual(
    [
      ['01', 'BUSY'],
      ['04', 'INVALID'],
      ['09', 'ANSWER'],
      ['50', 'ANSWER'],
      ['51', 'ANSWER'],
    ].map(([suffix, disposition]) => ({ suffix, disposition, n: 40 })),
  )
  await expectSoundBooks(again)
}, 240_000)
