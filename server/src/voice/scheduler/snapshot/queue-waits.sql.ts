import { streamsOfCampaign } from '../../model/campaigns/streams.sql.ts'
import { run, statement, type Queryable } from '../../../dispatch/statement.ts'

/** Why the rows of a campaign's queue wait. Each count stops at 1,000; a higher one would not be worth its cost. */
export type QueueWait = {
  /** They were called today as often as they may be. */
  capped: number
  cappedUntil: Date | null
  /** They wait for their next attempt, or until another call to their number is over. */
  others: number
  othersUntil: Date | null
}

/** The limits are literals, and both orders are an index's. With a limit that is unknown at planning, PostgreSQL would read the whole queue. */
const queueWaitStatement = statement<QueueWait>(
  'queue_wait',
  `select c.capped, c.until as "cappedUntil", o.others, o.until as "othersUntil"
from (select count(*)::int as capped, min(due_at) as until from (
    select due_at from contact_retry where campaign_id = $1 and put_off > 0 order by no limit 1000) of_capped) c,
  (select count(*)::int as others, min(due_at) as until from (
    select q.due_at, q.put_off from campaign c, ${streamsOfCampaign}, lateral (
      select due_at, put_off from contact_retry r where r.campaign_id = c.id and r.stream = s.stream order by due_at, no limit 1000) q where c.id = $1) first where (put_off > 0) is not true) o`,
)

export async function loadQueueWait(db: Queryable, campaignId: number): Promise<QueueWait | null> {
  return (await run(db, queueWaitStatement, [campaignId]))[0] ?? null
}
