/** What an engine does about dialers: which it takes, which it asks for, which it hands over and to whom. */
import { placeDialers } from './rendezvous.ts'

/** A living engine, as it last said. */
export type EngineNow = {
  /** The number of its liveness lock. */
  key: number
  weight: number
  drivers: readonly string[]
  /** It has lived for a while without a gap. */
  settled: boolean
  /** It shuts down. */
  leaving: boolean
  /** The dialer that it asks for, one at a time. */
  wants: number | null
}

/** A dialer, and its lease. */
export type DialerNow = {
  id: number
  driver: string
  /** Whose lease it is while it lasts and its engine lives. Null: nobody's. */
  holder: number | null
  /** Its lease may be taken now. */
  free: boolean
  /** For how long this engine has seen it free. */
  freeMs: number
  /** For whom it was released. */
  next: number | null
}

/** `wants` null: nothing. `to`: an engine, by its key. */
export type PlacementDecision = { take: number[]; wants: number | null; handOver: { dialerId: number; to: number }[] }

/** After this time anybody takes a dialer that the engine for which it is meant does not take. */
const leftMs = 3000

/** `mine`: dialers of which this engine has the lease, and does its work. */
export function decidePlacement(
  me: number,
  engines: readonly EngineNow[],
  dialers: readonly DialerNow[],
  mine: ReadonlySet<number>,
): PlacementDecision {
  const meant = targets(engines, dialers)
  const staying = new Set(engines.filter(({ leaving }) => !leaving).map(({ key }) => key))
  const own = engines.find(({ key }) => key === me)
  if (!own) return { take: [], wants: null, handOver: [] } // the database has just been restarted
  if (own.leaving) {
    const handOver = [...mine].flatMap((dialerId) => {
      const to = meant.get(dialerId)
      return to === undefined ? [] : [{ dialerId, to }]
    })
    return { take: [], wants: null, handOver }
  }
  const mayTake = ({ id, holder, free, freeMs, next }: DialerNow): boolean => {
    if (!free || mine.has(id)) return false
    if (holder === me || freeMs >= leftMs) return true
    return (next !== null && staying.has(next) ? next : meant.get(id)) === me
  }
  const servable = dialers.filter(({ driver }) => own.drivers.includes(driver))
  const take = servable.filter(mayTake).map(({ id }) => id)
  const missed = servable.filter(
    ({ id, holder }) => meant.get(id) === me && holder !== me && holder !== null && staying.has(holder),
  )
  const wants = missed.find(({ id }) => id === own.wants) ?? missed[0]
  const handOver = engines.flatMap(({ key, wants: id }) =>
    id !== null && mine.has(id) && key !== me && meant.get(id) === key ? [{ dialerId: id, to: key }] : [],
  )
  return { take, wants: wants?.id ?? null, handOver }
}

/**
 * Dialers of each driver are distributed over the engines that have it. A dialer of an engine that is not known here, since it is of an earlier
 * version, stays with it. Engines that have just come are left out until they are settled, unless they have dialers or nobody is settled.
 */
function targets(engines: readonly EngineNow[], dialers: readonly DialerNow[]): Map<number, number> {
  const staying = engines.filter(({ leaving }) => !leaving)
  const known = new Set(engines.map(({ key }) => key))
  const keys = new Set(staying.map(({ key }) => key))
  const holders = new Set(dialers.map(({ holder }) => holder))
  const meant = new Map<number, number>()
  for (const [driver, all] of Map.groupBy(dialers, (one) => one.driver)) {
    const able = staying.filter(({ drivers }) => drivers.includes(driver))
    const steady = able.filter(({ key, settled }) => settled || holders.has(key))
    const placed = all
      .filter(({ holder }) => holder === null || known.has(holder))
      .map(({ id, holder }) => ({ id, holder: holder !== null && keys.has(holder) ? holder : null }))
    for (const [id, key] of placeDialers(placed, steady.length > 0 ? steady : able)) meant.set(id, key)
  }
  return meant
}
