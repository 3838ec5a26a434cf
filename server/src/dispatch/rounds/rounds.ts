import type { Logger } from 'pino'
import { earlyMs, untilNext } from '../../lib/every-multiple.ts'
import type { LeaseHolder } from '../lease/lease-holder.ts'
import { runEvery } from './run-every.ts'

/** How often a dialer is asked for what is due, and one that rests, whether it still does. */
const askMs = 250
const askRestingMs = 500
/** The period of rounds of a dialer that rests. */
const restMs = 2000

/** Work that a dialer repeats. */
export type Round = {
  what: string
  /** Its period. Dialers have their rounds at the same moments, multiples of it, so that they query together. */
  ms: number
  /** The period while the dialer rests, when that is longer than `ms`; 2 s when left out. */
  restMs?: number
  /** Asked once in each period; the round is left out when it is false. */
  isDue?: () => boolean
  work: () => Promise<unknown>
}

/** Once the lease is lost, nothing may be done any more; while it is away, nothing can be. */
type Holder = Pick<LeaseHolder<unknown>, 'lost' | 'isAway'>

function restingMs(round: Round): number {
  return Math.max(round.ms, round.restMs ?? restMs)
}

/** The rounds of a dialer, none of which ever runs twice at once. One that fails comes again in its time. */
export class Rounds {
  readonly #rounds: readonly Round[]
  readonly #holder: Holder
  readonly #rests: () => boolean
  readonly #shutdown: AbortController
  readonly #log: Logger
  /** Monotonic. Left out: at once. */
  readonly #nextAt = new Map<Round, number>()
  readonly #underWay = new Map<Round, Promise<void>>()
  #isResting = false
  #restsUntil = 0

  /** `rests`: nothing is to be done. Asked twice a second of each of hundreds of dialers, so it is cheap and does not throw. */
  constructor(rounds: readonly Round[], holder: Holder, rests: () => boolean, shutdown: AbortController, log: Logger) {
    this.#rounds = rounds
    this.#holder = holder
    this.#rests = rests
    this.#shutdown = shutdown
    this.#log = log
  }

  /** Until the shutdown, which begins here when the dialer is lost, and the end of what is under way then. */
  async run(): Promise<void> {
    const periodMs = (): number => (this.#isResting ? askRestingMs : askMs)
    const { signal } = this.#shutdown
    await runEvery(
      periodMs,
      signal,
      async () => this.#begin(),
      () => this.#isDue,
    )
    await Promise.all(this.#underWay.values())
  }

  /** There is something to do: a rest ends at once. */
  wake(): void {
    if (this.#isResting && !this.#shutdown.signal.aborted) this.#begin()
  }

  get #isDue(): boolean {
    return (
      !this.#isResting ||
      this.#holder.lost !== null ||
      !this.#rests() ||
      performance.now() >= this.#restsUntil - earlyMs
    )
  }

  #begin(): void {
    if (this.#holder.lost !== null) return this.#shutdown.abort()
    if (this.#holder.isAway) return
    const wasResting = this.#isResting
    this.#isResting = this.#rests()
    if (wasResting && !this.#isResting) this.#endRest()
    this.#restsUntil = this.#next(restMs)
    const now = performance.now() + earlyMs
    for (const round of this.#rounds) {
      if (this.#underWay.has(round) || now < (this.#nextAt.get(round) ?? 0)) continue
      if (round.isDue?.() === false) this.#isOver(round)
      else this.#underWay.set(round, this.#run(round))
    }
  }

  /** What came less often because of the rest comes now. */
  #endRest(): void {
    for (const round of this.#rounds) if (restingMs(round) > round.ms) this.#nextAt.delete(round)
  }

  async #run(round: Round): Promise<void> {
    await round.work().catch((error: unknown) => this.#log.error({ error }, round.what))
    this.#underWay.delete(round)
    this.#isOver(round)
  }

  #isOver(round: Round): void {
    this.#nextAt.set(round, this.#next(this.#isResting ? restingMs(round) : round.ms))
  }

  #next(ms: number): number {
    return performance.now() + untilNext(ms)
  }
}
