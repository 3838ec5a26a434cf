import * as os from 'node:os'
import type { Pool } from 'pg'
import type { TelephonyDriver } from '../../drivers/telephony/driver.ts'
import type { Liveness } from '../../dispatch/lease/liveness.ts'
import { decidePlacement, type PlacementDecision } from './decide.ts'
import { heartbeat, forgetEngines, readEngines } from './placement.sql.ts'

const settleMsDefault = 10_000
/** An engine that is slow for a moment is not away. */
const heartbeatsMissed = 5

/** What an engine says of itself to those that it shares the dialers with. */
export type SharingEngine = {
  /** A pool of the engine's own, with `enginePoolOptions` and at least 7 connections, one of which only shows that the engine lives. */
  pool: Pool
  /** By the name in a dialer's row. A dialer of any other driver is left alone. */
  telephony: readonly TelephonyDriver[]
  engineId: string
  /** The engine's name in the dialer list; the machine's name when left out. */
  name?: string
  /** The engine's share of the dialers in relation to other engines; 1 when left out. */
  weight?: number
  /** For how long it must have lived before it gets dialers of others. */
  settleMs?: number
}

/** This engine among those that share the dialers: says that it lives, sees who else does, and decides what to do about dialers. */
export class Engines {
  readonly #of: SharingEngine
  readonly #liveness: Pick<Liveness, 'key' | 'isSteady'>
  readonly #awayMs: number
  /** Since when dialers have been seen free. Monotonic. */
  #freeSince = new Map<number, number>()
  #heartbeatAt = -Infinity
  #wants: number | null = null
  #leaving = false
  /** Some dialer is about to become ours. */
  isExpecting = false

  /** `awayMs`: how long an engine may be silent before it counts as gone. */
  constructor(of: SharingEngine, liveness: Pick<Liveness, 'key' | 'isSteady'>, awayMs: number) {
    this.#of = of
    this.#liveness = liveness
    this.#awayMs = awayMs
  }

  /** `mine`: dialers that this engine looks after. */
  async look(mine: ReadonlySet<number>): Promise<PlacementDecision> {
    if (performance.now() - this.#heartbeatAt >= this.#awayMs / heartbeatsMissed) await this.#heartbeat()
    const decided = await this.#decide(mine)
    if (decided.wants === this.#wants) return decided
    this.#wants = decided.wants
    await this.#heartbeat()
    return decided
  }

  /** Tells the others that this engine ends. Resolves with the engine for each of its dialers, as far as there is one. */
  async leave(mine: ReadonlySet<number>): Promise<Map<number, number>> {
    this.#leaving = true
    this.#wants = null
    await this.#heartbeat()
    const { handOver } = await this.#decide(mine)
    return new Map(handOver.map(({ dialerId, to }) => [dialerId, to]))
  }

  async gone(): Promise<void> {
    await forgetEngines(this.#of.pool, this.#liveness.key)
  }

  async #heartbeat(): Promise<void> {
    const { pool, engineId, name = os.hostname(), weight = 1, telephony } = this.#of
    const { key } = this.#liveness
    const drivers = telephony.map((driver) => driver.name)
    const said = { key, engineId, name, weight, drivers, wants: this.#wants, leaving: this.#leaving }
    await heartbeat(pool, said, this.#awayMs)
    this.#heartbeatAt = performance.now()
  }

  async #decide(mine: ReadonlySet<number>): Promise<PlacementDecision> {
    const { pool, engineId, settleMs = settleMsDefault } = this.#of
    const liveness = this.#liveness
    const waits = { awayMs: this.#awayMs, settleMs }
    const { engines, dialers } = await readEngines(pool, { key: liveness.key, engineId }, waits)
    if (!engines.some(({ key }) => key === liveness.key)) this.#heartbeatAt = -Infinity // forgotten with a crash of the database
    const now = performance.now()
    // When the database comes back, no engine has its lock yet, and leases may have run out: none may take the dialers of the others.
    const isFree = (one: (typeof dialers)[number]): boolean => one.free && (liveness.isSteady || !one.isOthers)
    const free = dialers.filter((one) => isFree(one) && !mine.has(one.id))
    this.#freeSince = new Map(free.map(({ id }) => [id, this.#freeSince.get(id) ?? now]))
    const seen = dialers.map((one) => ({
      ...one,
      free: isFree(one),
      freeMs: now - (this.#freeSince.get(one.id) ?? now),
    }))
    const decided = decidePlacement(liveness.key, engines, seen, mine)
    this.isExpecting = decided.wants !== null || engines.some(({ key, leaving }) => leaving && key !== liveness.key)
    return decided
  }
}
