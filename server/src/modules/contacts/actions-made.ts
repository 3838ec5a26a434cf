import type { ColumnOrders } from '@ghanti/contract/date-orders.ts'
import type { Db } from '../../db/db.ts'
import type { FilesDriver } from '../../drivers/files/driver.ts'
import { keepFile, type FilesTx } from '../files/actions.ts'
import { nameTaken, totalsOf } from './actions.ts'
import { ordersWith, storedOrders } from './rules-dates.ts'
import type { FileTotals, SpokenFrom } from './rules.ts'
import * as store from './store.ts'

export async function requireFreeName(db: Db, ownerId: number, name: string): Promise<void> {
  if (await store.nameTaken(db, ownerId, name)) throw nameTaken()
}

type Made = { path: string; size: number }

/** Of the file that a campaign was composed with; null when they are not known. */
export async function dateOrdersOf(db: Db, campaignId: number): Promise<ColumnOrders | null> {
  const base = await store.baseOfCampaign(db, campaignId)
  return base ? storedOrders(base) : null
}

/** `dateOrders`: of the file whose rows these are a part of, which prove less alone. */
export async function totalsOfMade(
  ownerId: number,
  { path, size }: Made,
  dateOrders: ColumnOrders | null,
): Promise<FileTotals> {
  const made = { path, size, fileName: '', declaredType: 'text/csv' }
  const totals = await totalsOf(ownerId, made, 'baseName')
  return { ...totals, dateOrders: ordersWith(totals.dateOrders, dateOrders) }
}

type NewMade = {
  ownerId: number
  name: string
  totals: FileTotals
  /** In no list, and removed when its campaign is over, as pasted numbers are. */
  pasted?: boolean
  spokenFrom?: SpokenFrom
}

/** Stores a file that the server wrote, within the owner's quotas; undefined when the owner has a file of that name. */
export async function keepMade(
  tx: FilesTx,
  files: FilesDriver,
  { ownerId, name, totals, path, size, pasted = false, spokenFrom = {} }: Made & NewMade,
): Promise<number | undefined> {
  const { rows, dialable, columns, valueBytes, moreNumbers, dateOrders } = totals
  if (!pasted && (await store.nameTaken(tx, ownerId, name))) return undefined
  const field = 'baseName'
  const beside = [{ what: 'rows', more: rows - dialable, field }] as const
  const fileHash = await keepFile(tx, files, path, { ownerId, field, beside })
  return await store.insert(tx, {
    ownerId,
    name,
    pasted,
    fileHash,
    sizeBytes: size,
    rows,
    dialable,
    columns,
    valueBytes,
    moreNumbers,
    spokenFrom,
    dateOrders,
  })
}
