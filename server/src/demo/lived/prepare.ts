import type { Pool } from 'pg'
import type { App } from '../../app.ts'
import type { Db } from '../../db/db.ts'
import { kyselyOver, openPool } from '../../db/pool.ts'
import { takeover } from '../../dispatch/lease/lease.sql.ts'
import { turnsToPrepare } from '../../dispatch/turns/account-turns.ts'
import { prepareCampaign, type PrepareDeps } from '../../voice/prepare/prepare.ts'
import { enginePoolOptions, type Lease } from '../../dispatch/statement.ts'
import { operatorPrefixesDefault } from '@ghanti/contract/operators.ts'
import { coordinatorId, takeover as takeoverSms, type SmsLease } from '../../sms/model/lease.sql.ts'
import { prepareSms, type SmsPrepareDeps } from '../../sms/prepare/prepare.ts'
import * as store from './store-lines.ts'

const engineId = 'demo'
const leaseMs = 600_000

/** The demo is the engine of its past campaigns. `owner` may write the past, which `pool` may not. */
export type Preparing = { pool: Pool; owner: Db; lease: Lease; smsLease: SmsLease; gatewayId: number }

/** Holds dialer and gateways while it works. */
export async function asEngine(app: App, work: (at: Preparing) => Promise<void>): Promise<void> {
  const options = { connectionString: app.databaseUrl, max: 4, name: 'ghanti-demo', options: enginePoolOptions }
  const lost = (error: Error): void => app.log.warn({ error }, 'a database connection of the demo was lost')
  const pool = openPool(options, lost)
  const owners = openPool({ ...options, options: '', max: 1, asOwner: true }, lost)
  try {
    const { dialerId, gatewayId } = await store.onlyLines(app.db)
    const lease = await takeover(pool, dialerId, engineId, leaseMs)
    const smsLease = await takeoverSms(pool, coordinatorId, engineId, leaseMs)
    if (!lease || !smsLease) throw new Error('an engine has the lines of the demo already')
    await work({ pool, owner: kyselyOver(owners), lease, smsLease, gatewayId })
    await store.endLeases(app.db, engineId)
  } finally {
    await Promise.all([pool.end(), owners.end()])
  }
}

const { signal } = new AbortController()

export async function prepareVoice(app: App, { pool, lease }: Preparing, campaignId: number): Promise<void> {
  const { files, log, clock } = app
  const deps: PrepareDeps = { pool, files, log, clock, speech: app }
  const made = await prepareCampaign(deps, lease, campaignId, signal, turnsToPrepare())
  if (made.kind !== 'prepared' || made.status !== 'ready')
    throw new Error(`campaign ${campaignId} of the demo cannot be prepared: ${JSON.stringify(made)}`)
}

export async function prepareText(app: App, { pool, smsLease }: Preparing, campaignId: number): Promise<void> {
  const { files, log } = app
  const turns = turnsToPrepare().store
  const deps: SmsPrepareDeps = {
    pool,
    files,
    log,
    turns,
    prefixes: operatorPrefixesDefault,
    approval: { promotional: false, words: [] },
  }
  const made = await prepareSms(deps, smsLease, campaignId, signal)
  if (made?.status !== 'ready')
    throw new Error(`SMS campaign ${campaignId} of the demo cannot be prepared: ${JSON.stringify(made)}`)
}
