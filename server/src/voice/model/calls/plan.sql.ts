import { run, statement, type Queryable } from '../../../dispatch/statement.ts'

export type PlanRow = {
  flow: unknown
  is_test: boolean
  retries: number
  retry_ms: number
  ring_seconds: number | null
  is_retry: boolean
  /** The user and their resellers, from the user upwards. */
  payer_ids: number[]
  deleted_prompts: number[]
  pulse_ms: number
  pulse_paisa: number
  mint_id: number
}

const planStatement = statement<PlanRow>(
  'load_plan',
  `select d.flow, c.is_test, c.retries, c.retry_ms, c.ring_seconds, c.is_retry, l.pulse_ms, l.pulse_paisa,
  (select id from account where kind = 'mint') as mint_id,
  (select array_agg(p.payer_id order by p.level) from campaign_level p where p.campaign_id = c.id) as payer_ids,
  array(select p.id from prompt p where p.deleted_at is not null and p.id in (select jsonb_path_query(d.flow, '$.**.promptId')::int)) as deleted_prompts
from campaign c join campaign_detail d on d.campaign_id = c.id join campaign_level l on l.campaign_id = c.id and l.level = 0 where c.id = $1`,
)

export async function loadPlan(db: Queryable, campaignId: number): Promise<PlanRow> {
  const [row] = await run(db, planStatement, [campaignId])
  if (!row) throw new Error(`campaign ${campaignId} has no flow or no chain of payers`)
  return row
}

const promptNamesStatement = statement<{ name: string }>(
  'prompt_names',
  'select name from prompt where id = any ($1::int[]) order by id',
)

export async function promptNames(db: Queryable, ids: readonly number[]): Promise<string> {
  return (await run(db, promptNamesStatement, [ids])).map((row) => row.name).join(', ')
}
