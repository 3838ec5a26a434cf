import { fenced, leaseHeld, run, statement, type Lease, type Queryable } from '../statement.ts'
import { stateOf, type SavedCall } from './saved-call.ts'

export type SavedStep = { attemptId: number; answeredAt: number; keys: string; call: SavedCall }

/**
 * Saves where calls stand, many in one commit. Calls that have ended meanwhile are left out. $6 has a line for each state: JSON has no line
 * breaks, whereas an array would have each of its quotes escaped here and read back there.
 */
const saveStepsStatement = statement(
  'save_steps',
  `with ${leaseHeld}
insert into attempt_step as s (attempt_id, answered_at, state, keys, agent)
select t.id, t.answered_at, t.state, t.keys, t.agent
from unnest($4::bigint[], $5::timestamptz[], string_to_array($6::text, e'\\n')::json[], $7::text[], $8::text[]) as t (id, answered_at, state, keys, agent), lease
where (t.id in (select o.id from attempt_open o where o.id = any ($4::bigint[]))) is true -- by key, once, whatever the table's statistics say
on conflict (attempt_id) do update set state = excluded.state, keys = excluded.keys, agent = excluded.agent`,
)

export async function saveSteps(db: Queryable, lease: Lease, steps: readonly SavedStep[]): Promise<void> {
  if (steps.length === 0) return
  await run(db, saveStepsStatement, [
    ...fenced(lease),
    steps.map((step) => step.attemptId),
    steps.map((step) => new Date(step.answeredAt)),
    steps.map((step) => JSON.stringify(stateOf(step.call))).join('\n'),
    steps.map((step) => step.keys),
    steps.map((step) => step.call.patchedTo),
  ])
}
