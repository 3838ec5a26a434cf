import type { HiddenRows } from '@ghanti/contract/contacts.ts'
import type { App } from '../../app.ts'
import { AppError, badField } from '../../errors.ts'
import type { Ctx, StagedFile } from '../../http/types.ts'
import { uploadBase, type StoredBase } from '../contacts/actions.ts'
import { refuseOtherKinds } from '../contacts/actions-kind.ts'
import { forgetFile, keepFile, withFiles } from '../files/actions.ts'
import * as store from './store-files.ts'

const keptMs = 3600_000
const stagedMax = 3

/** Keeps an upload for an hour, until it is given a name. Returns its key. What is no text or workbook is refused at once. */
export async function stageFile(ctx: Ctx, file: StagedFile): Promise<string> {
  const { app, viewer } = ctx
  const ownerId = viewer.userId
  await refuseOtherKinds(file, 'smsBaseFile')
  const name = await withFiles(app, async (tx) => {
    const fileHash = await keepFile(tx, app.files, file.path, { ownerId, field: 'smsBaseFile' })
    const { size: sizeBytes, declaredType } = file
    return store.insert(tx, { ownerId, fileHash, sizeBytes, declaredType, at: app.clock.now() })
  })
  for (const old of await store.allButNewest(app.db, ownerId, stagedMax)) await forget(app, old)
  return name
}

/** Validates and stores a staged file as a contact file; a refused one stays staged for its hour. */
type Named = { baseName: string; file_name?: string | undefined; hiddenRows?: HiddenRows | undefined }

export async function storeStaged(ctx: Ctx, { baseName, file_name: name, hiddenRows }: Named): Promise<StoredBase> {
  const { app, viewer } = ctx
  const staged = await store.find(app.db, viewer.userId, name, since(app))
  if (!staged) {
    const text =
      name === undefined
        ? 'is missing: no file was uploaded in the last hour'
        : 'is not there any more: upload the file again'
    throw badField('file_name', text, 'not_found')
  }
  const file = {
    path: await app.files.pathOf(staged.file_hash),
    size: staged.size_bytes,
    fileName: '',
    declaredType: staged.declared_type,
  }
  const base = await uploadBase(ctx, baseName, file, { hiddenRows }).catch((error: unknown) => {
    throw error instanceof AppError ? ofThisForm(error) : error
  })
  await forget(app, staged)
  return base
}

/** This form calls the file's field by another name than uploads for voice campaigns do. */
function ofThisForm({ code, errors, message, retryAfterSeconds }: AppError): AppError {
  const here = errors.map((error) => (error.field === 'baseFile' ? { ...error, field: 'smsBaseFile' } : error))
  return new AppError(code, here, { message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) })
}

const since = ({ clock }: Pick<App, 'clock'>) => new Date(clock.now().getTime() - keptMs)

function forget({ db, files }: Pick<App, 'db' | 'files'>, { name, file_hash }: store.Staged): Promise<void> {
  return withFiles({ db, files }, async (tx) => {
    forgetFile(tx, file_hash)
    await store.remove(tx, name)
  })
}

/** Deletes uploads not named within their hour. */
export async function forgetStagedFiles(app: Pick<App, 'db' | 'files' | 'clock'>): Promise<void> {
  for (
    let old = await store.olderThan(app.db, since(app));
    old.length > 0;
    old = await store.olderThan(app.db, since(app))
  )
    for (const staged of old) await forget(app, staged)
}
