import { scheduleDaysMax } from '@ghanti/contract/compose.ts'
import { instantOfNepalTime, nepalDayOf } from '@ghanti/contract/time.ts'

const quarterMs = 15 * 60_000

/** The quarter hours 'HH:mm' of a Nepal day 'yyyy-MM-dd' that are still to come. Nepal is UTC+5:45, so its quarters are the clock's quarters everywhere. */
export function quarterHoursOf(day: string, now: Date): string[] {
  const midnight = instantOfNepalTime(`${day} 00:00:00`)
  if (!midnight) return []
  return Array.from({ length: 24 * 4 }, (_, quarter) => quarter)
    .filter((quarter) => midnight.getTime() + quarter * quarterMs > now.getTime())
    .map((quarter) => `${twoDigits(Math.floor(quarter / 4))}:${twoDigits((quarter % 4) * 15)}`)
}

/** The first day that still has a quarter hour to choose: tomorrow from 23:45 on. */
export function firstDay(now: Date): string {
  return nepalDayOf(new Date(now.getTime() + quarterMs))
}

/** The last day of which every quarter hour may be chosen. */
export function lastDay(now: Date): string {
  return nepalDayOf(new Date(now.getTime() + (scheduleDaysMax - 1) * 24 * 3600_000))
}

/** The wire's time of what was chosen; '' while something is missing. */
export function scheduleTimeOf(day: string | null, time: string | null): string {
  return day !== null && time !== null ? `${day} ${time}:00` : ''
}

export function isInFuture(scheduleTime: string, now: Date): boolean {
  const instant = instantOfNepalTime(scheduleTime)
  return instant !== null && instant.getTime() > now.getTime()
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** A time of the wire as it is said: without its day when that is today, always without seconds. */
export function whenText(wire: string, now: Date): string {
  return wire.slice(0, 10) === nepalDayOf(now) ? wire.slice(11, 16) : wire.slice(0, 16)
}
