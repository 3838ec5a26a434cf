import { ownValue } from '@ghanti/contract/own-values.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type Expression, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { DatabaseError } from 'pg'
import * as z from 'zod/mini'
import { badField, type AppError } from '../../errors.ts'
import type { Page } from '../../http/types.ts'
import type { Db } from '../db.ts'

/** Lists are counted, and paged by number, up to here; beyond that by the cursor `after` (docs/design.md#lists). */
export const exactRows = 10_000
const defaultPageSize = 100
const batchSize = 2000

/** What a list may be sorted by: the wire's key and its SQL, which is never null and has an index if the list can grow. */
type SortKeys = Readonly<Record<string, RawBuilder<unknown> | Expression<unknown>>>

export type Sorting = {
  keys: SortKeys
  id: RawBuilder<number>
  fallback: string
  /** Only some rows of a long list are wanted. Left out: true when it is searched. */
  isFiltered?: boolean
  isMany?: boolean
  /** All matches are found by an index and then sorted, however many there are, because they may all lie at the far end of the order. */
  sortsFound?: boolean
  /** Rows consist of their ids only. The matches of a filtered list are then counted and sorted at once, instead of being looked up twice. */
  onlyIds?: boolean
  /** The number of matching rows if counters know it. It is not counted again, and at the end of the list no more rows are looked for. */
  known?: number
  /** Rows are counted up to here, where counting further costs too much. */
  countedMax?: number
}

const Cursor = z.tuple([z.string(), z.number(), z.string()])

export type Rows<D, T extends keyof D, Row> = SelectQueryBuilder<D, T, Row>

/**
 * The page of a list that `query` asks for, sorted by one of `keys` and then by the unique `id` in the same direction. `rows` is filtered and
 * has its columns, without order and limit. Several queries together form one list, and each is read in order from an index of its own;
 * PostgreSQL would sort the result of a condition like `owner = any (...)` whole. `fallback` is the sort when none is asked for, as
 * '-promptId' for descending.
 */
export async function readPage<D, T extends keyof D, Row>(
  db: Db,
  rows: Rows<D, T, Row> | readonly Rows<D, T, Row>[],
  query: ListQuery,
  sorting: Sorting,
): Promise<Page<Row>> {
  const { keys, id, fallback, isFiltered = query.search !== undefined, isMany = false, sortsFound = false } = sorting
  const countedMax = sorting.countedMax ?? exactRows
  // Nobody reads the total of a file's later pages, and counting ten thousand rows costs more than reading the thousand of a page.
  const isUncounted = isMany || (query.format === 'csv' && query.after !== undefined && !isFiltered)
  const name = query.sort ?? fallback.replace('-', '')
  const key = ownValue(keys, name)
  if (!key) throw badField('sort', `must be one of ${Object.keys(keys).join(', ')}`)
  const order = query.order ?? (query.sort === undefined && fallback.startsWith('-') ? 'desc' : 'asc')
  const { size, offset } = windowOf(query)
  const last = query.after === undefined ? undefined : cursorOf(query.after, name, order)
  const parts = 'limit' in rows ? [rows] : rows
  const read = async () => {
    if (sorting.known !== undefined) {
      const total = sorting.known
      const limit = last ? size : Math.min(size, total - offset)
      const found =
        limit > 0 ? await slice(db, parts, { key, id, order, last, size: limit, offset, isRare: false }) : []
      return { total, found }
    }
    const few =
      sorting.onlyIds && isFiltered && !isMany
        ? await fewFound(db, parts, { key, id, order, last, size, offset, countedMax })
        : null
    if (few && few.total <= countedMax) return few
    const total = isUncounted || few ? countedMax + 1 : await countOf(db, parts, countedMax)
    const isRare = sortsFound || (isFiltered && total <= countedMax)
    const known = few ? parts.map((part, n) => knownRows(part, id, few.ids[n])) : parts
    const found = total === 0 ? [] : await slice(db, known, { key, id, order, last, size, offset, isRare })
    return { total, found }
  }
  const { total, found } = await read().catch((error: unknown) => {
    throw last && isBadData(error) ? notOurCursor() : error
  })
  const end = found.length === size ? found.at(-1) : undefined
  return {
    rows: found,
    total: Math.min(total, countedMax),
    exact: total <= countedMax,
    next: end && encodeCursor([end.listKey, end.listId, `${order} ${name}`]),
  }
}

async function countOf<D, T extends keyof D, Row>(
  db: Db,
  parts: readonly Rows<D, T, Row>[],
  max: number,
): Promise<number> {
  const everyRow = union(parts.map((part) => part.limit(max + 1)))
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from (${everyRow} limit ${max + 1}) counted`.execute(db)
  return counted.rows[0]?.total ?? 0
}

type Slice = {
  key: SortKeys[string]
  id: RawBuilder<number>
  order: 'asc' | 'desc'
  /** Key and id of the row before. Undefined: from the beginning. */
  last: readonly [string, number] | undefined
  size: number
  offset: number
  /** Few rows match: they are found by the condition and then sorted. Otherwise the planner might walk millions in order to find them. */
  isRare: boolean
}

type Keyed<Row> = Row & { listKey: string; listId: number }

/** The few matching rows of a part. A walk in the list's order would look for them among all rows. */
function knownRows<D, T extends keyof D, Row>(
  part: Rows<D, T, Row>,
  id: RawBuilder<number>,
  ids: readonly number[] | null | undefined,
): Rows<D, T, Row> {
  return ids ? part.where(sql<boolean>`${id} = any (${ids}::bigint[])`) : part
}

type Few<Row> = {
  total: number
  found: Keyed<Row>[]
  /** The matches of each part. Null: more than are counted. */
  ids: (readonly number[] | null)[]
}

/** The page of the matches and their number. Beyond `countedMax`, no page. */
async function fewFound<D, T extends keyof D, Row>(
  db: Db,
  parts: readonly Rows<D, T, Row>[],
  { key, id, order, last, size, offset, countedMax }: Omit<Slice, 'isRare'> & { countedMax: number },
): Promise<Few<Row>> {
  const each = parts.map((rows, n) =>
    rows
      .select([sql`${key}`.as('listSort'), id.as('listId'), sql<number>`${n}::int`.as('listPart')])
      .limit(countedMax + 1),
  )
  const direction = sql.raw(order)
  const before = sql.raw(order === 'asc' ? '>' : '<')
  const behind = last ? sql`where ("listSort", "listId") ${before} (${last[0]}, ${last[1]})` : sql``
  const idsOf = parts.map(
    (_, n) => sql`case when count(*) filter (where "listPart" = ${n}) <= ${countedMax}
      then coalesce(jsonb_agg("listId") filter (where "listPart" = ${n}), '[]') end`,
  )
  const ids =
    parts.length > 1
      ? sql`case when count(*) > ${countedMax} then jsonb_build_array(${sql.join(idsOf)}) end`
      : sql`null`
  const { rows } = await sql<Keyed<Row> & { listTotal: number; listIds: (number[] | null)[] | null }>`
    with found as materialized (${union(each)})
    select page.*, page."listSort"::text as "listKey", counted.total as "listTotal", counted.ids as "listIds"
      from (select count(*)::int as total, ${ids} as ids from found) counted left join (
        select * from found ${behind} order by "listSort" ${direction}, "listId" ${direction} limit ${size} offset ${offset}) page on true
     order by page."listSort" ${direction}, page."listId" ${direction}`.execute(db)
  const [first] = rows
  return {
    total: first?.listTotal ?? 0,
    found: rows.filter(({ listId }) => listId !== null),
    ids: first?.listIds ?? [],
  }
}

async function slice<D, T extends keyof D, Row>(
  db: Db,
  parts: readonly Rows<D, T, Row>[],
  { key, id, order, last, size, offset, isRare }: Slice,
): Promise<Keyed<Row>[]> {
  const ordered = parts.map((rows) => {
    const from = rows
      .select([sql<string>`(${key})::text`.as('listKey'), id.as('listId')])
      .$if(parts.length > 1, (part) => part.select(sql`${key}`.as('listSort')))
      .orderBy(isRare ? sql`(select ${key})` : key, order) // no index has the order of a subquery
      .orderBy(id, order)
      .limit(parts.length > 1 ? size + offset : size)
      .offset(parts.length > 1 ? 0 : offset)
    // The key's text takes the type of the column that it is compared with.
    const before = sql.raw(order === 'asc' ? '>' : '<')
    return last ? from.where(sql<boolean>`(${key}, ${id}) ${before} (${last[0]}, ${last[1]})`) : from
  })
  const direction = sql.raw(order)
  const page =
    ordered.length === 1
      ? sql<Keyed<Row>>`${ordered[0]}`
      : sql<
          Keyed<Row>
        >`${union(ordered)} order by "listSort" ${direction}, "listId" ${direction} limit ${size} offset ${offset}`
  return (await page.execute(db)).rows
}

function union(parts: readonly Expression<unknown>[]): RawBuilder<unknown> {
  return sql`select * from (${sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  )}) parts`
}

/** All rows of a list for an export, the newest first, in batches, so that no connection is held while the reader is slow. */
export async function* readBatches<D, T extends keyof D, Row>(
  db: Db,
  rows: Rows<D, T, Row> | readonly Rows<D, T, Row>[],
  { key, id }: Pick<Slice, 'key' | 'id'>,
): AsyncGenerator<Row[]> {
  const parts = 'limit' in rows ? [rows] : rows
  let last: Slice['last']
  for (;;) {
    const batch = await slice(db, parts, { key, id, order: 'desc', last, size: batchSize, offset: 0, isRare: false })
    yield batch
    const end = batch.at(-1)
    if (!end || batch.length < batchSize) return
    last = [end.listKey, end.listId]
  }
}

export function windowOf(query: ListQuery): { size: number; offset: number } {
  if (query.page === undefined && query.pageSize === undefined && query.after === undefined)
    return { size: exactRows, offset: 0 }
  const size = query.pageSize ?? defaultPageSize
  const offset = query.after === undefined ? ((query.page ?? 1) - 1) * size : 0
  if (offset >= exactRows) throw badField('page', `reaches beyond the first ${exactRows} rows: go on with 'after'`)
  return { size, offset }
}

export function encodeCursor(cursor: z.output<typeof Cursor>): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

/** A cursor must continue in the order that it came from, otherwise rows would be skipped. */
export function cursorOf(text: string, name: string, order: string): [string, number] {
  try {
    const [key, id, sorted] = z.parse(Cursor, JSON.parse(Buffer.from(text, 'base64url').toString()))
    if (sorted === `${order} ${name}`) return [key, id]
  } catch {
    // reported below
  }
  throw notOurCursor()
}

/** A made-up cursor may hold something that is no value of the key's type. */
export function isBadData(error: unknown): boolean {
  return error instanceof DatabaseError && error.code?.startsWith('22') === true
}

export function notOurCursor(): AppError {
  return badField('after', 'is not a cursor of this list in this order')
}

/** For `ilike`: the text that a person typed, anywhere, with the wildcards of `like` escaped. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`
}

export const searchedOfUser = sql.ref('users.searched')
