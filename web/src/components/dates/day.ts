/** Whether the text is a day AD, 'yyyy-MM-dd'; false for 31 February and for unreadable text. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** A form check for a date field, which may be empty. */
export function dayFault(value: string | null): string | null {
  return value === null || value === '' || isDay(value) ? null : 'is not a day of the calendar'
}
