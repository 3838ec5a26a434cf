import { fenced, leaseFence, run, statement, type Lease, type Queryable } from '../../../../dispatch/statement.ts'

export type OpenBreaker = {
  trunkId: number
  since: Date
  reason: string
  refusing: boolean
  probes: number
  /** settingsMark. */
  settings: string | null
  nextProbeAt: Date
}

const openedStatement = statement(
  'open_breaker',
  `with ${leaseFence}, breaker as (
  insert into trunk_health as h (trunk_id, held_since, hold_reason, probes, next_probe_at, held_for_refusals, last_fault, last_fault_at, settings)
  select $4::int, $5::timestamptz, $6::text, $7::int, $8::timestamptz, $9::boolean, $6::text, now(), $10::text from lease
  on conflict (trunk_id) do update set held_since = excluded.held_since, hold_reason = excluded.hold_reason, probes = excluded.probes,
    next_probe_at = excluded.next_probe_at, held_for_refusals = excluded.held_for_refusals, settings = excluded.settings, last_fault = excluded.last_fault, last_fault_at = excluded.last_fault_at returning probes
)
insert into alert (kind, subject, detail) select 'trunk_held', 'trunk ' || $4::int, $6::text from breaker where probes = 0`,
)

/** One that was closed before raises an alert. */
export async function saveOpened(db: Queryable, lease: Lease, breaker: OpenBreaker): Promise<void> {
  await run(db, openedStatement, [
    ...fenced(lease),
    breaker.trunkId,
    breaker.since,
    breaker.reason,
    breaker.probes,
    breaker.nextProbeAt,
    breaker.refusing,
    breaker.settings,
  ])
}

const probeStatement = statement(
  'probe_trunk',
  `with ${leaseFence}
update trunk_health h set next_probe_at = $5 from lease where h.trunk_id = $4 and h.held_since is not null`,
)

/** Moves the next probe of an open breaker. */
export async function saveProbe(db: Queryable, lease: Lease, trunkId: number, at: Date): Promise<void> {
  await run(db, probeStatement, [...fenced(lease), trunkId, at])
}

const closedStatement = statement(
  'close_breaker',
  `with ${leaseFence}, breaker as (
  update trunk_health h set held_since = null, hold_reason = null, held_for_refusals = false, probes = 0, next_probe_at = null from lease where h.trunk_id = $4 returning h.trunk_id
)
update alert a set cleared_at = now() from breaker b where a.kind = 'trunk_held' and a.subject = 'trunk ' || b.trunk_id and a.cleared_at is null`,
)

export async function saveClosed(db: Queryable, lease: Lease, trunkId: number): Promise<void> {
  await run(db, closedStatement, [...fenced(lease), trunkId])
}
