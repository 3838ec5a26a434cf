/** So many calls of a group, and of the others, before anything is said of it. */
const [ownLeast, othersLeast] = [3, 10]
/** By chance less often than this. */
const chanceMax = 1e-5
/** Then they are looked at anew: what refused them may be mended. */
const ownForMs = 600_000
/** Old calls count half. */
const callsMost = 200

type Calls = { calls: number; refused: number }

/**
 * Which numbers an operator refuses for their own sake, and not for want of room. Want of room meets all calls of a trunk alike; a network that is broken,
 * or a list of dead numbers, meets one group (a prefix, a campaign) while the others pass. Times are monotonic ms.
 */
export class RefusedGroups {
  #all: Calls = { calls: 0, refused: 0 }
  readonly #groups = new Map<string, Calls>()
  /** Until when the refusals of a group are its own. */
  readonly #own = new Map<string, number>()

  /** A call of these groups is one of those that are refused for their own sake. */
  isOwn(groups: readonly string[], now: number): boolean {
    return groups.some((group) => (this.#own.get(group) ?? -Infinity) > now)
  }

  /** A call of these groups was refused, or passed. True: now one of the groups is known to be refused for its own sake. */
  saw(groups: readonly string[], isRefused: boolean, now: number): boolean {
    const seen = groups.map((group) => {
      const known = this.#groups.get(group) ?? { calls: 0, refused: 0 }
      this.#groups.set(group, known)
      return known
    })
    for (const one of [this.#all, ...seen]) {
      one.calls += 1
      one.refused += Number(isRefused)
    }
    const own = isRefused ? groups.find((_, n) => seen[n] && this.#isOwn(seen[n])) : undefined
    if (own !== undefined) this.#own.set(own, now + ownForMs)
    if (own !== undefined) this.forget()
    else if (this.#all.calls >= callsMost) this.#fade()
    return own !== undefined
  }

  /** What was seen so far; not what follows from it. */
  forget(): void {
    this.#all = { calls: 0, refused: 0 }
    this.#groups.clear()
  }

  /** Were it like the others, so many of its calls would hardly be refused. */
  #isOwn({ calls, refused }: Calls): boolean {
    const others = { calls: this.#all.calls - calls, refused: this.#all.refused - refused }
    if (calls < ownLeast || others.calls < othersLeast) return false
    const share = (others.refused + 1) / (others.calls + 2)
    return refused / calls > share && chanceOf(Math.round(refused), Math.round(calls), share) < chanceMax
  }

  #fade(): void {
    for (const one of [this.#all, ...this.#groups.values()]) {
      one.calls /= 2
      one.refused /= 2
    }
    for (const [group, { calls }] of this.#groups) if (calls < 1) this.#groups.delete(group)
  }
}

/** That at least so many of the calls are refused where each is with this probability: the binomial distribution's upper tail. */
function chanceOf(refused: number, calls: number, probability: number): number {
  let [term, sum] = [(1 - probability) ** calls, 0]
  for (let n = 0; n <= calls; n += 1) {
    if (n >= refused) sum += term
    term *= ((calls - n) / (n + 1)) * (probability / (1 - probability))
  }
  return sum
}
