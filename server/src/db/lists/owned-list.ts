import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Page } from '../../http/types.ts'
import type { Db } from '../db.ts'
import { containing, exactRows, readPage, type Rows, type Sorting } from './list.ts'
import { readSearched } from './searched-list.ts'
import { isNamed, isOneOf } from '../search/users.ts'

type Named = { search: string; columns: readonly string[]; owner: string }

/** By one of the columns, or by the owner's username: with indexes, or of one row after the other. */
async function namedOrOf({ search, columns, owner }: Named, byIndexOf: Db | null): Promise<RawBuilder<boolean>> {
  const like = containing(search.toLowerCase())
  const owners = sql<{ id: number }>`select id from users where ${isNamed(like, ['username'])}`
  const ways = [
    ...columns.map((column) => sql<boolean>`lower(${sql.ref(column)}) like ${like}`),
    byIndexOf
      ? await isOneOf(byIndexOf, sql.ref(owner), owners)
      : sql<boolean>`(select lower(of.username) like ${like} from users of where of.id = ${sql.ref(owner)})`,
  ]
  return sql<boolean>`(${sql.join(ways, sql` or `)})`
}

type OnlyIds = { id: number }
/** `withOwners` is `rows` joined with `users`. `named`: what is searched for, which is no condition of them. */
type Owned<D, T extends keyof D, E, U extends keyof E> = {
  rows: Rows<D, T, OnlyIds>
  withOwners: Rows<E, U, OnlyIds>
  named: Named | null
}

/**
 * A page of ids, by `username` through the index of usernames. With more rows than are counted, only
 * `rows` are used: looking up each owner would be most of the list's cost.
 */
export async function readOwned<D, T extends keyof D, E, U extends keyof E>(
  db: Db,
  { rows, withOwners, named }: Owned<D, T, E, U>,
  query: ListQuery,
  sorting: Sorting & { at: RawBuilder<Date> },
): Promise<Page<OnlyIds>> {
  if (named === null) return readAll(db, { rows, withOwners }, query, sorting)
  const byIndex = async (tx: Db) => {
    const found = await namedOrOf(named, tx)
    return readAll(tx, { rows: rows.where(found), withOwners: withOwners.where(found) }, query, sorting)
  }
  const found = await namedOrOf(named, null)
  const searched = { search: named.search, byIndex }
  return query.sort === 'username'
    ? readSearched(db, { ...searched, parts: [{ rows: withOwners, found }] }, query, sorting)
    : readSearched(db, { ...searched, parts: [{ rows, found }] }, query, sorting)
}

async function readAll<D, T extends keyof D, E, U extends keyof E>(
  db: Db,
  { rows, withOwners }: Omit<Owned<D, T, E, U>, 'named'>,
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
