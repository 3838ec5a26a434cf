import { RefusedGroups } from './refused-groups.ts'

/** No slower than this: a call now and then finds out that there is room again. */
const slowest = 0.5
/** What comes back in a second: of the rate at which the operator refused, up to it and a little more. */
const careful = 1 / 100
const alittleMore = 1.1
/** Beyond that the operator takes more than before: of the contract's rate. */
const bold = 1 / 20
/**
 * Single numbers that answer 503 at any rate are not the operator: of the calls that began last, as many as in some seconds, a tenth must be refused,
 * and so many at least. Of a slow trunk each one counts, since a few calls of it are more than is to be wasted.
 */
const windowSeconds = 4
const [windowLeast, windowMost] = [40, 200]
const refusedShare = 0.1
/** At about the rate at which it refused before, half of that share is enough. */
const [knownRate, knownShare] = [0.9, 0.05]
const slow = 2
const refusedLeast = { atFirst: 3, slowed: 2 } as const
/** The rate is not the reason where so much of it still leaves a group refused that others are not. */
const muchSlower = 1 / 4
/** A longer Retry-After is an operator's maintenance: a call in between tells. */
const pauseMsMax = 60_000

/** A call over the trunk: when it began, and what its number has in common with others. `again`: its row has met 503 before. */
export type RatedCall = { begunAt: number; again: boolean; groups: readonly string[]; now: number }

/**
 * How many calls a second a trunk begins: the contract's, until the operator has no room (503) for more than a few of them. Then half as many, once
 * for all calls that were on their way, and from there a little more each second. Times are monotonic ms.
 */
export class TrunkRate {
  /** Null: the contract's. `from`: the rate when the first of these halvings came. */
  #slowed: { cps: number; since: number; refusedAt: number; takes: number; from: number } | null = null
  #pausedUntil = -Infinity
  /** Calls that began, since ever and when the rate was last halved; of those refused since, how many had begun by then. */
  #begun = 0
  #begunAtHalving = 0
  #refusals: number[] = []
  #halvedAt = -Infinity
  /** A call that began since the last halving was not refused. */
  #passed = true
  readonly #groups = new RefusedGroups()

  /** `takes`: what the operator took when its trunk was last used, where that was less than the contract. */
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
   * The operator refused a call that began at `begunAt`, `taken` others of that second were not refused. False: the rate stays, since the call was
   * on its way when it was halved, since few are refused, or since its number is refused at any rate. What a row meets again says nothing.
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

  /** With one more that is refused. */
  #areMany(rate: number): boolean {
    const window = Math.min(windowMost, Math.max(windowLeast, windowSeconds * rate))
    this.#refusals = [...this.#refusals.filter((at) => this.#begun - at < window), this.#begun]
    const refused = this.#refusals.length
    const lately = Math.min(window, this.#begun - this.#begunAtHalving)
    if (!this.#passed || (this.#slowed && rate < slow)) return true
    const share = this.#slowed && rate >= knownRate * this.#slowed.refusedAt ? knownShare : refusedShare
    return refused >= (this.#slowed ? refusedLeast.slowed : refusedLeast.atFirst) && refused >= share * lately
  }

  /** Calls that begin at such a rate are refused for want of room only where all are refused alike. */
  #isMuchSlower(begunAt: number): boolean {
    if (!this.#slowed || begunAt < this.#halvedAt) return false
    return this.#slowed.cps <= Math.max(slowest, this.#slowed.from * muchSlower)
  }

  #asContracted(): void {
    this.#slowed = null
    this.#refusals = []
    this.#groups.forget()
  }

  /** How many the operator takes, as it was last seen; null: all that are asked for. */
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
