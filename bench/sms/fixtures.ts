/**
 * A product that sends messages: embedded PostgreSQL with durable commits, the API in a separate process, and an account with a sender ID.
 */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import * as path from 'node:path'
import { systemClock } from '@ghanti/server/clock.ts'
import type { Db } from '@ghanti/server/db/db.ts'
import { clusterFolder, startMigrated } from '@ghanti/server/testing/cluster.ts'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import type { SmsDriver } from '@ghanti/server/db/tables.ts'
import { testFiles } from '@ghanti/server/testing/files/test-files.ts'
import { faultsOf } from '@ghanti/server/dispatch/faults.ts'
import { checkInvariants } from '@ghanti/server/voice/invariants/invariants.sql.ts'
import { enginePoolOptions } from '@ghanti/server/dispatch/statement.ts'
import { defaultCallingHours } from '@ghanti/server/modules/platform/rules-hours.ts'
import { settings } from '@ghanti/server/modules/platform/rules.ts'
import type { Viewer } from '@ghanti/server/policy.ts'
import type { SmsEngineOptions } from '@ghanti/server/sms/gateway/context.ts'
import { startSmsEngine, type SmsEngine } from '@ghanti/server/sms/engine.ts'
import { checkMessageInvariants } from '@ghanti/server/sms/invariants/invariants.sql.ts'
import { newSender } from '@ghanti/server/testing/sms-campaigns.ts'
import { newPlan, newReseller, newUser, tokenOf } from '@ghanti/server/testing/seed.ts'
import type { Pool } from 'pg'
import { pino } from 'pino'
import * as z from 'zod/mini'
import { fail, startApi } from '../bench.ts'

const replyMs = 300_000
const plenty = 100_000_000

export type SmsFixtures = Awaited<ReturnType<typeof startSmsFixtures>>

/** `name`: the folder below the system's temporary one. `end` stops everything, engines included. */
export async function startSmsFixtures(name: string) {
  const folder = clusterFolder(`bench-${name}`)
  const postgres = await startMigrated({ folder: path.join(folder, 'postgres') })
  const databaseUrl = postgres.url()
  const pool = openPool({ connectionString: databaseUrl, max: 5, name: 'bench' }, fail)
  const owner = openPool({ connectionString: databaseUrl, max: 2, name: 'bench-owner', asOwner: true }, fail)
  const enginePool = openPool(
    { connectionString: databaseUrl, max: 8, name: 'bench-sms-engine', options: enginePoolOptions },
    fail,
  )
  const db = kyselyOver(pool)
  const [reseller, user] = await people(db)
  const files = testFiles(path.join(folder, 'files'))
  const api = await startApi(databaseUrl, folder)
  const engines: SmsEngine[] = []
  const app = { db, clock: systemClock }
  return {
    folder,
    api,
    owner,
    postgres,
    reseller,
    user,
    app,
    counted: (campaignId: number) => counted(pool, campaignId),
    gateway: (driver: SmsDriver, of: Record<string, unknown>) => setGateway(db, driver, of),
    engine(drivers: SmsEngineOptions['drivers'], timeScale = 1): SmsEngine {
      const log = pino({ level: 'error', serializers: { error: pino.stdSerializers.err } })
      const deps = { pool: enginePool, drivers, files, clock: systemClock, log, engineId: 'bench', timeScale }
      const engine = startSmsEngine(deps)
      engines.push(engine)
      return engine
    },
    compose: async (numbers: string, smsText: string) =>
      compose(api.address, await tokenOf(app, user.userId), numbers, smsText),
    async faults(): Promise<string[]> {
      return [...faultsOf(await checkInvariants(enginePool)), ...faultsOf(await checkMessageInvariants(enginePool))]
    },
    async end(): Promise<void> {
      for (const engine of engines) await engine.stop()
      await api.stop()
      await Promise.all([pool.end(), owner.end(), enginePool.end()])
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What is settled now; `sms_campaign_progress` follows half a second later. */
async function counted(pool: Pool, campaignId: number): Promise<{ status: string; delivered: number }> {
  const { rows } = await pool.query<{ status: string; delivered: number }>(
    `select c.status, (select coalesce(sum(n.delivered), 0)::int from sms_campaign_count n where n.campaign_id = c.id) as delivered
     from sms_campaign c where c.id = $1`,
    [campaignId],
  )
  const [row] = rows
  assert(row, `there is no campaign ${campaignId}`)
  return row
}

/** Replaces the only gateway and the general route: two gateways with one login would take each other's receipts. */
async function setGateway(db: Db, driver: SmsDriver, of: Record<string, unknown>): Promise<void> {
  await db.deleteFrom('sms_route').execute()
  await db.updateTable('sms_gateway').set({ enabled: false, deleted_at: new Date() }).execute()
  const { id } = await db
    .insertInto('sms_gateway')
    .values({ name: `Gateway ${driver} ${Date.now()}`, driver, settings: JSON.stringify(of) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const route = await db
    .insertInto('sms_route')
    .values({ operators: [0, 1, 2, 3] })
    .returning('id')
    .executeTakeFirstOrThrow()
  const step = { route_id: route.id, gateway_id: id, priority: 1, weight: 1 }
  await db.insertInto('sms_route_step').values(step).execute()
}

/** Composes like a person: file, name, campaign. Returns its id. */
async function compose(address: string, token: string, numbers: string, smsText: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const send = async <T>(path: string, body: FormData | string, reply: z.ZodMiniType<T>): Promise<T> => {
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
    const signal = AbortSignal.timeout(replyMs)
    const asked = await fetch(address + path, {
      method: 'POST',
      headers: { ...headers, ...type },
      body,
      signal,
    })
    const answer: unknown = await asked.json()
    assert(asked.ok, `${path}: ${asked.status} ${JSON.stringify(answer)}`)
    return z.parse(reply, answer)
  }
  const form = new FormData()
  form.set('smsBaseFile', new File([numbers], 'numbers.csv', { type: 'text/csv' }))
  const { file_name } = await send('/fileupload.php', form, z.object({ file_name: z.string() }))
  const named = JSON.stringify({ baseName: `Base ${Date.now()}`, file_name })
  const { baseId } = await send('/app/sms/baseupload', named, z.object({ baseId: z.number() }))
  const campaign = { campaignName: `Bench ${Date.now()}`, templateId: 0, baseId, cli: 'GHANTI', smsText }
  const created = await send('/app/sms/campaign', JSON.stringify(campaign), z.object({ campaignId: z.number() }))
  return created.campaignId
}

/** A reseller and a user below, who may write to everybody at any hour. */
async function people(db: Db): Promise<[Viewer, Viewer]> {
  const anyTime = { ...defaultCallingHours, enabled: false }
  const allowed = [
    [settings.smsHours.key, anyTime],
    [settings.smsNumberCaps.key, { account: 10_000, platform: 10_000 }],
    [settings.quotas.key, { ...settings.quotas.fallback, megabytes: 10_000, rows: plenty, campaigns: 1000 }],
  ] as const
  for (const [key, value] of allowed)
    await db
      .insertInto('platform_setting')
      .values({ key, value: JSON.stringify(value) })
      .execute()
  const planId = await newPlan({ db })
  const reseller = await newReseller({ db }, { planId })
  const user = await newUser({ db }, { parent: reseller, planId, rupees: plenty })
  await newSender({ db }, user)
  return [reseller, user]
}
