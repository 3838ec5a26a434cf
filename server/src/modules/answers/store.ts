import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import type { Json } from '../../db/tables.ts'
import { within, type Scope } from '../../policy.ts'

export function find(db: Db, scope: Scope, campaignId: number) {
  return db
    .selectFrom('campaign as c')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'c.id')
    .innerJoin('campaign_progress as p', 'p.campaign_id', 'c.id')
    .select([
      'p.name',
      'd.flow',
      sql<Json>`d.composed -> 'keyLabels'`.as('keyLabels'),
      sql<number>`(select coalesce(sum(answered), 0)::int from campaign_count k where k.campaign_id = c.id)`.as(
        'answered',
      ),
    ])
    .where('c.id', '=', campaignId)
    .where('c.is_test', '=', false)
    .where(within(scope, 'c.account_id'))
    .executeTakeFirst()
}

export async function tallies(db: Db, campaignId: number): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('campaign_tally')
    .select(['mark', sql<number>`sum(n)::int`.as('n')])
    .where('campaign_id', '=', campaignId)
    .groupBy('mark')
    .execute()
  return new Map(rows.map(({ mark, n }) => [mark, n]))
}
