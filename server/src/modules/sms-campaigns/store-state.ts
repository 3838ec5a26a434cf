import { campaignActions, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { within, type Scope, type Viewer } from '../../policy.ts'
import { liftedStatus, mayHold, mayLift } from '../campaigns/actions-state.ts'
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

/** An administrator's pause, which only that administrator or an account above can lift. It replaces one by an account below. */
export async function hold(tx: Tx, scope: Scope, campaignId: number, viewer: Viewer, reason: string): Promise<boolean> {
  const { from, to } = campaignActions.hold
  return moved(
    await change(tx, scope, campaignId, from)
      .set({ status: to, reason, hold_cause: 'administrator', held_by: viewer.userId })
      .where(mayHold('sms_campaign', viewer))
      .executeTakeFirstOrThrow(),
  )
}

export async function stop(tx: Tx, scope: Scope, campaignId: number, reason: string | null): Promise<boolean> {
  const { from, to } = campaignActions.stop
  const set = { status: to, reason, hold_cause: null, held_by: null }
  return moved(await change(tx, scope, campaignId, from).set(set).executeTakeFirstOrThrow())
}

export async function resume(tx: Tx, scope: Scope, campaignId: number, viewer: Viewer): Promise<boolean> {
  return moved(
    await change(tx, scope, campaignId, campaignActions.resume.from)
      .set({ status: liftedStatus('sms_campaign'), reason: null, hold_cause: null, held_by: null })
      .where(mayLift('sms_campaign', viewer))
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

export function followsCalls(db: Db, scope: Scope, campaignId: number): Promise<boolean> {
  return has(db, scope, campaignId, 'call_campaign_id')
}

/** Whether its messages were sent one by one, by programs. */
export function isFeed(db: Db, scope: Scope, campaignId: number): Promise<boolean> {
  return has(db, scope, campaignId, 'feed')
}

async function has(db: Db, scope: Scope, campaignId: number, column: 'call_campaign_id' | 'feed'): Promise<boolean> {
  const row = await db
    .selectFrom('sms_campaign')
    .select('id')
    .where('id', '=', campaignId)
    .where(column, 'is not', null)
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
