import assert from 'node:assert/strict'
import type { Tx } from '../../db/db.ts'
import { badField } from '../../errors.ts'
import { settingOf } from '../platform/actions.ts'
import * as store from './store.ts'

/** Level 0 is the user. Each level pays the next per segment; the last pays revenue. */
export type SmsPriceLevel = { level: number; payerId: number; payeeId: number; segmentPaisa: number }

/**
 * What each level pays per segment of this account's messages under the current plans; a plan without its own price uses the platform's.
 * Throws 400 naming the plan when one is missing or cheaper than the one above, because messages never lower a reseller's balance.
 */
export async function smsPriceChain(tx: Tx, accountId: number): Promise<SmsPriceLevel[]> {
  const links = await store.chain(tx, accountId)
  const usual = await settingOf(tx, 'smsPricePaisa')
  return links.map(({ username, planName, smsPaisa, payerId, payeeId, payeeKind }, level) => {
    if (planName === null) {
      const whose = level === 0 ? 'your account has none' : `${username} has none`
      throw badField('plan', `is missing: ${whose}`, 'no_plan')
    }
    const segmentPaisa = smsPaisa ?? usual
    const above = links[level + 1]
    assert(payeeId !== null && (above ? payeeId === above.payerId : payeeKind === 'revenue'))
    if (above && segmentPaisa < (above.smsPaisa ?? usual)) {
      const text = `'${planName}' of ${username} is cheaper for messages than '${above.planName}' of ${above.username}: it has to be changed`
      throw badField('plan', text, 'plan_cheaper')
    }
    return { level, payerId, payeeId, segmentPaisa }
  })
}
