import * as path from 'node:path'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { throttledWrites } from '../../lib/throttled-writes.ts'
import { withWorkFolder } from '../../lib/work-folder.ts'
import { baseFile } from './worker.ts'
import { dateOrdersOf, keepMade, totalsOfMade } from '../contacts/actions-made.ts'
import { withFiles } from '../files/actions.ts'
import { anyDeletedSince } from '../retention/actions-delete.ts'
import { faults, type RowChoice } from './rules.ts'
import * as store from './store.ts'

const dayMs = 24 * 3600_000

/**
 * The job: writes the file, validates it like an upload and stores it. A killed process's work is redone from the start; the file is stored
 * once.
 */
export async function makeBase(app: App, makingId: number, signal: AbortSignal): Promise<void> {
  const { db, clock } = app
  const making = await store.begin(db, makingId)
  if (!making) return
  const { owner_id: ownerId, campaign_id: campaignId, name } = making
  const choice = making.choice as RowChoice
  const fail = (reason: string) => store.markFailed(db, makingId, reason, clock.now())
  if (await store.isOwnerStopped(db, ownerId)) return fail(faults.disabled)
  const isGone = (tx: Tx) => anyDeletedSince(tx, 'calls', campaignsOf(campaignId, choice), ever)
  if (await db.transaction().execute(isGone)) return fail(faults.campaignGone)
  await withWorkFolder(app, 'base-from', async (folder) => {
    const target = path.join(folder, 'contacts.csv')
    const job = { databaseUrl: app.databaseUrl, campaignId, choice, target }
    await using progress = throttledWrites((rows) => store.saveRows(db, makingId, rows), app.log)
    const written = await baseFile(job, signal, progress.report)
    if ('refused' in written) return fail(written.refused)
    const file = { path: target, size: written.bytes }
    const totals = await totalsOfMade(ownerId, file, await dateOrdersOf(db, campaignId))
    if (await store.isOwnerStopped(db, ownerId)) return fail(faults.disabled)
    await withFiles(app, async (tx) => {
      if (!(await store.holdMaking(tx, makingId))) return
      if (await isGone(tx)) return await store.markFailed(tx, makingId, faults.campaignGone, clock.now())
      const baseId = await keepMade(tx, app.files, { ...file, ownerId, name, totals })
      if (baseId === undefined) throw new AppError('conflict', [{ field: '', code: 'taken', text: faults.nameTaken }])
      await store.markReady(tx, makingId, { baseId, rows: totals.rows, at: clock.now() })
    }).catch((error: unknown) => {
      const [refused] = error instanceof AppError ? error.errors : []
      if (!refused) throw error
      return fail(refused.text)
    })
  })
}

const ever = new Date(0)

/** Whose rows it has, and whose it leaves out. */
function campaignsOf(campaignId: number, { notInCampaignId }: RowChoice): number[] {
  return notInCampaignId === undefined ? [campaignId] : [campaignId, notInCampaignId]
}

/** After the last retry; the cause is in the log. */
export function giveUpBase({ db, clock }: App, makingId: number): Promise<void> {
  return store.markFailed(db, makingId, faults.broken, clock.now())
}

/** A day after they ended, nobody asks about them. */
export function forgetOldMakings({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  return store.deleteEnded(db, new Date(clock.now().getTime() - dayMs))
}
