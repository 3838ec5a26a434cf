import { searchedDigits } from '@ghanti/contract/caller-id.ts'
import type { CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/db.ts'
import { between, composedBetween, type Archived, type Range } from '../../db/search/campaigns.ts'

export type CampaignFilter = {
  statuses?: readonly CampaignStatus[] | undefined
  templates?: readonly number[] | undefined
  created?: Range | undefined
  scheduled?: Range | undefined
  cli?: string | undefined
  archived?: Archived
}

type Where = RawBuilder<boolean>

/** Conditions on `campaign_progress p`. */
export async function filtered(db: Db, filter: CampaignFilter): Promise<Where[]> {
  const { statuses, templates, created, scheduled, cli } = filter
  return [
    ...(statuses ? [sql<boolean>`p.status = any (${statuses}::campaign_status[])`] : []),
    ...(templates ? [sql<boolean>`p.template_id = any (${templates}::smallint[])`] : []),
    ...between(sql`p.start_at`, scheduled),
    ...(await composedBetween(db, 'campaign_detail', created)),
    ...(cli === undefined ? [] : [calledFrom(cli)]),
  ]
}

/** Deleted CLIs included, because campaigns that called from them still exist; and the groups that have one of them. */
function calledFrom(cli: string): Where {
  const numbers = searchedDigits(cli)?.begins ?? [cli]
  return sql<boolean>`p.campaign_id in (select c.id from campaign c where c.cli_id = any (array(
    select i.id from cli i where i.number = any (${numbers})
    union all select m.group_id from cli_member m join cli i on i.id = m.cli_id where i.number = any (${numbers}))))`
}
