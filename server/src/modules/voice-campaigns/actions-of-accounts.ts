import type { Db, Tx } from '../../db/db.ts'
import { actAs } from '../campaigns/actions-state.ts'
import * as store from './store-of-accounts.ts'

/** Of the account and those below: held while it is disabled, released afterwards. */
export function campaignsHeldWith(db: Db, userId: number): Promise<number> {
  return store.countHeldWith(db, userId)
}

/** With the calls under way, before the accounts are deleted. These are locked. */
export async function stopCampaignsOf(
  tx: Tx,
  accountIds: readonly number[],
  by: { userId: number; reason: string },
): Promise<number> {
  await actAs(tx, by.userId)
  return store.stopAll(tx, accountIds, by.reason)
}
