import { nationalOf } from '@ghanti/contract/phone.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import { isStored } from '../../drivers/files/driver.ts'
import { AppError, badField } from '../../errors.ts'
import type { Ctx, FileReply } from '../../http/types.ts'
import { fileNameOf } from '../../lib/file-names.ts'
import { scopeOf } from '../../policy.ts'
import { audit, auditRead } from '../audit/actions.ts'
import { forgetFile, withFiles, type FilesTx } from '../files/actions.ts'
import { silence, tooManyDays } from './rules.ts'
import * as store from './store.ts'

const dayMs = 24 * 3600_000
const batch = 100

/** For the owner of the campaign and the accounts above. */
export async function listenTo(ctx: Ctx, recordingId: string): Promise<FileReply> {
  const { app, viewer } = ctx
  const found = await store.find(app.db, scopeOf(viewer), recordingId)
  if (!found) throw new AppError('not_found')
  if (!(await isStored(app.files, found.file_hash)))
    throw new AppError('not_found', [{ field: 'recording', code: 'gone', text: silence.fileGone }])
  const detail = { campaignName: found.campaign_name }
  await auditRead(ctx, {
    action: 'recording.listen',
    target: `recording ${found.id}`,
    ownerId: found.account_id,
    detail,
  })
  const { file_hash: hash, phone, at } = found
  const fileName = fileNameOf(phone === null ? null : nationalOf(String(phone)), 'wav', found.campaign_name, at)
  return { type: 'audio/wav', fileName, inline: true, body: { hash }, etag: hash }
}

/** Deletes a recording permanently, for its owner or a super admin. The screens then show when it was deleted in its place. */
export async function deleteRecording(ctx: Ctx, recordingId: string): Promise<void> {
  const { app, viewer } = ctx
  const found = await store.find(app.db, scopeOf(viewer), recordingId)
  if (!found) throw new AppError('not_found')
  await withFiles(app, async (tx) => {
    if (!(await forgetRecording(tx, app, found, null))) throw new AppError('not_found')
    const { campaign_name: campaignName, account_id: ownerId } = found
    await audit(tx, ctx, 'recording.delete', `recording ${found.id}`, { campaignName, ownerId })
  })
}

/**
 * Removes one recording, and its file unless something else names it, and stores when and after how many days. `days` null: somebody deleted
 * it. False: it was gone already.
 */
async function forgetRecording(
  tx: FilesTx,
  { clock }: Pick<App, 'clock'>,
  recording: store.Recording,
  afterDays: number | null,
): Promise<boolean> {
  forgetFile(tx, recording.file_hash)
  return await store.remove(tx, recording, clock.now(), afterDays)
}

/** Removes recordings that are older than their account or the platform keeps them. */
export async function forgetOldRecordings(app: App): Promise<void> {
  const { recordingDays } = app.config
  const now = app.clock.now()
  for (let old = await store.outdated(app.db, now, recordingDays, batch); old.length > 0;) {
    for (const { days, ...recording } of old) await withFiles(app, (tx) => forgetRecording(tx, app, recording, days))
    old = await store.outdated(app.db, now, recordingDays, batch)
  }
  await store.forgetDue(app.db, new Date(now.getTime() - recordingDays * dayMs))
}

export async function forgetRecordingsOf(
  app: Pick<App, 'db' | 'files' | 'clock'>,
  campaignId: number,
  signal?: AbortSignal,
): Promise<void> {
  const { db, clock } = app
  for (let some = await store.ofCampaign(db, campaignId, batch); some.length > 0;) {
    signal?.throwIfAborted()
    for (const recording of some) await withFiles(app, (tx) => forgetRecording(tx, app, recording, null))
    some = await store.ofCampaign(db, campaignId, batch)
  }
  await store.removeDue(db, campaignId, clock.now())
}

/** How many days an account's recordings are kept: its own choice, at most the platform's. */
export function keptDays(own: number | null, platformDays: number): number {
  return Math.min(own ?? platformDays, platformDays)
}

/** Sets the account's own choice; more than the platform keeps is refused. Older recordings go with the next housekeeping. */
export async function keepRecordingsFor(ctx: Ctx, days: number): Promise<void> {
  const { app, viewer } = ctx
  const { userId } = viewer
  await app.db.transaction().execute(async (tx) => {
    const before = await changeDays(tx, app, userId, days)
    if (before !== days)
      await audit(tx, ctx, 'recording.days', `user ${userId}`, {
        before: { recordingDays: before },
        after: { recordingDays: days },
      })
  })
}

/** Returns the days before the change. */
export async function changeDays(
  tx: Tx,
  { config: { recordingDays: most } }: Pick<App, 'config'>,
  userId: number,
  days: number,
): Promise<number> {
  if (days > most) throw badField('recordingDays', tooManyDays(most))
  const before = keptDays(await store.daysOf(tx, userId), most)
  if (before !== days) await store.setDays(tx, userId, days === most ? null : days)
  return before
}
