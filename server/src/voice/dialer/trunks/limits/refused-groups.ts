/** How many calls of a group, and of the others, are needed before they are compared. */
const [ownLeast, othersLeast] = [3, 10]
/** A group counts as refused for a reason of its own when chance would explain its refusals less often than this. */
const chanceMax = 1e-5
/** After this time the group's refusals are counted afresh, because their cause may be gone. */
const ownForMs = 600_000
/** At this many calls, all of them count half from then on. */
const callsMost = 200

type Calls = { calls: number; refused: number }

/**
 * Finds groups of numbers that an operator refuses for a reason of their own and not because it lacks room. A lack of room affects all calls of a
 * trunk alike. A broken network, or a list of dead numbers, affects one group (a prefix, a campaign) while the others pass. Times are monotonic ms.
 */
export class RefusedGroups {
  #all: Calls = { calls: 0, refused: 0 }
  readonly #groups = new Map<string, Calls>()
  /** Until when refusals count as the group's own. */
  readonly #own = new Map<string, number>()

  /** Whether one of these groups is known to be refused for a reason of its own. */
  isOwn(groups: readonly string[], now: number): boolean {
    return groups.some((group) => (this.#own.get(group) ?? -Infinity) > now)
  }

  /** A call of these groups was refused, or passed. True: one of them is now known to be refused for a reason of its own. */
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

  /** Forgets the counts, but not what followed from them. */
  forget(): void {
    this.#all = { calls: 0, refused: 0 }
    this.#groups.clear()
  }

  /** Whether the group has more refusals than chance would explain if it were like the others. */
  #isOwn({ calls, refused }: Calls): boolean {
    const others = { calls: this.#all.calls - calls, refused: this.#all.refused - refused }
    if (calls < ownLeast || others.calls < othersLeast) return false
    const ratio = (others.refused + 1) / (others.calls + 2)
    return refused / calls > ratio && chanceOf(Math.round(refused), Math.round(calls), ratio) < chanceMax
  }

  #fade(): void {
    for (const one of [this.#all, ...this.#groups.values()]) {
      one.calls /= 2
      one.refused /= 2
    }
    for (const [group, { calls }] of this.#groups) if (calls < 1) this.#groups.delete(group)
  }
}

/** The probability that at least `refused` of the calls are refused when each is refused with `probability`: the upper tail of the binomial distribution. */
function chanceOf(refused: number, calls: number, probability: number): number {
  let [term, sum] = [(1 - probability) ** calls, 0]
  for (let n = 0; n <= calls; n += 1) {
    if (n >= refused) sum += term
    term *= ((calls - n) / (n + 1)) * (probability / (1 - probability))
  }
  return sum
}
