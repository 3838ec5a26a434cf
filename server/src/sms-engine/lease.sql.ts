import { run, statement, type Queryable } from '../engine/statement.ts'

/** Who writes: what every statement of this engine is fenced by. Gateway 0: the campaigns themselves, which no gateway has. */
export type SmsLease = { gatewayId: number; engineId: string; epoch: number }

/** The gateway id of the lease under which campaigns are looked after. */
export const keeperId = 0

export function fenced(lease: SmsLease): [number, string, number] {
  return [lease.gatewayId, lease.engineId, lease.epoch]
}

/** The fence, as the first expression of a `with`: no row once the lease is over or somebody else's. A takeover waits for whoever holds it. */
export const leaseHeld = `lease as materialized (
  select from sms_lease where gateway_id = $1 and engine_id = $2 and epoch = $3 and expires_at > clock_timestamp() for share
)`

/**
 * Succeeds when the lease has run out, when its engine lives no more, when it is this engine's already, or when nobody ever had it. Nobody needs to
 * be quiet then, unlike with calls: what the old holder may still be sending is in sms_open, and whoever takes over never sends that again.
 * $1 gateway $2 engine $3 ms $4 its advisory lock
 */
const takeoverStatement = statement<{ epoch: number }>(
  'sms_takeover',
  `insert into sms_lease as l (gateway_id, engine_id, epoch, expires_at, liveness)
values ($1, $2, 1, clock_timestamp() + $3::int * interval '1 ms', $4::bigint)
on conflict (gateway_id) do update set engine_id = excluded.engine_id, epoch = l.epoch + 1, expires_at = excluded.expires_at, liveness = excluded.liveness
where l.expires_at < clock_timestamp() or l.liveness = excluded.liveness or l.liveness is null and l.engine_id = excluded.engine_id
  or l.liveness is not null and pg_try_advisory_xact_lock(l.liveness)
returning epoch`,
)

/** Null: somebody else has it. `liveness`: the advisory lock that shows that the engine lives; null: it shows nothing. */
export async function takeover(
  db: Queryable,
  gatewayId: number,
  engineId: string,
  leaseMs: number,
  liveness: number | null = null,
): Promise<SmsLease | null> {
  const [row] = await run(db, takeoverStatement, [gatewayId, engineId, leaseMs, liveness])
  return row ? { gatewayId, engineId, epoch: row.epoch } : null
}

const renewStatement = statement<{ gateway_id: number }>(
  'sms_renew',
  `update sms_lease set expires_at = clock_timestamp() + $4::int * interval '1 ms'
where gateway_id = $1 and engine_id = $2 and epoch = $3 and expires_at > clock_timestamp() returning gateway_id`,
)

/** False: the lease is gone, stop at once. */
export async function renew(db: Queryable, lease: SmsLease, leaseMs: number): Promise<boolean> {
  return (await run(db, renewStatement, [...fenced(lease), leaseMs])).length === 1
}

const releaseStatement = statement(
  'sms_release_lease',
  'update sms_lease set expires_at = clock_timestamp() where gateway_id = $1 and engine_id = $2 and epoch = $3',
)

/** Given up in peace. */
export async function releaseLease(db: Queryable, lease: SmsLease): Promise<void> {
  await run(db, releaseStatement, fenced(lease))
}
