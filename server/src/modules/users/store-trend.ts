import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { trendBounds, type BegunCampaigns } from './rules-trend.ts'

/**
 * What became of the campaigns that began in the last two weeks: of an account and all below it, or of everybody when `userId` is null.
 * Reads those campaigns alone, by the index on when they begin.
 */
export async function begunCampaigns(db: Db, userId: number | null, now: Date): Promise<BegunCampaigns[]> {
  const { from, weekAgo } = trendBounds(now)
  const { rows } = await sql<BegunCampaigns>`
    select (start_at at time zone 'UTC' + interval '5 hours 45 minutes')::date::text as day, start_at <= ${weekAgo} as before,
           count(*)::int as campaigns, sum(attempts)::bigint as calls, sum(answered)::bigint as connected, sum(cost_paisa)::bigint as paisa
      from campaign_progress
     where start_at >= ${from} and start_at <= ${now}
       and (${userId}::int is null or account_id = any (array(select id from users where path @> array[${userId}::int])))
     group by 1, 2`.execute(db)
  return rows
}
