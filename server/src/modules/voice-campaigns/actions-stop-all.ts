import type { Tx } from '../../db/db.ts'
import { actAs } from '../campaigns/actions-state.ts'
import { stopAll } from './store-stop-all.ts'

/** For accounts that go: their campaigns end and so do the calls that are up. The accounts are locked. */
export async function stopCampaignsOf(
  tx: Tx,
  accountIds: readonly number[],
  by: { userId: number; reason: string },
): Promise<number> {
  await actAs(tx, by.userId)
  return stopAll(tx, accountIds, by.reason)
}
