/** What becomes of campaigns when the accounts that own them are disabled or go. */
import type { Db, Tx } from '../../db/db.ts'
import { actAs } from '../campaigns/actions-state.ts'
import * as store from './store-of-accounts.ts'

/** How many campaigns of an account and of those below it the engine holds while it is disabled, and lifts when it is not. */
export function campaignsHeldWith(db: Db, userId: number): Promise<number> {
  return store.countHeldWith(db, userId)
}

/** For accounts that go: their campaigns end and so do the calls that are up. The accounts are locked. */
export async function stopCampaignsOf(
  tx: Tx,
  accountIds: readonly number[],
  by: { userId: number; reason: string },
): Promise<number> {
  await actAs(tx, by.userId)
  return store.stopAll(tx, accountIds, by.reason)
}
