import { campaignActions } from '@ghanti/contract/campaign-status.ts'
import type { Tx } from '../../db/db.ts'

/** Every campaign of these accounts that a person could stop. Answers how many there were. */
export async function stopAll(tx: Tx, accountIds: readonly number[], reason: string): Promise<number> {
  const { from, to } = campaignActions.stop
  const stopped = await tx
    .updateTable('campaign')
    .set({ status: to, reason, end_now: true, hold_cause: null, held_by: null })
    .where('account_id', 'in', accountIds)
    .where('status', 'in', from)
    .executeTakeFirstOrThrow()
  return Number(stopped.numUpdatedRows)
}
