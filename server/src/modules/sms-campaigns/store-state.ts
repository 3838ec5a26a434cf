import { campaignActions, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { within, type Scope, type Viewer } from '../../policy.ts'
import type { Current } from '../campaigns/rules.ts'

/** A status change made by a person: one guarded update, so of concurrent requests only one succeeds. */
function change(tx: Tx, scope: Scope, campaignId: number, from: readonly CampaignStatus[]) {
  return tx
    .updateTable('sms_campaign')
    .where('id', '=', campaignId)
    .where('status', 'in', from)
    .where(within(scope, 'sms_campaign.account_id'))
}
const moved = (result: { numUpdatedRows: bigint }): boolean => result.numUpdatedRows === 1n

export async function pause(tx: Tx, scope: Scope, campaignId: number): Promise<boolean> {
  const { from, to } = campaignActions.pause
  const set = { status: to, reason: null, hold_cause: null, held_by: null }
  return moved(await change(tx, scope, campaignId, from).set(set).executeTakeFirstOrThrow())
}

/** Whether the administrator who holds the campaign is this viewer or somebody below. */
const isAbove = ({ role, userId }: Viewer) => sql<boolean>`(${role} = 'superAdmin' or exists (
  select from users holder where holder.id = sms_campaign.held_by and holder.path @> array[${userId}::int]))`

/** An administrator's pause, which only that administrator or somebody above can lift. It replaces one by somebody below. */
export async function hold(tx: Tx, scope: Scope, campaignId: number, viewer: Viewer, reason: string): Promise<boolean> {
  const { from, to } = campaignActions.hold
  return moved(
    await change(tx, scope, campaignId, from)
      .set({ status: to, reason, hold_cause: 'administrator', held_by: viewer.userId })
      .where((where) =>
        where.or([
          where('hold_cause', 'is distinct from', 'administrator'),
          where.and([where('held_by', '<>', viewer.userId), isAbove(viewer)]),
        ]),
      )
      .executeTakeFirstOrThrow(),
  )
}

export async function stop(tx: Tx, scope: Scope, campaignId: number, reason: string | null): Promise<boolean> {
  const { from, to } = campaignActions.stop
  const set = { status: to, reason, hold_cause: null, held_by: null }
  return moved(await change(tx, scope, campaignId, from).set(set).executeTakeFirstOrThrow())
}

/**
 * The owner can lift any hold except an administrator's pause, which that administrator or somebody above lifts; then a campaign that the
 * owner had paused stays paused. The engine decides where it continues.
 */
export async function resume(tx: Tx, scope: Scope, campaignId: number, viewer: Viewer): Promise<boolean> {
  const { from, to } = campaignActions.resume
  const lifted = sql<CampaignStatus>`case when hold_cause = 'administrator' and (
    select e.from_status in ('pausing', 'paused') from sms_campaign_event e
    where e.campaign_id = sms_campaign.id and e.to_status = 'onHold' and e.from_status <> 'onHold' order by e.id desc limit 1
  ) then 'pausing' else ${to} end::campaign_status`
  return moved(
    await change(tx, scope, campaignId, from)
      .set({ status: lifted, reason: null, hold_cause: null, held_by: null })
      .where((where) => {
        const held = where('hold_cause', 'is not distinct from', 'administrator')
        return where.or([
          where.and([held, isAbove(viewer)]),
          where.and([where.not(held), where('account_id', '=', viewer.userId)]),
        ])
      })
      .executeTakeFirstOrThrow(),
  )
}

/** The engine queues failed and expired messages again; false when there are none. */
export async function retry(tx: Tx, scope: Scope, campaignId: number): Promise<boolean> {
  const { from, to } = campaignActions.retry
  const set = { status: to, is_retry: true, retry_requested: true, reason: null }
  return moved(
    await change(tx, scope, campaignId, from)
      .set(set)
      .where('is_retry', '=', false)
      .where(
        sql<boolean>`exists (select from sms_campaign_count n where n.campaign_id = sms_campaign.id having sum(n.failed + n.expired) > 0)`,
      )
      .executeTakeFirstOrThrow(),
  )
}

/** Whether the calls of another campaign lead to its messages. */
export async function followsCalls(db: Db, scope: Scope, campaignId: number): Promise<boolean> {
  const row = await db
    .selectFrom('sms_campaign')
    .select('id')
    .where('id', '=', campaignId)
    .where('call_campaign_id', 'is not', null)
    .where(within(scope, 'sms_campaign.account_id'))
    .executeTakeFirst()
  return row !== undefined
}

export function current(db: Db, scope: Scope, campaignId: number): Promise<Current | undefined> {
  return db
    .selectFrom('sms_campaign')
    .innerJoin('sms_campaign_detail', 'sms_campaign_detail.campaign_id', 'sms_campaign.id')
    .select(['sms_campaign_detail.name', 'status', 'hold_cause as holdCause', 'is_retry as isRetry'])
    .where('sms_campaign.id', '=', campaignId)
    .where(within(scope, 'sms_campaign.account_id'))
    .executeTakeFirst()
}
