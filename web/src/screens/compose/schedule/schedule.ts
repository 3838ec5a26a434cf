import { addDays, weekdayOf } from '@ghanti/contract/days.ts'
import { scheduleDaysMax } from '@ghanti/contract/compose.ts'
import type { ComposeForm } from '../form.ts'
import { instantOfNepalTime, nepalDayOf, nepalTimeOf } from '@ghanti/contract/time.ts'

const quarterMs = 15 * 60_000

/** The coming quarter hours 'HH:mm' of a day 'yyyy-MM-dd' in Nepal. At UTC+5:45, they coincide with quarter hours everywhere. */
export function quarterHoursOf(day: string, now: Date): string[] {
  const midnight = instantOfNepalTime(`${day} 00:00:00`)
  if (!midnight) return []
  return Array.from({ length: 24 * 4 }, (_, quarter) => quarter)
    .filter((quarter) => midnight.getTime() + quarter * quarterMs > now.getTime())
    .map((quarter) => `${twoDigits(Math.floor(quarter / 4))}:${twoDigits((quarter % 4) * 15)}`)
}

/** The first day with a quarter hour left: tomorrow from 23:45 on. */
export function firstDay(now: Date): string {
  return nepalDayOf(new Date(now.getTime() + quarterMs))
}

/** The last day whose every quarter hour may be chosen. */
export function lastDay(now: Date): string {
  return nepalDayOf(new Date(now.getTime() + (scheduleDaysMax - 1) * 24 * 3600_000))
}

const hourMs = 60 * 60_000
export const quickTimes = ['inAnHour', 'tomorrow', 'sunday'] as const
export type QuickTime = (typeof quickTimes)[number]

/** In an hour, at the next quarter; tomorrow or on the next Sunday at 10:00, in Nepal. Saturday is the day off. */
export function quickTime(which: QuickTime, now: Date): { day: string; time: string } {
  if (which === 'inAnHour') {
    const quarter = new Date(Math.ceil((now.getTime() + hourMs) / quarterMs) * quarterMs)
    return { day: nepalDayOf(quarter), time: nepalTimeOf(quarter).slice(11, 16) }
  }
  const tomorrow = addDays(nepalDayOf(now), 1)
  const day = which === 'tomorrow' ? tomorrow : addDays(tomorrow, (7 - weekdayOf(tomorrow)) % 7)
  return { day, time: '10:00' }
}

/** The chosen time on the wire; '' while incomplete. */
export function scheduleTimeOf(day: string | null, time: string | null): string {
  return day !== null && time !== null ? `${day} ${time}:00` : ''
}

/** When a scheduled campaign begins no more calls, or sends no more messages; '': on the platform's last day. */
export function endOf({ scheduled, withEnd, endDay, endTime }: Ends): string {
  return scheduled && withEnd ? scheduleTimeOf(endDay, endTime) : ''
}
type Ends = Pick<ComposeForm, 'scheduled' | 'withEnd' | 'endDay' | 'endTime'>

export function isInFuture(scheduleTime: string, now: Date): boolean {
  const instant = instantOfNepalTime(scheduleTime)
  return instant !== null && instant.getTime() > now.getTime()
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** A time of the wire for people: without the day when that is today, never with seconds. */
export function whenText(wire: string, now: Date): string {
  return wire.slice(0, 10) === nepalDayOf(now) ? wire.slice(11, 16) : wire.slice(0, 16)
}
