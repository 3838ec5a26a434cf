import type { Db } from '../../db/db.ts'
import type { FilesDriver } from '../../drivers/files/driver.ts'
import { keepFile, type FilesTx } from '../files/actions.ts'
import { nameTaken, totalsOf } from './actions.ts'
import type { FileTotals, SpokenFrom } from './rules.ts'
import * as store from './store.ts'

export async function requireFreeName(db: Db, ownerId: number, name: string): Promise<void> {
  if (await store.nameTaken(db, ownerId, name)) throw nameTaken()
}

type Made = { path: string; size: number }

export function totalsOfMade(ownerId: number, { path, size }: Made): Promise<FileTotals> {
  return totalsOf(ownerId, { path, size, fileName: '', declaredType: 'text/csv' }, 'baseName')
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
  const { rows, dialable, columns, valueBytes, moreNumbers } = totals
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
  })
}
