import { customerChannelSql } from './channel-names.ts'
import { fenced, run, statement, type Lease, type Queryable } from './statement.ts'

/**
 * Succeeds 3 s after the lease has run out (or when it is ours already, or nobody ever had it). Then read `openAttempts`, ask the dialer which
 * channels live and keep those; settle the rest by the dialer's own record. $1 dialer $2 engine $3 ms.
 */
const takeoverStatement = statement<{ epoch: number }>(
  'takeover',
  `insert into dialer_lease as l (dialer_id, engine_id, epoch, expires_at)
values ($1, $2, 1, clock_timestamp() + $3::int * interval '1 ms')
on conflict (dialer_id) do update set engine_id = excluded.engine_id, epoch = l.epoch + 1, expires_at = clock_timestamp() + $3::int * interval '1 ms'
where l.expires_at + interval '3 seconds' < clock_timestamp() or l.engine_id = excluded.engine_id
returning epoch`,
)

/** Null: somebody else has it, or had it less than 3 s ago. */
export async function takeover(
  db: Queryable,
  dialerId: number,
  engineId: string,
  leaseMs: number,
): Promise<Lease | null> {
  const [row] = await run(db, takeoverStatement, [dialerId, engineId, leaseMs])
  return row ? { dialerId, engineId, epoch: row.epoch } : null
}

const renewStatement = statement<{ expires_at: Date }>(
  'renew',
  `update dialer_lease set expires_at = clock_timestamp() + $4::int * interval '1 ms'
where dialer_id = $1 and engine_id = $2 and epoch = $3 and expires_at > clock_timestamp() returning expires_at`,
)

/** False: the lease is gone, stop at once. The engine also stops by its own monotonic clock, a margin before the end. */
export async function renew(db: Queryable, lease: Lease, leaseMs: number): Promise<boolean> {
  return (await run(db, renewStatement, [...fenced(lease), leaseMs])).length === 1
}

const releaseStatement = statement(
  'release_lease',
  `update dialer_lease set expires_at = clock_timestamp() - interval '3 seconds' where dialer_id = $1 and engine_id = $2 and epoch = $3`,
)

/** Given up in peace: nothing is dialled any more, so the next holder need not wait. */
export async function releaseLease(db: Queryable, lease: Lease): Promise<void> {
  await run(db, releaseStatement, fenced(lease))
}

export type OpenAttempt = {
  id: number
  channel_id: string
  campaign_id: number
  no: number
  phone: number
  attempt_no: number
  congestions: number
  failures: number
  reserved_paisa: number
  started_at: Date
  /** What was last saved of the call; null when it was not seen answered. */
  answered_at: Date | null
  state: unknown
  keys: string | null
  agent: string | null
}

/**
 * What is in call, with what was saved of it. $1 dialer. An outcome that was parked is no call any more.
 * To be read in a statement of its own after a takeover: one statement, one snapshot.
 */
const openStatement = statement<OpenAttempt>(
  'open_attempts',
  `select o.id, ${customerChannelSql('o.epoch')} as channel_id, o.campaign_id, o.no, o.phone, o.attempt_no, c.congestions, c.failures, o.reserved_paisa, o.started_at,
  s.answered_at, s.state, s.keys, s.agent
from attempt_open o join campaign_contact c on c.campaign_id = o.campaign_id and c.no = o.no left join attempt_step s on s.attempt_id = o.id, installation i
where o.dialer_id = $1 and not exists (select from outcome_parked p where p.attempt_id = o.id)`,
)

export function openAttempts(db: Queryable, dialerId: number): Promise<OpenAttempt[]> {
  return run(db, openStatement, [dialerId])
}

const installationStatement = statement<{ id: string }>('installation', 'select id from installation')

/** What the names of all our channels begin with. */
export async function channelPrefix(db: Queryable): Promise<string> {
  const [row] = await run(db, installationStatement, [])
  if (!row) throw new Error('the database has no installation id')
  return `${row.id}-`
}
