/** 0 → 'A', as in spreadsheets. */
export function lettersOf(at: number): string {
  const rest = Math.floor(at / 26) - 1
  return (rest >= 0 ? lettersOf(rest) : '') + String.fromCharCode(65 + (at % 26))
}

/** A column's name as the server compares it. */
const bare = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '')

/** The position of the column that has this name, as the server finds it; -1: none. */
export function positionOf(wanted: string, names: readonly string[]): number {
  return names.findIndex((name) => bare(name) === bare(wanted))
}

/**
 * Where the columns that a template speaks probably are: 'Premium Amount' is the amount, 'Due Date' the date. No column is taken twice, and `taken`
 * (the number's) not at all; null where nothing fits.
 */
export function guessColumns(
  wanted: readonly string[],
  names: readonly string[],
  taken: readonly number[],
): (number | null)[] {
  const used = new Set(taken)
  const exact = wanted.map((one) => names.findIndex((name, at) => !used.has(at) && bare(name) === bare(one)))
  for (const at of exact) used.add(at)
  return wanted.map((one, index) => {
    const found = exact[index] ?? -1
    if (found >= 0) return found
    const part = bare(one).replace(/\d/g, '')
    const at = names.findIndex((name, place) => !used.has(place) && bare(name).includes(part))
    if (at >= 0) used.add(at)
    return at >= 0 ? at : null
  })
}
