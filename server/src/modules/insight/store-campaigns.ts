import { callNowKey, testCallKey } from '@ghanti/contract/insight.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/db.ts'
import { isInTree } from '../../db/search/users.ts'
import type { Days } from './rules.ts'
import { answerSums, callSums, type AnswerSums, type CallSums } from './rules-figures.ts'
import { inside, sumsOf, type CallsAsked, type Keyed } from './store.ts'

type Of = Pick<CallsAsked, 'accountId' | 'isPlatform'>

/** Campaigns of one call that somebody asked for, of the account and all below it: by the partial index of these. */
function singles({ accountId, isPlatform }: Of, which: 'is_test' | 'is_call_now'): RawBuilder<unknown> {
  const theirs = isPlatform ? sql`true` : isInTree(accountId, sql.ref('account_id'))
  return sql`select id::bigint from campaign where ${sql.ref(which)} and ${theirs}`
}

/** The row of such a campaign. Call Nows are `is_test` too, so both sets are read from their indexes alone. */
const keyOfSingle = (of: Of): RawBuilder<number> =>
  sql<number>`case when key in (${singles(of, 'is_call_now')}) then ${callNowKey}::bigint else ${testCallKey}::bigint end`

/**
 * The campaigns with the most calls, all Call Nows as one row and all test calls as another. Each of these is a campaign of its own, and an
 * account may have more of them than rows are shown.
 */
export async function campaignRows(db: Db, of: Of, days: Days, most: number): Promise<Keyed<CallSums>[]> {
  const theirs = inside(of.accountId, days, 'day', 'campaign')
  const { rows } = await sql<Keyed<CallSums>>`
    with ranked as materialized (
      select case when key in (${singles(of, 'is_test')}) then ${keyOfSingle(of)} else key end as key, sum(attempts) as most, count(*) over ()::int as keys
        from call_count where ${theirs} group by 1 order by 2 desc, 1 limit ${most}
    ), figures as (
      select r.key, ${sumsOf(callSums)} from ranked r, generate_series(${days.from}::int, ${days.to}::int) day
        join lateral (select * from call_count where ${theirs} and at = day and key = r.key) c on true
       where r.key > 0 group by 1
      union all
      select ${keyOfSingle(of)}, ${sumsOf(callSums)} from call_count
       where ${theirs} and key in (${singles(of, 'is_test')}) and exists (select from ranked where key <= 0) group by 1
    )
    select f.*, r.keys from ranked r join figures f on f.key = r.key order by r.most desc, r.key`.execute(db)
  return rows
}

/** Keys and hang-ups of all Call Nows together, and of all test calls. */
export async function answersOfSingles(db: Db, of: Of, days: Days): Promise<Map<number, AnswerSums>> {
  const { rows } = await sql<AnswerSums & { row: number }>`
    select ${keyOfSingle(of)} as row, ${sumsOf(answerSums)} from answer_count
     where account_id = ${of.accountId} and kind = 'campaign' and at between ${days.from} and ${days.to} and key in (${singles(of, 'is_test')})
     group by 1`.execute(db)
  return new Map(rows.map(({ row, ...sums }) => [row, sums]))
}
