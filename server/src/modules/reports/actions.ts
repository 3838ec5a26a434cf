import { messages } from '@ghanti/contract/messages.ts'
import { queueJob } from '../../db/jobs/jobs.ts'
import { AppError, conflict } from '../../errors.ts'
import type { Ctx, FileReply } from '../../http/types.ts'
import { scopeOf } from '../../policy.ts'
import { fileNameOf } from '../../lib/file-names.ts'
import { audit, auditRead } from '../audit/actions.ts'
import { tooMuch } from '../limits/actions.ts'
import { busyAgainSeconds, reportLimit, tooMuchAtOnce } from '../limits/rules.ts'
import { refuseArchived } from '../retention/actions-read.ts'
import { refuseDeleted } from '../retention/actions-delete.ts'
import type { ReportType } from './rules.ts'
import * as store from './store.ts'

/** Wire codes (docs/api.md#reports-of-a-campaign); absent: never made, or failed. */
const statusCode = { queued: '0', making: '1', ready: '2' } as const

/** Makes both types again in the background; throws 409 while that is under way. */
export async function generateReport(ctx: Ctx, campaignId: number): Promise<void> {
  if (!(await store.find(ctx.app.db, scopeOf(ctx.viewer), campaignId))) throw new AppError('not_found')
  if (!(await queueReport(ctx, campaignId))) throw conflict('campaignId', 'has a report that is being made', 'making')
}

/** Inserts the row and its job together. False when a report is under way already. */
async function queueReport(ctx: Ctx, campaignId: number): Promise<boolean> {
  const { app, viewer } = ctx
  return await app.db.transaction().execute(async (tx) => {
    await refuseDeleted(tx, 'calls', campaignId)
    await refuseArchived(tx, 'calls', campaignId)
    const before = await store.countUnfinished(tx, viewer.userId)
    if (!(await store.queue(tx, { campaignId, byUserId: viewer.userId, at: app.clock.now() }))) return false
    if (before >= reportLimit.atOnce) throw tooMuch(tooMuchAtOnce(reportLimit), busyAgainSeconds)
    await queueJob(app.jobs, tx, 'report', { campaignId }, { turn: { accountId: viewer.userId, before } })
    await audit(tx, ctx, 'report.generate', `campaign ${campaignId}`)
    return true
  })
}

/** Starts making what is not made yet; the console waits for the event and then opens the zip. */
export async function prepareDownload(
  ctx: Ctx,
  campaignId: number,
): Promise<{ message: string; reportStatus: string }> {
  const report = await store.find(ctx.app.db, scopeOf(ctx.viewer), campaignId)
  if (!report) throw new AppError('not_found')
  const { status } = report
  if (status === 'ready') return { message: messages.success, reportStatus: statusCode.ready }
  if (status === null || status === 'failed') await queueReport(ctx, campaignId)
  return { message: messages.reportBeingMade, reportStatus: statusCode[status === 'making' ? 'making' : 'queued'] }
}

/** The stored zip of one type or of both. Audited, because it contains contacts' data. */
export async function openReport(ctx: Ctx, campaignId: number, type: ReportType | undefined): Promise<FileReply> {
  const report = await store.find(ctx.app.db, scopeOf(ctx.viewer), campaignId)
  const hash = report && (type === undefined ? report.zip_hash : report[`${type}_hash`])
  if (!hash || report.status !== 'ready') throw new AppError('not_found')
  const { ownerId, name, made_at: madeAt } = report
  await auditRead(ctx, { action: 'report.download', target: `campaign ${campaignId}`, ownerId, detail: { name } })
  const fileName = fileNameOf(type ?? 'report', 'zip', name, madeAt ?? ctx.app.clock.now())
  return { type: 'application/zip', fileName, body: { hash } }
}
