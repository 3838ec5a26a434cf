import { run, statement, type Queryable } from '../../dispatch/statement.ts'
import type { DialerNow, EngineNow } from './decide.ts'

/** `wants`: the dialer that it would like to get from another engine. `leaving`: it shuts down. */
export type Heartbeat = {
  /** The number of its liveness lock. */
  key: number
  engineId: string
  name: string
  weight: number
  drivers: readonly string[]
  wants: number | null
  leaving: boolean
}

/** $8 ms after which an engine that said nothing is away. It is new again when it comes back. */
const heartbeatStatement = statement(
  'engine_beat',
  `insert into engine as e (liveness, engine_id, name, weight, drivers, wants, leaving) values ($1::bigint, $2, $3, $4, $5::text[], $6, $7)
on conflict (liveness) do update set wants = excluded.wants, leaving = excluded.leaving, seen_at = excluded.seen_at,
  since = case when e.seen_at < excluded.seen_at - $8::int * interval '1 ms' then excluded.since else e.since end`,
)

/** Says that the engine lives, and what it wants. */
export async function heartbeat(db: Queryable, said: Heartbeat, awayMs: number): Promise<void> {
  const { key, engineId, name, weight, drivers, wants, leaving } = said
  await run(db, heartbeatStatement, [key, engineId, name, weight, drivers, wants, leaving, awayMs])
}

type Row = {
  engines: EngineNow[] | null
  dialers: (Omit<DialerNow, 'freeMs'> & { isOthers: boolean })[] | null
}

/**
 * $1 our lock $2 our id $3 ms after which a silent engine is away $4 ms after which one is settled. A lock that can be had is a dead engine's; ours
 * is left out, since this may be the connection that holds it.
 */
const readStatement = statement<Row>(
  'engines_now',
  `with locks as materialized (
  select liveness, liveness <> $1::bigint and pg_try_advisory_xact_lock(liveness) as is_dead
  from (select liveness from engine union select liveness from dialer_lease where liveness is not null) l
)
select (select json_agg(json_build_object('key', e.liveness, 'weight', e.weight, 'drivers', e.drivers, 'wants', e.wants, 'leaving', e.leaving,
    'settled', e.since < clock_timestamp() - $4::int * interval '1 ms') order by e.liveness)
  from engine e join locks k on k.liveness = e.liveness
  where not k.is_dead and (e.liveness = $1 or e.seen_at > clock_timestamp() - $3::int * interval '1 ms')) as engines,
(select json_agg(json_build_object('id', d.id, 'driver', d.driver, 'next', l.next_liveness, 'isOthers', coalesce(l.liveness <> $1, false),
    'holder', case when l.expires_at > clock_timestamp() and k.is_dead is not true then
      case when l.liveness is null and l.engine_id = $2 then $1 else coalesce(l.liveness, 0) end end,
    'free', l.dialer_id is null or l.expires_at + interval '3 seconds' < clock_timestamp() or l.liveness = $1 or l.liveness is null and l.engine_id = $2
      or coalesce(k.is_dead, false)) order by d.id)
  from dialer d left join dialer_lease l on l.dialer_id = d.id left join locks k on k.liveness = l.liveness where d.deleted_at is null) as dialers`,
)

export type Found = { engines: EngineNow[]; dialers: NonNullable<Row['dialers']> }

/** The engines that live, and all dialers with their leases. `isOthers`: another engine had the lease last. */
export async function readEngines(
  db: Queryable,
  me: { key: number; engineId: string },
  { awayMs, settleMs }: { awayMs: number; settleMs: number },
): Promise<Found> {
  const [row] = await run(db, readStatement, [me.key, me.engineId, awayMs, settleMs])
  return { engines: row?.engines ?? [], dialers: row?.dialers ?? [] }
}

/** $1 one to forget in any case; null: none. */
const forgetStatement = statement(
  'engines_forget',
  `delete from engine where liveness = $1::bigint or seen_at < clock_timestamp() - interval '1 minute' and pg_try_advisory_xact_lock(liveness)`,
)

/** Forgets engines that died over a minute ago, and this one. */
export async function forgetEngines(db: Queryable, key: number | null): Promise<void> {
  await run(db, forgetStatement, [key])
}
