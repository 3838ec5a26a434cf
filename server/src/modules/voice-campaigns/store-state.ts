import { campaignActions, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { within, type Scope, type Viewer } from '../../policy.ts'
import type { Current } from '../campaigns/rules.ts'

/**
 * A status change made by a person: one guarded update, so of concurrent requests only one succeeds. It waits for claims under way, and
 * none commits after it.
 */
function change(tx: Tx, scope: Scope, campaignId: number, from: readonly CampaignStatus[]) {
  return tx
    .updateTable('campaign')
    .where('id', '=', campaignId)
    .where('is_test', '=', false)
    .where('status', 'in', from)
    .where(within(scope, 'campaign.account_id'))
}
const moved = (result: { numUpdatedRows: bigint }): boolean => result.numUpdatedRows === 1n

export async function pause(tx: Tx, scope: Scope, campaignId: number): Promise<boolean> {
  const { from, to } = campaignActions.pause
  const set = { status: to, reason: null, hold_cause: null, held_by: null }
  return moved(await change(tx, scope, campaignId, from).set(set).executeTakeFirstOrThrow())
}

/** Whether the administrator who holds the campaign is this viewer or an account below. */
const isAbove = ({ role, userId }: Viewer) => sql<boolean>`(${role} = 'superAdmin' or exists (
  select from users holder where holder.id = campaign.held_by and holder.path @> array[${userId}::int]))`

/** An administrator's pause, which only that administrator or an account above can lift. It replaces one by an account below. */
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

/** `endNow` ends answered calls too. */
export async function stop(
  tx: Tx,
  scope: Scope,
  campaignId: number,
  { endNow, reason }: { endNow: boolean; reason: string | null },
): Promise<boolean> {
  const { from, to } = campaignActions.stop
  const set = { status: to, reason, end_now: endNow, hold_cause: null, held_by: null }
  return moved(await change(tx, scope, campaignId, from).set(set).executeTakeFirstOrThrow())
}

/**
 * The owner can lift any hold except an administrator's pause, which that administrator or an account above lifts; then a campaign that the
 * owner had paused stays paused. The engine decides where it continues.
 */
export async function resume(tx: Tx, scope: Scope, campaignId: number, viewer: Viewer): Promise<boolean> {
  const { from, to } = campaignActions.resume
  const lifted = sql<CampaignStatus>`case when hold_cause = 'administrator' and (
    select e.from_status in ('pausing', 'paused') from campaign_event e
    where e.campaign_id = campaign.id and e.to_status = 'onHold' and e.from_status <> 'onHold' order by e.id desc limit 1
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

/** The engine queues the rows; false when every row answered or may not be dialled. */
export async function retry(tx: Tx, scope: Scope, campaignId: number, invalidToo: boolean): Promise<boolean> {
  const { from, to } = campaignActions.retry
  const set = {
    status: to,
    is_retry: true,
    retry_requested: true,
    retry_invalid: invalidToo,
    end_now: false,
    reason: null,
  }
  return moved(
    await change(tx, scope, campaignId, from)
      .set(set)
      .where('is_retry', '=', false)
      .where((where) =>
        where.exists(
          where
            .selectFrom('campaign_contact')
            .select('no')
            .where('campaign_id', '=', campaignId)
            .where('state', 'in', ['done', 'expired'])
            .where(
              sql<boolean>`(disposition is null or disposition <> 'ANSWER' and (disposition <> 'INVALID' or ${invalidToo}))`,
            ),
        ),
      )
      .executeTakeFirstOrThrow(),
  )
}

export function current(db: Db, scope: Scope, campaignId: number): Promise<Current | undefined> {
  return db
    .selectFrom('campaign')
    .innerJoin('campaign_detail', 'campaign_detail.campaign_id', 'campaign.id')
    .select(['campaign_detail.name', 'status', 'hold_cause as holdCause', 'is_retry as isRetry'])
    .where('campaign.id', '=', campaignId)
    .where('is_test', '=', false)
    .where(within(scope, 'campaign.account_id'))
    .executeTakeFirst()
}
