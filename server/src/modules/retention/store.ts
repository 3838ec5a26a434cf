import type { CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { within, type Scope } from '../../policy.ts'
import type { Kind } from './rules.ts'

/** Tables by kind of campaign; the columns used here have the same names in both. */
const campaignOf = { calls: sql.table('campaign'), messages: sql.table('sms_campaign') }
const progressOf = { calls: sql.table('campaign_progress'), messages: sql.table('sms_campaign_progress') }
const archivedOf = { calls: sql.table('campaign_archived'), messages: sql.table('sms_campaign_archived') }
/** Test calls are in no list. */
const listed = { calls: sql`not c.is_test`, messages: sql`true` }

export type Found = { name: string; status: CampaignStatus; archived: boolean }

/** Locks a listed campaign in the scope, so that a concurrent retry waits. */
export async function lockCampaign(tx: Tx, kind: Kind, scope: Scope, campaignId: number): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select p.name, c.status, exists (select from ${archivedOf[kind]} a where a.campaign_id = c.id) as archived
      from ${campaignOf[kind]} c join ${progressOf[kind]} p on p.campaign_id = c.id
     where c.id = ${campaignId} and ${listed[kind]} and ${within(scope, 'c.account_id')} for update of c`.execute(tx)
  return rows[0]
}

export async function archive(tx: Tx, kind: Kind, campaignId: number): Promise<void> {
  await sql`insert into ${archivedOf[kind]} (campaign_id) values (${campaignId}) on conflict do nothing`.execute(tx)
  await touch(tx, kind, campaignId)
}

export async function bringBack(tx: Tx, kind: Kind, campaignId: number): Promise<void> {
  await sql`delete from ${archivedOf[kind]} where campaign_id = ${campaignId}`.execute(tx)
  await touch(tx, kind, campaignId)
}

/** Notifies open screens. */
async function touch(db: Db, kind: Kind, campaignId: number): Promise<void> {
  await sql`update ${progressOf[kind]} set changed_at = clock_timestamp() where campaign_id = ${campaignId}`.execute(db)
}
