import { rangeOf } from '@ghanti/contract/range.ts'
import type { InputOf, ListQuery } from '@ghanti/contract/route.ts'
import type {
  smsCampaignRoutes,
  SmsCampaignRow,
  SmsCampaignSummary,
  SmsReportRow,
} from '@ghanti/contract/sms-campaigns.ts'
import { csvStream, csvType, type CsvCell } from '../../lib/csv.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Ctx, FileReply, Page } from '../../http/types.ts'
import { fileNameOf } from '../../lib/file-names.ts'
import { scopeOf, scopeOfFilter, scopeOfPath } from '../../policy.ts'
import { auditRead } from '../audit/actions.ts'
import { searchedWords } from '../audit/rules.ts'
import { refusedLinesCsv } from '../contacts/actions.ts'
import { leftOutOfDownload } from '../contacts/rules-refused.ts'
import { archivedOf } from '../retention/actions-read.ts'
import { frozenTo } from '../frozen/rules.ts'
import { reportCells, reportHeader, reportRowOf, rowOf, summaryCsv, summaryOf } from './rules-replies.ts'
import * as reportStore from './store-report.ts'
import * as rowStore from './store-rows.ts'

const eventsShown = 100
const batchRows = 1000

type Asked = InputOf<typeof smsCampaignRoutes.list>

async function askedFor(
  { app, viewer }: Ctx,
  { userId, customer, status, created, scheduled, values, archived }: Asked,
) {
  const now = app.clock.now()
  const whole = await scopeOfPath(app.db, viewer, userId)
  const days = { created: rangeOf(created, now), scheduled: rangeOf(scheduled, now) }
  const filter = { statuses: status, ...days, values, archived }
  return { scope: await scopeOfFilter(app.db, whole, 'customer', customer), filter }
}

export async function listCampaigns(ctx: Ctx, asked: Asked, query: ListQuery): Promise<Page<SmsCampaignRow>> {
  const { scope, filter } = await askedFor(ctx, asked)
  const page = await rowStore.pageOfRows(ctx.app.db, scope, filter, query)
  return { ...page, rows: page.rows.map(rowOf) }
}

export async function exportCampaigns(
  ctx: Ctx,
  { search, ...asked }: InputOf<typeof smsCampaignRoutes.exportCsv>,
): Promise<FileReply> {
  const { app, viewer } = ctx
  const { userId, ...filters } = asked
  const { scope, filter } = await askedFor(ctx, asked)
  const detail = { search: searchedWords(search, filters) }
  await auditRead(ctx, { action: 'sms.export', target: `user ${userId}`, ownerId: userId, detail })
  const { header, cells } = summaryCsv(viewer.role === 'user')
  return { type: csvType, fileName: 'sms_campaign_summary.csv', body: { stream: csvStream(header, cellsOf()) } }

  async function* cellsOf(): AsyncGenerator<CsvCell[]> {
    let after: string | undefined
    do {
      const query = { search, after, pageSize: batchRows, sort: 'campaignId', order: 'desc' } as const
      const page: Page<rowStore.ProgressRow> = await rowStore.pageOfRows(app.db, scope, filter, query)
      for (const row of page.rows) yield cells(rowOf(row))
      after = page.next
    } while (after !== undefined)
  }
}

export async function requireRow(ctx: Ctx, campaignId: number): Promise<rowStore.ProgressRow> {
  const row = await rowStore.findRow(ctx.app.db, scopeOf(ctx.viewer), campaignId)
  if (!row) throw new AppError('not_found')
  return row
}

export async function campaignSummary(ctx: Ctx, campaignId: number): Promise<SmsCampaignSummary> {
  const { db } = ctx.app
  const row = await requireRow(ctx, campaignId)
  const [detail, events, archivedMessages] = await Promise.all([
    rowStore.findDetail(db, campaignId),
    rowStore.lastEvents(db, campaignId, eventsShown),
    archivedOf(db, 'messages', campaignId),
  ])
  return { ...summaryOf(row, detail, events), archivedMessages, frozen: frozenTo(ctx.viewer, detail.frozen_with) }
}

type Report = Page<SmsReportRow> & { beside: { campaignId: number } }

export async function listMessages(
  ctx: Ctx,
  { campaignId, deliveryStatus }: InputOf<typeof smsCampaignRoutes.report>,
  query: ListQuery,
): Promise<Report> {
  const row = await requireRow(ctx, campaignId)
  const of = { target: `sms campaign ${campaignId}`, ownerId: row.account_id, detail: { name: row.name } }
  await auditRead(ctx, { action: 'sms.report', ...of })
  const page = await reportStore.pageOfMessages(ctx.app.db, { campaignId, statuses: deliveryStatus }, query)
  const { isArchived } = await archivedMessagesOf(ctx, campaignId)
  const rows = page.rows.map((message) => reportRowOf(message, row.sender, isArchived))
  return { ...page, rows, beside: { campaignId } }
}

export async function exportMessages(
  ctx: Ctx,
  { campaignId, deliveryStatus, search }: InputOf<typeof smsCampaignRoutes.reportCsv>,
): Promise<FileReply> {
  const { db } = ctx.app
  const { account_id: ownerId, name, sender } = await requireRow(ctx, campaignId)
  const searched = searchedWords(search, { deliveryStatus })
  const detail = { name, ...(searched !== '' && { search: searched }) }
  await auditRead(ctx, { action: 'sms.report.download', target: `sms campaign ${campaignId}`, ownerId, detail })
  const { isArchived, line } = await archivedMessagesOf(ctx, campaignId)
  async function* cells(): AsyncGenerator<CsvCell[]> {
    for await (const batch of reportStore.messageBatches(db, { campaignId, statuses: deliveryStatus, search }))
      for (const message of batch) yield reportCells(reportRowOf(message, sender, isArchived))
    if (line !== null) yield [line]
  }
  const fileName = fileNameOf('messages', 'csv', name, ctx.app.clock.now())
  return { type: csvType, fileName, body: { stream: csvStream(reportHeader, cells()) } }
}

/** The last line of a CSV whose archived messages have no price here. */
async function archivedMessagesOf({ app }: Ctx, campaignId: number) {
  const archived = await archivedOf(app.db, 'messages', campaignId)
  const line =
    archived &&
    `Costs of ${archived.rows} messages are not here: they were archived on ${archived.at.slice(0, 10)}; the page of the campaign gives them as a file`
  return { isArchived: archived !== null, line }
}

export async function exportRefused(ctx: Ctx, campaignId: number): Promise<FileReply> {
  const { db } = ctx.app
  const { account_id: ownerId, name } = await requireRow(ctx, campaignId)
  const leftOut = leftOutOfDownload(await rowStore.findDetail(db, campaignId))
  const target = `sms campaign ${campaignId}`
  await auditRead(ctx, { action: 'sms.refused.download', target, ownerId, detail: { name } })
  const stream = refusedLinesCsv((after, limit) => rowStore.refusedLines(db, campaignId, after, limit), leftOut)
  return { type: csvType, fileName: fileNameOf('refused', 'csv', name, ctx.app.clock.now()), body: { stream } }
}

export async function changedSmsCampaigns(db: Db, since: Date, limit: number) {
  const rows = await rowStore.changedRows(db, since, limit)
  return rows.map((row) => ({ id: row.campaign_id, changedAt: row.changed_at, path: row.path, row: rowOf(row) }))
}
