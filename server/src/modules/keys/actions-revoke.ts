import type { Db, Tx } from '../../db/db.ts'
import { audit } from '../audit/actions.ts'
import { strangerReported } from './rules.ts'
import * as store from './store.ts'

/** All that the account has: they work no more. Returns how many there were. */
export function revokeKeys(tx: Tx, userId: number, now: Date): Promise<number> {
  return store.revoke(tx, userId, now)
}

/** A new password ends none of them: programs go on. So whoever sets one is told how many there are. */
export function workingKeys(db: Db, userId: number, now: Date): Promise<number> {
  return store.countWorking(db, userId, now)
}

/** Whoever had the account may have made a webhook: each has to be tested again. */
export function switchOffHooks(tx: Tx, userId: number): Promise<void> {
  return store.switchOffHooks(tx, userId, strangerReported)
}

/** With the webhooks, after a restore, once somebody has looked which of them should still work. Returns how many there were. */
export async function resumeKeys(db: Db): Promise<{ keys: number; hooks: number }> {
  return await db.transaction().execute(async (tx) => {
    const resumed = { keys: await store.resumeAll(tx), hooks: await store.resumeHooks(tx) }
    await audit(tx, { viewer: null, origin: { ip: 'admin command' } }, 'key.resumeAll', null, resumed)
    return resumed
  })
}
