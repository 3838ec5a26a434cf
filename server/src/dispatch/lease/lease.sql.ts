import { customerChannelSql } from '../channel-names.ts'
import { columnsOf, fenced, run, statement, type Lease, type Queryable } from '../statement.ts'

/**
 * Takes a lease. It succeeds 3 s after the lease has run out, when its engine is dead, when it is this engine's already, or when nobody ever
 * had it. An engine lives as long as its advisory lock is held; a lease without a lock (null) may be taken by an engine of the same name.
 * $1 dialer $2 engine $3 ms $4 its lock
 */
const takeoverStatement = statement<{ epoch: number; at_once: boolean | null }>(
  'takeover',
  `insert into dialer_lease as l (dialer_id, engine_id, epoch, expires_at, liveness)
values ($1, $2, 1, clock_timestamp() + $3::int * interval '1 ms', $4::bigint)
on conflict (dialer_id) do update set engine_id = excluded.engine_id, epoch = l.epoch + 1, expires_at = excluded.expires_at, liveness = excluded.liveness, next_liveness = null
where l.expires_at + interval '3 seconds' < clock_timestamp() or l.liveness = excluded.liveness or l.liveness is null and l.engine_id = excluded.engine_id
  or l.liveness is not null and pg_try_advisory_xact_lock(l.liveness)
returning epoch, old.expires_at + interval '3 seconds' < clock_timestamp() or old.liveness is null or old.liveness = $4 as at_once`,
)

/** A call that a dead engine claimed is dialled within this time, or never: 1 s from claim to request, and 1 s for the request. */
const quietMs = 2500

/** `quietMs`: for how long nothing may be sent to the dialer, since requests of the last holder may still arrive. */
export type Taken = Lease & { quietMs: number }

/** Null: another engine has it, or had it less than 3 s ago. `liveness`: the lock that shows that the engine lives; null: it has none. */
export async function takeover(
  db: Queryable,
  dialerId: number,
  engineId: string,
  leaseMs: number,
  liveness: number | null = null,
): Promise<Taken | null> {
  const [row] = await run(db, takeoverStatement, [dialerId, engineId, leaseMs, liveness])
  return row ? { dialerId, engineId, epoch: row.epoch, quietMs: row.at_once === false ? quietMs : 0 } : null
}

const livenessStatement = statement<{ mine: boolean }>('liveness', 'select pg_try_advisory_lock($1::bigint) as mine')

/** Takes the lock, which is held as long as the connection lives. False: another connection holds it. */
export async function lockLiveness(client: Queryable, key: number): Promise<boolean> {
  return (await run(client, livenessStatement, [key]))[0]?.mine ?? false
}

const renewStatement = statement<{ expires_at: Date }>(
  'renew',
  `update dialer_lease set expires_at = clock_timestamp() + $4::int * interval '1 ms'
where dialer_id = $1 and engine_id = $2 and epoch = $3 returning expires_at`,
)

/** Also after its end, as long as nobody has taken it: whoever takes it raises the epoch. False: another engine has it, or had it. */
export async function renew(db: Queryable, lease: Lease, leaseMs: number): Promise<boolean> {
  return (await run(db, renewStatement, [...fenced(lease), leaseMs])).length === 1
}

/** $1 dialers $2 engines $3 epochs $4 ms. Leases that a statement under way has locked are left out, so that no renewal waits for another dialer. */
const renewAllStatement = statement<{ dialer_id: number }>(
  'renew_all',
  `with leases as materialized (
  select l.dialer_id from dialer_lease l join unnest($1::int[], $2::text[], $3::bigint[]) as t (dialer_id, engine_id, epoch)
    on t.dialer_id = l.dialer_id and t.engine_id = l.engine_id and t.epoch = l.epoch
  where l.expires_at > clock_timestamp() for no key update of l skip locked
)
update dialer_lease l set expires_at = clock_timestamp() + $4::int * interval '1 ms' from leases where l.dialer_id = leases.dialer_id returning l.dialer_id`,
)

/** Returns the dialers whose lease was renewed. For the others, ask `renew`. */
export async function renewAll(db: Queryable, leases: readonly Lease[], leaseMs: number): Promise<number[]> {
  return (await run(db, renewAllStatement, [...columnsOf(leases), leaseMs])).map((row) => row.dialer_id)
}

const releaseStatement = statement(
  'release_lease',
  `update dialer_lease set expires_at = clock_timestamp() - interval '3 seconds', next_liveness = $4::bigint where dialer_id = $1 and engine_id = $2 and epoch = $3`,
)

/** Releases the lease after the last call was dialled, so that the next holder need not wait. `to`: the lock of the engine for which it is; null: any. */
export async function releaseLease(db: Queryable, lease: Lease, to: number | null = null): Promise<void> {
  await run(db, releaseStatement, [...fenced(lease), to])
}

export type OpenAttempt = {
  id: number
  dialer_id: number
  channel_id: string
  campaign_id: number
  no: number
  phone: number
  attempt_no: number
  congestions: number
  failures: number
  reserved_paisa: number
  trunk_id: number
  /** The trunks that the attempt met before this one. */
  tried: number[]
  stream: number
  cli_id: number
  /** The caller ID's number. */
  cli: string
  started_at: Date
  /** The last saved state of the call. Null: it was not seen answered. */
  answered_at: Date | null
  state: unknown
  keys: string | null
  agent: string | null
  /** Of Call Now: the customer's telephone may have been rung. */
  customer_called: boolean
  /** No table accepted its outcome. */
  is_parked: boolean
}

/**
 * Attempts in call, with their saved states. $1 dialers $2 include attempts whose outcome is parked, which are no calls any more. After a
 * takeover, read this in a statement of its own: one statement has one snapshot.
 */
const openStatement = statement<OpenAttempt>(
  'open_attempts',
  `select o.id, o.dialer_id, ${customerChannelSql('o.epoch', 'o.tried')} as channel_id, o.campaign_id, o.no, o.phone, o.attempt_no, c.congestions, c.failures, o.reserved_paisa, coalesce(o.trunk_id, m.trunk_id) as trunk_id, coalesce(o.tried, '{}') as tried, o.stream, k.id as cli_id, k.number as cli, o.started_at, o.customer_called,
  s.answered_at, s.state, s.keys, s.agent, p.attempt_id is not null as is_parked
from attempt_open o join campaign_contact c on c.campaign_id = o.campaign_id and c.no = o.no left join attempt_step s on s.attempt_id = o.id
  join campaign m on m.id = o.campaign_id join cli k on k.id = coalesce(o.cli_id, m.cli_id) left join outcome_parked p on p.attempt_id = o.id, installation i
where o.dialer_id = any ($1::int[]) and ($2::boolean or p.attempt_id is null)`,
)

export function openAttempts(db: Queryable, dialerId: number, { parkedToo = false } = {}): Promise<OpenAttempt[]> {
  return run(db, openStatement, [[dialerId], parkedToo])
}

export function openAttemptsOf(db: Queryable, dialerIds: readonly number[]): Promise<OpenAttempt[]> {
  return run(db, openStatement, [dialerIds, false])
}

const installationStatement = statement<{ id: string }>('installation', 'select id from installation')

/** The prefix of all our channels' names. */
export async function channelPrefix(db: Queryable): Promise<string> {
  const [row] = await run(db, installationStatement, [])
  if (!row) throw new Error('the database has no installation id')
  return `${row.id}-`
}
