import { RefusedGroups } from './refused-groups.ts'

/** The lowest rate: a call now and then finds out whether there is room again. */
const slowest = 0.5
/** How fast the rate recovers, a second: as a ratio of the rate at which the operator refused, up to that rate and a little more. */
const careful = 1 / 100
const alittleMore = 1.1
/** How fast it recovers beyond that, where the operator takes more than before: as a ratio of the contract's rate. */
const bold = 1 / 20
/**
 * Single numbers that answer 503 at any rate do not show that the operator lacks room. So a tenth of the last calls (as many as began in some
 * seconds) must be refused, and at least this many. On a slow trunk each refusal counts, since it has few calls to waste.
 */
const windowSeconds = 4
const [windowLeast, windowMost] = [40, 200]
const refusedRatio = 0.1
/** Near the rate at which the operator refused before, half of that ratio is enough. */
const [knownRate, knownRatio] = [0.9, 0.05]
const slow = 2
const refusedLeast = { atFirst: 3, slowed: 2 } as const
/** When the rate is down to this ratio and a group is still refused while others are not, the rate is not the reason. */
const muchSlower = 1 / 4
/** A longer Retry-After announces maintenance at the operator; a call in between shows when it is over. */
const pauseMsMax = 60_000

/** A call over the trunk: when it began, and what its number has in common with others. `again`: its row has met 503 before. */
export type RatedCall = { begunAt: number; again: boolean; groups: readonly string[]; now: number }

/**
 * How many calls a second a trunk begins. This is the contract's rate until the operator has no room (503) for more than a few of them; then
 * half of it, once for all calls that were on their way, and from there a little more each second. Times are monotonic ms.
 */
export class TrunkRate {
  /** Null: the contract's. `from`: the rate at the first of these halvings. */
  #slowed: { cps: number; since: number; refusedAt: number; takes: number; from: number } | null = null
  #pausedUntil = -Infinity
  /** How many calls began in all, and up to the last halving; and for each call refused since then, how many had begun by that time. */
  #begun = 0
  #begunAtHalving = 0
  #refusals: number[] = []
  #halvedAt = -Infinity
  /** A call that began since the last halving was not refused. */
  #passed = true
  readonly #groups = new RefusedGroups()

  /** `takes`: what the operator took when the trunk was last used, where that was less than the contract. */
  constructor(takes: number | null = null, now = 0) {
    if (takes === null) return
    this.#slowed = {
      cps: Math.max(slowest, takes / 2),
      since: now,
      refusedAt: Math.max(slowest, takes),
      takes,
      from: takes,
    }
  }

  began(): void {
    this.#begun += 1
  }

  /** The operator took the call, whatever became of it. */
  passed({ begunAt, again, groups, now }: RatedCall): void {
    if (begunAt >= this.#halvedAt) this.#passed = true
    if (!again && this.#isMuchSlower(begunAt)) this.#groups.saw(groups, false, now)
  }

  /** Calls that may begin in a second. */
  allowed(contract: number, now: number): number {
    if (now < this.#pausedUntil) return 0
    if (!this.#slowed) return contract
    const { cps, since, refusedAt } = this.#slowed
    const knee = Math.max(cps, refusedAt * alittleMore)
    const seconds = Math.max(0, now - since) / 1000
    const toKnee = (knee - cps) / (refusedAt * careful)
    const grown = seconds <= toKnee ? cps + seconds * refusedAt * careful : knee + (seconds - toKnee) * contract * bold
    if (grown >= contract) this.#asContracted()
    return Math.min(contract, grown)
  }

  /**
   * The operator refused a call that began at `begunAt`; `taken` others of that second were not refused. False: the rate stays, because the
   * call was on its way at the halving, because few are refused, or because its number is refused at any rate. A row's second
   * refusal says nothing.
   */
  refused(call: RatedCall & { contract: number; taken: number; retryAfterMs: number }): boolean {
    const { begunAt, again, groups, contract, taken, retryAfterMs, now } = call
    if (again) return false
    if (retryAfterMs > 0) this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(pauseMsMax, retryAfterMs))
    if (begunAt < this.#halvedAt || this.#groups.isOwn(groups, now)) return false
    if (this.#isMuchSlower(begunAt) && this.#groups.saw(groups, true, now)) {
      this.#asContracted()
      return false
    }
    const rate = this.#rateAt(contract, now)
    if (!this.#areMany(rate)) return false
    const refusedAt = Math.max(slowest, rate)
    const takes = Math.max(slowest, Math.min(refusedAt, taken))
    const since = Math.max(now, this.#pausedUntil)
    const from = this.#slowed?.from ?? refusedAt
    this.#slowed = { cps: Math.max(slowest, refusedAt / 2), since, refusedAt, takes, from }
    this.#halvedAt = since
    this.#passed = false
    this.#refusals = []
    this.#begunAtHalving = this.#begun
    return true
  }

  /** Counts one more refusal. */
  #areMany(rate: number): boolean {
    const window = Math.min(windowMost, Math.max(windowLeast, windowSeconds * rate))
    this.#refusals = [...this.#refusals.filter((at) => this.#begun - at < window), this.#begun]
    const refused = this.#refusals.length
    const lately = Math.min(window, this.#begun - this.#begunAtHalving)
    if (!this.#passed || (this.#slowed && rate < slow)) return true
    const ratio = this.#slowed && rate >= knownRate * this.#slowed.refusedAt ? knownRatio : refusedRatio
    return refused >= (this.#slowed ? refusedLeast.slowed : refusedLeast.atFirst) && refused >= ratio * lately
  }

  /** Whether the rate is so low that a lack of room would show in all groups alike. */
  #isMuchSlower(begunAt: number): boolean {
    if (!this.#slowed || begunAt < this.#halvedAt) return false
    return this.#slowed.cps <= Math.max(slowest, this.#slowed.from * muchSlower)
  }

  #asContracted(): void {
    this.#slowed = null
    this.#refusals = []
    this.#groups.forget()
  }

  /** How many calls the operator takes, as last seen. Null: as many as are asked for. */
  takes(contract: number, now: number): number | null {
    return this.allowed(contract, now) < contract && this.#slowed ? Math.min(contract, this.#slowed.takes) : null
  }

  #rateAt(contract: number, now: number): number {
    const paused = this.#pausedUntil
    this.#pausedUntil = -Infinity
    const rate = this.allowed(contract, now)
    this.#pausedUntil = paused
    return rate
  }
}
