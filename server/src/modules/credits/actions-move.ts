import assert from 'node:assert/strict'
import type { Tx } from '../../db/db.ts'
import { badField } from '../../errors.ts'
import { moreThanFree } from './rules.ts'
import * as store from './store-move.ts'

/** 'credit_add' goes from a parent (or the mint) to its child, 'credit_remove' comes back. */
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

/** Moves credits, writing the transfer and one history line on either side. Throws when the payer is short. */
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

/** Locks every account of the transaction in id order before the first movement, so that no deadlock can arise. */
export function lockAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
  return store.lockAccounts(tx, accountIds)
}

/** The unreserved part of the balance, after making income spendable. The account is locked. */
export async function freeCredits(tx: Tx, accountId: number): Promise<number> {
  await store.sweepIncome(tx, accountId)
  return store.freePaisa(tx, accountId)
}
