import { mintId } from '../../db/platform-accounts.ts'
import type { Db, Tx } from '../../db/db.ts'
import { endSessions } from '../auth/actions.ts'
import { freeCredits, lockAccounts, moveCredits } from '../credits/actions-move.ts'
import { frozenOf, liftAccount } from '../frozen/actions.ts'
import { forgetDemoSettings } from '../platform/actions.ts'
import { stopCampaignsOf } from '../voice-campaigns/actions-of-accounts.ts'
import * as store from './store-demo.ts'

export async function noAccountYet(db: Db): Promise<boolean> {
  return !(await store.anyAccount(db))
}

/**
 * Soft-deletes the demo accounts, ends their sessions, stops their campaigns, takes back their free balances, and forgets the demo's settings. Returns their
 * names. What calls under way have reserved stays with the accounts.
 */
export async function retireDemoAccounts(tx: Tx, byUserId: number, now: Date): Promise<string[]> {
  const accounts = await store.lockDemoAccounts(tx)
  if (accounts.length === 0) return []
  const mint = await mintId(tx)
  await lockAccounts(tx, [mint, ...accounts.map(({ id }) => id)])
  const ids = accounts.map(({ id }) => id)
  for (const id of ids) if (await frozenOf(tx, id)) await liftAccount(tx, id)
  await stopCampaignsOf(tx, ids, { userId: byUserId, reason: 'the demo account was removed' })
  for (const id of ids) {
    await endSessions(tx, id)
    const paisa = await freeCredits(tx, id)
    if (paisa > 0) await moveCredits(tx, { payerId: id, payeeId: mint, paisa, action: 'credit_remove', byUserId })
  }
  await store.markDeleted(tx, ids, now)
  await forgetDemoSettings(tx)
  return accounts.map(({ username }) => username)
}
