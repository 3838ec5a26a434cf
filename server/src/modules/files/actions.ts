import { stat } from 'node:fs/promises'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../db/db.ts'
import { isStored, type FileHash, type FilesDriver, type Room } from '../../drivers/files/driver.ts'
import { requireRoomForFiles, roomUncounted, type Need } from '../quotas/actions.ts'
import type { Uncounted } from '../quotas/rules.ts'
import * as store from './store.ts'

const dayMs = 24 * 3600_000
const batch = 100

/** A transaction that stores files, or takes away the last name of some. Only `withFiles` begins one. */
export type FilesTx = Tx & { readonly touched: Set<FileHash> }

/**
 * Runs a transaction. Once it has ended, in whichever way, those files that it stored or forgot and that nothing names are removed: a file
 * outlives neither a transaction that failed nor the row that had its name. A file is named by its content, so another row may name the same;
 * the lock of its name decides between that row and the removal.
 */
export async function withFiles<T>(
  { db, files }: { db: Db; files: FilesDriver },
  work: (tx: FilesTx) => Promise<T>,
): Promise<T> {
  const touched = new Set<FileHash>()
  let result: T
  try {
    result = await db.transaction().execute((tx) => work(Object.assign(tx, { touched })))
  } catch (error) {
    await removeUnnamed({ db, files }, touched).catch(() => {}) // housekeeping removes them within two days
    throw error
  }
  await removeUnnamed({ db, files }, touched)
  return result
}

/** A path, or the bytes themselves. */
export type FileContent = string | Uint8Array

type Counted = {
  ownerId: number
  /** The field that the error names when there is no room. */
  field: string
  /** Sizes of the files that these replace. */
  replaced?: readonly number[]
  beside?: readonly Need[]
}

/**
 * Stores files that `tx` is about to name, once their owner has room for them: call it after all other checks. A lock keeps each from being
 * removed meanwhile for having no name.
 */
export async function keepFiles(
  tx: FilesTx,
  files: FilesDriver,
  contents: readonly FileContent[],
  of: Counted | Uncounted,
): Promise<FileHash[]> {
  const rooms = await roomsFor(tx, contents, of)
  const put = ([content, room]: readonly [FileContent, Room]): Promise<FileHash> =>
    typeof content === 'string' ? files.put(content, room) : files.putBytes(content, room)
  const kept: { hash: FileHash; from: readonly [FileContent, Room] }[] = []
  for (const [index, content] of contents.entries()) {
    const room = rooms[index]
    if (!room) throw new Error('a file without room')
    const from = [content, room] as const
    const hash = await put(from)
    tx.touched.add(hash)
    kept.push({ hash, from })
  }
  // In the order of their names, so that two transactions with the same files cannot wait for each other.
  for (const { hash, from } of kept.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))) {
    await store.lockFile(tx, hash)
    if (!(await isStored(files, hash))) await put(from)
  }
  return kept.map(({ hash }) => hash)
}

export async function keepFile(
  tx: FilesTx,
  files: FilesDriver,
  content: FileContent,
  of: Counted | Uncounted,
): Promise<FileHash> {
  const [hash] = await keepFiles(tx, files, [content], of)
  if (hash === undefined) throw new Error('a file was stored without a name')
  return hash
}

async function roomsFor(tx: Tx, contents: readonly FileContent[], of: Counted | Uncounted): Promise<Room[]> {
  if (typeof of === 'string') return contents.map(() => roomUncounted(of))
  const sizes = await Promise.all(
    contents.map(async (content) => (typeof content === 'string' ? (await stat(content)).size : content.length)),
  )
  const { ownerId, ...need } = of
  return await requireRoomForFiles(tx, ownerId, sizes, need)
}

/** Names a file that was stored before `tx` began. The caller checks that it is still there. */
export const lockFile = store.lockFile

/** The transaction deletes a reference to this file, which goes with the last one. */
export function forgetFile(tx: FilesTx, hash: FileHash): void {
  tx.touched.add(hash)
}

/** Removes those of these files that nothing names. */
export async function removeUnnamed(
  { db, files }: { db: Db; files: FilesDriver },
  hashes: Iterable<FileHash>,
): Promise<void> {
  const all = [...hashes]
  if (all.length === 0) return
  for (const hash of await store.unnamed(db, all))
    await db.transaction().execute(async (tx) => {
      await store.lockFile(tx, hash)
      if (!(await store.isFileNamed(tx, hash))) await files.remove(hash)
    })
}

/**
 * Removes files that were stored at least a day ago and that nothing names: those of a process that was killed before it could write them
 * down, or remove them. Returns how many; the log names each.
 */
export async function forgetUnnamedFiles({
  db,
  files,
  clock,
  log,
}: Pick<App, 'db' | 'files' | 'clock' | 'log'>): Promise<number> {
  const before = new Date(clock.now().getTime() - dayMs)
  let removed = 0
  const forget = async (hashes: readonly FileHash[]): Promise<void> => {
    for (const hash of await store.unnamed(db, hashes))
      await db.transaction().execute(async (tx) => {
        await store.lockFile(tx, hash)
        if (await store.isFileNamed(tx, hash)) return
        if (!(await files.removeStoredBefore(hash, before))) return
        removed += 1
        log.info({ hash }, 'a stored file that nothing names was removed')
      })
  }
  let some: FileHash[] = []
  for await (const hash of files.storedBefore(before)) {
    some.push(hash)
    if (some.length < batch) continue
    await forget(some)
    some = []
  }
  await forget(some)
  return removed
}
