import assert from 'node:assert/strict'
import type { Price } from '@ghanti/contract/money.ts'
import type { Db, Tx } from '../../db/db.ts'
import { badField } from '../../errors.ts'
import { chainFault } from '../plans/rules.ts'
import * as store from './store.ts'

/** Throws for an account that does not exist. */
export async function balanceOf(db: Db, accountId: number): Promise<store.Balance> {
  const balance = await store.balance(db, accountId)
  assert(balance, `account ${accountId} is not there`)
  return balance
}

/** Level 0 is the user. Each level pays the next; the last pays revenue. */
export type PriceLevel = Price & { level: number; payerId: number; payeeId: number }

/**
 * What each level pays for a call of this account under the current plans. Throws 400 naming the plan when one is missing or cheaper than
 * the one above.
 */
export async function priceChain(tx: Tx, accountId: number): Promise<PriceLevel[]> {
  const links = await store.chain(tx, accountId)
  const held = links.map(({ username, planName: name, pulseMs, pulsePaisa }) => ({
    username,
    plan: name !== null && pulseMs !== null && pulsePaisa !== null ? { name, pulseMs, pulsePaisa } : null,
  }))
  const fault = chainFault(held)
  if (fault) throw badField('plan', fault.text, fault.code)
  return links.map(({ payerId, payeeId, payeeKind }, level) => {
    const plan = held[level]?.plan
    const above = links[level + 1]
    assert(plan && payeeId !== null && (above ? payeeId === above.payerId : payeeKind === 'revenue'))
    return { level, payerId, payeeId, pulseMs: plan.pulseMs, pulsePaisa: plan.pulsePaisa }
  })
}
