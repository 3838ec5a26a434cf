import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { isInTree } from '../../db/search/users.ts'
import { trendBounds, type BegunCampaigns } from './rules-trend.ts'

/**
 * Figures of the campaigns started in the last two weeks, of an account and all below it, or of everybody when `userId` is null. Reads only
 * these campaigns' counters, through the indexes on their start.
 */
export async function begunCampaigns(db: Db, userId: number | null, now: Date): Promise<BegunCampaigns[]> {
  const { from, weekAgo } = trendBounds(now)
  const isTheirs = userId === null ? sql`true` : isInTree(userId, sql.ref('account_id'))
  const theirs = sql<boolean>`start_at >= ${from} and start_at <= ${now} and ${isTheirs}`
  const { rows } = await sql<BegunCampaigns>`
    select (start_at at time zone 'UTC' + interval '5 hours 45 minutes')::date::text as day, start_at <= ${weekAgo} as before, sum(campaigns)::int as campaigns,
           sum(attempts)::bigint as calls, sum(answered)::bigint as connected, sum(messages)::bigint as messages, sum(delivered)::bigint as delivered,
           sum(cost_paisa)::bigint as paisa
      from (select start_at, 1 as campaigns, attempts, answered, 0 as messages, 0 as delivered, cost_paisa from campaign_progress where ${theirs}
            union all
            select start_at, 0, 0, 0, accepted, delivered, cost_paisa from sms_campaign_progress where ${theirs}) begun
     group by 1, 2`.execute(db)
  return rows
}
