import { sql } from 'kysely'
import { revenueId } from '../../db/platform-accounts.ts'
import type { Db } from '../../db/db.ts'
import type { CountKind, CountSlice } from '../../db/tables.ts'
import type { Viewer } from '../../policy.ts'
import type { TestApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { countAll } from './actions-count.ts'
import { pageFaults } from '../summaries/testing.ts'
import * as store from './store-agree.ts'
import { answerFaults, answerSumFaults } from './store-agree-answers.ts'

/** The locks of those who count (server/schema/15_counts.sql). */
const followers = ['call_count', 'sms_count']
const everyDay = { from: 0, to: 100_000 }

/**
 * Differences between report, insight, statement and ledger, and between keys and messages, as sentences, to the row and the paisa: of one moment,
 * for a call or message that ends meanwhile is counted by none of them. And what the pages of campaigns say otherwise, a moment later.
 */
export async function disagreements(db: Db): Promise<string[]> {
  const faults = await withoutFollower(db, (own) =>
    own
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        await countAll(tx)
        return [
          ...(await store.countFaults(tx, null)),
          ...(await store.sumFaults(tx, null, everyDay)),
          ...(await answerFaults(tx, null)),
          ...(await answerSumFaults(tx, null, everyDay)),
          ...(await store.moneyFaults(tx)),
          ...(await store.messageFaults(tx, null)),
        ]
      }),
  )
  return [...faults, ...(await pageFaults(db))]
}

/** A worker that counts at the same time would leave this one nothing to count, and what it counts out of sight. */
function withoutFollower<T>(db: Db, work: (own: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (own) => {
    try {
      for (const name of followers) await sql`select pg_advisory_lock(hashtext(${name}))`.execute(own)
      return await work(own)
    } finally {
      for (const name of followers) await sql`select pg_advisory_unlock(hashtext(${name}))`.execute(own)
    }
  })
}

export type Family = { boss: Viewer; reseller: Viewer; below: Viewer; user: Viewer; campaignId: number }
/** A user below two resellers, and a campaign for which each pays the one above: 50, 30 and 20 paisa per pulse of 15 s. */
export async function newFamily(app: TestApp): Promise<Family> {
  const boss = await newSuperAdmin(app)
  const reseller = await newReseller(app, { parent: boss })
  const below = await newReseller(app, { parent: reseller })
  const user = await newUser(app, { parent: below })
  const campaignId = await newCampaign(app, user)
  const levels = [user, below, reseller].map((payer, level, chain) => ({
    campaign_id: campaignId,
    level,
    payer_id: payer.userId,
    payee_id: chain[level + 1]?.userId ?? 0,
    pulse_ms: 15_000,
    pulse_paisa: [50, 30, 20][level] ?? 0,
  }))
  const platform = await revenueId(app.db)
  await app.db
    .insertInto('campaign_level')
    .values(levels.map((level) => (level.payee_id === 0 ? { ...level, payee_id: platform } : level)))
    .execute()
  return { boss, reseller, below, user, campaignId }
}

export async function countedRows(db: Db, slice: CountSlice, kind: CountKind, accountId: number) {
  return db
    .selectFrom('call_count')
    .selectAll()
    .where('slice', '=', slice)
    .where('kind', '=', kind)
    .where('account_id', '=', accountId)
    .orderBy('at')
    .orderBy('key')
    .execute()
}
