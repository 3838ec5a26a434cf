import type { Db } from '../../db/db.ts'
import { within, type Scope } from '../../policy.ts'

export function findFlow(db: Db, scope: Scope, campaignId: number) {
  return db
    .selectFrom('campaign as c')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'c.id')
    .select(['c.account_id', 'd.name', 'd.template_id', 'd.base_id', 'd.flow'])
    .where('c.id', '=', campaignId)
    .where('c.is_test', '=', false)
    .where(within(scope, 'c.account_id'))
    .executeTakeFirst()
}

/** Deleted ones included, because a campaign keeps its sounds. */
export async function promptNames(db: Db, promptIds: readonly number[]): Promise<Map<number, string>> {
  if (promptIds.length === 0) return new Map()
  const prompts = await db.selectFrom('prompt').select(['id', 'name']).where('id', 'in', promptIds).execute()
  return new Map(prompts.map(({ id, name }) => [id, name]))
}
