/** Days AD as text, 'yyyy-MM-dd': of the calendar, and no instants. */

export function addDays(day: string, days: number): string {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + days)
  return next.toISOString().slice(0, 10)
}

/** 0 = Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

/** Its week, which begins on Sunday. */
export function weekOf(day: string): { from: string; to: string } {
  const from = addDays(day, -weekdayOf(day))
  return { from, to: addDays(from, 6) }
}
