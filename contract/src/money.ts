export type Price = { pulseMs: number; pulsePaisa: number }

/** Rupees for the wire, two decimals. */
export function rupeesOf(paisa: number): number {
  return paisa / 100
}

const written = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Rupees as people write them, grouped in lakhs: '1,25,000.00'. */
export function rupeesText(paisa: number): string {
  return written.format(rupeesOf(paisa))
}

/** How many pulses an answered leg is billed: at least one (docs/design.md#settling). */
export function pulsesOf(billMs: number, pulseMs: number): number {
  return Math.max(1, Math.ceil(billMs / pulseMs))
}

export function costOf(billMs: number, price: Price): number {
  return pulsesOf(billMs, price.pulseMs) * price.pulsePaisa
}

/** Plans are compared over calls of 1 to 3,600 s (docs/design.md#who-pays-whom). */
const longestMs = 3_600_000

/** The shortest call (1 to 3,600 s) for which `plan` is cheaper than `parent`, with both costs; null when there is none. */
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

/** The lengths of calls, from 1 to 3,600 s, for which `plan` is cheaper than `parent`: first and last second of each range. */
export function cheaperLengths(plan: Price, parent: Price): [first: number, last: number][] {
  const ranges: [number, number][] = []
  for (let seconds = 1; seconds * 1000 <= longestMs; seconds += 1) {
    if (costOf(seconds * 1000, plan) >= costOf(seconds * 1000, parent)) continue
    const range = ranges.at(-1)
    if (range?.[1] === seconds - 1) range[1] = seconds
    else ranges.push([seconds, seconds])
  }
  return ranges
}

/** The lowest price for this pulse at which no call is cheaper than with `parent`. */
export function leastPulsePaisa(pulseMs: number, parent: Price): number {
  let least = 0
  for (let ms = 1; ms <= longestMs; ms += parent.pulseMs)
    least = Math.max(least, Math.ceil(costOf(ms, parent) / pulsesOf(ms, pulseMs)))
  return least
}

/** The highest price for this pulse at which no call of `child` is cheaper. */
export function greatestPulsePaisa(pulseMs: number, child: Price): number {
  let greatest = Infinity
  for (let ms = 1; ms <= longestMs; ms += pulseMs)
    greatest = Math.min(greatest, Math.floor(costOf(ms, child) / pulsesOf(ms, pulseMs)))
  return greatest
}
