/** How many rows a claim looks at, at most, for those that it wants. */
const looksMax = 1000

/** How the last claim of a cursor went: rows that it took, and rows that it passed over because they were blacklisted or put off. */
export type LastClaim = { taken: number; passed: number }

/**
 * How many rows the next claim looks at, so that rows that are passed over hold up no others: twice as many for each row wanted as the last claim needed,
 * and a thousand when it found none. 0: as many as it wants.
 */
export function looksAfter(last: LastClaim | undefined, wanted: number): number {
  if (!last || last.passed === 0) return 0
  return Math.min(looksMax, Math.ceil((2 * wanted * (last.taken + last.passed)) / last.taken))
}
