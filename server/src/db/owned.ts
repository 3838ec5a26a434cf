import { sql, type RawBuilder } from 'kysely'

/**
 * What an account owns, in paisa: the balance in its row, and what its customers' calls and messages earned that nobody has added to it yet
 * (`account_income`, a row for each writer; docs/design.md#settling). `account` is what the statement calls the table.
 */
export function ownedPaisa(account: string): RawBuilder<number> {
  const [balance, id] = [sql.ref(`${account}.balance_paisa`), sql.ref(`${account}.id`)]
  return sql<number>`(${balance} + (select coalesce(sum(earned.paisa), 0)::bigint from account_income earned where earned.account_id = ${id}))`
}
