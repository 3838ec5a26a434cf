type Sample = { roundTripMs: number; aheadMs: number }

/** Estimates Asterisk's clock from the quickest of its last answers to a ping. */
export class DialerClock {
  #samples: Sample[] = []

  /** `theirs` was Asterisk's time at some moment between `asked` and `answered`, which are ours. */
  add(asked: number, theirs: number, answered: number): void {
    this.#samples = [
      { roundTripMs: answered - asked, aheadMs: theirs - (asked + answered) / 2 },
      ...this.#samples.slice(0, 11),
    ]
  }

  /** Whole Unix ms. */
  now(): number {
    return Math.round(Date.now() + (this.#best?.aheadMs ?? 0))
  }

  /** The round trip of the quickest answer; null before the first one. */
  get roundTripMs(): number | null {
    return this.#best?.roundTripMs ?? null
  }

  get #best(): Sample | undefined {
    const [first, ...rest] = this.#samples
    return first && rest.reduce((one, other) => (other.roundTripMs < one.roundTripMs ? other : one), first)
  }
}
