import { run, statement, type Queryable } from './statement.ts'

/** Enough rows to know which are more. */
const looksMax = 20_000

/** Why the rows of a campaign's queue wait. At most 20,000 of each are counted. */
export type Rests = {
  /** They were called as often today as they may be. */
  capped: number
  cappedUntil: Date | null
  /** For their next attempt, or until another call to their number is over. */
  others: number
  othersUntil: Date | null
}

const restsStatement = statement<Rests>(
  'rests',
  `select c.capped, c.until as "cappedUntil", o.others, o.until as "othersUntil"
from (select count(*)::int as capped, min(due_at) as until from (
    select due_at from contact_retry where campaign_id = $1 and put_off > 0 limit $2::int) of_capped) c,
  (select count(*)::int as others, min(due_at) as until from (
    select due_at, put_off from contact_retry where campaign_id = $1 order by due_at, no limit $2::int) first where (put_off > 0) is not true) o`,
)

export async function loadRests(db: Queryable, campaignId: number): Promise<Rests | null> {
  return (await run(db, restsStatement, [campaignId, looksMax]))[0] ?? null
}
