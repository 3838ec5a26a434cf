import { calendarRoutes } from '@ghanti/contract/calendar.ts'
import { weekOf } from '@ghanti/contract/days.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import { jsonQuery } from '../../api/query.ts'
import { isDay } from '../../components/dates/day.ts'

export type Answer = ReplyOf<typeof calendarRoutes.range>
export const views = ['week', 'list'] as const
export type View = (typeof views)[number]
type Days = { from: string; to: string }

/** The week of ?week=2026-11-29, or this one. */
export function weekIn(params: URLSearchParams, now: Date): Days {
  const asked = params.get('week') ?? ''
  return weekOf(isDay(asked) ? asked : nepalDayOf(now))
}

export const weekQuery = (userId: number, { from, to }: Days) => jsonQuery(calendarRoutes.range, { userId, from, to })
