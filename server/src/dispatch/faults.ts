/** The invariants that do not hold, with the number of violations. */
export function faultsOf(counts: Readonly<Record<string, number | undefined>>): string[] {
  return Object.entries(counts).flatMap(([name, n]) => (n === 0 ? [] : [`${name}: ${n}`]))
}
