import * as path from 'node:path'
import type { App } from '../../app.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../policy.ts'
import { scopeOf } from '../../policy.ts'
import { readingFiles } from '../../db/servers/replica-reads.ts'
import { throttledWrites } from '../../lib/throttled-writes.ts'
import { withWorkFolder } from '../../lib/work-folder.ts'
import { exportFile } from './worker.ts'
import type { ExportJob } from './worker-table.ts'
import { requireCalls } from '../call-report/actions.ts'
import { giveNotice } from '../notices/actions.ts'
import { settingOf } from '../platform/actions.ts'
import { roomOf } from '../quotas/actions.ts'
import { forgetFile, keepFile, withFiles } from '../files/actions.ts'
import { archivedLine, archivedTo } from '../retention/actions-read.ts'
import { anyDeletedSince } from '../retention/actions-delete.ts'
import { exportGone } from '../retention/rules.ts'
import { requireRows } from './actions.ts'
import { exportFaults, filterOf } from './rules.ts'
import * as store from './store.ts'

const dayMs = 24 * 3600_000
const failedDays = 7
const atOnce = 100

/** The job: writes the file and stores it. A job whose process was killed begins again. It stops as soon as the export is deleted. */
export async function makeExport(app: App, exportId: number, signal: AbortSignal): Promise<void> {
  const { db, clock } = app
  const line = await store.begin(db, exportId)
  if (!line) return
  const fail = (reason: string) => store.markFailed(db, exportId, reason, clock.now())
  const viewer = await store.viewerOf(db, line.owner_id)
  if (!viewer) return fail(exportFaults.disabled)
  const unwanted = new AbortController()
  const saveOrAbort = async (rows: number): Promise<void> => {
    if (!(await store.saveRows(db, exportId, rows))) unwanted.abort()
  }
  try {
    const of = await whatOf(app, viewer, line)
    if (typeof of === 'string') return await fail(of)
    await withWorkFolder(app, 'exports', async (folder) => {
      const target = path.join(folder, `export.${line.format}`)
      const bytesMax = await roomOf(db, line.owner_id)
      const job = { ...of, format: line.format, target, bytesMax }
      await using progress = throttledWrites(saveOrAbort, app.log)
      const begunAt = clock.now()
      const made = await readingFiles(app, (from) =>
        exportFile({ ...job, ...from }, AbortSignal.any([signal, unwanted.signal]), progress.report),
      )
      if ('refused' in made) return fail(made.refused)
      if (!(await store.viewerOf(db, line.owner_id))) return fail(exportFaults.disabled)
      await keep(app, line, { ...made, target, begunAt })
    })
  } catch (error) {
    if (unwanted.signal.aborted) return
    const [refused] = error instanceof AppError ? error.errors : []
    if (!refused) throw error
    await fail(refused.text)
  }
}

/** The data to export, as the viewer may see it now. A text says why it cannot be exported any more. */
async function whatOf(app: App, viewer: Viewer, { kind, filter }: store.ExportLine) {
  try {
    if (kind === 'rows') {
      const { campaignId } = filterOf(kind, filter)
      await requireRows(app.db, scopeOf(viewer), campaignId)
      return { kind, campaignId } satisfies Partial<ExportJob>
    }
    const asked = filterOf(kind, filter)
    const { calls } = await requireCalls({ app, viewer }, { ...asked, userId: asked.userId ?? viewer.userId })
    const archived = await archivedTo(app.db, 'calls', calls.scope, calls.filter)
    const lastLine = archived ? archivedLine('calls', archived) : undefined
    return { kind, calls, lastLine } satisfies Partial<ExportJob>
  } catch (error) {
    const of = error instanceof AppError && error.errors.find(({ field }) => /^(filter\.)?campaignId$/.test(field))
    if (!of) throw error
    return of.code === 'archived' ? exportFaults.archived : exportFaults.campaignGone
  }
}

type Made = { rows: number; bytes: number; campaigns: readonly number[]; target: string; begunAt: Date }

/** Stores file, row and notice in one transaction. Discards a file that contains calls of a campaign whose deletion was requested in the meantime. */
async function keep(
  app: App,
  { id, owner_id: ownerId, file_name: about }: store.ExportLine,
  made: Made,
): Promise<void> {
  const { files, clock } = app
  const at = clock.now()
  const expiresAt = new Date(at.getTime() + (await settingOf(app.db, 'exportDays')) * dayMs)
  await withFiles(app, async (tx) => {
    // Written before the deletions are held up. `withFiles` removes it if it gets no name.
    const hash = await keepFile(tx, files, made.target, { ownerId, field: 'format' })
    const { rows, bytes, campaigns, begunAt } = made
    if (await anyDeletedSince(tx, 'calls', campaigns, begunAt)) return store.markFailed(tx, id, exportGone.ofMany, at)
    await store.nameCampaigns(tx, id, campaigns)
    // False: the export was deleted meanwhile, perhaps with its campaign.
    if (await store.markReady(tx, id, { hash, rows, bytes, at, expiresAt }))
      await giveNotice(tx, { userId: ownerId, kind: 'exportReady', subjectId: id, about, reason: null })
  })
}

/** All tries have failed; the log has the cause. */
export function giveUpExport({ db, clock }: App, exportId: number): Promise<void> {
  return store.markFailed(db, exportId, exportFaults.broken, clock.now())
}

/** Removes expired exports with their files, and those that failed a week ago. Returns how many. */
export async function forgetOldExports({ db, files, clock }: Pick<App, 'db' | 'files' | 'clock'>): Promise<number> {
  const now = clock.now()
  let gone = 0
  for (;;) {
    const found = await store.outdated(db, now, new Date(now.getTime() - failedDays * dayMs), atOnce)
    for (const { id, owner_id: ownerId } of found)
      await withFiles({ db, files }, async (tx) => {
        const line = await store.lockOwn(tx, ownerId, id)
        if (!line) return
        if (line.file_hash !== null) forgetFile(tx, line.file_hash)
        await store.remove(tx, id)
        gone += 1
      })
    if (found.length < atOnce) return gone
  }
}
