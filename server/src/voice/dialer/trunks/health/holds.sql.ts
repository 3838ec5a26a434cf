import { fenced, leaseHeld, run, statement, type Lease, type Queryable } from '../../../../dispatch/statement.ts'

export type Hold = {
  trunkId: number
  since: Date
  reason: string
  refusing: boolean
  probes: number
  /** settingsMark. */
  settings: string | null
  nextProbeAt: Date
}

const holdStatement = statement(
  'hold_trunk',
  `with ${leaseHeld}, held as (
  insert into trunk_health as h (trunk_id, held_since, hold_reason, probes, next_probe_at, held_for_refusals, last_fault, last_fault_at, settings)
  select $4::int, $5::timestamptz, $6::text, $7::int, $8::timestamptz, $9::boolean, $6::text, now(), $10::text from lease
  on conflict (trunk_id) do update set held_since = excluded.held_since, hold_reason = excluded.hold_reason, probes = excluded.probes,
    next_probe_at = excluded.next_probe_at, held_for_refusals = excluded.held_for_refusals, settings = excluded.settings, last_fault = excluded.last_fault, last_fault_at = excluded.last_fault_at returning probes
)
insert into alert (kind, subject, detail) select 'trunk_held', 'trunk ' || $4::int, $6::text from held where probes = 0`,
)

/** A new hold raises an alert. */
export async function saveHold(db: Queryable, lease: Lease, hold: Hold): Promise<void> {
  await run(db, holdStatement, [
    ...fenced(lease),
    hold.trunkId,
    hold.since,
    hold.reason,
    hold.probes,
    hold.nextProbeAt,
    hold.refusing,
    hold.settings,
  ])
}

const probeStatement = statement(
  'probe_trunk',
  `with ${leaseHeld}
update trunk_health h set next_probe_at = $5 from lease where h.trunk_id = $4 and h.held_since is not null`,
)

/** Moves the next probe of a held trunk. */
export async function saveProbe(db: Queryable, lease: Lease, trunkId: number, at: Date): Promise<void> {
  await run(db, probeStatement, [...fenced(lease), trunkId, at])
}

const liftStatement = statement(
  'lift_trunk',
  `with ${leaseHeld}, lifted as (
  update trunk_health h set held_since = null, hold_reason = null, held_for_refusals = false, probes = 0, next_probe_at = null from lease where h.trunk_id = $4 returning h.trunk_id
)
update alert a set cleared_at = now() from lifted l where a.kind = 'trunk_held' and a.subject = 'trunk ' || l.trunk_id and a.cleared_at is null`,
)

export async function liftHold(db: Queryable, lease: Lease, trunkId: number): Promise<void> {
  await run(db, liftStatement, [...fenced(lease), trunkId])
}
