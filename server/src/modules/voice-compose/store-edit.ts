import { editableStatuses } from '@ghanti/contract/campaign-status.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/db.ts'
import { within, type Scope } from '../../policy.ts'

/** Locked until the transaction ends: the engine's next step for the campaign waits, and then sees the change. */
export function lockForEdit(tx: Tx, scope: Scope, campaignId: number) {
  return tx
    .selectFrom('campaign as c')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'c.id')
    .innerJoin('cli', 'cli.id', 'c.cli_id')
    .select([
      'c.status',
      'c.start_at as startAt',
      'c.dial_until as dialUntil',
      'c.not_after as notAfter',
      'c.channels',
      'c.retries',
      'c.ring_seconds as ringSeconds',
      'd.name',
      'd.composed',
      'd.flow',
      'd.retry_interval_minutes as retryInterval',
      'cli.number as cli',
      sql<boolean>`c.dial_until <= now()`.as('isOver'),
    ])
    .where('c.id', '=', campaignId)
    .where('c.is_test', '=', false)
    .where(within(scope, 'c.account_id'))
    .forNoKeyUpdate('c')
    .executeTakeFirst()
}

export type Edited = {
  name: string
  startAt: Date
  dialUntil: Date
  notAfter: boolean
  channels: number
  retries: number
  retryInterval: number
  ringSeconds: number | null
  composed: Record<string, unknown>
}

/** Clears the reason why it waited, which applied to its former time. */
export async function edit(tx: Tx, campaignId: number, edited: Edited): Promise<void> {
  const { name, startAt: start_at } = edited
  await tx
    .updateTable('campaign')
    .set({
      start_at,
      dial_until: edited.dialUntil,
      not_after: edited.notAfter,
      channels: edited.channels,
      retries: edited.retries,
      retry_ms: edited.retryInterval * 60_000,
      ring_seconds: edited.ringSeconds,
      reason: null,
    })
    .where('id', '=', campaignId)
    .where('status', 'in', editableStatuses)
    .execute()
  await tx
    .updateTable('campaign_detail')
    .set({
      name,
      retry_interval_minutes: edited.retryInterval,
      composed: sql`composed || ${JSON.stringify(edited.composed)}::jsonb`,
    })
    .where('campaign_id', '=', campaignId)
    .execute()
  await tx
    .updateTable('campaign_progress')
    .set({ name, start_at, reason: null, changed_at: sql`clock_timestamp()` })
    .where('campaign_id', '=', campaignId)
    .execute()
}
