import { editableStatuses } from '@ghanti/contract/campaign-status.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/db.ts'
import { within, type Scope } from '../../policy.ts'
import type { Times } from '../campaigns/actions-edit.ts'

/** Locked until the transaction ends: the engine's next step for the campaign waits, and then sees the change. */
export function lockForEdit(tx: Tx, scope: Scope, campaignId: number) {
  return tx
    .selectFrom('sms_campaign as c')
    .innerJoin('sms_campaign_detail as d', 'd.campaign_id', 'c.id')
    .select([
      'c.status',
      'c.sender',
      'c.call_campaign_id as callCampaignId',
      'c.start_at as startAt',
      'c.send_until as endAt',
      'c.not_after as notAfter',
      'd.name',
      'd.text',
      sql<boolean>`c.send_until <= now()`.as('isOver'),
    ])
    .where('c.id', '=', campaignId)
    .where(within(scope, 'c.account_id'))
    .forNoKeyUpdate('c')
    .executeTakeFirst()
}

/** Clears the reason why it waited, which applied to its former time. */
export async function edit(tx: Tx, campaignId: number, { name, startAt, endAt, notAfter }: Times & { name: string }) {
  await tx
    .updateTable('sms_campaign')
    .set({ start_at: startAt, send_until: endAt, not_after: notAfter, reason: null })
    .where('id', '=', campaignId)
    .where('status', 'in', editableStatuses)
    .execute()
  await tx
    .updateTable('sms_campaign_detail')
    .set({ name, composed: sql`composed || ${JSON.stringify({ campaignName: name })}::jsonb` })
    .where('campaign_id', '=', campaignId)
    .execute()
  await tx
    .updateTable('sms_campaign_progress')
    .set({ name, start_at: startAt, reason: null, changed_at: sql`clock_timestamp()` })
    .where('campaign_id', '=', campaignId)
    .execute()
}
