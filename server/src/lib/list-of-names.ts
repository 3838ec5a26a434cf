/** Keeps a long list in one sentence: "'A', 'B' and 3 more". `total`: their number, when `names` are only the first. */
export function namesOf(names: readonly string[], total = names.length): string {
  const shown = names.slice(0, 5).map((name) => `'${name}'`)
  const more = total - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
