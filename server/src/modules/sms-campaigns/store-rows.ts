import type { CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type NotNull, type RawBuilder } from 'kysely'
import {
  archivedOrNot,
  between,
  composedBetween,
  readCampaigns,
  ofScope,
  type Archived,
  type Range,
} from '../../db/search/campaigns.ts'
import type { Db } from '../../db/db.ts'
import { frozenWith } from '../../db/live.ts'
import type { Page } from '../../http/types.ts'
import { within, type Scope } from '../../policy.ts'

type Filter = {
  statuses?: readonly CampaignStatus[] | undefined
  created?: Range | undefined
  scheduled?: Range | undefined
  values?: 'waiting' | undefined
  archived?: Archived
}

/** The summary's columns. Each left join matches exactly one row, so a count drops it. */
function progressRows(db: Db) {
  return db
    .selectFrom('sms_campaign_progress as p')
    .leftJoin('sms_campaign as c', 'c.id', 'p.campaign_id')
    .leftJoin('users as u', 'u.id', 'p.account_id')
    .leftJoin('users as h', (on) => on.onRef('h.id', '=', 'c.held_by').on('c.hold_cause', '=', 'administrator'))
    .leftJoin('campaign_detail as v', 'v.campaign_id', 'c.call_campaign_id')
    .leftJoin('sms_campaign_archived as a', 'a.campaign_id', 'p.campaign_id')
    .leftJoin('sms_campaign_deleted as g', 'g.campaign_id', 'p.campaign_id')
    .selectAll('p')
    .select(['a.at as archived_at', 'g.asked_at as deleted_at', 'g.done_at as forgotten_at'])
    .select(['c.is_retry', 'c.hold_cause', 'c.unapproved', 'u.username', 'u.path', 'h.username as held_by'])
    .select(['c.call_campaign_id', 'v.name as call_campaign_name', 'c.feed'])
    .$narrowType<{ is_retry: NotNull; unapproved: NotNull; username: NotNull; path: NotNull }>()
}
export type ProgressRow = Awaited<ReturnType<ReturnType<typeof progressRows>['execute']>>[number]

async function described(db: Db, page: readonly { id: number }[]): Promise<ProgressRow[]> {
  const ids = page.map(({ id }) => id)
  const rows = await progressRows(db)
    .where('p.campaign_id', '=', sql<number>`any (${ids}::int[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.campaign_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const keys: Readonly<Record<string, RawBuilder<unknown>>> = {
  campaignId: sql`p.campaign_id`,
  campaignName: sql`lower(p.name)`,
  campaignStatus: sql`p.status`,
  scheduleTime: sql`p.start_at`,
  smsSubmitted: sql`p.accepted`,
}

/** Uses the index sms_campaign_undecided, in which few are waiting. */
const undecided = sql<boolean>`p.campaign_id = any (array(select c.id from sms_campaign c where c.unapproved > 0 and c.values_decision = 'pending'
  and c.status not in ('complete', 'cancelled', 'refused', 'failed')))`

export async function pageOfRows(db: Db, scope: Scope, filter: Filter, query: ListQuery): Promise<Page<ProgressRow>> {
  const { statuses, created, scheduled, values, archived } = filter
  const filters = [
    ...(statuses ? [sql<boolean>`p.status = any (${statuses}::campaign_status[])`] : []),
    ...between(sql`p.start_at`, scheduled),
    ...(values ? [undecided] : []),
    ...(await composedBetween(db, 'sms_campaign_detail', created)),
  ]
  const all = db.selectFrom('sms_campaign_progress as p').select('p.campaign_id as id')
  const isFiltered = filters.length > 0 || archived !== undefined || query.search !== undefined
  const isSearch = scope.kind !== 'own' && query.search !== undefined
  const hidden = archivedOrNot('sms_campaign_archived', archived, { isSearch })
  const owned = isFiltered ? await ofScope(db, scope) : within(scope, 'p.account_id')
  const rows = [owned, ...hidden, ...filters].reduce((found, where) => found.where(where), all)
  const page = await readCampaigns(db, scope, rows, query, {
    keys,
    id: sql<number>`p.campaign_id`,
    fallback: '-campaignId',
    at: sql<Date>`p.start_at`,
    isFiltered,
    onlyIds: true,
  })
  return { ...page, rows: await described(db, page.rows) }
}

export function findRow(db: Db, scope: Scope, campaignId: number): Promise<ProgressRow | undefined> {
  return progressRows(db)
    .where('p.campaign_id', '=', campaignId)
    .where(within(scope, 'p.account_id'))
    .executeTakeFirst()
}

export function changedRows(db: Db, since: Date, limit: number): Promise<ProgressRow[]> {
  return progressRows(db).where('p.changed_at', '>=', since).orderBy('p.changed_at').limit(limit).execute()
}

export function findDetail(db: Db, campaignId: number) {
  return db
    .selectFrom('sms_campaign as c')
    .innerJoin('sms_campaign_detail as d', 'd.campaign_id', 'c.id')
    .select(['c.price_paisa', 'c.send_until', 'c.not_after', 'd.text', 'd.created_at', 'd.composed', 'd.rows_in_file'])
    .leftJoin('base', 'base.id', 'd.base_id')
    .select(['d.invalid', 'd.duplicate', 'base.refused as refused_of_file', 'base.deleted_at as file_gone_at'])
    .select(frozenWith('c.account_id').as('frozen_with'))
    .where('c.id', '=', campaignId)
    .executeTakeFirstOrThrow()
}
export type Detail = Awaited<ReturnType<typeof findDetail>>

/** Refused lines after `afterLine`, in the order of the file: those the text refused and those the file did. */
export async function refusedLines(db: Db, campaignId: number, afterLine: number, limit: number) {
  const { rows } = await sql<{ line: number; text: string; reason: string }>`
    (select line, text, reason from sms_refused where campaign_id = ${campaignId} and line > ${afterLine} order by line limit ${limit})
    union all
    (select f.line, f.text, f.reason from base_refused f
     where f.base_id = (select base_id from sms_campaign_detail where campaign_id = ${campaignId} and rows_in_file is not null)
       and f.line > ${afterLine} order by f.line limit ${limit})
    order by line limit ${limit}`.execute(db)
  return rows
}

export function lastEvents(db: Db, campaignId: number, limit: number) {
  return db
    .selectFrom('sms_campaign_event as e')
    .leftJoin('users as u', 'u.id', 'e.by_user_id')
    .select(['e.at', 'e.from_status', 'e.to_status', 'e.reason', 'u.username as by'])
    .where('e.campaign_id', '=', campaignId)
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute()
}
export type Event = Awaited<ReturnType<typeof lastEvents>>[number]
