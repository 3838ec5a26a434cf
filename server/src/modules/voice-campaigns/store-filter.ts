import { searchedDigits } from '@ghanti/contract/caller-id.ts'
import { campaignStatuses, campaignStatusLabel, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { campaignStatusLabelNe } from '@ghanti/contract/nepali/campaign-status.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/db.ts'
import { firstIdSince } from '../../db/id-search.ts'
import { containing, searchedOfUser } from '../../db/list.ts'
import { isOneOf } from '../../db/user-search.ts'
import { withinTree, type Scope } from '../../policy.ts'

type Range = { from?: Date | undefined; to?: Date | undefined }
/** What the reader narrows the summary down to; undefined: any. */
export type CampaignFilter = {
  statuses?: readonly CampaignStatus[] | undefined
  templates?: readonly number[] | undefined
  created?: Range | undefined
  scheduled?: Range | undefined
  /** The number that it calls from, however it is written. */
  cli?: string | undefined
  search?: string | undefined
}

type Where = RawBuilder<boolean>

/** Conditions on `campaign_progress p`. */
export async function filtered(db: Db, scope: Scope, filter: CampaignFilter): Promise<Where[]> {
  const { statuses, templates, created, scheduled, cli, search } = filter
  return [
    ...(statuses ? [sql<boolean>`p.status = any (${statuses}::campaign_status[])`] : []),
    ...(templates ? [sql<boolean>`p.template_id = any (${templates}::smallint[])`] : []),
    ...between(sql`p.start_at`, scheduled),
    ...(await composed(db, created)),
    ...(cli === undefined ? [] : [calledFrom(cli)]),
    ...(await found(db, scope, search?.trim().toLowerCase() ?? '')),
  ]
}

function between(column: RawBuilder<unknown>, { from, to }: Range = {}): Where[] {
  return [...(from ? [sql<boolean>`${column} >= ${from}`] : []), ...(to ? [sql<boolean>`${column} < ${to}`] : [])]
}

/** Ids grow with the time: the days are a range of them, however many campaigns it holds. */
async function composed(db: Db, { from, to }: Range = {}): Promise<Where[]> {
  const table = sql`(select campaign_id as id, created_at from campaign_detail) d`
  const idSince = async (at: Date) =>
    (await firstIdSince(db, { table, where: sql<boolean>`true`, at: sql`created_at` }, at)) ?? 0
  return [
    ...(from ? [sql<boolean>`p.campaign_id >= ${await idSince(from)}`] : []),
    ...(to ? [sql<boolean>`p.campaign_id < ${await idSince(to)}`] : []),
  ]
}

/** Deleted CLIs too: campaigns that called from them are still there. */
function calledFrom(cli: string): Where {
  const numbers = searchedDigits(cli)?.begins ?? [cli]
  return sql<boolean>`p.campaign_id in (select c.id from campaign c where c.cli_id = any (array(select id from cli where number = any (${numbers}))))`
}

const statusPrefixMin = 3

/** Statuses whose word, in either language, begins so: 'Complete', 'running', 'सम्पन्न'. */
function statusesNamed(search: string): CampaignStatus[] {
  if (search.length < statusPrefixMin) return []
  return campaignStatuses.filter((status) =>
    [campaignStatusLabel, campaignStatusLabelNe].some((words) => words[status].toLowerCase().startsWith(search)),
  )
}

/** By name, by the customer's name or company, by a status's word, by id; each of the ways has an index. */
async function found(db: Db, scope: Scope, search: string): Promise<Where[]> {
  if (search === '') return []
  const like = containing(search)
  const id = /^#?(\d{1,9})$/.exec(search)?.[1]
  const statuses = statusesNamed(search)
  const ways = [
    sql`lower(p.name) like ${like}`,
    ...(scope.kind === 'own' ? [] : [await isOneOf(db, sql`p.account_id`, customersLike(scope, like))]),
    ...(statuses.length === 0 ? [] : [sql`p.status = any (${statuses}::campaign_status[])`]),
    ...(id === undefined ? [] : [sql`p.campaign_id = ${Number(id)}`]),
  ]
  return [sql<boolean>`(${sql.join(ways, sql` or `)})`]
}

function customersLike(scope: Scope, like: string): RawBuilder<{ id: number }> {
  return sql<{
    id: number
  }>`select users.id from users where ${searchedOfUser} like ${like} and users.role = 'user' and ${withinTree(scope, 'users')}
    and (lower(users.username) like ${like} or lower(users.name) like ${like} or lower(users.company) like ${like})`
}
