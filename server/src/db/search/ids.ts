import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db.ts'

type Rows = {
  table: RawBuilder<unknown>
  /** Whose rows. There is an index on it followed by `id`. */
  where: RawBuilder<boolean>
  /** Grows with `id`. */
  at: RawBuilder<unknown>
}

/**
 * The lowest id of rows no older than `since`, by halving: a few dozen lookups in the index of ids, however many rows there are, and no index
 * on the time. Null: there are no rows.
 */
export async function firstIdSince(db: Db, { table, where, at }: Rows, since: Date): Promise<number | null> {
  const { rows } = await sql<{ first: number | null }>`
    with recursive halves (lo, hi) as (
      select (select id from ${table} where ${where} order by id limit 1), (select id + 1 from ${table} where ${where} order by id desc limit 1)
      union all
      select case when middle.at < ${since} then middle.id + 1 else h.lo end, case when middle.at < ${since} then h.hi else (h.lo + h.hi) / 2 end
        from halves h cross join lateral (
          select id, ${at} as at from ${table} where ${where} and id >= (h.lo + h.hi) / 2 order by id limit 1) middle
       where h.lo < h.hi
    ) select max(lo)::bigint as first from halves`.execute(db)
  return rows[0]?.first ?? null
}
