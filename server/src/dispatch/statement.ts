import type { Pool, PoolClient, QueryResultRow } from 'pg'

/** A pool, or one connection of it. */
export type Queryable = Pick<Pool | PoolClient, 'query'>

/** SQL that is prepared once per connection under its name. `row` is only its type. */
export type Statement<Row extends QueryResultRow> = { name: string; text: string; row?: Row }

export function statement<Row extends QueryResultRow>(name: string, text: string): Statement<Row> {
  return { name, text }
}

export async function run<Row extends QueryResultRow>(
  db: Queryable,
  { name, text }: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const written = values.map((value) => (Array.isArray(value) ? arrayText(value) : value))
  return (await db.query<Row>({ name, text, values: written })).rows
}

/** An array in PostgreSQL's syntax. pg can write it too, at ten times the cost, and batches have thousands of values. */
export function arrayText(values: readonly unknown[]): string {
  return `{${values.map(elementText).join(',')}}`
}

function elementText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  const text = value instanceof Date ? momentText(value) : value
  if (typeof text !== 'string')
    throw new TypeError(`an array of the engine holds plain values only, not ${typeof value}`)
  return `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`
}

/** An invalid time is passed on as it is. The database refuses it, so only its outcome is parked; an error here would hold up the whole batch. */
function momentText(moment: Date): string {
  return Number.isNaN(moment.getTime()) ? String(moment) : moment.toISOString()
}

/** Reads a parameter that counts µs since 1970, to the µs. */
export const momentOfUs = (parameter: string): string =>
  `('epoch'::timestamptz + ${parameter}::bigint * interval '1 microsecond')`

/** The lease that fences every statement of the engine. Its first three parameters are dialer, engine and epoch. */
export type Lease = { dialerId: number; engineId: string; epoch: number }

export function fenced(lease: Lease): [number, string, number] {
  return [lease.dialerId, lease.engineId, lease.epoch]
}

/** For a call of a function of `server/sql/`: its parameters by name, each from the parameter of the statement at the same place. */
export const namedParameters = (names: readonly string[]): string =>
  names.map((name, n) => `p_${name} => $${n + 1}`).join(', ')

/** Rows as the arrays that a statement unnests, one of each key. */
export const arraysOf = <Row, Key extends keyof Row>(rows: readonly Row[], ...keys: readonly Key[]): Row[Key][][] =>
  keys.map((key) => rows.map((row) => row[key]))

/** Of many leases: dialers, engines, epochs. */
export function columnsOf(leases: readonly Lease[]): [number[], string[], number[]] {
  return [
    leases.map((lease) => lease.dialerId),
    leases.map((lease) => lease.engineId),
    leases.map((lease) => lease.epoch),
  ]
}

/** The fence, as the first expression of a `with`. It has no row once the lease is over or another engine's. A takeover waits for whoever holds it. */
export const leaseFence = `lease as materialized (
  select from dialer_lease where dialer_id = $1 and engine_id = $2 and epoch = $3 and expires_at > clock_timestamp() for share
)`

/** Of several leases, those that are still ours, each with its place among them: dialers $1, engines $2, epochs $3. Locked from the lowest dialer. */
export const leaseFences = `leases as materialized (
  select t.place, l.dialer_id
  from unnest($1::int[], $2::text[], $3::bigint[]) with ordinality
    as t (dialer_id, engine_id, epoch, place)
  join dialer_lease l
    on l.dialer_id = t.dialer_id
    and l.engine_id = t.engine_id
    and l.epoch = t.epoch
  where l.expires_at > clock_timestamp()
  order by l.dialer_id
  for share of l
)`

/** What belongs to leases: the leases, each once, and of each item the place of its lease among them, from 1. */
export function placedIn(items: readonly { lease: Lease }[]): { leases: Lease[]; places: number[] } {
  const placeOf = new Map<Lease, number>()
  const places = items.map(({ lease }) => {
    const place = placeOf.get(lease) ?? placeOf.size + 1
    placeOf.set(lease, place)
    return place
  })
  return { leases: [...placeOf.keys()], places }
}

/**
 * The engine's connections use the same plan on the first call, on stale statistics and at any size. PostgreSQL guesses a range or a CTE far
 * too big and would choose a hash join over a million rows (a claim: 400 ms instead of 6).
 */
export const enginePoolOptions = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off'
