import { findMax, type Called, type FoundCampaign } from '@ghanti/contract/find.ts'
import { sql } from 'kysely'
import { newestNamed } from '../../db/search/campaigns.ts'
import type { Db } from '../../db/db.ts'
import { within, type Scope } from '../../policy.ts'

export function findCampaigns(db: Db, scope: Scope, search: string): Promise<FoundCampaign[]> {
  return newestNamed(db, 'campaign_progress', scope, search)
}

const callsCounted = 100
const callsLookedAt = 10_000

/** Finds the number's calls first, through the index attempt_number; there are few of them, whatever else was called. */
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
