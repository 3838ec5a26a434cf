import { sql, type SelectQueryBuilder } from 'kysely'
import type { Db } from '../db.ts'

/** How many rows match, counted up to `max`: for badges, whose cost must not grow with the figure. */
export async function countUpTo<D, T extends keyof D, Row>(
  db: Db,
  rows: SelectQueryBuilder<D, T, Row>,
  max: number,
): Promise<number> {
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from ${rows.limit(max)} counted`.execute(db)
  return counted.rows[0]?.count ?? 0
}
