import { campaignActions, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { within, type Scope, type Viewer } from '../../policy.ts'
import { liftedStatus, mayHold, mayLift } from '../campaigns/actions-state.ts'
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

/** An administrator's pause, which only that administrator or an account above can lift. It replaces one by an account below. */
export async function hold(tx: Tx, scope: Scope, campaignId: number, viewer: Viewer, reason: string): Promise<boolean> {
  const { from, to } = campaignActions.hold
  return moved(
    await change(tx, scope, campaignId, from)
      .set({ status: to, reason, hold_cause: 'administrator', held_by: viewer.userId })
      .where(mayHold('campaign', viewer))
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

export async function resume(tx: Tx, scope: Scope, campaignId: number, viewer: Viewer): Promise<boolean> {
  return moved(
    await change(tx, scope, campaignId, campaignActions.resume.from)
      .set({ status: liftedStatus('campaign'), reason: null, hold_cause: null, held_by: null })
      .where(mayLift('campaign', viewer))
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
