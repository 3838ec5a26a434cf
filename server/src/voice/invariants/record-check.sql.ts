import { run, statement, type Queryable } from '../../dispatch/statement.ts'

/**
 * What was settled for an attempt's own channel (bill_ms) and for its second legs. Null: not answered. The own channel of a Call Now is the
 * agent's.
 */
export type Settled = {
  id: number
  bill_ms: number | null
  patch_bill_ms: number | null
  is_open: boolean
  is_lost: boolean
  is_call_now: boolean
}

const settledStatement = statement<Settled>(
  'booked_attempts',
  `select id::float8 as id, case when kind = 'callNow' then patch_bill_ms else bill_ms end as bill_ms, case when kind = 'callNow' then bill_ms else patch_bill_ms end as patch_bill_ms,
  false as is_open, disposition = 'LOST' as is_lost, coalesce(kind = 'callNow', false) as is_call_now from attempt where id = any ($1::bigint[])
union all select id::float8, null, null, true, false, false from attempt_open where id = any ($1::bigint[])`,
)

export async function settledAttempts(db: Queryable, ids: readonly number[]): Promise<Settled[]> {
  if (ids.length === 0) return [] // an idle dialer's, each minute
  return run(db, settledStatement, [ids])
}
