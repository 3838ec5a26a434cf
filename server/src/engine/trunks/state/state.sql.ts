import type { Registration } from '../../../db/tables.ts'
import { columnsOf, fenced, leaseHeld, run, statement, type Lease, type Queryable } from '../../statement.ts'

export type Failure = { at: Date; reason: string }

export type DialerNews = {
  /** Why it cannot be reached. Null: it can. */
  reason: string | null
  /** It answers again, and its calls are being compared with what lives there. */
  returning: boolean
  since: Date
  calls: number
  channels: number
  /** Channels that calls leave to agents. */
  kept: number
  begun: number
  roundTripMs: number | null
  lastFailure: Failure | null
}

export type TrunkNews = {
  trunkId: number
  reachable: boolean | null
  registered: Registration | null
  /** Why no call can use the trunk with its settings. Null: nothing is known against it. */
  unusable: string | null
  calls: number
  channels: number
  /** Channels that calls leave to agents: of the trunk, and of what its contract grants here. */
  kept: number
  keptOfContract: number
  begun: number
  /** How many calls a second its operator takes. Null: as many as are asked for. */
  takes: number | null
  recent: string
  lastFailure: Failure | null
}

/** A last failure stays until there is a newer one. */
const stateStatement = statement(
  'keep_state',
  `with ${leaseHeld}, of_dialer as (
  insert into dialer_state as s (dialer_id, reachable, reason, since, calls, channels, begun, round_trip_ms, last_failure, last_failure_at, comes_back, kept)
  select $1::int, $4::text is null, $4::text, $5::timestamptz, $6::int, $7::int, $8::int, $21::int, $9::text, $10::timestamptz, $23::boolean, $24::int from lease
  on conflict (dialer_id) do update set reachable = excluded.reachable, reason = excluded.reason, since = excluded.since, comes_back = excluded.comes_back, kept = excluded.kept,
    calls = excluded.calls, channels = excluded.channels, begun = excluded.begun, round_trip_ms = excluded.round_trip_ms, seen_at = now(),
    last_failure = coalesce(excluded.last_failure, s.last_failure), last_failure_at = coalesce(excluded.last_failure_at, s.last_failure_at)
)
insert into trunk_state as s (trunk_id, reachable, registered, calls, channels, begun, recent, last_failure, last_failure_at, unusable, takes_cps, kept, contract_kept)
select t.* from lease, unnest($11::int[], $12::boolean[], $13::registration[], $14::int[], $15::int[], $16::int[], $17::text[], $18::text[], $19::timestamptz[], $20::text[], $22::real[], $25::int[], $26::int[]) t
on conflict (trunk_id) do update set reachable = excluded.reachable, registered = excluded.registered, unusable = excluded.unusable, takes_cps = excluded.takes_cps, calls = excluded.calls,
  channels = excluded.channels, kept = excluded.kept, contract_kept = excluded.contract_kept, begun = excluded.begun, recent = excluded.recent, seen_at = now(),
  last_failure = coalesce(excluded.last_failure, s.last_failure), last_failure_at = coalesce(excluded.last_failure_at, s.last_failure_at)`,
)

/** The state of a dialer and its trunks, for people who look at them. */
export async function keepState(
  db: Queryable,
  lease: Lease,
  dialer: DialerNews,
  trunks: readonly TrunkNews[],
): Promise<void> {
  await run(db, stateStatement, [
    ...fenced(lease),
    dialer.reason,
    dialer.since,
    dialer.calls,
    dialer.channels,
    dialer.begun,
    dialer.lastFailure?.reason ?? null,
    dialer.lastFailure?.at ?? null,
    trunks.map((trunk) => trunk.trunkId),
    trunks.map((trunk) => trunk.reachable),
    trunks.map((trunk) => trunk.registered),
    trunks.map((trunk) => trunk.calls),
    trunks.map((trunk) => trunk.channels),
    trunks.map((trunk) => trunk.begun),
    trunks.map((trunk) => trunk.recent),
    trunks.map((trunk) => trunk.lastFailure?.reason ?? null),
    trunks.map((trunk) => trunk.lastFailure?.at ?? null),
    trunks.map((trunk) => trunk.unusable),
    dialer.roundTripMs,
    trunks.map((trunk) => trunk.takes),
    dialer.returning,
    dialer.kept,
    trunks.map((trunk) => trunk.kept),
    trunks.map((trunk) => trunk.keptOfContract),
  ])
}

const lostStatement = statement<{ since: Date }>(
  'lost_since',
  'select since from dialer_state where dialer_id = $1 and not reachable',
)

/** Since when the dialer has been silent, whichever engine had it. Null: it answered last, or nobody ever tried. */
export async function lostSince(db: Queryable, dialerId: number): Promise<Date | null> {
  return (await run(db, lostStatement, [dialerId]))[0]?.since ?? null
}

/** $1 dialers $2 engines $3 epochs */
const seenStatement = statement(
  'still_seen',
  `with held as materialized (
  select l.dialer_id from dialer_lease l join unnest($1::int[], $2::text[], $3::bigint[]) as t (dialer_id, engine_id, epoch)
    on t.dialer_id = l.dialer_id and t.engine_id = l.engine_id and t.epoch = l.epoch
  where l.expires_at > clock_timestamp()
), of_dialers as (
  update dialer_state s set seen_at = now() from held where s.dialer_id = held.dialer_id
)
update trunk_state s set seen_at = now() from held join trunk t on t.dialer_id = held.dialer_id and t.deleted_at is null where s.trunk_id = t.id`,
)

/** The last state that `keepState` wrote of these dialers and their trunks is still true. */
export async function stillSeen(db: Queryable, leases: readonly Lease[]): Promise<void> {
  await run(db, seenStatement, columnsOf(leases))
}
