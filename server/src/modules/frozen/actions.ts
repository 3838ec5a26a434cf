import type { Tx } from '../../db/db.ts'
import { conflict } from '../../errors.ts'
import { isFrozenByPlatform } from './rules.ts'
import * as store from './store.ts'

export type Freeze = store.NewFreeze & { isPlatform: boolean }

/**
 * Freezes an account and all below it (docs/design.md#freeze). What they begin or transfer has ended when the transaction commits, or never begins. The
 * platform takes over what somebody else froze. The caller ends the sessions. Throws when it is frozen already.
 */
export async function freezeAccount(tx: Tx, userId: number, { isPlatform, ...freeze }: Freeze): Promise<void> {
  await store.lockTree(tx, userId)
  const frozen = await store.frozenOf(tx, userId)
  const takesOver = isPlatform && frozen !== undefined && !isFrozenByPlatform(frozen.by)
  if (frozen && !takesOver) throw conflict('userId', 'is frozen already', 'state')
  await store.setFrozen(tx, userId, freeze)
  await store.markAccounts(tx, userId)
}

/** The caller ends sessions here, too: somebody may have signed in at the very moment of freezing. */
export async function liftAccount(tx: Tx, userId: number): Promise<void> {
  await store.lockTree(tx, userId)
  await store.setLifted(tx, userId)
  await store.markAccounts(tx, userId)
}

/** What an account that its owner froze shows as the reason. */
const byOwnerReason = 'It was not me'

/** By the link of a mail: a user makes no calls until a mailed link has set a password. A reseller would stop its customers with it, so it is not frozen. */
export async function freezeByOwner(tx: Tx, userId: number, at: Date): Promise<void> {
  if (!(await store.isUnfrozenUser(tx, userId))) return
  await freezeAccount(tx, userId, { isPlatform: false, at, by: userId, reason: byOwnerReason, endsCalls: true })
}

/** A mailed link has set the password. What somebody above froze stays frozen. */
export async function liftByOwner(tx: Tx, userId: number): Promise<void> {
  const frozen = await store.frozenOf(tx, userId)
  if (frozen?.by?.id === userId) await liftAccount(tx, userId)
}

/** Undefined: the account itself is not frozen, though one above it may be. */
export function frozenOf(tx: Tx, userId: number): Promise<store.Frozen | undefined> {
  return store.frozenOf(tx, userId)
}
