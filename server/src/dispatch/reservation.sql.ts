import { fenced, leaseFence, run, statement, type Lease, type Queryable } from './statement.ts'

/** A patched call goes on: reserves more for it. $4 attempt $5 paisa. */
const extendStatement = statement<{ reserved_paisa: number }>(
  'extend',
  `with ${leaseFence}, open as materialized (
  select o.id, o.account_id, o.reserved_paisa from lease, attempt_open o where o.id = $4 and o.dialer_id = $1 for update of o -- before the account, as settling does
), payer as materialized (
  select a.id, a.balance_paisa, a.reserved_paisa from open o join account a on a.id = o.account_id where not a.frozen for no key update of a
), extension as (
  update account a set balance_paisa = p.balance_paisa, reserved_paisa = p.reserved_paisa + $5::bigint
  from payer p where a.id = p.id and p.balance_paisa - p.reserved_paisa >= $5::bigint returning a.id
)
update attempt_open o set reserved_paisa = p.reserved_paisa + $5::bigint from extension, open p where o.id = p.id returning o.reserved_paisa`,
)

/** The attempt's reservation afterwards. Null: no money, an account that is frozen, or the call is over or another engine's: let it end. */
export async function extend(db: Queryable, lease: Lease, attemptId: number, paisa: number): Promise<number | null> {
  const [row] = await run(db, extendStatement, [...fenced(lease), attemptId, paisa])
  return row?.reserved_paisa ?? null
}

/** Makes earnings of calls spendable. $1 account. It needs no fence, because it moves nothing from one account to another. */
const sweepStatement = statement<{ balance_paisa: number }>(
  'sweep',
  `with payer as materialized (
  select id, balance_paisa, reserved_paisa from account where id = $1 for no key update
), slots as materialized (
  select i.account_id, i.slot, i.paisa from account_income i, payer p where i.account_id = p.id and i.paisa > 0 order by i.slot for update of i
), income as (
  update account_income i set paisa = 0 from slots s where i.account_id = s.account_id and i.slot = s.slot returning s.paisa
)
update account a set balance_paisa = p.balance_paisa + (select coalesce(sum(paisa), 0)::bigint from income), reserved_paisa = p.reserved_paisa
from payer p where a.id = p.id returning a.balance_paisa`,
)

export async function sweep(db: Queryable, accountId: number): Promise<void> {
  await run(db, sweepStatement, [accountId])
}

const earnersStatement = statement<{ account_id: number }>(
  'earners',
  'select distinct account_id from account_income where paisa > 0 order by account_id',
)

/** Accounts whose earnings wait to be swept. */
export async function earners(db: Queryable): Promise<number[]> {
  return (await run(db, earnersStatement, [])).map((row) => row.account_id)
}
