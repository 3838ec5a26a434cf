import { nepalDayOf } from '@ghanti/contract/time.ts'

const shown = 24

/** Of Nepal, 'yyyy-MM', newest first. */
export function lastMonths(now: Date): string[] {
  const [year = 0, month = 1] = nepalDayOf(now).split('-').map(Number)
  return Array.from({ length: shown }, (_, ago) => {
    const count = year * 12 + month - 1 - ago
    return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`
  })
}

/** The URL's; null: nothing to report. */
export function monthNotOffered(asked: string | null, months: readonly string[]): string | null {
  return asked === null || asked === '' || months.includes(asked) ? null : asked
}

/** The URL's if it is offered, else the newest. */
export function monthAsked(asked: string | null, months: readonly string[]): string {
  return months.find((month) => month === asked) ?? months[0] ?? ''
}
