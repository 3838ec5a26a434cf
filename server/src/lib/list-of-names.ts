/** "'A', 'B' and 3 more", so that a long list stays a sentence. `total`: how many there are, when `names` are only the first. */
export function namesOf(names: readonly string[], total = names.length): string {
  const shown = names.slice(0, 5).map((name) => `'${name}'`)
  const more = total - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
