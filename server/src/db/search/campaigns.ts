/**
 * How lists of campaigns are filtered: conditions on `campaign_progress p`, and on `sms_campaign_progress p`, which has the same columns and
 * indexes.
 */
import { campaignStatuses, campaignStatusLabel, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { findLettersMin, findMax, type FoundCampaign } from '@ghanti/contract/find.ts'
import { campaignStatusLabelNe } from '@ghanti/contract/nepali/campaign-status.ts'
import { sql, type RawBuilder } from 'kysely'
import { within, withinTree, type Scope } from '../../policy.ts'
import type { Db } from '../db.ts'
import { firstIdSince } from './ids.ts'
import { containing, readPage, type Rows, type Sorting } from '../lists/list.ts'
import { readSearched } from '../lists/searched-list.ts'
import { isNamed, isOneOf } from './users.ts'
import { isInIndex, newestMax } from './words.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import type { Page } from '../../http/types.ts'

export type Range = { from?: Date | undefined; to?: Date | undefined }
type Where = RawBuilder<boolean>

/** Which archived campaigns to show. Left out: none of them. */
export type Archived = 'too' | 'only' | undefined

/**
 * Looked up by key: a page has few archived campaigns, and the lists' own indexes serve the rest. A search across accounts reads many campaigns for
 * its page (`isSearch`): all archived ones are read once for it and looked up in memory. The planner would not do so by itself, hence the `coalesce`.
 */
export function archivedOrNot(
  table: 'campaign_archived' | 'sms_campaign_archived',
  archived: Archived,
  { isSearch = false } = {},
): Where[] {
  if (archived === 'too') return []
  const isArchived = isSearch
    ? sql<boolean>`coalesce(p.campaign_id in (select campaign_id from ${sql.table(table)}), false)`
    : sql<boolean>`exists (select from ${sql.table(table)} a where a.campaign_id = p.campaign_id)`
  return [archived === 'only' ? isArchived : sql<boolean>`not ${isArchived}`]
}

export function between(column: RawBuilder<unknown>, { from, to }: Range = {}): Where[] {
  return [...(from ? [sql<boolean>`${column} >= ${from}`] : []), ...(to ? [sql<boolean>`${column} < ${to}`] : [])]
}

/** Ids grow with the time, so days are a range of ids, however many campaigns it holds. */
export async function composedBetween(
  db: Db,
  details: 'campaign_detail' | 'sms_campaign_detail',
  { from, to }: Range = {},
): Promise<Where[]> {
  const table = sql`(select campaign_id as id, created_at from ${sql.table(details)}) d`
  const idSince = async (at: Date) =>
    (await firstIdSince(db, { table, where: sql<boolean>`true`, at: sql`created_at` }, at)) ?? 0
  return [
    ...(from ? [sql<boolean>`p.campaign_id >= ${await idSince(from)}`] : []),
    ...(to ? [sql<boolean>`p.campaign_id < ${await idSince(to)}`] : []),
  ]
}

/** Looks up a subtree's accounts first: the planner is good with `within` for ten, but for a thousand it reads and sorts all campaigns. */
export async function ofScope(db: Db, scope: Scope): Promise<Where> {
  if (scope.kind !== 'subtree') return within(scope, 'p.account_id')
  const { rows } = await sql<{ ids: string }>`
    select coalesce(array_agg(users.id), '{}')::text as ids from users where ${withinTree(scope, 'users')}`.execute(db)
  return sql<boolean>`p.account_id = any (${rows[0]?.ids ?? '{}'}::int[])`
}

const statusPrefixMin = 3

/** Statuses whose word, in either language, begins with the text: 'Complete', 'running', 'सम्पन्न'. */
function statusesNamed(search: string): CampaignStatus[] {
  if (search.length < statusPrefixMin) return []
  return campaignStatuses.filter((status) =>
    [campaignStatusLabel, campaignStatusLabelNe].some((words) => words[status].toLowerCase().startsWith(search)),
  )
}

type FoundBy = 'index' | 'row'

/**
 * By name, by the customer's name or company, by a status's word, or by id. By index each of these has one; by row, each campaign's customer is
 * looked up.
 */
async function foundCampaigns(db: Db, scope: Scope, searched: string, by: FoundBy): Promise<Where> {
  const search = searched.toLowerCase()
  const like = containing(search)
  const id = /^#?(\d{1,9})$/.exec(search)?.[1]
  const statuses = statusesNamed(search)
  const ofCustomers = async () =>
    by === 'index'
      ? isOneOf(db, sql`p.account_id`, customersLike(scope, like))
      : sql<boolean>`exists (select from (select * from users where id = p.account_id offset 0) users where ${isCustomerLike(scope, like)})`
  const ways = [
    sql`lower(p.name) like ${like}`,
    ...(scope.kind === 'own' ? [] : [await ofCustomers()]),
    ...(statuses.length === 0 ? [] : [sql`p.status = any (${statuses}::campaign_status[])`]),
    ...(id === undefined ? [] : [sql`p.campaign_id = ${Number(id)}`]),
  ]
  return sql<boolean>`(${sql.join(ways, sql` or `)})`
}

type CampaignSorting = Sorting & { at: RawBuilder<Date> }

/** The page of a list of campaigns in the scope, searched where the query says so. */
export async function readCampaigns<D, T extends keyof D>(
  db: Db,
  scope: Scope,
  rows: Rows<D, T, { id: number }>,
  query: ListQuery,
  sorting: CampaignSorting,
): Promise<Page<{ id: number }>> {
  const search = query.search?.trim()
  if (!search) return readPage(db, rows, query, sorting)
  const byIndex = async (tx: Db) =>
    readPage(tx, rows.where(await foundCampaigns(tx, scope, search, 'index')), query, { ...sorting, isFiltered: true })
  const found = await foundCampaigns(db, scope, search, 'row')
  return readSearched(db, { search, byIndex, parts: [{ rows, found }] }, query, sorting)
}

function customersLike(scope: Scope, like: string): RawBuilder<{ id: number }> {
  return sql<{ id: number }>`select users.id from users where ${isCustomerLike(scope, like)}`
}

function isCustomerLike(scope: Scope, like: string): Where {
  return sql<boolean>`users.role = 'user' and ${withinTree(scope, 'users')} and ${isNamed(like, ['username', 'name', 'company'])}`
}

const consideredMax = 1000

/**
 * The newest campaigns by a part of the name, of three letters or more, or by id. Of a name that thousands have, only a thousand are looked
 * at, since a reader who wants five should not pay for the rest. The condition is materialized first: a limit beside `order by` would make the
 * planner walk all campaigns for a name that nobody has.
 */
export async function newestNamed(
  db: Db,
  progress: 'campaign_progress' | 'sms_campaign_progress',
  scope: Scope,
  search: string,
): Promise<FoundCampaign[]> {
  const words = search.trim().toLowerCase()
  const id = Number(/^#?(\d{1,9})$/.exec(words)?.[1] ?? 0)
  const ways = [
    ...(words.length < findLettersMin ? [] : [sql`lower(p.name) like ${containing(words)}`]),
    ...(id === 0 ? [] : [sql`p.campaign_id = ${id}`]),
  ]
  if (ways.length === 0) return []
  // Without an index for the text, only the newest campaigns of the scope are looked at, and the one with this id.
  const newest = sql`select * from ${sql.table(progress)} p where ${within(scope, 'p.account_id')}`
  const among = isInIndex(words)
    ? newest
    : sql`(${newest} order by p.campaign_id desc limit ${newestMax}) union (${newest} and p.campaign_id = ${id})`
  const { rows } = await sql<FoundCampaign>`
    with considered as materialized (
      select p.campaign_id, p.name, p.account_id from (${among}) p
       where (${sql.join(ways, sql` or `)}) limit ${consideredMax})
    select considered.campaign_id as "campaignId", considered.name as "campaignName", users.username
      from considered join users on users.id = considered.account_id
     order by considered.campaign_id = ${id} desc, considered.campaign_id desc limit ${findMax}`.execute(db)
  return rows
}
