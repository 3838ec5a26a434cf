import assert from 'node:assert/strict'
import type { Db, Tx } from '../../db/db.ts'
import { badField } from '../../errors.ts'
import { moreThanFree } from './rules.ts'
import * as store from './store-move.ts'

/** 'credit_add' goes down from a parent (or the mint) to its child, 'credit_remove' comes back up. */
export type Movement = {
  payerId: number
  payeeId: number
  paisa: number
  action: 'credit_add' | 'credit_remove'
  /** Who did it; null for the system. */
  byUserId: number | null
  reference?: string
  paymentMode?: string
  note?: string
}

/** Moves credits between two accounts, with the transfer and one line of history on either side. Refused when the payer is short. */
export async function moveCredits(tx: Tx, movement: Movement): Promise<void> {
  const { payerId, payeeId, paisa, action, byUserId } = movement
  assert(Number.isSafeInteger(paisa) && paisa > 0 && payerId !== payeeId)
  await store.lockAccounts(tx, [payerId, payeeId])
  await store.sweepIncome(tx, payerId)
  if (!(await store.moveBalance(tx, payerId, payeeId, paisa)))
    throw badField('credits', moreThanFree(await store.freePaisa(tx, payerId)), 'balance_short')
  await store.insertTransfer(tx, { payerId, payeeId, paisa, kind: action })
  const shared = {
    action,
    byUserId,
    reference: movement.reference ?? null,
    paymentMode: movement.paymentMode ?? null,
    note: movement.note ?? null,
  }
  await store.insertEntry(tx, { ...shared, accountId: payerId, otherId: payeeId, signedPaisa: -paisa })
  await store.insertEntry(tx, { ...shared, accountId: payeeId, otherId: payerId, signedPaisa: paisa })
}

/** All that will be moved between in one transaction, locked before the first movement: in id order, so nobody waits in a circle. */
export function lockAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
  return store.lockAccounts(tx, accountIds)
}

/** What of an account's balance nothing has reserved, its income included and made spendable. The account is locked. */
export async function freeCredits(tx: Tx, accountId: number): Promise<number> {
  await store.sweepIncome(tx, accountId)
  return store.freePaisa(tx, accountId)
}

/** The account that issues credits; super admins act on it. */
export function mintAccount(db: Db): Promise<number> {
  return store.mintAccount(db)
}
