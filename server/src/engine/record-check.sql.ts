import { run, statement, type Queryable } from './statement.ts'

/** What was booked of an attempt; null: that leg was not answered. */
export type Booked = {
  id: number
  bill_ms: number | null
  patch_bill_ms: number | null
  is_open: boolean
  is_lost: boolean
}

const bookedStatement = statement<Booked>(
  'booked_attempts',
  `select id::float8 as id, bill_ms, patch_bill_ms, false as is_open, disposition = 'LOST' as is_lost from attempt where id = any ($1::bigint[])
union all select id::float8, null, null, true, false from attempt_open where id = any ($1::bigint[])`,
)

export function bookedAttempts(db: Queryable, ids: readonly number[]): Promise<Booked[]> {
  return run(db, bookedStatement, [ids])
}
