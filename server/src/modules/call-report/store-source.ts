import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/db.ts'
import { within, type Scope } from '../../policy.ts'

export type Where = RawBuilder<boolean>
export const and = (all: readonly Where[]): Where =>
  all.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(all, sql` and `)})`

/**
 * A set of calls. `one`: a single index has them in the order of their ids (all calls, one account's, one campaign's, one agent's).
 * `accounts`: the calls of many accounts lie in as many places of an index, and none has them in one order.
 */
export type Source = { kind: 'one'; where: Where } | { kind: 'accounts'; scope: Scope }

export type Order = 'asc' | 'desc'
type Asked = {
  /** The bounds concern ids alone, so an index-only scan can answer them. */
  ids: readonly Where[]
  order: Order
}

/** The least to read of each account first. A page seldom has more calls of any one account. */
const leastOfEach = 25

/**
 * How many to read of each account so that all together give twice as many as are wanted. With fewer, they would not show how far back the
 * wanted ones reach.
 */
export async function ofEachFirst(db: Db, source: Source, limit: number): Promise<number> {
  if (source.kind === 'one' || limit <= leastOfEach) return limit
  const { rows } = await sql<{ accounts: number }>`
    select count(*)::int as accounts from users s where ${within(source.scope, 's.id')} and s.role = 'user'`.execute(db)
  return Math.min(limit, Math.max(leastOfEach, Math.ceil((2 * limit) / Math.max(1, rows[0]?.accounts ?? 0))))
}

const direction = (order: Order) => sql.raw(order)

function ofOne(where: readonly Where[], order: Order, limit: number): RawBuilder<unknown> {
  return sql`select a.id from attempt a where ${and(where)} order by a.id ${direction(order)} limit ${limit}`
}

function ofAccounts(scope: Scope, where: readonly Where[], order: Order, limit: number): RawBuilder<unknown> {
  return sql`
    select first.id from users s cross join lateral (${ofOne([sql<boolean>`a.account_id = s.id`, ...where], order, limit)}) first
     where ${within(scope, 's.id')} and s.role = 'user'`
}

/**
 * Rows of a source that match `narrowed`, in any order; `ids` bounds them already. For many accounts the ids come from the index of accounts and each row is
 * looked up by its id. With all conditions on one scan the planner may read the whole range of ids once per account, when it believes that few accounts have all calls.
 */
export function rowsOf(
  source: Source,
  { ids, order }: Asked,
  narrowed: readonly Where[],
  limit: number,
): RawBuilder<unknown> {
  if (source.kind === 'one') return sql`(${ofOne([source.where, ...ids, ...narrowed], order, limit)})`
  return sql`(
    select a.id from (${ofAccounts(source.scope, ids, order, limit)}) f
      cross join lateral (select a.id from attempt a where a.id = f.id and ${and(narrowed)} offset 0) a)`
}

/** Rows up to and including the id that a subquery returns; all rows when it returns none. */
export function upTo(id: RawBuilder<unknown>, order: Order): Where {
  return order === 'desc'
    ? sql<boolean>`a.id >= coalesce(${id}, 0)`
    : sql<boolean>`a.id <= coalesce(${id}, ${Number.MAX_SAFE_INTEGER})`
}

/**
 * The first `limit` ids of a source, or slightly more. For many accounts, the first few of each (`ofEachFirst`) bound how far back the
 * wanted ids reach; each account is then read that far. A thousand accounts cost two index look-ups each, however deep the page.
 */
export function firstIds(source: Source, { ids, order }: Asked, limit: number, ofEach: number) {
  if (source.kind === 'one') return sql<{ id: number }>`(${ofOne([source.where, ...ids], order, limit)})`
  const { scope } = source
  if (limit <= ofEach)
    return sql<{
      id: number
    }>`(select id from (${ofAccounts(scope, ids, order, limit)}) f order by id ${direction(order)} limit ${limit})`
  const reach = sql`(select id from (${ofAccounts(scope, ids, order, ofEach)}) f order by id ${direction(order)} offset ${limit - 1} limit 1)`
  return sql<{ id: number }>`(
    with reach as materialized (select ${reach} as id)
    select id from (${ofAccounts(scope, [...ids, upTo(sql`(select id from reach)`, order)], order, limit)}) f
     order by id ${direction(order)} limit ${limit})`
}

/** The last of the first `count` ids of a source; null when it has no more than these. */
export async function reachOf(db: Db, source: Source, asked: Asked, count: number): Promise<number | null> {
  const ofEach = await ofEachFirst(db, source, count + 1)
  const { rows } = await sql<{ id: number }>`
    select id from ${firstIds(source, asked, count + 1, ofEach)} f order by id ${direction(asked.order)} offset ${count - 1} limit 2`.execute(
    db,
  )
  return rows.length > 1 ? (rows[0]?.id ?? null) : null
}

export async function countOf(db: Db, source: Source, ids: readonly Where[], max: number): Promise<number> {
  const every = (limit: number) =>
    source.kind === 'one'
      ? sql`select 1 from attempt a where ${and([source.where, ...ids])} limit ${limit}`
      : sql`select 1 from users s cross join lateral (
          select 1 from attempt a where a.account_id = s.id and ${and(ids)} limit ${limit}) f where ${within(source.scope, 's.id')} and s.role = 'user' limit ${limit}`
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from (${every(max)}) counted`.execute(db)
  return rows[0]?.total ?? 0
}
