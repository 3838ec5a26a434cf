import type { Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { quotasOfPlatform } from '../platform/actions.ts'
import { overQuota, type Amounts } from './rules.ts'
import * as store from './store.ts'

/** What is to be stored, each with the field that is to blame when it does not fit. */
export type Need = { what: keyof Amounts; more: number; field: string }

/**
 * Refuses what the account's quotas have no room for, naming each field. Otherwise the account is locked until `tx` ends, so that what is stored
 * at the same time is counted too: a hundred requests at once do not pass a quota.
 */
export async function requireRoom(tx: Tx, accountId: number, needs: readonly Need[]): Promise<void> {
  await store.lock(tx, accountId)
  const quotas = await quotasOfPlatform(tx)
  const used = await store.used(tx, accountId)
  const errors = needs.flatMap(({ what, more, field }) => {
    const text = overQuota(what, more, used, quotas)
    return text === null ? [] : [{ field, code: 'quota', text }]
  })
  if (errors.length > 0) throw new AppError('conflict', errors)
}
