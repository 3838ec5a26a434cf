import { espeakTts } from '@ghanti/server/drivers/tts/espeak.ts'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@ghanti/server/clock.ts'
import { startMigrated } from '@ghanti/server/testing/cluster.ts'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import { testFiles } from '@ghanti/server/testing/files/test-files.ts'
import { asteriskDriver } from '@ghanti/server/drivers/telephony/asterisk/asterisk.ts'
import { startEngine } from '@ghanti/server/voice/engine.ts'
import { faultsOf } from '@ghanti/server/dispatch/faults.ts'
import { checkInvariants } from '@ghanti/server/voice/invariants/invariants.sql.ts'
import { enginePoolOptions } from '@ghanti/server/dispatch/statement.ts'
import { ariSecretPurpose } from '@ghanti/server/modules/dialers/rules-secrets.ts'
import { defaultCallingHours } from '@ghanti/server/modules/platform/rules-hours.ts'
import { settings } from '@ghanti/server/modules/platform/rules.ts'
import { seal } from '@ghanti/server/lib/secrets.ts'
import { pino } from 'pino'
import { makeCampaigns, makeFixtures, threeSeconds } from '../dispatch/fixtures.ts'
import { drainMs, type Load } from './load.ts'

export type Product = {
  postgresPid: number
  /** With a new campaign. `claimed` may exceed the calls made, because claims that the dialer could not start in time are released. */
  call(load: Load): Promise<{ claimed: number }>
  /** Violated invariants; empty when the books are right. */
  faults(): Promise<string[]>
  stop(): Promise<void>
}

const channelsMax = 1_000_000

export async function startProduct(of: {
  folder: string
  dialer: { host: string; port: number; user: string; secret: string }
  sink: { host: string; port: number }
}): Promise<Product> {
  const postgres = await startMigrated({ folder: path.join(of.folder, 'postgres') })
  const databaseUrl = postgres.url()
  let stopping = false
  const fail = (error: Error): void => {
    if (!stopping) throw error // connections may still be closing when the server ends them
  }
  const pool = openPool({ connectionString: databaseUrl, max: 2, name: 'bench' }, fail)
  const forEngine = { connectionString: databaseUrl, max: 10, name: 'bench-engine', options: enginePoolOptions }
  const enginePool = openPool(forEngine, fail)
  const db = kyselyOver(pool)
  const value = JSON.stringify({ ...defaultCallingHours, enabled: false })
  await db.insertInto('platform_setting').values({ key: settings.callingHours.key, value }).execute()
  const files = testFiles(path.join(of.folder, 'files'))
  const log = pino({ level: 'error', serializers: { error: pino.stdSerializers.err } })
  const dialerSettings = { secret: randomBytes(32), mediaFolder: path.join(of.folder, 'media') }
  const fixtures = await makeFixtures(db, { users: 1, dialers: 1, line: { channels: channelsMax, cps: 1 } })
  const { host, port, user, secret } = of.dialer
  const sealed = seal(dialerSettings.secret, ariSecretPurpose, secret)
  await db
    .updateTable('dialer')
    .set({ driver: 'asterisk', host, port, ari_user: user, ari_secret_sealed: sealed })
    .execute()
  await db.updateTable('trunk').set({ sip_host: of.sink.host, sip_port: of.sink.port }).execute()
  return {
    postgresPid: postgres.pid,
    async call(load) {
      const opening = load.prompt === null ? [] : [await threeSeconds(files, fs.readFileSync(load.prompt))]
      const caps = { cps: load.perSecond, channels: load.inProgressMax }
      await db.updateTable('dialer').set(caps).execute()
      await db.updateTable('trunk').set(caps).execute()
      const rows = Math.ceil(load.callsMax / 50) * 50
      const [campaign] = await makeCampaigns(db, fixtures, { campaigns: 1, rows, status: 'running', opening })
      const speech = { db, files, tts: espeakTts() }
      const deps = {
        pool: enginePool,
        telephony: [asteriskDriver()],
        files,
        speech,
        dialerSettings,
        clock: systemClock,
        log,
      }
      const engine = startEngine({ ...deps, engineId: 'bench' })
      let claimed = 0
      engine.reports.on('tick', ({ dialled }) => (claimed += dialled))
      while (!load.ending.aborted) await sleep(20)
      await db
        .updateTable('campaign')
        .set({ status: 'paused' })
        .where('id', '=', campaign?.id ?? 0)
        .execute()
      await engine.stop({ drainMs })
      return { claimed }
    },
    faults: async () => faultsOf(await checkInvariants(enginePool)),
    async stop() {
      stopping = true
      await Promise.all([pool.end(), enginePool.end()])
      await postgres.stop()
    },
  }
}
