import type { AfterCallMessage } from '@ghanti/contract/after-call.ts'
import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import { rangeOf } from '@ghanti/contract/range.ts'
import type { InputOf, ListQuery, ReplyOf } from '@ghanti/contract/route.ts'
import type { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import type { CampaignRow, voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { csvStream, csvType, type CsvCell } from '../../lib/csv.ts'
import { fileNameOf } from '../../lib/file-names.ts'
import type { App } from '../../app.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Ctx, FileReply, Page } from '../../http/types.ts'
import { scopeOf, scopeOfFilter, scopeOfPath, type Scope, type Viewer } from '../../policy.ts'
import { messageCounts, messagesOf } from '../after-call/actions.ts'
import { textMessagesOf, textsOfCalls } from '../sms-campaigns/actions-calls.ts'
import { auditRead } from '../audit/actions.ts'
import { searchedWords } from '../audit/rules.ts'
import { refusedLinesCsv } from '../contacts/actions.ts'
import { leftOutOfDownload } from '../contacts/rules-refused.ts'
import { archivedOf } from '../retention/actions-read.ts'
import { namesOfPrompts } from '../voice-compose/actions-flow.ts'
import { keyLabelsOf } from '../voice-compose/actions-labels.ts'
import { frozenTo } from '../frozen/rules.ts'
import { detailOf, promptsOf, rowOf } from './rules.ts'
import { summaryCells, summaryHeader } from './rules-csv.ts'
import * as detailStore from './store-detail.ts'
import * as rowStore from './store.ts'

const eventsShown = 100
const batchRows = 1000

type Exported = InputOf<typeof voiceCampaignRoutes.exportCsv>
type Asked = InputOf<typeof voiceCampaignRoutes.list>

async function askedFor({ app, viewer }: Ctx, { userId, customer, status, template, cli, archived, ...days }: Asked) {
  const now = app.clock.now()
  const whole = await scopeOfPath(app.db, viewer, userId)
  const filter = {
    statuses: status,
    templates: template?.map(Number),
    created: rangeOf(days.created, now),
    scheduled: rangeOf(days.scheduled, now),
    cli,
    archived,
  }
  return { scope: await scopeOfFilter(app.db, whole, 'customer', customer), filter }
}

export async function listCampaigns(ctx: Ctx, asked: Asked, query: ListQuery): Promise<Page<CampaignRow>> {
  const { scope, filter } = await askedFor(ctx, asked)
  const page = await rowStore.pageOfRows(ctx.app.db, scope, filter, query)
  return { ...page, rows: page.rows.map(rowOf) }
}

/** For a caller who may see them all. */
export async function campaignRows(db: Db, ids: readonly number[]): Promise<CampaignRow[]> {
  const rows = await rowStore.described(
    db,
    ids.map((id) => ({ id })),
  )
  return rows.map(rowOf)
}

export async function exportCampaigns(ctx: Ctx, { search, ...asked }: Exported): Promise<FileReply> {
  const { app, viewer } = ctx
  const { userId, ...filters } = asked
  const { scope, filter } = await askedFor(ctx, asked)
  const detail = { search: searchedWords(search, filters) }
  await auditRead(ctx, { action: 'campaign.export', target: `user ${userId}`, ownerId: userId, detail })
  const stream = csvStream(summaryHeader(viewer.role), cellsOf())
  return { type: csvType, fileName: 'campaign_summary.csv', body: { stream } }

  async function* cellsOf(): AsyncGenerator<CsvCell[]> {
    let after: string | undefined
    do {
      const query = { search, after, pageSize: batchRows, sort: 'scheduleTime', order: 'desc' } as const
      const page: Page<rowStore.ProgressRow> = await rowStore.pageOfRows(app.db, scope, filter, query)
      for (const row of page.rows) yield summaryCells(rowOf(row), viewer.role)
      after = page.next
    } while (after !== undefined)
  }
}

export async function campaignDetail(
  ctx: { app: Pick<App, 'db'>; viewer: Viewer },
  campaignId: number,
): Promise<ReplyOf<typeof campaignDetailRoutes.detail>> {
  const { db } = ctx.app
  const scope = scopeOf(ctx.viewer)
  const [row, detail] = await Promise.all([
    rowStore.findRow(db, scope, campaignId),
    detailStore.findDetail(db, scope, campaignId),
  ])
  if (!row || !detail) throw new AppError('not_found')
  const promptIds = promptsOf(detail.composed).map(({ promptId }) => promptId)
  const [events, names, putOff, left, sms, smsTexts, archivedCalls] = await Promise.all([
    detailStore.lastEvents(db, campaignId, eventsShown),
    namesOfPrompts(db, promptIds),
    detailStore.putOff(db, campaignId),
    detail.by_operator ? detailStore.leftByOperator(db, campaignId) : null,
    messageCounts(db, campaignId),
    textsOfCalls(db, campaignId),
    archivedOf(db, 'calls', campaignId),
  ])
  const frozen = frozenTo(ctx.viewer, detail.frozen_with)
  return detailOf(rowOf(row), detail, { events, names, putOff, left, sms, smsTexts, archivedCalls, frozen })
}

type AttemptFilter = InputOf<typeof campaignDetailRoutes.attempts>
type AttemptWithMessages = detailStore.AttemptLine & { sms: AfterCallMessage[]; keyLabels: KeyLabels }

export async function listAttempts(
  ctx: Ctx,
  { campaignId, disposition, started }: AttemptFilter,
  query: ListQuery,
): Promise<Page<AttemptWithMessages>> {
  const { db, clock } = ctx.app
  const { ownerId, name } = await requireVisible(db, scopeOf(ctx.viewer), campaignId)
  await auditRead(ctx, { action: 'campaign.attempts', target: `campaign ${campaignId}`, ownerId, detail: { name } })
  const filter = { campaignId, dispositions: disposition, ...rangeOf(started, clock.now()) }
  const page: Page<detailStore.AttemptLine> = await detailStore.pageOfAttempts(db, filter, query)
  const [asked, texts, labels] = await Promise.all([
    messagesOf(db, campaignId, page.rows),
    textMessagesOf(
      db,
      page.rows.map(({ no, id }) => ({ campaign_id: campaignId, no, id })),
    ),
    keyLabelsOf(db, [campaignId]),
  ])
  const smsOf = (id: number) => [...(asked.get(id) ?? []), ...(texts.get(id) ?? [])]
  const keyLabels = labels.get(campaignId) ?? {}
  return { ...page, rows: page.rows.map((row) => ({ ...row, sms: smsOf(row.id), keyLabels })) }
}

export async function exportRefused(ctx: Ctx, campaignId: number): Promise<FileReply> {
  const { db } = ctx.app
  const { ownerId, name } = await requireVisible(db, scopeOf(ctx.viewer), campaignId)
  const leftOut = leftOutOfDownload(await detailStore.refusedCounts(db, campaignId))
  const target = `campaign ${campaignId}`
  await auditRead(ctx, { action: 'campaign.refused.download', target, ownerId, detail: { name } })
  const stream = refusedLinesCsv((after, limit) => detailStore.refusedLines(db, campaignId, after, limit), leftOut)
  return { type: csvType, fileName: fileNameOf('refused', 'csv', name, ctx.app.clock.now()), body: { stream } }
}

export type Visible = detailStore.Visible

/** Owner and name of a campaign; undefined when the viewer does not see it. Test calls do not count. */
export function findVisible(db: Db, scope: Scope, campaignId: number): Promise<detailStore.Visible | undefined> {
  return detailStore.findVisible(db, scope, campaignId)
}

/** The same, but throws 404. */
export async function requireVisible(db: Db, scope: Scope, campaignId: number): Promise<detailStore.Visible> {
  const campaign = await findVisible(db, scope, campaignId)
  if (!campaign) throw new AppError('not_found')
  return campaign
}
