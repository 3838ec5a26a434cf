import { earlyMs, untilNext } from '../../lib/every-multiple.ts'
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

type RoundsOptions = {
  rounds: readonly Round[]
  /** Nothing is to be done: asked twice a second of each of hundreds of dialers, so it is cheap and does not throw. */
  rests(): boolean
  /** Nothing may be done any more. */
  isLost(): boolean
  /** Nothing can be done now. */
  isAway(): boolean
  shutdown: AbortController
  failed(what: string, error: unknown): void
}

function restingMs(round: Round): number {
  return Math.max(round.ms, round.restMs ?? restMs)
}

/** The rounds of a dialer, none of which ever runs twice at once. One that fails comes again in its time. */
export class Rounds {
  readonly #of: RoundsOptions
  /** Monotonic. Left out: at once. */
  readonly #nextAt = new Map<Round, number>()
  readonly #underWay = new Map<Round, Promise<void>>()
  #isResting = false
  #restsUntil = 0

  constructor(of: RoundsOptions) {
    this.#of = of
  }

  /** Until the shutdown, which begins here when the dialer is lost, and the end of what is under way then. */
  async run(): Promise<void> {
    const periodMs = (): number => (this.#isResting ? askRestingMs : askMs)
    const { signal } = this.#of.shutdown
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
    if (this.#isResting && !this.#of.shutdown.signal.aborted) this.#begin()
  }

  get #isDue(): boolean {
    const { rests, isLost } = this.#of
    return !this.#isResting || isLost() || !rests() || performance.now() >= this.#restsUntil - earlyMs
  }

  #begin(): void {
    const { rounds, rests, isLost, isAway, shutdown } = this.#of
    if (isLost()) return shutdown.abort()
    if (isAway()) return
    const wasResting = this.#isResting
    this.#isResting = rests()
    if (wasResting && !this.#isResting) this.#endRest()
    this.#restsUntil = this.#next(restMs)
    const now = performance.now() + earlyMs
    for (const round of rounds) {
      if (this.#underWay.has(round) || now < (this.#nextAt.get(round) ?? 0)) continue
      if (round.isDue?.() === false) this.#isOver(round)
      else this.#underWay.set(round, this.#run(round))
    }
  }

  /** What came less often because of the rest comes now. */
  #endRest(): void {
    for (const round of this.#of.rounds) if (restingMs(round) > round.ms) this.#nextAt.delete(round)
  }

  async #run(round: Round): Promise<void> {
    await round.work().catch((error: unknown) => this.#of.failed(round.what, error))
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
