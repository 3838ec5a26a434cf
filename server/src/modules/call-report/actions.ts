import { callsOfCsvMax, type callReportRoutes, type CallRow } from '@ghanti/contract/call-report.ts'
import { operatorCode } from '@ghanti/contract/operators.ts'
import { dialable, whyNotDialable } from '@ghanti/contract/phone.ts'
import { rangeOf } from '@ghanti/contract/range.ts'
import type { InputOf, ListQuery } from '@ghanti/contract/route.ts'
import { instantOfNepalTime, nepalTimeOf } from '@ghanti/contract/time.ts'
import { csvStream, csvType, type CsvCell } from '../../lib/csv.ts'
import { readBehind } from '../../db/servers/replica-reads.ts'
import type { Db } from '../../db/db.ts'
import { badField } from '../../errors.ts'
import type { Ctx, FileReply, Page } from '../../http/types.ts'
import { forSuperAdmins, namedBy, scopeOf, scopeOfFilter, scopeOfName, scopeOfPath, type Scope } from '../../policy.ts'
import { fileNameOf } from '../../lib/file-names.ts'
import { auditRead, auditReadOf } from '../audit/actions.ts'
import { searchedWords } from '../audit/rules.ts'
import { archivedLine, archivedTo } from '../retention/actions-read.ts'
import { findVisible, requireVisible, type Visible } from '../voice-campaigns/actions-read.ts'
import { rowsOf, type CallsOf } from './actions-table.ts'
import { csvCells, csvHeader, leftOutOfCsv, type Reader } from './rules.ts'
import * as store from './store.ts'

type Asked = InputOf<typeof callReportRoutes.list>
type Exported = InputOf<typeof callReportRoutes.exportCsv>

type AppAndViewer = Pick<Ctx, 'app' | 'viewer'>
type OfCampaign = InputOf<typeof callReportRoutes.ofCampaign>
type OfCalls = Omit<OfCampaign, 'campaignId'>
type Times = Pick<Asked, 'started'> & Partial<Pick<Asked, 'from' | 'to'>>

const dayMs = 24 * 3600_000

/** Times on the wire are whole seconds, and `to` includes its last one. */
function timesOf({ from, to, started }: Times, now: Date): { from?: Date | undefined; to?: Date | undefined } {
  const [first, last] = [instantOf('from', from), instantOf('to', to)]
  if (first && last && first > last) throw badField('to', 'must not be before the beginning')
  const days = rangeOf(started, now)
  const ends = [days.to, last && new Date(last.getTime() + 1000)].filter((time) => time !== undefined)
  const begins = [days.from, first].filter((time) => time !== undefined)
  return {
    from: begins.toSorted((a, b) => b.getTime() - a.getTime())[0],
    to: ends.toSorted((a, b) => a.getTime() - b.getTime())[0],
  }
}

function instantOf(field: string, written: string | undefined): Date | undefined {
  if (written === undefined) return undefined
  const instant = instantOfNepalTime(written)
  if (!instant) throw badField(field, 'must look like 2026-11-20 14:30:00')
  return instant
}

function agentOf(written: string | undefined): string | undefined {
  if (written === undefined) return undefined
  const phone = dialable(written)
  if (!phone) throw badField('agentNo', whyNotDialable(written))
  return phone.e164
}

/** Resolves which accounts' calls the query covers. An account or campaign out of sight is refused as if it did not exist. */
async function askedFor(
  { app, viewer }: AppAndViewer,
  asked: Asked,
): Promise<{ scope: Scope; filter: store.CallFilter; campaign: Visible | null }> {
  const { userId, customer, username, campaignId, kind } = asked
  const whole = await scopeOfPath(app.db, viewer, userId)
  const named = await scopeOfName(app.db, whole, 'username', username)
  const scope = await scopeOfFilter(app.db, named, 'customer', customer)
  const campaign = campaignId === undefined ? null : await findVisible(app.db, scope, campaignId)
  if (campaign === undefined) throw badField('campaignId', 'is not a campaign that you may see', 'not_found')
  const filter = { ...filterOf({ app, viewer }, asked), campaignId, kinds: kind }
  return { scope, filter, campaign }
}

function filterOf({ app, viewer }: AppAndViewer, asked: OfCalls & Times): store.CallFilter {
  const { disposition, key, operator, trunkId, cli, agentNo, minSeconds, maxSeconds, recorded } = asked
  if (trunkId !== undefined && viewer.role !== 'superAdmin') throw forSuperAdmins('trunkId')
  if (minSeconds !== undefined && maxSeconds !== undefined && minSeconds > maxSeconds)
    throw badField('maxSeconds', 'must not be less than the least')
  return {
    ...timesOf(asked, app.clock.now()),
    key,
    trunkId,
    cli,
    minSeconds,
    maxSeconds,
    dispositions: disposition,
    recorded: recorded && recorded === 'yes',
    operators: operator?.map((name) => operatorCode[name]),
    agent: agentOf(agentNo),
  }
}

export function readerOf({ app, viewer }: AppAndViewer): Reader {
  const keptDays = app.config.recordingDays
  return { role: viewer.role, keptDays, keptSince: new Date(app.clock.now().getTime() - keptDays * dayMs) }
}

/** The calls of an export, and the campaign that they are narrowed down to. Refuses what the list would refuse. */
export async function requireCalls(
  of: AppAndViewer,
  { search, ...asked }: Exported,
): Promise<{ calls: CallsOf; campaignName: string | null }> {
  const { scope, filter, campaign } = await askedFor(of, asked)
  const calls = { scope, filter: { ...filter, search }, reader: readerOf(of) }
  return { calls, campaignName: campaign?.name ?? null }
}

const opened = (search: string) => (search === '' ? {} : { search })

/**
 * Calls of all campaigns. When somebody above opens it, each account of which the answer tells something gets an audit line: those whose calls are
 * shown, those that called the number or the agent that was searched for, and the one that the question names, also if nothing was found.
 */
export async function listCalls(ctx: Ctx, asked: Asked, query: ListQuery): Promise<Page<CallRow>> {
  const { userId, ...filters } = asked
  const { scope, filter: narrowed, campaign } = await askedFor(ctx, asked)
  const filter = { ...narrowed, search: query.search }
  const detail = opened(searchedWords(query.search, filters))
  await auditRead(ctx, { action: 'calls.open', target: `user ${userId}`, ownerId: userId, detail })
  const [{ owners, ...page }, searched, archived] = await Promise.all([
    readBehind(ctx.app, (db) => pageOf(ctx, db, scope, filter, query)),
    readBehind(ctx.app, (db) => store.ownersOfNumber(db, scope, filter)),
    archivedTo(ctx.app.db, 'calls', scope, narrowed),
  ])
  const told = new Set([...owners, ...searched, ...namedBy(scope), ...(campaign ? [campaign.ownerId] : [])])
  told.delete(userId)
  await auditReadOf(ctx, 'calls.open', [...told])
  return { ...page, ...(archived && { archivedTo: nepalTimeOf(archived) }) }
}

export async function listCallsOf(ctx: Ctx, asked: OfCampaign, query: ListQuery): Promise<Page<CallRow>> {
  const { app, viewer } = ctx
  const { campaignId } = asked
  const scope = scopeOf(viewer)
  const { ownerId, name } = await requireVisible(app.db, scope, campaignId)
  await auditRead(ctx, { action: 'campaign.attempts', target: `campaign ${campaignId}`, ownerId, detail: { name } })
  const filter = { ...filterOf(ctx, asked), campaignId, search: query.search }
  const { owners: _, ...page } = await pageOf(ctx, app.db, scope, filter, query)
  return page
}

async function pageOf(
  ctx: Ctx,
  db: Db,
  scope: Scope,
  filter: store.CallFilter,
  query: ListQuery,
): Promise<Page<CallRow> & { owners: Set<number> }> {
  const { searchedTo, ...page } = await store.pageOfCalls(db, scope, filter, query)
  const ids = page.rows.map(({ id }) => id)
  const lines = await store.described(db, ids)
  const rows = await rowsOf(db, lines, readerOf(ctx))
  const owners = new Set(lines.map((line) => line.owner_id))
  return { ...page, rows, owners, ...(searchedTo && { searchedTo: nepalTimeOf(searchedTo) }) }
}

export async function exportCalls(ctx: Ctx, { search, ...asked }: Exported): Promise<FileReply> {
  const { app, viewer } = ctx
  const { userId, ...filters } = asked
  const { scope, filter, campaign } = await askedFor(ctx, asked)
  const detail = opened(searchedWords(search, filters))
  await auditRead(ctx, { action: 'calls.export', target: `user ${userId}`, ownerId: userId, detail })
  const reader = readerOf(ctx)
  const stream = csvStream(csvHeader(viewer.role), cells())
  const fileName = fileNameOf('calls', 'csv', campaign?.name ?? null, app.clock.now())
  return { type: csvType, fileName, body: { stream } }

  async function* cells(): AsyncGenerator<CsvCell[]> {
    let left = callsOfCsvMax
    for await (const ids of store.everyCallOf(app.db, scope, { ...filter, search })) {
      const lines = await store.described(app.db, ids.slice(0, left))
      for (const row of await rowsOf(app.db, lines, reader)) yield csvCells(row, viewer.role)
      if (ids.length > left) {
        yield [leftOutOfCsv(callsOfCsvMax)]
        break
      }
      left -= ids.length
    }
    const archived = await archivedTo(app.db, 'calls', scope, filter)
    if (archived) yield [archivedLine('calls', archived)]
  }
}
