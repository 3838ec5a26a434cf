import { creditActions } from '@ghanti/contract/credits.ts'
import { sql, type RawBuilder } from 'kysely'
import { containing, exactRows, searchedOfUser } from '../../db/list.ts'
import type { Db } from '../../db/db.ts'
import type { CreditAction } from '../../db/tables.ts'

/**
 * Whose lines a viewer sees. `purseId` is the account that he gives from, the mint for super admins: a line about money from or to it is
 * turned to his side. A movement has a line on both sides; he sees it once.
 */
export type HistoryView = { purseId: number } & (
  | { kind: 'account'; accountId: number }
  | { kind: 'withChildren' }
  | { kind: 'all' }
)

/** What the reader narrows the history down to; `to` itself is not in it. */
export type Filter = {
  from?: Date | undefined
  to?: Date | undefined
  action?: CreditAction | undefined
  search?: string | undefined
}

type Where = RawBuilder<boolean>
const and = (all: readonly Where[]): Where => sql<boolean>`(${sql.join(all, sql` and `)})`

/** What the viewer sees, in parts that are each read in order from an index. */
export function visible(view: HistoryView, filter: Filter): Where[] {
  const every = filtered(filter)
  if (view.kind === 'account')
    return [and([sql`e.account_id = ${view.accountId}`, ...ofAccount(view.accountId, filter), ...every])]
  if (view.kind === 'withChildren')
    return [
      and([sql`e.account_id = ${view.purseId}`, ...ofAccount(view.purseId, filter), ...every]),
      and([
        sql`e.parent_id = ${view.purseId} and e.other_id is distinct from e.parent_id`,
        ...ofChildren(view.purseId, filter),
        ...every,
      ]),
    ]
  // Of a movement the child's line: its balance is what people ask for.
  return [and([sql`(e.other_id is null or (e.action = 'credit_add') = (e.amount_paisa > 0))`, ...every])]
}

function filtered({ from, to, action }: Filter): Where[] {
  const ofCampaigns = action === 'campaign_deduction' || action === 'campaign_margin'
  return [
    ...(from ? [sql<boolean>`e.at >= ${from}`] : []),
    ...(to ? [sql<boolean>`e.at < ${to}`] : []),
    ...(action ? [sql<boolean>`e.action = ${action}`] : []),
    ...(action && !ofCampaigns ? [sql<boolean>`e.campaign_id is null`] : []),
  ]
}

/** Calls cost users and earn for resellers: no walk through millions of the one in search of the other. */
const payers: Partial<Record<CreditAction, string>> = { campaign_deduction: 'user', campaign_margin: 'reseller' }

function ofAccount(accountId: number, { action }: Filter): Where[] {
  const role = action && payers[action]
  return role ? [sql`exists (select from users where id = ${accountId} and role = ${role})`] : []
}

function ofChildren(parentId: number, { action }: Filter): Where[] {
  const role = action && payers[action]
  return role ? [sql`exists (select from users where parent_id = ${parentId} and role = ${role})`] : []
}

const words = sql`lower(coalesce(e.reference, '') || chr(10) || coalesce(e.note, ''))`

/** The lines that a search finds, by what they match: people's names and companies, campaigns' names, actions, references, notes. */
function findings(view: HistoryView, filter: Filter, search: string): RawBuilder<unknown>[] {
  const like = containing(search)
  // One person after the other, so that a limit ends it: of all of them at once, all lines would be looked up first.
  const ofPeople = (side: RawBuilder<unknown>, ...wanted: Where[]) => sql`
    select e.id, e.at from users cross join lateral (select e.* from credit_entry e where ${side} = users.id offset 0) e
     where ${searchedOfUser} like ${like} and (lower(users.username) like ${like} or lower(users.company) like ${like}) and ${and(wanted)}`
  // Who sees all sees the child's line of a movement: the other side of it has children.
  const giver = view.kind === 'all' ? [sql<boolean>`users.role <> 'user'`] : []
  const parts = visible(view, filter)
  return parts.flatMap((part) => [
    ofPeople(sql`e.account_id`, part),
    ofPeople(sql`e.other_id`, part, ...giver),
    sql`select e.id, e.at from credit_entry e where ${part} and (e.reference is not null or e.note is not null) and ${words} like ${like}`,
    ofCampaigns(view, part, like),
    ...actionsLike(search).map((action) => {
      const narrowed = and(visible(view, { ...filter, action }))
      return sql`select e.id, e.at from credit_entry e where ${part} and ${parts.length === 1 ? narrowed : sql`e.action = ${action}`}`
    }),
  ])
}

/** Null: more than are counted. */
export async function foundIds(db: Db, view: HistoryView, filter: Filter, search: string): Promise<number[] | null> {
  const limited = findings(view, filter, search).map((arm) => sql`(${arm} limit ${exactRows + 1})`)
  const { rows } = await sql<{ id: number }>`
    select id from (${sql.join(limited, sql` union `)}) found limit ${exactRows + 1}`.execute(db)
  return rows.length > exactRows ? null : rows.map(({ id }) => id)
}

/** All of them, however many: to be sorted. */
export function found(view: HistoryView, filter: Filter, search: string): RawBuilder<{ id: number; at: Date }> {
  const each = findings(view, filter, search).map((arm) => sql`(${arm})`)
  return sql`(${sql.join(each, sql` union `)})`
}

/** Of campaigns with such a name: who pays for one or earns by it is its owner or above him. */
function ofCampaigns(view: HistoryView, part: Where, like: string): RawBuilder<unknown> {
  const root = view.kind === 'account' ? view.accountId : view.purseId
  const below = sql`found.account_id = any (array(select id from users where path @> array[${root}::int]))`
  return sql`
    select e.id, e.at from campaign_progress found join users owner on owner.id = found.account_id cross join unnest(owner.path) payer (id)
      cross join lateral (select e.* from credit_entry e where e.account_id = payer.id and e.campaign_id = found.campaign_id offset 0) e
     where lower(found.name) like ${like} and ${view.kind === 'all' ? sql`true` : below} and ${part}`
}

function actionsLike(search: string): CreditAction[] {
  return creditActions.filter((action) => action.includes(search))
}

/** The same asked of one line at a time, so that a walk through all in their order ends when the page is full. */
export function matches(search: string): Where {
  const like = containing(search)
  const named = (id: RawBuilder<unknown>) =>
    sql`(select lower(u.username) like ${like} or lower(u.company) like ${like} from users u where u.id = ${id})`
  return sql<boolean>`(case when e.action::text like ${like} or ${named(sql`e.account_id`)} then true
    when e.campaign_id is not null then (select lower(c.name) like ${like} from campaign_progress c where c.campaign_id = e.campaign_id)
    else coalesce(${named(sql`e.other_id`)}, false) or coalesce(e.reference || chr(10), '') || coalesce(e.note, '') ilike ${like} end)`
}
