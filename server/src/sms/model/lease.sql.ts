import { run, statement, type Queryable } from '../../dispatch/statement.ts'

/** The holder of a lease, by which every statement of the engine is fenced. Gateway 0 stands for the campaigns themselves. */
export type SmsLease = { gatewayId: number; engineId: string; epoch: number }

export const coordinatorId = 0

export function fenced(lease: SmsLease): [number, string, number] {
  return [lease.gatewayId, lease.engineId, lease.epoch]
}

/**
 * The fence, as the first expression of a `with`: returns no row once the lease is over or another engine's. A takeover waits for
 * statements under way.
 */
export const leaseFence = `lease as materialized (
  select from sms_lease where gateway_id = $1 and engine_id = $2 and epoch = $3 and expires_at > clock_timestamp() for share
)`

/**
 * Succeeds when the lease has expired, its engine is dead, it is this engine's already, or nobody ever had it. Unlike with calls there is
 * no waiting time: what the old holder may still be sending is in sms_open, and its successor never sends that again.
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

/** Null when another engine has it. `liveness`: the advisory lock that proves the engine is alive; null: none. */
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

/** False when the lease is lost: stop at once. */
export async function renew(db: Queryable, lease: SmsLease, leaseMs: number): Promise<boolean> {
  return (await run(db, renewStatement, [...fenced(lease), leaseMs])).length === 1
}

const releaseStatement = statement(
  'sms_release_lease',
  'update sms_lease set expires_at = clock_timestamp() where gateway_id = $1 and engine_id = $2 and epoch = $3',
)

/** For an orderly shutdown. */
export async function releaseLease(db: Queryable, lease: SmsLease): Promise<void> {
  await run(db, releaseStatement, fenced(lease))
}
