import { betweenOf, startOf, type RecentDays } from './filters.ts'
import { nepalDayOf, nepalOffsetMs } from './time.ts'

const dayMs = 24 * 3600_000

const firstOfMonth = (now: Date, monthsBack: number) => {
  const [year = 0, month = 0] = nepalDayOf(now).split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - monthsBack, 1) - nepalOffsetMs)
}

/** The instants of a filter's days; `to` is exclusive. */
export function rangeOf(value: string | undefined, now: Date): { from?: Date | undefined; to?: Date | undefined } {
  if (value === undefined) return {}
  const between = betweenOf(value)
  if (between) {
    const last = startOf(between.last)
    return { from: startOf(between.first) ?? undefined, to: last ? new Date(last.getTime() + dayMs) : undefined }
  }
  const today = startOf(nepalDayOf(now)) ?? now
  const daysBack = (days: number) => new Date(today.getTime() - days * dayMs)
  switch (value as RecentDays) {
    case 'today':
      return { from: today, to: daysBack(-1) }
    case 'yesterday':
      return { from: daysBack(1), to: today }
    case 'last7':
      return { from: daysBack(6), to: daysBack(-1) }
    case 'last30':
      return { from: daysBack(29), to: daysBack(-1) }
    case 'thisMonth':
      return { from: firstOfMonth(now, 0), to: firstOfMonth(now, -1) }
    case 'lastMonth':
      return { from: firstOfMonth(now, 1), to: firstOfMonth(now, 0) }
  }
}
