import { searchedDigits } from '@ghanti/contract/caller-id.ts'
import { campaignStatuses, campaignStatusLabel, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { campaignStatusLabelNe } from '@ghanti/contract/nepali/campaign-status.ts'
import { sql, type RawBuilder } from 'kysely'
import { containing } from '../../db/list.ts'
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
export function filtered(scope: Scope, filter: CampaignFilter): Where[] {
  const { statuses, templates, created, scheduled, cli, search } = filter
  return [
    ...(statuses ? [sql<boolean>`p.status = any (${statuses}::campaign_status[])`] : []),
    ...(templates ? [sql<boolean>`p.template_id = any (${templates}::smallint[])`] : []),
    ...between(sql`p.start_at`, scheduled),
    ...composed(created),
    ...(cli === undefined ? [] : [calledFrom(cli)]),
    ...found(scope, search?.trim().toLowerCase() ?? ''),
  ]
}

function between(column: RawBuilder<unknown>, { from, to }: Range = {}): Where[] {
  return [...(from ? [sql<boolean>`${column} >= ${from}`] : []), ...(to ? [sql<boolean>`${column} < ${to}`] : [])]
}

function composed(range: Range | undefined): Where[] {
  const times = between(sql`d.created_at`, range)
  if (times.length === 0) return []
  return [
    sql<boolean>`p.campaign_id in (select d.campaign_id from campaign_detail d where ${sql.join(times, sql` and `)})`,
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

/** Of people as the index users_search has them. */
const person = sql`lower(users.username || chr(10) || users.name || chr(10) || users.company || chr(10) || users.emailid || chr(10) || users.number)`

/** By name, by the customer's name or company, by a status's word, by id; each of the ways has an index. */
function found(scope: Scope, search: string): Where[] {
  if (search === '') return []
  const like = containing(search)
  const id = /^#?(\d{1,9})$/.exec(search)?.[1]
  const statuses = statusesNamed(search)
  const ways = [
    sql`lower(p.name) like ${like}`,
    ...(scope.kind === 'own' ? [] : [sql`p.account_id = any (array(${customersLike(scope, like)}))`]),
    ...(statuses.length === 0 ? [] : [sql`p.status = any (${statuses}::campaign_status[])`]),
    ...(id === undefined ? [] : [sql`p.campaign_id = ${Number(id)}`]),
  ]
  return [sql<boolean>`(${sql.join(ways, sql` or `)})`]
}

function customersLike(scope: Scope, like: string): RawBuilder<unknown> {
  return sql`select users.id from users where ${person} like ${like} and users.role = 'user' and ${withinTree(scope, 'users')}
    and (lower(users.username) like ${like} or lower(users.name) like ${like} or lower(users.company) like ${like})`
}
