import type { ListQuery } from '@ghanti/contract/route.ts'
import { searchedWordsMin } from '@ghanti/contract/values.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from '../../db/db.ts'
import type { DB, Json } from '../../db/tables.ts'
import { containing, readBatches, readPage } from '../../db/lists/list.ts'
import { isNamed } from '../../db/search/users.ts'
import { readSearched, type Part as ListPart } from '../../db/lists/searched-list.ts'
import { concerns, doneWithin, type Scope } from '../../policy.ts'
import type { Page } from '../../http/types.ts'
import type { Names } from './rules.ts'

export type Filter = {
  actor?: string | undefined
  /** 'campaign.stop', or 'campaign' for every campaign action. */
  action?: string | undefined
  target?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  search?: string | undefined
  /** 'others': data of the scope that somebody other than the viewer opened. */
  opened?: 'others' | undefined
  viewerId: number
}

const key = sql.ref<Date>('audit_log.at')
const id = sql<number>`audit_log.id`

const namedMax = 1000

/** Accounts whose name contains the text, deleted ones included. This is a separate query, so that the planner knows how many lines each account has. */
async function usersLike(db: Db, text: string): Promise<number[]> {
  const like = containing(text.toLowerCase())
  const found = await db
    .selectFrom('users')
    .select('id')
    .where(isNamed(like, ['username']))
    .limit(namedMax)
    .execute()
  return found.map((user) => user.id)
}

async function usersOf(db: Db, username: string): Promise<number[]> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where(sql<SqlBool>`lower(username) = ${username.toLowerCase()}`)
    .limit(namedMax)
    .execute()
  return found.map((user) => user.id)
}

type Part = ListPart<DB, 'audit_log'>
/** `actors`: those whose lines are wanted. */
type Narrowing = Filter & { actors: number[] | undefined }

async function narrowingOf(db: Db, filter: Filter): Promise<Narrowing> {
  return { ...filter, actors: filter.actor === undefined ? undefined : await usersOf(db, filter.actor) }
}

const done = (scope: Scope) => doneWithin(scope, { doer: 'audit_log.actor_id', path: 'audit_log.actor_path' })
const owned = (scope: Scope) => concerns(scope, { owner: 'audit_log.owner_id', path: 'audit_log.owner_path' })

/**
 * Exports, and counts by agent, that somebody above made of accounts among which was the scope's own. Such a line names no owner, because one line per account would mean
 * thousands. The search is hidden from those below.
 */
const exportedWith = (scope: Scope & { userId: number }) => sql<SqlBool>`
  audit_log.owner_id is null and audit_log.action in ('campaign.export', 'user.export', 'calls.export', 'sms.export', 'insight.agents')
  and audit_log.actor_id = any (array(select above.id from users me join users above on above.role = 'superAdmin' or above.id = any (me.path)
                                       where me.id = ${scope.userId} and above.id <> me.id))
  and audit_log.at >= (select me.created_at from users me where me.id = ${scope.userId})`

/**
 * What the scope did, what others did to its accounts or opened of them, and the exports that included them: three disjoint lists, each
 * with its own index.
 */
function partsOf(db: Db, scope: Scope, filter: Narrowing, searched: readonly number[] | null = null): Part[] {
  const byOthers = sql<SqlBool>`audit_log.owner_id is not null and audit_log.read_hour is not null and audit_log.actor_id <> ${filter.viewerId}`
  const part = (which: RawBuilder<SqlBool>): Part => ({
    rows: narrowed(db, filter, which),
    found: foundIn(said, filter, searched),
  })
  if (scope.kind === 'platform') return [part(filter.opened ? byOthers : done(scope))]
  // What those above searched for is hidden.
  const exported: Part = { ...part(exportedWith(scope)), found: foundIn(sql.ref('audit_log.action'), filter, searched) }
  if (filter.opened) return [part(sql`${owned(scope)} and ${byOthers}`), exported]
  return [part(done(scope)), part(sql`${owned(scope)} and not coalesce(${done(scope)}, false)`), exported]
}

function narrowed(db: Db, { actors, action, target, from, to }: Narrowing, which: RawBuilder<SqlBool>) {
  let rows = db.selectFrom('audit_log').select('audit_log.id').where(which)
  if (actors) rows = rows.where(sql<SqlBool>`audit_log.actor_id = any (${actors})`)
  if (action !== undefined)
    rows = rows.where((where) =>
      where.or([where('action', '=', action), where('action', 'like', `${literally(action)}.%`)]),
    )
  if (target !== undefined) rows = rows.where('audit_log.target', '=', target)
  if (from !== undefined) rows = rows.where('audit_log.at', '>=', from)
  if (to !== undefined) rows = rows.where('audit_log.at', '<', to)
  return rows
}

const said = sql.ref('audit_log.said')

/** True when there is no search text. `searched`: the accounts with such a name; null: each line's account is looked up. */
function foundIn(
  text: RawBuilder<unknown>,
  { search }: Filter,
  searched: readonly number[] | null,
): RawBuilder<SqlBool> {
  const wanted = search?.trim()
  if (!wanted) return sql<SqlBool>`true`
  const ways = [
    ...(wanted.length < searchedWordsMin ? [] : [sql<SqlBool>`${text} ilike ${containing(wanted)}`]),
    ...(searched === null ? [doneByNamed(wanted)] : []),
    ...(searched?.length ? [sql<SqlBool>`audit_log.actor_id = any (${searched})`] : []),
  ]
  return ways.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`(${sql.join(ways, sql` or `)})`
}

function doneByNamed(text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(select lower(users.username) like ${containing(text.toLowerCase())} from users where users.id = audit_log.actor_id)`
}

/** The lines of these ids, in their order. For an export that included many accounts, the scope sees neither address nor details. */
async function described(db: Db, scope: Scope, ids: readonly { id: number }[]) {
  if (ids.length === 0) return []
  const lines = await db
    .selectFrom('audit_log')
    .leftJoin('users as actor', 'actor.id', 'audit_log.actor_id')
    .select(['audit_log.id', 'audit_log.at', 'actor.username', 'actor.role', 'audit_log.action', 'audit_log.target'])
    .select([
      sql<string>`case when ${done(scope)} then audit_log.ip else '' end`.as('ip'),
      sql<Json>`case when ${done(scope)} or ${owned(scope)} then audit_log.detail else '{}' end`.as('detail'),
      sql<string | null>`case when audit_log.target ~ '^user \\d{1,9}$'
        then (select u.username from users u where u.id = substr(audit_log.target, 6)::int)
        else coalesce(audit_log.detail ->> 'name', audit_log.detail ->> 'campaignName') end`.as('targetName'),
    ])
    .where(sql<SqlBool>`audit_log.id = any (${ids.map((line) => line.id)}::bigint[])`)
    .execute()
  const byId = new Map(lines.map((line) => [line.id, line]))
  return ids.flatMap(({ id }) => byId.get(id) ?? [])
}

function literally(text: string): string {
  return containing(text).slice(1, -1)
}

/** Names of accounts, plans and contact files, deleted ones included. */
export async function namesOf(db: Db, ids: Record<keyof Names, number[]>): Promise<Names> {
  const [users, plans, bases] = await Promise.all([
    db
      .selectFrom('users')
      .select(['id', 'username as name'])
      .where('id', '=', sql<number>`any (${ids.users}::int[])`)
      .execute(),
    db
      .selectFrom('plan')
      .select(['id', 'name'])
      .where('id', '=', sql<number>`any (${ids.plans}::int[])`)
      .execute(),
    db
      .selectFrom('base')
      .select(['id', 'name'])
      .where('id', '=', sql<number>`any (${ids.bases}::int[])`)
      .execute(),
  ])
  const byId = (rows: { id: number; name: string }[]) => new Map(rows.map(({ id, name }) => [id, name]))
  return { users: byId(users), plans: byId(plans), bases: byId(bases) }
}

const sorting = { keys: { at: key }, id, at: key, fallback: '-at', isFiltered: true, onlyIds: true }

/** A word in more lines than this is common, and searched for only in the newest lines. */
const rareMax = 1000

/** The ids of all matching lines of the platform, or null for a common word. The index of words ignores the other filters. */
async function rareIds(db: Db, found: RawBuilder<SqlBool>): Promise<number[] | null> {
  const { rows } = await sql<{ id: number }>`select id from audit_log where ${found} limit ${rareMax + 1}`.execute(db)
  return rows.length > rareMax ? null : rows.map(({ id }) => id)
}

async function idsOf(db: Db, scope: Scope, filter: Filter, query: ListQuery): Promise<Page<{ id: number }>> {
  const narrowing = await narrowingOf(db, filter)
  const parts = partsOf(db, scope, narrowing)
  const search = filter.search?.trim()
  if (!search)
    return readPage(
      db,
      parts.map(({ rows }) => rows),
      query,
      sorting,
    )
  const byIndex = async (tx: Db) => {
    const searched = await usersLike(tx, search)
    const rare = await rareIds(tx, foundIn(said, narrowing, searched))
    const among = sql<SqlBool>`audit_log.id = any (${rare}::bigint[])`
    const lines = partsOf(tx, scope, narrowing, searched).map(({ rows, found }) => rows.where(found).where(among))
    return rare && readPage(tx, lines, query, sorting)
  }
  return readSearched(db, { search, byIndex, parts }, query, sorting)
}

export async function list(db: Db, scope: Scope, filter: Filter, query: ListQuery) {
  const page = await idsOf(db, scope, filter, query)
  return { ...page, rows: await described(db, scope, page.rows) }
}

export async function* all(db: Db, scope: Scope, filter: Filter) {
  const parts = partsOf(db, scope, await narrowingOf(db, filter))
  const found = parts.map((part) => part.rows.where(part.found))
  for await (const ids of readBatches(db, found, { key, id })) yield await described(db, scope, ids)
}
