import { keypad, leftBefore } from '@ghanti/contract/insight.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { answerSums, leftSums } from './rules-figures.ts'
import { ofThose } from './store-agree.ts'

/** The figures computed again from the calls, in the order of answerSums, each by a condition of its own. */
const figuresOfCalls = sql.join([
  ...keypad.map((key) => sql`count(*) filter (where keys like ${sql.lit(`%${key}%`)})`),
  ...leftBefore.map((before, n) => {
    const from = sql.lit(leftBefore[n - 1] ?? 0)
    return sql`count(*) filter (where seconds >= ${from} and seconds < ${sql.lit(before ?? 1_000_000)})`
  }),
])
const figuresCounted = sql.join(answerSums.map((name) => sql`${sql.ref(name)}::bigint`))
const figuresSummed = sql.join(answerSums.map((name) => sql`sum(${sql.ref(name)})`))
const droppedSummed = sql.join(
  leftSums.map((name) => sql`sum(${sql.ref(name)})`),
  sql` + `,
)

/**
 * Differences of keys and hang-ups between answer_count and the calls, and between answer_count and the other counters, as sentences. Null: of
 * all campaigns. Campaigns that were deleted, whose calls have no keys any more, and those with archived calls are left out.
 */
export async function answerFaults(db: Db, ids: readonly number[] | null): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    with waits as materialized (select unnest(ids) as id from attempt_news
    ), gone as materialized (
      select campaign_id from campaign_deleted union select p.campaign_id from archive_part p join archive f on f.id = p.archive_id where f.parent = 'attempt'
    ), theirs as materialized (
      select a.campaign_id, coalesce(a.account_id, c.account_id) as account_id, nepal_minute(a.started_at) / 1440 as day, a.keys, case when a.trail !~ '>(end|cut|unknown|talk)$' then coalesce(a.bill_ms, 0) / 1000 end as seconds
      from attempt a join campaign c on c.id = a.campaign_id
      where ${ofThose(ids, 'a.campaign_id')} and a.campaign_id not in (select campaign_id from gone) and a.id not in (select id from waits)
    ), calls as materialized (
      select campaign_id, account_id, day,
        array[${figuresOfCalls}] as figures
      from theirs group by 1, 2, 3
    ), viewers as materialized (select v.* from (select array_agg(distinct account_id) as owners from calls) o, counted_for(o.owners) v
    ), reported as (
      select v.viewer_id as account_id, c.campaign_id, c.day, c.figures from calls c join viewers v on v.account_id = c.account_id where 0 < any (c.figures)
    ), counted as (
      select account_id, key::int as campaign_id, at as day, array[${figuresCounted}] as figures from answer_count
      where kind = 'campaign' and account_id = any (array(select viewer_id from viewers)) and at between (select min(day) from calls) and (select max(day) from calls)
        and ${ofThose(ids, 'key')} and key not in (select campaign_id from gone)
    )
    select format('campaign %s, account %s, day %s: keys and hanging up %s counted of %s', campaign_id, account_id, day, k.figures, t.figures) as text
    from reported t full join counted k using (account_id, campaign_id, day) where t.figures is distinct from k.figures
    limit 20`.execute(db)
  return rows.map(({ text }) => text)
}

/**
 * Differences between the sums of answer_count by kind, and between these and the other counters, as sentences: of one account, or of all when
 * it is null.
 */
export async function answerSumFaults(
  db: Db,
  accountId: number | null,
  days: { from: number; to: number },
): Promise<string[]> {
  const theirs = accountId === null ? sql<boolean>`true` : sql<boolean>`account_id = ${accountId}`
  const inDays = sql<boolean>`${theirs} and at between ${days.from} and ${days.to}`
  const { rows } = await sql<{ text: string }>`
    with sums as materialized (
      select account_id, kind, at, array[${figuresSummed}] as figures, ${droppedSummed} as dropped
      from answer_count where kind <> 'customer' and ${inDays} group by 1, 2, 3
    )
    select format('account %s, day %s: keys and hanging up %s by %s, %s in all', s.account_id, s.at, s.figures, s.kind, t.figures) as text
    from sums s left join sums t on t.account_id = s.account_id and t.at = s.at and t.kind = 'all' where s.figures is distinct from t.figures
    union all
    select format('account %s, day %s: %s dropped off, %s by seconds', c.account_id, c.at, c.dropped, coalesce(s.dropped, 0))
    from call_count c left join sums s on s.account_id = c.account_id and s.at = c.at and s.kind = 'all'
    where c.slice = 'day' and c.kind = 'all' and c.dropped <> coalesce(s.dropped, 0)
      and ${accountId === null ? sql<boolean>`true` : sql<boolean>`c.account_id = ${accountId}`} and c.at between ${days.from} and ${days.to}
    limit 20`.execute(db)
  return rows.map(({ text }) => text)
}
