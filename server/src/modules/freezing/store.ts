import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { onlyStoppedBy } from '../../db/live.ts'

export type UnderWay = { accounts: number; sessions: number; calls: number; messages: number; smsCampaigns: number }

/** Leaves out accounts and campaigns that something else stops, too. */
export async function underWay(
  db: Db,
  userId: number,
  sessions: { openedAfter: Date; seenAfter: Date },
): Promise<UnderWay> {
  const { rows } = await sql<UnderWay>`
    with tree as materialized (
      select u.id, u.deleted_at, ${onlyStoppedBy(userId, 'u.path')} as stops from users u where u.path @> array[${userId}::int]
    )
    select
      (select count(*)::int from tree where id <> ${userId} and deleted_at is null and stops) as accounts,
      (select count(*)::int from session s join tree on tree.id = s.user_id
        where s.created_at > ${sessions.openedAfter} and s.last_seen_at > ${sessions.seenAfter}) as sessions,
      (select count(*)::int from attempt_open o join tree on tree.id = o.account_id) as calls,
      (select count(*)::int from sms_open o join tree on tree.id = o.account_id) as messages,
      (select count(*)::int from sms_campaign c join tree on tree.id = c.account_id where stops
        and (c.status in ('processing', 'ready', 'running', 'resuming') or c.status = 'onHold' and c.hold_cause = 'disabled')) as "smsCampaigns"`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new Error('an aggregate query returned no row')
  return row
}
