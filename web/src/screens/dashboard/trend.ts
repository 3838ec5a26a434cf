import { trendDays, type DashboardTrend } from '@ghanti/contract/dashboard.ts'

export type Sums = DashboardTrend['before']
/** `fromNone`: there was nothing to compare with. `far`: so much more that both values say more than a percentage. */
type Change = { kind: 'more' | 'less' | 'same' | 'fromNone' | 'far'; by: number }

const farTimes = 3

/** Today and the six days before it. */
export function lastWeekOf({ days }: DashboardTrend): Sums {
  const week = days.slice(-trendDays / 2)
  const sum = (of: (sums: Sums) => number) => week.reduce((all, day) => all + of(day), 0)
  return {
    campaigns: sum(({ campaigns }) => campaigns),
    calls: sum(({ calls }) => calls),
    connected: sum(({ connected }) => connected),
    messages: sum(({ messages }) => messages),
    delivered: sum(({ delivered }) => delivered),
    cost: sum(({ cost }) => cost),
  }
}

/** `percent` of the earlier value, at least 1 when anything changed; `points`: the difference of two shares. */
export function changeOf(now: number, before: number, unit: 'percent' | 'points'): Change {
  if (now === before) return { kind: 'same', by: 0 }
  if (unit === 'percent' && before === 0) return { kind: 'fromNone', by: 0 }
  if (unit === 'percent' && now > before * farTimes) return { kind: 'far', by: 0 }
  const difference = Math.abs(now - before)
  const by = unit === 'points' ? difference : Math.max(1, Math.round((100 * difference) / before))
  return { kind: now > before ? 'more' : 'less', by }
}

type Share = { part: number; of: number }

export function percentOf({ part, of }: Share): number {
  return of === 0 ? 0 : Math.round((100 * part) / of)
}
