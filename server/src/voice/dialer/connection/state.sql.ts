import type { Registration } from '../../../db/tables.ts'
import {
  arraysOf,
  columnsOf,
  leaseFences,
  placedIn,
  run,
  statement,
  type Lease,
  type Queryable,
} from '../../../dispatch/statement.ts'

export type Failure = { at: Date; reason: string }

type DialerNews = {
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

type TrunkNews = {
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

/** What a dialer and its trunks are like now. */
export type StateAsk = { lease: Lease; dialer: DialerNews; trunks: readonly TrunkNews[] }

/** A last failure stays until there is a newer one. */
const dialersStatement = statement(
  'keep_state',
  `with ${leaseFences}
insert into dialer_state as s (
  dialer_id,
  reachable,
  reason,
  since,
  calls,
  channels,
  begun,
  round_trip_ms,
  last_failure,
  last_failure_at,
  comes_back,
  kept
)
select
  h.dialer_id,
  d.reason is null,
  d.reason,
  d.since,
  d.calls,
  d.channels,
  d.begun,
  d.round_trip_ms,
  d.last_failure,
  d.last_failure_at,
  d.comes_back,
  d.kept
from leases h
join json_to_recordset($4::json) as d (
  place int,
  reason text,
  since timestamptz,
  calls int,
  channels int,
  begun int,
  round_trip_ms int,
  last_failure text,
  last_failure_at timestamptz,
  comes_back boolean,
  kept int
) on d.place = h.place
on conflict (dialer_id) do update set
  reachable = excluded.reachable,
  reason = excluded.reason,
  since = excluded.since,
  comes_back = excluded.comes_back,
  kept = excluded.kept,
  calls = excluded.calls,
  channels = excluded.channels,
  begun = excluded.begun,
  round_trip_ms = excluded.round_trip_ms,
  seen_at = now(),
  last_failure = coalesce(excluded.last_failure, s.last_failure),
  last_failure_at = coalesce(excluded.last_failure_at, s.last_failure_at)`,
)

const trunksStatement = statement(
  'keep_trunk_state',
  `with ${leaseFences}
insert into trunk_state as s (
  trunk_id,
  reachable,
  registered,
  calls,
  channels,
  begun,
  recent,
  last_failure,
  last_failure_at,
  unusable,
  takes_cps,
  kept,
  contract_kept
)
select t.*
from json_to_recordset($4::json) as t (
  trunk_id int,
  reachable boolean,
  registered registration,
  calls int,
  channels int,
  begun int,
  recent text,
  last_failure text,
  last_failure_at timestamptz,
  unusable text,
  takes_cps real,
  kept int,
  contract_kept int
)
join unnest($5::int[], $6::int[]) as p (trunk_id, place) on p.trunk_id = t.trunk_id
where p.place = any (array(select place from leases))
on conflict (trunk_id) do update set
  reachable = excluded.reachable,
  registered = excluded.registered,
  unusable = excluded.unusable,
  takes_cps = excluded.takes_cps,
  calls = excluded.calls,
  channels = excluded.channels,
  kept = excluded.kept,
  contract_kept = excluded.contract_kept,
  begun = excluded.begun,
  recent = excluded.recent,
  seen_at = now(),
  last_failure = coalesce(excluded.last_failure, s.last_failure),
  last_failure_at = coalesce(excluded.last_failure_at, s.last_failure_at)`,
)

/** The state of dialers and their trunks, for people who look at them. */
export async function keepStates(db: Queryable, asks: readonly StateAsk[]): Promise<void> {
  const { leases, places } = placedIn(asks)
  const dialers = asks.map(({ dialer }, i) => ({
    place: places[i],
    reason: dialer.reason,
    since: dialer.since,
    calls: dialer.calls,
    channels: dialer.channels,
    begun: dialer.begun,
    round_trip_ms: dialer.roundTripMs,
    last_failure: dialer.lastFailure?.reason ?? null,
    last_failure_at: dialer.lastFailure?.at ?? null,
    comes_back: dialer.returning,
    kept: dialer.kept,
  }))
  await run(db, dialersStatement, [...columnsOf(leases), JSON.stringify(dialers)])
  const trunks = asks.flatMap((ask, i) => ask.trunks.map((trunk) => ({ ...trunk, place: places[i] })))
  if (trunks.length === 0) return
  const rows = trunks.map((trunk) => ({
    trunk_id: trunk.trunkId,
    reachable: trunk.reachable,
    registered: trunk.registered,
    calls: trunk.calls,
    channels: trunk.channels,
    begun: trunk.begun,
    recent: trunk.recent,
    last_failure: trunk.lastFailure?.reason ?? null,
    last_failure_at: trunk.lastFailure?.at ?? null,
    unusable: trunk.unusable,
    takes_cps: trunk.takes,
    kept: trunk.kept,
    contract_kept: trunk.keptOfContract,
  }))
  const columns = [JSON.stringify(rows), ...arraysOf(trunks, 'trunkId', 'place')]
  await run(db, trunksStatement, [...columnsOf(leases), ...columns])
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
  `with leases as materialized (
  select l.dialer_id from dialer_lease l join unnest($1::int[], $2::text[], $3::bigint[]) as t (dialer_id, engine_id, epoch)
    on t.dialer_id = l.dialer_id and t.engine_id = l.engine_id and t.epoch = l.epoch
  where l.expires_at > clock_timestamp()
), of_dialers as (
  update dialer_state s set seen_at = now() from leases where s.dialer_id = leases.dialer_id
)
update trunk_state s set seen_at = now() from leases join trunk t on t.dialer_id = leases.dialer_id and t.deleted_at is null where s.trunk_id = t.id`,
)

/** The last state that `keepState` wrote of these dialers and their trunks is still true. */
export async function stillSeen(db: Queryable, leases: readonly Lease[]): Promise<void> {
  await run(db, seenStatement, columnsOf(leases))
}
