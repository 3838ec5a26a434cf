import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import { isStored, type FileHash, type FilesDriver } from '../../drivers/files/driver.ts'
import { AppError } from '../../errors.ts'
import type { Ctx, FileReply } from '../../http/types.ts'
import { scopeOf } from '../../policy.ts'
import { auditRead } from '../audit/actions.ts'
import * as store from './store.ts'

const dayMs = 24 * 3600_000
const batch = 100

/** For the owner of the campaign and the accounts above. */
export async function listenTo(ctx: Ctx, recordingId: string): Promise<FileReply> {
  const { app, viewer } = ctx
  const found = await store.find(app.db, scopeOf(viewer), recordingId)
  if (!found || !(await isStored(app.files, found.file_hash))) throw new AppError('not_found')
  const detail = { campaignName: found.campaign_name }
  await auditRead(ctx, {
    action: 'recording.listen',
    target: `recording ${found.id}`,
    ownerId: found.account_id,
    detail,
  })
  return { type: 'audio/wav', fileName: `${found.id}.wav`, inline: true, body: { hash: found.file_hash } }
}

/** Those whose days are over, with their files where nobody else names them. */
export async function forgetOldRecordings(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - app.config.recordingDays * dayMs)
  for (let old = await store.olderThan(app.db, before, batch); old.length > 0;) {
    for (const { id, file_hash } of old)
      await app.db.transaction().execute((tx) => forgetFile(tx, app.files, file_hash, () => store.remove(tx, id)))
    old = await store.olderThan(app.db, before, batch)
  }
  await store.forgetDue(app.db, before)
}

/** `remove` takes away what names the file; the file goes when nothing else does. */
export async function forgetFile(
  tx: Tx,
  files: FilesDriver,
  hash: FileHash,
  remove: () => Promise<void>,
): Promise<void> {
  await store.lockFile(tx, hash)
  await remove()
  if (!(await store.isFileNamed(tx, hash))) await files.remove(hash)
}

/** Stores a file that `tx` is about to name: who forgets the same bytes meanwhile does not take it away. */
export async function keepFile(tx: Tx, files: FilesDriver, put: () => Promise<FileHash>): Promise<FileHash> {
  const hash = await put()
  await store.lockFile(tx, hash)
  if (!(await isStored(files, hash))) await put()
  return hash
}

/**
 * Files that were stored a day ago or earlier and that nothing names: of deleted prompts, recordings of words that were replaced, what a process that was
 * killed had stored and not written down. Answers how many; the log names each.
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
