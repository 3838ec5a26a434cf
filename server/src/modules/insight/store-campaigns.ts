import { callNowKey } from '@ghanti/contract/insight.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/db.ts'
import type { Days } from './rules.ts'
import { answerSums, callSums, type AnswerSums, type CallSums } from './rules-figures.ts'
import { inside, sumsOf, type CallsAsked, type Keyed } from './store.ts'

type Of = Pick<CallsAsked, 'accountId' | 'isPlatform'>

/** The campaigns of one row that Call Nows are: by the partial index of these, of the account and all below it. */
function callNowsOf({ accountId, isPlatform }: Of): RawBuilder<unknown> {
  const theirs = isPlatform
    ? sql`true`
    : sql`account_id = any (array(select id from users where path @> array[${accountId}::int]))`
  return sql`select id::bigint from campaign where is_call_now and ${theirs}`
}

/**
 * The campaigns with the most calls, and all Call Nows as one row. Each Call Now is a campaign of its own, and a call centre has more of them
 * than rows are shown.
 */
export async function campaignRows(db: Db, of: Of, days: Days, most: number): Promise<Keyed<CallSums>[]> {
  const theirs = inside(of.accountId, days, 'day', 'campaign')
  const { rows } = await sql<Keyed<CallSums>>`
    with ranked as materialized (
      select case when key in (${callNowsOf(of)}) then ${callNowKey} else key end as key, sum(attempts) as most, count(*) over ()::int as keys
        from call_count where ${theirs} group by 1 order by 2 desc, 1 limit ${most}
    ), figures as (
      select r.key, ${sumsOf(callSums)} from ranked r, generate_series(${days.from}::int, ${days.to}::int) day
        join lateral (select * from call_count where ${theirs} and at = day and key = r.key) c on true
       where r.key <> ${callNowKey} group by 1
      union all
      select ${callNowKey}::bigint, ${sumsOf(callSums)} from call_count
       where ${theirs} and key in (${callNowsOf(of)}) and exists (select from ranked where key = ${callNowKey})
    )
    select f.*, r.keys from ranked r join figures f on f.key = r.key order by r.most desc, r.key`.execute(db)
  return rows
}

/** Keys and hang-ups of all Call Nows together. */
export async function answersOfCallNow(db: Db, of: Of, days: Days): Promise<AnswerSums | undefined> {
  const { rows } = await sql<AnswerSums>`
    select ${sumsOf(answerSums)} from answer_count
     where account_id = ${of.accountId} and kind = 'campaign' and at between ${days.from} and ${days.to} and key in (${callNowsOf(of)})
    having count(*) > 0`.execute(db)
  return rows[0]
}
