import { bytesOfMegabyte, type Quotas, type Stored } from '@ghanti/contract/quotas.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { quotasOfPlatform } from '../platform/actions.ts'
import { overQuota } from './rules.ts'
import * as store from './store.ts'

/** What is to be stored, each with the field that is to blame when it does not fit. `stored`: by this transaction already. */
export type Need = { what: keyof Stored; more: number; field: string; stored?: true }

/** Refuses what the account's quotas have no room for now: a look ahead of work that would be in vain. `requireRoom` decides. */
export async function expectRoom(db: Db, accountId: number, needs: readonly Need[]): Promise<void> {
  const quotas = await quotasOfPlatform(db)
  const used = await store.used(db, accountId)
  const errors = needs.flatMap(({ what, more, field, stored }) => {
    const before = stored ? { ...used, [what]: used[what] - more } : used
    const text = overQuota(what, more, before, quotas)
    return text === null ? [] : [{ field, code: 'quota', text }]
  })
  if (errors.length > 0) throw new AppError('conflict', errors)
}

/**
 * Refuses what the account's quotas have no room for, naming each field. Otherwise the account is locked until `tx` ends, so that what is stored
 * at the same time is counted too: a hundred requests at once do not pass a quota.
 */
export async function requireRoom(tx: Tx, accountId: number, needs: readonly Need[]): Promise<void> {
  await store.lock(tx, accountId)
  await expectRoom(tx, accountId, needs)
}

/** How many bytes the account may store besides what it has: none when it is beyond its quota. */
export async function roomOf(db: Db, accountId: number): Promise<number> {
  const { megabytes } = await quotasOfPlatform(db)
  return Math.max(0, megabytes * bytesOfMegabyte - (await store.used(db, accountId)).bytes)
}

/** What an account stores, beside what it may. */
export async function storedOf(db: Db, accountId: number): Promise<{ quotas: Quotas; used: Stored }> {
  const [quotas, used] = await Promise.all([quotasOfPlatform(db), store.used(db, accountId)])
  return { quotas, used }
}

const shownAccounts = 5

/** The accounts that store more than a quota lets them, those furthest beyond first. */
export async function overQuotas(db: Db) {
  return await store.over(db, await quotasOfPlatform(db), shownAccounts)
}
