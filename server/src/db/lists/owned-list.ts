import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Page } from '../../http/types.ts'
import type { Db } from '../db.ts'
import { containing, exactRows, readPage, type Rows, type Sorting } from './list.ts'
import { isNamed, isOneOf } from '../search/users.ts'

export async function namedOrOf(
  db: Db,
  search: string,
  { columns, owner }: { columns: readonly string[]; owner: string },
): Promise<RawBuilder<boolean>> {
  const like = containing(search.toLowerCase())
  const owners = sql<{ id: number }>`select id from users where ${isNamed(like, ['username'])}`
  const ways = [
    ...columns.map((column) => sql<boolean>`lower(${sql.ref(column)}) like ${like}`),
    await isOneOf(db, sql.ref(owner), owners),
  ]
  return sql<boolean>`(${sql.join(ways, sql` or `)})`
}

type OnlyIds = { id: number }

/**
 * A page of ids, by `username` through the index of usernames. `withOwners` is `rows` joined with `users`. With more rows than are counted, only
 * `rows` are used: looking up each owner would be most of the list's cost.
 */
export async function readOwned<D, T extends keyof D, E, U extends keyof E>(
  db: Db,
  { rows, withOwners }: { rows: Rows<D, T, OnlyIds>; withOwners: Rows<E, U, OnlyIds> },
  query: ListQuery,
  sorting: Sorting,
): Promise<Page<OnlyIds>> {
  if (query.sort !== 'username') return readPage(db, rows, query, { ...sorting, onlyIds: true })
  const ids = await fewIds(db, rows)
  if (ids === null) return readPage(db, withOwners, query, { ...sorting, isMany: true })
  const few = withOwners.where(sql<boolean>`${sorting.id} = any (${ids}::bigint[])`)
  return readPage(db, few, query, { ...sorting, isFiltered: true, onlyIds: true })
}

/** Null: more than are counted. */
async function fewIds<D, T extends keyof D>(db: Db, rows: Rows<D, T, OnlyIds>): Promise<number[] | null> {
  const found = await sql<{ ids: number[] | null }>`
    with found as materialized (${rows.limit(exactRows + 1)})
    select case when count(*) <= ${exactRows} then coalesce(jsonb_agg(id), '[]') end as ids from found`.execute(db)
  return found.rows[0]?.ids ?? null
}
