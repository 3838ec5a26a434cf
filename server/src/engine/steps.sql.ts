import { fenced, leaseHeld, run, statement, type Lease, type Queryable } from './statement.ts'
import type { SavedCall } from './saved-call.ts'

export type SavedStep = { attemptId: number; answeredAt: number; keys: string; call: SavedCall }

/** Where calls stand, many in one commit. Nothing is kept of a call that has ended meanwhile. */
const saveStepsStatement = statement(
  'save_steps',
  `with ${leaseHeld}
insert into attempt_step as s (attempt_id, answered_at, state, keys, agent)
select t.id, t.answered_at, t.state, t.keys, t.agent
from unnest($4::bigint[], $5::timestamptz[], $6::jsonb[], $7::text[], $8::text[]) as t (id, answered_at, state, keys, agent), lease
where exists (select from attempt_open o where o.id = t.id)
on conflict (attempt_id) do update set state = excluded.state, keys = excluded.keys, agent = excluded.agent`,
)

export async function saveSteps(db: Queryable, lease: Lease, steps: readonly SavedStep[]): Promise<void> {
  if (steps.length === 0) return
  await run(db, saveStepsStatement, [
    ...fenced(lease),
    steps.map((step) => step.attemptId),
    steps.map((step) => new Date(step.answeredAt)),
    steps.map((step) => JSON.stringify(step.call)),
    steps.map((step) => step.keys),
    steps.map((step) => step.call.patchedTo),
  ])
}
