import { fenced, leaseFence, run, statement, type Lease, type Queryable } from '../../../dispatch/statement.ts'
import type { SymptomCounts } from './trunk-symptoms.ts'

export type TrunkCounts = { trunkId: number; counts: SymptomCounts; contradiction: string | null }
/** The trunk's present hour after adding, and the one before. */
export type TrunkHours = {
  trunk_id: number
  at: number
  hour: SymptomCounts
  before: SymptomCounts | null
  contradiction: string | null
}

const addStatement = statement<TrunkHours>(
  'add_trunk_symptoms',
  `with ${leaseFence}, hours as (
  insert into trunk_symptom as k (trunk_id, at, answered, short, asked, keyed, sampled, one_way, dead, described, contradicted, contradiction)
  select t."trunkId", nepal_minute(now()) / 60, c.answered, c.short, c.asked, c.keyed, c.sampled, c.one_way, c.dead, c.described, c.contradicted, t.contradiction
  from lease, jsonb_to_recordset($4::jsonb) t ("trunkId" int, counts jsonb, contradiction text), jsonb_populate_record(null::trunk_symptom, t.counts) c
  order by 1
  on conflict (trunk_id, at) do update set
    answered = k.answered + excluded.answered, short = k.short + excluded.short,
    asked = k.asked + excluded.asked, keyed = k.keyed + excluded.keyed,
    sampled = k.sampled + excluded.sampled, one_way = k.one_way + excluded.one_way, dead = k.dead + excluded.dead,
    described = k.described + excluded.described, contradicted = k.contradicted + excluded.contradicted,
    contradiction = coalesce(excluded.contradiction, k.contradiction)
  returning k.*
)
select a.trunk_id, a.at, to_jsonb(a) as hour, case when b.trunk_id is not null then to_jsonb(b) end as before, coalesce(a.contradiction, b.contradiction) as contradiction
from hours a left join lateral ( -- the limit has each looked up by its key, where PostgreSQL expects more trunks and would read the whole table
  select * from trunk_symptom p where p.trunk_id = a.trunk_id and p.at = a.at - 1 limit 1
) b on true`,
)

export function addSymptoms(db: Queryable, lease: Lease, trunks: readonly TrunkCounts[]): Promise<TrunkHours[]> {
  return run(db, addStatement, [...fenced(lease), JSON.stringify(trunks)])
}
