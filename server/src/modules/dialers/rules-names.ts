/** "'A', 'B' and 3 more", so that a long list stays a sentence. */
export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => `'${name}'`)
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
