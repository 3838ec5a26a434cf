import type { Db, Tx } from '../../db/db.ts'
import * as store from './store.ts'

/** All that the account has: they work no more. Returns how many there were. */
export function revokeKeys(tx: Tx, userId: number, now: Date): Promise<number> {
  return store.revoke(tx, userId, now)
}

/** After a restore, once somebody has looked which of them should still work. Returns how many there were. */
export function resumeKeys(db: Db): Promise<number> {
  return store.resumeAll(db)
}
