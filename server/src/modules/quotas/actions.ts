import { bytesOfMegabyte, type Quotas, type Stored } from '@ghanti/contract/quotas.ts'
import type { Db, Tx } from '../../db/db.ts'
import { Room } from '../../drivers/files/driver.ts'
import { AppError, type FieldError } from '../../errors.ts'
import { settingOf } from '../platform/actions.ts'
import { blockBytes, overQuota, uncounted, type Limited, type Uncounted } from './rules.ts'
import * as store from './store.ts'

/** What is to be stored. `field` is the one that the error names when there is no room. `stored`: this transaction has stored it already. */
export type Need = { what: Limited; more: number; field: string; stored?: true }

/** Checks ahead of expensive work whether there is room now. Only `requireRoom` decides. */
export async function expectRoom(db: Db, accountId: number, needs: readonly Need[]): Promise<void> {
  const quotas = await settingOf(db, 'quotas')
  const used = await store.used(db, accountId)
  const errors = needs.flatMap(({ what, more, field, stored }): FieldError[] => {
    const before = stored ? { ...used, [what]: used[what] - more } : used
    const text = overQuota(what, more, before, quotas)
    return text === null ? [] : [{ field, code: 'quota', text }]
  })
  if (errors.length > 0) throw new AppError('conflict', errors)
}

/**
 * Throws naming each field for which there is no room. Otherwise locks the account until `tx` ends, so that concurrent uploads are counted
 * too.
 */
export async function requireRoom(tx: Tx, accountId: number, needs: readonly Need[]): Promise<void> {
  await store.lock(tx, accountId)
  await expectRoom(tx, accountId, needs)
}

type ForFiles = {
  /** The field that the error names. */
  field: string
  /** Sizes of the files that these replace, which go at once. */
  replaced?: readonly number[]
  /** What else is stored with them. */
  beside?: readonly Need[]
}

/** Room for files of these sizes, of which the account is sure until `tx` ends. */
export async function requireRoomForFiles(
  tx: Tx,
  accountId: number,
  sizes: readonly number[],
  { field, replaced = [], beside = [] }: ForFiles,
): Promise<Room[]> {
  const onDisk = (all: readonly number[]): number => all.reduce((sum, size) => sum + Math.max(size, blockBytes), 0)
  await requireRoom(tx, accountId, [
    { what: 'bytes', more: Math.max(0, onDisk(sizes) - onDisk(replaced)), field },
    ...beside,
  ])
  return sizes.map((size) => Room.of(accountId, size))
}

/** Room for a file that no account's quota limits. */
export function roomUncounted(what: Uncounted): Room {
  return Room.of(uncounted[what], Infinity)
}

/** How many more bytes the account may store; 0 when it is over its quota. */
export async function roomOf(db: Db, accountId: number): Promise<number> {
  const { megabytes } = await settingOf(db, 'quotas')
  return Math.max(0, megabytes * bytesOfMegabyte - (await store.used(db, accountId)).bytes)
}

export async function storedOf(db: Db, accountId: number): Promise<{ quotas: Quotas; used: Stored }> {
  const [quotas, used] = await Promise.all([settingOf(db, 'quotas'), store.used(db, accountId)])
  return { quotas, used }
}

const shownAccounts = 5

export async function overQuotas(db: Db) {
  return await store.over(db, await settingOf(db, 'quotas'), shownAccounts)
}
