import { nepalDayOf } from '@ghanti/contract/time.ts'

const shown = 24

/** This month in Nepal and those before it as 'yyyy-MM', newest first. */
export function lastMonths(now: Date): string[] {
  const [year = 0, month = 1] = nepalDayOf(now).split('-').map(Number)
  return Array.from({ length: shown }, (_, ago) => {
    const count = year * 12 + month - 1 - ago
    return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`
  })
}

/** The URL's month if it is not one of `months`; null when there is nothing to report. */
export function monthNotOffered(asked: string | null, months: readonly string[]): string | null {
  return asked === null || asked === '' || months.includes(asked) ? null : asked
}

/** The URL's month if it is one of the months, else the newest. */
export function monthAsked(asked: string | null, months: readonly string[]): string {
  return months.find((month) => month === asked) ?? months[0] ?? ''
}
