/**
 * Searches by a part of a text, of every list that may grow without end. Where an index finds the text, all rows are searched. Otherwise only the
 * first rows of the scope are, in the order of the list, and the reply says how far; so no text makes anybody read a whole table.
 */
import { ownValue } from '@ghanti/contract/own-values.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { badField } from '../../errors.ts'
import type { Page } from '../../http/types.ts'
import type { Db, Tx } from '../db.ts'
import { inTime } from '../in-time.ts'
import { isInIndex, newestMax, notSearchable } from '../search/words.ts'
import { cursorOf, encodeCursor, isBadData, notOurCursor, windowOf, type Rows, type Sorting } from './list.ts'

/** Rows of one index, in the scope. `found` says of a row, without another index, whether the search finds it. */
export type Part<D, T extends keyof D> = { rows: Rows<D, T, { id: number }>; found: RawBuilder<SqlBool> }

/** An index that takes longer than this has hardly anything to look for, or the planner does not use it. */
const indexMs = 1000
const lookedMs = 1000

type Searched<D, T extends keyof D> = {
  search: string
  /** Reads the page by an index. Null: it would not help, because too much is found. */
  byIndex: (tx: Tx) => Promise<Page<{ id: number }> | null>
  parts: readonly Part<D, T>[]
}
/** `at`: the time of a row, which grows in the list's own order. */
type SearchSorting = Pick<Sorting, 'keys' | 'id' | 'fallback'> & { at: RawBuilder<Date> }

export async function readSearched<D, T extends keyof D>(
  db: Db,
  { search, byIndex, parts }: Searched<D, T>,
  query: ListQuery,
  sorting: SearchSorting,
): Promise<Page<{ id: number }>> {
  const indexed = isInIndex(search)
    ? await inTime(db, indexMs, async (tx) => {
        await without(tx, ['seqscan'])
        return byIndex(tx)
      })
    : null
  const page =
    indexed ??
    (await inTime(db, lookedMs, (tx) => lookedPage(tx, parts, query, sorting))) ??
    (await inTime(db, lookedMs, async (tx) => {
      await without(tx, ['seqscan', 'bitmapscan', 'sort'])
      return lookedPage(tx, parts, query, sorting)
    }))
  if (page === null) throw badField('search', notSearchable)
  return page
}

/** PostgreSQL plans for an average scope and an average text. What is left: the index of words, or the first rows by the index of the order. */
async function without(tx: Tx, methods: readonly string[]): Promise<void> {
  await sql`select ${sql.join(methods.map((method) => sql`set_config(${`enable_${method}`}, 'off', true)`))}`.execute(
    tx,
  )
}

function isCursor(text: string, name: string, order: string): boolean {
  try {
    return cursorOf(text, name, order) !== undefined
  } catch {
    return false
  }
}

type Looked = { id: number | null; key: string; total: number; endId: number | null; endKey: string; endAt: Date }

/**
 * Looks through the first rows after the cursor, found or not. Where there are more in another order than the list's own, it is the newest that are
 * looked through, and the cursor goes on there.
 */
async function lookedPage<D, T extends keyof D>(
  db: Db,
  parts: readonly Part<D, T>[],
  asked: ListQuery,
  sorting: SearchSorting,
): Promise<Page<{ id: number }>> {
  const { keys, id, fallback, at } = sorting
  const own = fallback.replace('-', '')
  const newestFirst: ListQuery = { ...asked, sort: own, order: 'desc' }
  const query = asked.after !== undefined && isCursor(asked.after, own, 'desc') ? newestFirst : asked
  const name = query.sort ?? own
  const key = ownValue(keys, name)
  if (!key) throw badField('sort', `must be one of ${Object.keys(keys).join(', ')}`)
  const order = query.order ?? (query.sort === undefined && fallback.startsWith('-') ? 'desc' : 'asc')
  const last = query.after === undefined ? undefined : cursorOf(query.after, name, order)
  const { size, offset } = windowOf(query)
  const direction = sql.raw(order)
  const backwards = sql.raw(order === 'desc' ? 'asc' : 'desc')
  const before = sql.raw(order === 'asc' ? '>' : '<')
  // The search is no condition here, so that no index of words is used.
  const looked = parts.map(({ rows, found }) => {
    const from = last ? rows.where(sql<boolean>`(${key}, ${id}) ${before} (${last[0]}, ${last[1]})`) : rows
    const first = from
      .select([sql`${key}`.as('listSort'), id.as('listId'), at.as('listAt')])
      .select(sql<boolean>`coalesce(${found}, false)`.as('listFound'))
      .orderBy(sql`${key}`, order)
      .orderBy(id, order)
      .limit(newestMax)
    return sql`(${first})`
  })
  const { rows } = await sql<Looked>`
    with looked as materialized (
      select * from (${sql.join(looked, sql` union all `)}) rows order by "listSort" ${direction}, "listId" ${direction} limit ${newestMax})
    select page."listId" as id, page."listSort"::text as key, counted.total,
           ending."listId" as "endId", ending."listSort"::text as "endKey", ending."listAt" as "endAt"
      from (select count(*) filter (where "listFound")::int as total, count(*) as looked from looked) counted
      left join (select * from looked order by "listSort" ${backwards}, "listId" ${backwards} limit 1) ending on counted.looked = ${newestMax}
      left join (select * from looked where "listFound"
                  order by "listSort" ${direction}, "listId" ${direction} limit ${size} offset ${offset}) page on true
     order by page."listSort" ${direction}, page."listId" ${direction}`
    .execute(db)
    .catch((error: unknown) => {
      throw last && isBadData(error) ? notOurCursor() : error
    })
  const ids = rows.flatMap(({ id, key }) => (id === null ? [] : [{ id, key }]))
  const [first] = rows
  const reach = first && first.endId !== null ? { id: first.endId, key: first.endKey } : undefined
  if (reach && name !== own) return lookedPage(db, parts, { ...newestFirst, after: undefined }, sorting)
  const next = ids.length === size ? ids.at(-1) : reach
  return {
    rows: ids.map(({ id }) => ({ id })),
    total: first?.total ?? 0,
    exact: reach === undefined,
    next: next && encodeCursor([next.key, next.id, `${order} ${name}`]),
    searchedTo: reach && first ? nepalTimeOf(first.endAt) : undefined,
  }
}
