/** Searches a log that only ever grows. The index finds rare words. Common words are searched for only in the newest lines. */
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from '../../db/db.ts'
import { cursorOf, encodeCursor, exactRows, isBadData, notOurCursor, windowOf, type Rows } from '../../db/lists/list.ts'
import type { DB } from '../../db/tables.ts'
import type { Page } from '../../http/types.ts'

/** Lines of one index. `found` says which of them the search finds. */
export type Part = { rows: Rows<DB, 'audit_log', { id: number }>; found: RawBuilder<SqlBool> }

/** A word in more lines than this is common. */
const rareMax = 1000
/** For a common word only this many lines are searched, as many as a list can be paged through. */
const lookedMax = exactRows

/** The ids of all matching lines of the platform, or null for a common word. The index of words ignores the other filters. */
export async function rareIds(db: Db, found: RawBuilder<SqlBool>): Promise<number[] | null> {
  const { rows } = await sql<{ id: number }>`select id from audit_log where ${found} limit ${rareMax + 1}`.execute(db)
  return rows.length > rareMax ? null : rows.map(({ id }) => id)
}

type Looked = { id: number | null; key: string; total: number; endId: number | null; endKey: string; endAt: Date }

/** `searchedTo`: the last line that was looked at, where there may be more. */
export type IdsPage = Omit<Page<{ id: number }>, 'searchedTo' | 'archivedTo'> & { searchedTo: Date | null }

/** Looks through the first lines after the cursor, found or not. */
export async function lookedPage(db: Db, parts: readonly Part[], query: ListQuery): Promise<IdsPage> {
  const order = query.order ?? (query.sort === undefined ? 'desc' : 'asc')
  const last = query.after === undefined ? undefined : cursorOf(query.after, 'at', order)
  const { size, offset } = windowOf(query)
  const direction = sql.raw(order)
  const backwards = sql.raw(order === 'desc' ? 'asc' : 'desc')
  const looked = parts.map(({ rows, found }) => firstOf({ rows, found }, order, last))
  const { rows } = await sql<Looked>`
    with looked as materialized (
      select * from (${sql.join(looked, sql` union all `)}) lines order by at ${direction}, id ${direction} limit ${lookedMax})
    select page.id, page.at::text as key, counted.total, ending.id as "endId", ending.at::text as "endKey", ending.at as "endAt"
      from (select count(*) filter (where found)::int as total, count(*) as looked from looked) counted
      left join (select id, at from looked order by at ${backwards}, id ${backwards} limit 1) ending on counted.looked = ${lookedMax}
      left join (select id, at from looked where found order by at ${direction}, id ${direction} limit ${size} offset ${offset}) page on true
     order by page.at ${direction}, page.id ${direction}`
    .execute(db)
    .catch((error: unknown) => {
      throw last && isBadData(error) ? notOurCursor() : error
    })
  const ids = rows.flatMap(({ id, key }) => (id === null ? [] : [{ id, key }]))
  const [first] = rows
  const reach = first && first.endId !== null ? { id: first.endId, key: first.endKey } : undefined
  const next = ids.length === size ? ids.at(-1) : reach
  return {
    rows: ids,
    total: first?.total ?? 0,
    exact: reach === undefined,
    next: next && encodeCursor([next.key, next.id, `${order} at`]),
    searchedTo: reach && first ? first.endAt : null,
  }
}

/** The search is no condition here, so that no index of words is used. */
function firstOf({ rows, found }: Part, order: 'asc' | 'desc', last: [string, number] | undefined) {
  const before = sql.raw(order === 'asc' ? '>' : '<')
  const from = last ? rows.where(sql<boolean>`(audit_log.at, audit_log.id) ${before} (${last[0]}, ${last[1]})`) : rows
  const lines = from
    .select(['audit_log.at', sql<boolean>`coalesce(${found}, false)`.as('found')])
    .orderBy('audit_log.at', order)
    .orderBy('audit_log.id', order)
    .limit(lookedMax)
  return sql`(${lines})`
}
