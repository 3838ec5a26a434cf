import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import type { Json } from '../../db/tables.ts'
import { within, type Scope } from '../../policy.ts'

/** Stored in the composed fields, so that copies, set-ups and repeating campaigns have them too. */
const ownKeyLabels = sql<Json>`d.composed -> 'keyLabels'`

/** The names that these campaigns gave their keys; those without any are left out. */
export async function keyLabels(db: Db, campaignIds: readonly number[]): Promise<Map<number, Json>> {
  const rows = await db
    .selectFrom('campaign_detail as d')
    .select(['d.campaign_id', ownKeyLabels.as('keyLabels')])
    .where('d.campaign_id', 'in', campaignIds)
    .where(ownKeyLabels, 'is not', null)
    .execute()
  return new Map(rows.map(({ campaign_id: id, keyLabels: labels }) => [id, labels]))
}

export function findFlow(db: Db, scope: Scope, campaignId: number) {
  return db
    .selectFrom('campaign as c')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'c.id')
    .select(['c.account_id', 'd.name', 'd.template_id', 'd.base_id', 'd.flow', ownKeyLabels.as('keyLabels')])
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

/** How many of an account's newest campaigns tell who its usual agents are. */
const campaignsOfAgents = 200

/** The agents of campaigns that the account composed. */
export async function usualAgents(tx: Tx, ownerId: number): Promise<Set<number>> {
  const { rows } = await sql<{ phone: number }>`select distinct substr(n.number #>> '{}', 2)::bigint as phone
    from (select d.flow from campaign c join campaign_detail d on d.campaign_id = c.id
      where c.account_id = ${ownerId} and not c.is_test and d.template_id = 2 order by c.id desc limit ${campaignsOfAgents}) f
    cross join lateral jsonb_path_query(f.flow, 'strict $.** ? (@.type == "agent").number') as n (number)`.execute(tx)
  return new Set(rows.map(({ phone }) => phone))
}
