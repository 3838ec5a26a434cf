import { ownValue } from '@ghanti/contract/own-values.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type NotNull, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../../db/db.ts'
import { archivedOrNot, ofScope, readCampaigns } from '../../db/search/campaigns.ts'
import { exactRows } from '../../db/lists/list.ts'
import type { CampaignProgress, ReportStatus } from '../../db/tables.ts'
import type { Page } from '../../http/types.ts'
import { within, type Scope } from '../../policy.ts'
import { filtered, type CampaignFilter } from './store-filter.ts'

type Progress = RawBuilder<Selectable<CampaignProgress>>
const everyCampaign: Progress = sql`(select * from campaign_progress)`

/**
 * The summary's columns over all or some of campaign_progress. Each left join matches exactly one row, so a count drops it. A report that
 * lacks calls counts as not made.
 */
export function progressRows(db: Db, from: Progress = everyCampaign) {
  return db
    .selectFrom(from.as('p'))
    .leftJoin('campaign as c', 'c.id', 'p.campaign_id')
    .leftJoin('users as u', 'u.id', 'p.account_id')
    .leftJoin('users as h', (on) => on.onRef('h.id', '=', 'c.held_by').on('c.hold_cause', '=', 'administrator'))
    .leftJoin('cli as l', 'l.id', 'c.cli_id')
    .leftJoin('report as r', 'r.campaign_id', 'p.campaign_id')
    .leftJoin('sms_campaign as t', 't.call_campaign_id', 'p.campaign_id')
    .leftJoin('campaign_archived as a', 'a.campaign_id', 'p.campaign_id')
    .leftJoin('campaign_deleted as g', 'g.campaign_id', 'p.campaign_id')
    .select([
      'p.campaign_id',
      'p.account_id',
      'p.name',
      'p.template_id',
      'p.status',
      'p.reason',
      'p.start_at',
      'p.uploaded',
      'p.processed',
      'p.fresh',
      'p.in_call',
      'p.waiting',
      'p.dnd',
      'p.attempts',
      'p.answered',
      'p.dtmf',
      'p.pulses',
      'p.cost_paisa',
      'p.outcomes',
      'p.retry_no',
      'p.next_due_at',
      'p.changed_at',
      'c.is_retry',
      'c.retry_requested',
      'c.retries',
      'c.hold_cause',
      'u.username',
      'u.path',
      'h.username as held_by',
      'l.number as cli',
      'r.reason as report_reason',
      't.id as sms_campaign_id',
      'a.at as archived_at',
      'g.asked_at as deleted_at',
      'g.done_at as forgotten_at',
    ])
    .select(
      sql<ReportStatus | null>`case when r.status <> 'ready'
        or report_is_current(r.answered, r.made_at, p.answered, p.finished_at) then r.status end`.as('report_status'),
    )
    .select(
      sql<string[] | null>`case when p.status = 'complete' and not c.is_retry then (
        select array_agg(name order by id) from prompt where deleted_at is not null and id in (
          select jsonb_path_query(d.flow, '$.**.promptId')::int from campaign_detail d where d.campaign_id = p.campaign_id)) end`.as(
        'gone_prompts',
      ),
    )
    .$narrowType<{ is_retry: NotNull; retries: NotNull; username: NotNull; path: NotNull; cli: NotNull }>()
}
export type ProgressRow = Awaited<ReturnType<ReturnType<typeof progressRows>['execute']>>[number]

function found(db: Db, filters: readonly RawBuilder<boolean>[]) {
  const ids = db.selectFrom('campaign_progress as p').select('p.campaign_id as id')
  return filters.reduce((rows, filter) => rows.where(filter), ids)
}

/** In the order of the ids; without those that do not exist. */
export async function described(db: Db, page: readonly { id: number }[]): Promise<ProgressRow[]> {
  const ids = page.map(({ id }) => id)
  const rows = await progressRows(db)
    .where('p.campaign_id', '=', sql<number>`any (${ids}::int[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.campaign_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const keys: Readonly<Record<string, RawBuilder<unknown>>> = {
  scheduleTime: sql`p.start_at`,
  campaignName: sql`lower(p.name)`,
  campaignStatus: sql`p.status`,
  templateId: sql`p.template_id`,
  numbersUploaded: sql`p.uploaded`,
  numbersProcessed: sql`p.processed`,
  pendingCalls: sql`p.pending`,
  callsConnected: sql`p.answered`,
  pulses: sql`p.pulses`,
  dndCount: sql`p.dnd`,
  dtmfCount: sql`p.dtmf`,
  campaignId: sql`p.campaign_id`,
}

export async function pageOfRows(
  db: Db,
  scope: Scope,
  filter: CampaignFilter,
  query: ListQuery,
): Promise<Page<ProgressRow>> {
  const filters = await filtered(db, filter)
  const isFiltered = filters.length > 0 || filter.archived !== undefined || query.search !== undefined
  const isSearch = scope.kind !== 'own' && query.search !== undefined
  const hidden = archivedOrNot('campaign_archived', filter.archived, { isSearch })
  const owned = isFiltered ? await ofScope(db, scope) : within(scope, 'p.account_id')
  const rows = found(db, [owned, ...hidden, ...filters])
  const key = ownValue(keys, query.sort ?? 'scheduleTime')
  const { page, pageSize, after } = query
  if (scope.kind === 'subtree' && key && page && pageSize && page * pageSize <= exactRows && !isFiltered && !after)
    return pageOfSubtree(db, rows, { scope, key, page, pageSize, order: query.order ?? (query.sort ? 'asc' : 'desc') })
  const sorting = {
    keys,
    id: sql<number>`p.campaign_id`,
    fallback: '-scheduleTime',
    at: sql<Date>`p.start_at`,
    isFiltered,
    onlyIds: true,
  }
  const shown = await readCampaigns(db, scope, rows, query, sorting)
  return { ...shown, rows: await described(db, shown.rows) }
}

type SubtreePage = { scope: Scope; key: RawBuilder<unknown>; page: number; pageSize: number; order: 'asc' | 'desc' }

/**
 * Reads the first rows of each account through its own index, then takes the first of these, so that a quiet reseller does not wait for a
 * scan of a busy platform's index. Compares only keys and ids, which the indexes contain: the rows of a thousand accounts are not read to
 * show twenty-five.
 */
async function pageOfSubtree(
  db: Db,
  rows: ReturnType<typeof found>,
  { scope, key, page, pageSize, order }: SubtreePage,
): Promise<Page<ProgressRow>> {
  const direction = sql.raw(order)
  const by = sql`${key} ${direction}, p.campaign_id ${direction}`
  const shown: Progress = sql`(select p.* from (
    select first.campaign_id from users s cross join lateral (
      select ${key} as key, p.campaign_id from campaign_progress p where p.account_id = s.id and ${sql.join(archivedOrNot('campaign_archived', undefined))} order by ${by} limit ${page * pageSize}
    ) first where ${within(scope, 's.id')}
    order by first.key ${direction}, first.campaign_id ${direction} limit ${pageSize} offset ${(page - 1) * pageSize}
  ) shown join campaign_progress p on p.campaign_id = shown.campaign_id)`
  const [found, counted] = await Promise.all([
    progressRows(db, shown).orderBy(by).execute(),
    db
      .selectFrom(rows.limit(exactRows + 1).as('counted'))
      .select((count) => count.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows: found, total: Math.min(counted.total, exactRows), exact: counted.total <= exactRows }
}

export function findRow(db: Db, scope: Scope, campaignId: number): Promise<ProgressRow | undefined> {
  return progressRows(db)
    .where('p.campaign_id', '=', campaignId)
    .where(within(scope, 'p.account_id'))
    .executeTakeFirst()
}
