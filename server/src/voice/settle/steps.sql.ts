import {
  columnsOf,
  leaseFences,
  placedIn,
  run,
  statement,
  type Lease,
  type Queryable,
} from '../../dispatch/statement.ts'
import { stateOf, type SavedCall } from '../model/calls/saved-call.ts'

export type SavedStep = { attemptId: number; answeredAt: number; keys: string; call: SavedCall }

/**
 * Saves where calls of all dialers of an engine stand, many in one commit. Calls that have ended
 * meanwhile are left out. The states have a line each: JSON has no line breaks, whereas an array
 * would have each of its quotes escaped here and read back there.
 */
const saveStepsStatement = statement(
  'save_steps',
  `with ${leaseFences}, reports as materialized (
  select *
  from unnest(
    $4::int[],
    $5::bigint[],
    $6::timestamptz[],
    string_to_array($7::text, e'\\n')::json[],
    $8::text[],
    $9::text[]
  ) as t (lease, id, answered_at, state, keys, agent)
  where t.lease = any (array(select place from leases))
)
insert into attempt_step as s (attempt_id, answered_at, state, keys, agent)
select t.id, t.answered_at, t.state, t.keys, t.agent
from reports t
-- by key, once, whatever the table's statistics say
where (t.id in (select id from attempt_open where id = any (array(select id from reports)))) is true
on conflict (attempt_id) do update set
  state = excluded.state,
  keys = excluded.keys,
  agent = excluded.agent`,
)

export async function saveSteps(db: Queryable, saved: readonly { lease: Lease; step: SavedStep }[]): Promise<void> {
  if (saved.length === 0) return
  const { leases, places } = placedIn(saved)
  const steps = saved.map(({ step }) => step)
  await run(db, saveStepsStatement, [
    ...columnsOf(leases),
    places,
    steps.map((step) => step.attemptId),
    steps.map((step) => new Date(step.answeredAt)),
    steps.map((step) => JSON.stringify(stateOf(step.call))).join('\n'),
    steps.map((step) => step.keys),
    steps.map((step) => step.call.patchedTo),
  ])
}
