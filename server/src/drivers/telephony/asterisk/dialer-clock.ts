/** Asterisk's clock seen from here, from the quickest of the last answers to a ping. */
export class DialerClock {
  #samples: { roundTripMs: number; aheadMs: number }[] = []

  /** `theirs` was their time somewhere between `asked` and `answered`, which are ours. */
  add(asked: number, theirs: number, answered: number): void {
    this.#samples = [
      { roundTripMs: answered - asked, aheadMs: theirs - (asked + answered) / 2 },
      ...this.#samples.slice(0, 11),
    ]
  }

  /** Unix ms, whole. */
  now(): number {
    const [first, ...rest] = this.#samples
    if (!first) return Date.now()
    const best = rest.reduce((one, other) => (other.roundTripMs < one.roundTripMs ? other : one), first)
    return Math.round(Date.now() + best.aheadMs)
  }
}
