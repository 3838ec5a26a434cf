import {
  exportStatusCode,
  type ExportFilters,
  type ExportFormat,
  type ExportKind,
  type ExportRow,
  type exportRoutes,
} from '@ghanti/contract/exports.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import { instantOfNepalTime, nepalTimeOf } from '@ghanti/contract/time.ts'
import { csvType } from '../../lib/csv.ts'
import type { Db } from '../../db/db.ts'
import { queueJob } from '../../db/jobs/jobs.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx, FileReply } from '../../http/types.ts'
import { scopeOf, type Scope } from '../../policy.ts'
import { audit, auditRead } from '../audit/actions.ts'
import { searchedWords } from '../audit/rules.ts'
import { requireCalls } from '../call-report/actions.ts'
import { tooMuch } from '../limits/actions.ts'
import { busyAgainSeconds, exportLimit, tooMuchAtOnce } from '../limits/rules.ts'
import { expectRoom } from '../quotas/actions.ts'
import { forgetFile, withFiles } from '../files/actions.ts'
import { archivesOf, archivesOfCampaigns, refuseArchived } from '../retention/actions-read.ts'
import { refuseDeleted } from '../retention/actions-delete.ts'
import { findVisible } from '../voice-campaigns/actions-read.ts'
import { fileNameOf } from '../../lib/file-names.ts'
import { filterOf } from './rules.ts'
import * as store from './store.ts'

type Asked = InputOf<typeof exportRoutes.ask>

/** How many exports an account may have, including ready and failed ones. The list shows all of them. */
const keptMax = 100

/** Queues an export for a background job. What the viewer may not see is refused now, and is checked again when the file is made. */
export async function askForExport(ctx: Ctx, { kind, format, filter }: Asked): Promise<number> {
  if (kind === 'rows') return await askForRows(ctx, format, filterOf(kind, filter))
  return await askForCalls(ctx, format, filter ?? {})
}

/** The filter is stored as it was sent, and is parsed again when the file is made. */
async function askForCalls(ctx: Ctx, format: ExportFormat, said: object): Promise<number> {
  const filter = filterOf('calls', said)
  const userId = filter.userId ?? ctx.viewer.userId
  const asked = { ...filter, userId }
  const { campaignName } = await requireOf('filter.', () => requireCalls(ctx, asked))
  const { userId: _, search, ...filters } = asked
  const words = searchedWords(search, filters)
  const detail = words === '' ? {} : { search: words }
  await auditRead(ctx, { action: 'calls.export', target: `user ${userId}`, ownerId: userId, detail })
  return await queue(ctx, { kind: 'calls', format, filter: { ...said, userId }, campaign: campaignName })
}

async function askForRows(ctx: Ctx, format: ExportFormat, filter: ExportFilters['rows']): Promise<number> {
  const { campaignId } = filter
  const { ownerId, name } = await requireRows(ctx.app.db, scopeOf(ctx.viewer), campaignId)
  await auditRead(ctx, { action: 'report.download', target: `campaign ${campaignId}`, ownerId, detail: { name } })
  return await queue(ctx, { kind: 'rows', format, filter, campaign: name })
}

/** The campaign whose rows are exported. Refuses one that does not exist for the viewer, is deleted, or whose calls were archived. */
export async function requireRows(
  db: Db,
  scope: Scope,
  campaignId: number,
): Promise<{ ownerId: number; name: string }> {
  const campaign = await findVisible(db, scope, campaignId)
  if (!campaign) throw badField('filter.campaignId', 'is not a campaign that you may see', 'not_found')
  await refuseDeleted(db, 'calls', campaignId)
  await refuseArchived(db, 'calls', campaignId)
  return campaign
}

/** Errors of the filter name it: 'filter.…'. Somebody else's account is refused as a field, since no path names it. */
async function requireOf<T>(before: string, ask: () => Promise<T>): Promise<T> {
  return await ask().catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'not_found') throw badField(`${before}userId`, 'is not an account that you may see', 'not_found')
    const errors = error.errors.map((one) => ({ ...one, field: `${before}${one.field}` }))
    throw new AppError(error.code, errors)
  })
}

type Wanted = { kind: ExportKind; format: ExportFormat; filter: object; campaign: string | null }

async function queue(ctx: Ctx, { kind, format, filter, campaign }: Wanted): Promise<number> {
  const { app, viewer } = ctx
  const ownerId = viewer.userId
  await expectRoom(app.db, ownerId, [{ what: 'bytes', more: 1, field: 'format' }])
  return await app.db.transaction().execute(async (tx) => {
    const before = await store.countUnfinished(tx, ownerId)
    if (before >= exportLimit.atOnce) throw tooMuch(tooMuchAtOnce(exportLimit), busyAgainSeconds)
    if ((await store.listOf(tx, ownerId, keptMax)).length >= keptMax)
      throw conflict('format', `cannot be made: ${keptMax} exports are kept, delete some of them`, 'too_many')
    const at = app.clock.now()
    const fileName = fileNameOf(kind, format, campaign, at)
    const exportId = await store.insert(tx, { ownerId, kind, format, filter, fileName, at })
    await queueJob(app.jobs, tx, 'export', { exportId }, { turn: { accountId: ownerId, before } })
    await audit(tx, ctx, 'export.ask', `export ${exportId}`, { fileName })
    return exportId
  })
}

/** The viewer's own exports. Nobody reads what somebody else asked for. */
export async function listExports({ app, viewer }: Ctx, userId: number): Promise<ExportRow[]> {
  if (userId !== viewer.userId) throw new AppError('not_found')
  const lines = await store.listOf(app.db, userId, keptMax)
  const archivedOf = await archivedBehind({ app, viewer }, lines)
  return lines.map((line) => ({
    exportId: line.id,
    kind: line.kind,
    format: line.format,
    fileName: line.file_name,
    exportStatus: exportStatusCode[line.status],
    rows: line.rows,
    bytes: line.bytes,
    askedTime: nepalTimeOf(line.asked_at),
    expiryTime: line.expires_at && nepalTimeOf(line.expires_at),
    reason: line.reason,
    archivedTo: archivedOf(line),
  }))
}

/** The time up to which the exported calls had been archived when the file was made. Only CSV and Excel files state it themselves. */
async function archivedBehind(
  { app, viewer }: Pick<Ctx, 'app' | 'viewer'>,
  lines: readonly store.ExportLine[],
): Promise<(line: store.ExportLine) => string | null> {
  const read = ({ kind, filter }: store.ExportLine) => (kind === 'calls' ? filterOf(kind, filter) : null)
  const ids = lines.flatMap((line) => read(line)?.campaignId ?? [])
  const [ofAll, ofCampaigns] = await Promise.all([
    archivesOf(app.db, 'calls', scopeOf(viewer)),
    archivesOfCampaigns(app.db, 'calls', ids),
  ])
  return (line) => {
    const filter = read(line)
    if (!filter) return null
    const { campaignId, from } = filter
    const made = line.ended_at ?? app.clock.now()
    const archives = campaignId === undefined ? ofAll : ofCampaigns.filter((one) => one.campaignId === campaignId)
    const last = archives.find(({ madeAt }) => madeAt <= made)
    const since = from === undefined ? undefined : instantOfNepalTime(from)
    return last && (!since || last.lastAt >= since) ? nepalTimeOf(last.lastAt) : null
  }
}

const types: Record<ExportFormat, string> = {
  csv: csvType,
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
}

/** The file or a range of it. One that is not ready, or has expired, does not exist. */
export async function openExport(ctx: Ctx, exportId: number, fileName: string): Promise<FileReply> {
  const { app, viewer } = ctx
  const found = await store.findReady(app.db, viewer.userId, exportId, app.clock.now())
  if (!found?.file_hash || found.file_name !== fileName) throw new AppError('not_found')
  const detail = { fileName }
  const target = `export ${exportId}`
  await auditRead(ctx, { action: 'export.download', target, ownerId: viewer.userId, detail })
  return { type: types[found.format], fileName, body: { hash: found.file_hash }, etag: found.file_hash }
}

export async function deleteExport(ctx: Ctx, exportId: number): Promise<void> {
  const { app, viewer } = ctx
  await withFiles(app, async (tx) => {
    const found = await store.lockOwn(tx, viewer.userId, exportId)
    if (!found) throw new AppError('not_found')
    if (found.file_hash !== null) forgetFile(tx, found.file_hash)
    await store.remove(tx, exportId)
    await audit(tx, ctx, 'export.delete', `export ${exportId}`, { fileName: found.file_name })
  })
}
