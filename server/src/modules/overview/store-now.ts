import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/db.ts'
import { within, withinTree, type Scope } from '../../policy.ts'

export type SumsNow = {
  running: number
  inCall: number
  called: number
  answered: number
  outcomes: Record<string, number>
  /** Of the campaigns to show, in their order. */
  ids: number[]
}

/** Reads the unfinished campaigns of the scope alone, through the index on these: however many ended before costs nothing. */
export async function sumsNow(db: Db, scope: Scope, most: number): Promise<SumsNow> {
  const { rows } = await sql<SumsNow>`
    with mine as materialized (
      select campaign_id, status = 'paused' as is_paused, in_call, answered, outcomes, fresh + in_call + waiting as left_over,
             greatest(0, uploaded - dnd - fresh - in_call) as called
        from campaign_progress where finished_at is null and (status in ('running', 'pausing', 'resuming') or status = 'paused' and attempts > 0) and ${within(scope, 'account_id')}
    )
    select count(*)::int as running, coalesce(sum(in_call), 0)::int as "inCall", coalesce(sum(called), 0)::int as called, coalesce(sum(answered), 0)::int as answered,
           (select coalesce(jsonb_object_agg(key, n), '{}') from (
              select key, sum(value::int)::int as n from mine cross join jsonb_each_text(outcomes) where not is_paused group by key) o) as outcomes,
           array(select campaign_id from mine order by is_paused, left_over desc, campaign_id limit ${most}) as ids
      from mine where not is_paused`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate query returned no row')
  return row
}

/** Of so many newest ones the first that made calls is shown: older ones are no news. Below a reseller, of so many of each account. */
const lookedAt = { own: 20, platform: 20, subtree: 3 }
/** Below a reseller, of so many of the platform first: to ask each of ten thousand accounts for its newest would read sixty thousand pages. */
const recentOfPlatform = 300

/**
 * The last campaign that ended, by its start, by which the indexes of the summary are ordered: a few rows of each account, or of the
 * platform, are read, whatever their number.
 */
export async function lastEnded(db: Db, scope: Scope): Promise<number | undefined> {
  const isThere = sql`not exists (select from campaign_archived a where a.campaign_id = p.campaign_id)
       and not exists (select from campaign_deleted d where d.campaign_id = p.campaign_id)`
  const newest = (ofAccount: RawBuilder<boolean>, most: number, alsoThere: RawBuilder<unknown> = isThere) => sql`
    select campaign_id, account_id, start_at, attempts from campaign_progress p
     where ${ofAccount} and finished_at is not null and ${alsoThere}
     order by start_at desc, campaign_id desc limit ${most}`
  const firstOf = async (from: RawBuilder<unknown>): Promise<number | undefined> => {
    const { rows } = await sql<{ campaignId: number }>`
      select campaign_id as "campaignId" from (${from}) n where attempts > 0 order by start_at desc, campaign_id desc limit 1`.execute(
      db,
    )
    return rows[0]?.campaignId
  }
  const most = lookedAt[scope.kind]
  if (scope.kind !== 'subtree') return firstOf(newest(within(scope, 'p.account_id'), most))
  const recent = await firstOf(sql`select p.* from (${newest(sql`true`, recentOfPlatform, sql`true`)}) p
    join users u on u.id = p.account_id where ${withinTree(scope, 'u')} and ${isThere}`)
  if (recent !== undefined) return recent
  const ofEach = newest(sql<boolean>`p.account_id = u.id`, most)
  return firstOf(sql`select n.* from users u cross join lateral (${ofEach}) n where ${withinTree(scope, 'u')}`)
}
