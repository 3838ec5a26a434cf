import { campaignActions, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../db/db.ts'
import type { Viewer } from '../../policy.ts'

/** The table of campaigns of calls, or of messages. Its events are in a table of the same name with `_event`. */
type Campaigns = 'campaign' | 'sms_campaign'

/** Whether the administrator who holds the campaign is this viewer or an account below. */
const isAbove = (table: Campaigns, { role, userId }: Viewer) => sql<boolean>`(${role} = 'superAdmin' or exists (
  select from users holder where holder.id = ${sql.table(table)}.held_by and holder.path @> array[${userId}::int]))`

/** An administrator may hold a campaign, unless an account above, or this administrator already, holds it. */
export function mayHold(table: Campaigns, viewer: Viewer): RawBuilder<boolean> {
  return sql<boolean>`(hold_cause is distinct from 'administrator' or held_by <> ${viewer.userId} and ${isAbove(table, viewer)})`
}

/** The owner can lift any hold except an administrator's pause, which that administrator or an account above lifts. */
export function mayLift(table: Campaigns, viewer: Viewer): RawBuilder<boolean> {
  return sql<boolean>`case when hold_cause is not distinct from 'administrator' then ${isAbove(table, viewer)}
    else account_id = ${viewer.userId} end`
}

/** What a lifted hold leads to. A campaign that its owner had paused before the administrator's pause stays paused. */
export function liftedStatus(table: Campaigns): RawBuilder<CampaignStatus> {
  return sql<CampaignStatus>`case when hold_cause = 'administrator' and (
    select e.from_status in ('pausing', 'paused') from ${sql.table(`${table}_event`)} e
    where e.campaign_id = ${sql.table(table)}.id and e.to_status = 'onHold' and e.from_status <> 'onHold' order by e.id desc limit 1
  ) then 'pausing' else ${campaignActions.resume.to} end::campaign_status`
}

/** Names who changes statuses in this transaction; the database stores it with each change. */
export async function actAs(tx: Tx, userId: number): Promise<void> {
  await sql`select set_config('ghanti.user_id', ${String(userId)}, true)`.execute(tx)
}

/** Makes a concurrent deletion of the account wait; false when the account is deleted already. */
export async function lockOwner(tx: Tx, ownerId: number): Promise<boolean> {
  const owner = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return owner !== undefined
}
