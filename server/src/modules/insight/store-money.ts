import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/db.ts'
import type { Days } from './rules.ts'

export type Spent = { day: number; paisa: number }

export async function lastDaysSpent(db: Db, accountId: number, days: Days, most: number): Promise<Spent[]> {
  const range = between(accountId, days)
  const { rows } = await sql<Spent>`
    select day, sum(paisa)::bigint as paisa from (
      select at as day, paid_paisa as paisa from call_count where ${range}
      union all select at, paid_paisa from sms_count where ${range}) spent
     group by 1 order by 1 desc limit ${most}`.execute(db)
  return rows
}

export type MonthSums = { month: string; calls: number; answered: number; messages: number; paisa: number }

/**
 * The sums of an account's calls and messages for each month that had any, 'yyyy-MM' of the days' calendar. `offset 0` makes each day a
 * look-up in the index: for a reseller with many customers the planner would otherwise read the whole table.
 */
export async function monthsOf(db: Db, accountId: number, days: Days): Promise<MonthSums[]> {
  const ofDay = sql`slice = 'day' and account_id = ${accountId} and kind = 'all' and at = day`
  const { rows } = await sql<MonthSums>`
    select to_char(date '1970-01-01' + day, 'YYYY-MM') as month, sum(calls)::bigint as calls, sum(answered)::bigint as answered,
           sum(messages)::bigint as messages, sum(paisa)::bigint as paisa
      from generate_series(${days.from}::int, ${days.to}::int) day
      join lateral (select attempts as calls, answered, 0 as messages, paid_paisa as paisa from call_count where ${ofDay}
                    union all select 0, 0, messages, paid_paisa from sms_count where ${ofDay} offset 0) counted on true
     group by 1`.execute(db)
  return rows
}

/**
 * An account's margin on one customer right below it, by month. Each day is a look-up in the index, since a reseller may have a thousand other
 * customers.
 */
export async function marginsOf(
  db: Db,
  accountId: number,
  customerId: number,
  days: Days,
): Promise<{ month: string; paisa: number }[]> {
  const ofDay = sql`slice = 'day' and account_id = ${accountId} and kind = 'customer' and at = day and key = ${customerId}`
  const { rows } = await sql<{ month: string; paisa: number }>`
    select to_char(date '1970-01-01' + day, 'YYYY-MM') as month, sum(c.received_paisa - c.paid_paisa)::bigint as paisa
      from generate_series(${days.from}::int, ${days.to}::int) day
      join lateral (select received_paisa, paid_paisa from call_count where ${ofDay}
                    union all select received_paisa, paid_paisa from sms_count where ${ofDay} offset 0) c on true
     group by 1`.execute(db)
  return rows
}

export async function marginIn(db: Db, accountId: number, days: Days): Promise<{ margin: number; paid: number }> {
  const range = between(accountId, days)
  const { rows } = await sql<{ margin: number; paid: number }>`
    select coalesce(sum(received_paisa - paid_paisa), 0)::bigint as margin, coalesce(sum(received_paisa), 0)::bigint as paid
      from (select received_paisa, paid_paisa from call_count where ${range}
            union all select received_paisa, paid_paisa from sms_count where ${range}) c`.execute(db)
  return rows[0] ?? { margin: 0, paid: 0 }
}

export type CustomerMoney = { userId: number; username: string; today: number; month: number; margin: number }

/** The customers right below an account that paid most in a range of days, and what they paid on the last day. Deleted customers are left out. */
export async function payingMost(db: Db, accountId: number, days: Days, most: number): Promise<CustomerMoney[]> {
  const range = between(accountId, days, 'customer')
  const { rows } = await sql<CustomerMoney>`
    select u.id as "userId", u.username, c.today, c.month, c.margin
      from (select key, sum(received_paisa)::bigint as month, sum(received_paisa - paid_paisa)::bigint as margin,
                   coalesce(sum(received_paisa) filter (where at = ${days.to}), 0)::bigint as today
              from (select key, at, received_paisa, paid_paisa from call_count where ${range}
                    union all select key, at, received_paisa, paid_paisa from sms_count where ${range}) counted
             group by key having sum(received_paisa) > 0) c
      join users u on u.id = c.key and u.deleted_at is null
     order by c.month desc, u.id limit ${most}`.execute(db)
  return rows
}

export type TrunkSums = { trunkId: number; calls: number; cancelled: number; answered: number }

export async function trunksOn(db: Db, platformId: number, day: number): Promise<TrunkSums[]> {
  const { rows } = await sql<TrunkSums>`
    select key::int as "trunkId", attempts as calls, cancel as cancelled, answered from call_count
     where slice = 'day' and kind = 'trunk' and account_id = ${platformId} and at = ${day}`.execute(db)
  return rows
}

/** The days of one account, of all calls or by customer: one range of the primary key. */
function between(accountId: number, { from, to }: Days, kind: 'all' | 'customer' = 'all'): RawBuilder<boolean> {
  return sql<boolean>`slice = 'day' and kind = ${sql.lit(kind)} and account_id = ${accountId} and at between ${from} and ${to}`
}
