import { findMax, type Called, type Found } from '@ghanti/contract/find.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { containing } from '../../db/list.ts'
import { within, type Scope } from '../../policy.ts'

const consideredMax = 1000

/**
 * Of a name that thousands have, a thousand are looked at, whichever way they are come by: the reader who waits for five does not pay for the rest.
 * The condition is materialized first, since a limit beside `order by` makes the planner walk the newest for a name that nobody has.
 */
export async function findCampaigns(
  db: Db,
  scope: Scope,
  { name, id }: { name: string | null; id: number | null },
): Promise<Found['campaigns']> {
  const ways = [
    ...(name === null ? [] : [sql`lower(p.name) like ${containing(name)}`]),
    ...(id === null ? [] : [sql`p.campaign_id = ${id}`]),
  ]
  const { rows } = await sql<Found['campaigns'][number]>`
    with considered as materialized (
      select p.campaign_id, p.name, p.account_id from campaign_progress p
       where (${sql.join(ways, sql` or `)}) and ${within(scope, 'p.account_id')} limit ${consideredMax})
    select considered.campaign_id as "campaignId", considered.name as "campaignName", users.username
      from considered join users on users.id = considered.account_id
     order by considered.campaign_id = ${id ?? 0} desc, considered.campaign_id desc limit ${findMax}`.execute(db)
  return rows
}

/** More calls of a number in one campaign are not counted. */
const callsCounted = 100
/** So many calls of a number, the newest, are looked through. */
const callsLookedAt = 10_000

/** The calls of the number are found first, by the index attempt_number: days have few of them, whatever else was called. */
export async function findCalled(
  db: Db,
  scope: Scope,
  phone: number,
): Promise<(Called['campaigns'][number] & { ownerId: number })[]> {
  const { rows } = await sql<Called['campaigns'][number] & { ownerId: number }>`
    with newest as materialized (
      select a.campaign_id from attempt a where a.phone % 10000 = ${phone % 10_000} and a.phone = ${phone} order by a.id desc limit ${callsLookedAt}
    ), called as materialized (select campaign_id, count(*)::int as calls from newest group by campaign_id)
    select p.campaign_id as "campaignId", p.name as "campaignName", users.username, p.account_id as "ownerId", least(called.calls, ${callsCounted}) as calls
      from called join campaign_progress p on p.campaign_id = called.campaign_id join users on users.id = p.account_id
     where ${within(scope, 'p.account_id')}
     order by p.start_at desc, p.campaign_id desc limit ${findMax}`.execute(db)
  return rows
}
