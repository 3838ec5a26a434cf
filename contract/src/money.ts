export type Price = { pulseMs: number; pulsePaisa: number }

/** Two decimals. */
export function rupeesOf(paisa: number): number {
  return paisa / 100
}

/** For an answered leg: at least one (docs/design.md#settling). */
export function pulsesOf(billMs: number, pulseMs: number): number {
  return Math.max(1, Math.ceil(billMs / pulseMs))
}

export function costOf(billMs: number, price: Price): number {
  return pulsesOf(billMs, price.pulseMs) * price.pulsePaisa
}

/** For comparing plans (docs/design.md#who-pays-whom). */
const longestMs = 3_600_000

/** 1 to 3,600 s, with both costs; null: no call is cheaper. */
export function cheaperThanParent(
  plan: Price,
  parent: Price,
): { ms: number; costPaisa: number; parentPaisa: number } | null {
  // The parent's cost rises in steps, so it is enough to compare at the beginning of each.
  for (let ms = 1; ms <= longestMs; ms += parent.pulseMs) {
    const costPaisa = costOf(ms, plan)
    const parentPaisa = costOf(ms, parent)
    if (costPaisa < parentPaisa) return { ms, costPaisa, parentPaisa }
  }
  return null
}

/** So that no call is cheaper than with `parent`. */
export function leastPulsePaisa(pulseMs: number, parent: Price): number {
  let least = 0
  for (let ms = 1; ms <= longestMs; ms += parent.pulseMs)
    least = Math.max(least, Math.ceil(costOf(ms, parent) / pulsesOf(ms, pulseMs)))
  return least
}

/** So that no call of `child` is cheaper. */
export function greatestPulsePaisa(pulseMs: number, child: Price): number {
  let greatest = Infinity
  for (let ms = 1; ms <= longestMs; ms += pulseMs)
    greatest = Math.min(greatest, Math.floor(costOf(ms, child) / pulsesOf(ms, pulseMs)))
  return greatest
}
