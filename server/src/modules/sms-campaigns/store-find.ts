import type { FoundCampaign } from '@ghanti/contract/find.ts'
import { finishedStatuses } from '@ghanti/contract/campaign-status.ts'
import { newestNamed } from '../../db/search/campaigns.ts'
import { countUpTo } from '../../db/lists/count.ts'
import type { Db } from '../../db/db.ts'
import type { Scope } from '../../policy.ts'

export function findCampaigns(db: Db, scope: Scope, search: string): Promise<FoundCampaign[]> {
  return newestNamed(db, 'sms_campaign_progress', scope, search)
}

/** Campaigns of all accounts with column values to approve, counted up to 100. */
export function countUndecided(db: Db): Promise<number> {
  const undecided = db
    .selectFrom('sms_campaign')
    .select('id')
    .where('unapproved', '>', 0)
    .where('values_decision', '=', 'pending')
    .where('status', 'not in', finishedStatuses)
  return countUpTo(db, undecided, 100)
}
