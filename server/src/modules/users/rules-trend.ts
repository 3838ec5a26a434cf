import { trendDays, type DashboardTrend } from '@ghanti/contract/dashboard.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { instantOfNepalTime, nepalDayOf } from '@ghanti/contract/time.ts'

const dayMs = 24 * 3600_000

/** Sums over the campaigns that started on one day in Nepal. `before`: by this time of day a week ago. */
export type BegunCampaigns = {
  day: string
  before: boolean
  campaigns: number
  calls: number
  connected: number
  messages: number
  delivered: number
  paisa: number
}

/** The first instant of the trend, and the end of the part that this week is compared with. */
export function trendBounds(now: Date): { from: Date; weekAgo: Date } {
  const first = nepalDayOf(new Date(now.getTime() - (trendDays - 1) * dayMs))
  const from = instantOfNepalTime(`${first} 00:00:00`)
  if (!from) throw new Error(`${first} is not a day`)
  return { from, weekAgo: new Date(now.getTime() - (trendDays / 2) * dayMs) }
}

export function trendOf(rows: readonly BegunCampaigns[], now: Date): DashboardTrend {
  const { from } = trendBounds(now)
  const days = Array.from({ length: trendDays }, (_, n) => nepalDayOf(new Date(from.getTime() + n * dayMs)))
  return {
    days: days.map((day) => ({ day, ...sumOf(rows.filter((row) => row.day === day)) })),
    before: sumOf(rows.filter(({ before }) => before)),
  }
}

function sumOf(rows: readonly BegunCampaigns[]): DashboardTrend['before'] {
  const sum = (of: (row: BegunCampaigns) => number) => rows.reduce((all, row) => all + of(row), 0)
  return {
    campaigns: sum(({ campaigns }) => campaigns),
    calls: sum(({ calls }) => calls),
    connected: sum(({ connected }) => connected),
    messages: sum(({ messages }) => messages),
    delivered: sum(({ delivered }) => delivered),
    cost: rupeesOf(sum(({ paisa }) => paisa)),
  }
}
