import type { Db, Tx } from '../../db/db.ts'
import { actAs } from '../campaigns/actions-state.ts'
import * as store from './store-of-accounts.ts'

/** How many campaigns of an account and those below the engine holds while the account is disabled, and releases afterwards. */
export function campaignsHeldWith(db: Db, userId: number): Promise<number> {
  return store.countHeldWith(db, userId)
}

/** For accounts about to be deleted: ends their campaigns and the calls under way. The accounts are locked. */
export async function stopCampaignsOf(
  tx: Tx,
  accountIds: readonly number[],
  by: { userId: number; reason: string },
): Promise<number> {
  await actAs(tx, by.userId)
  return store.stopAll(tx, accountIds, by.reason)
}
