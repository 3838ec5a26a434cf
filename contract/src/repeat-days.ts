import { addDays, weekdayOf } from './days.ts'
import type { RepeatRule } from './repeats.ts'
import { instantOfNepalTime, nepalDayOf } from './time.ts'

export type Days = Pick<RepeatRule, 'rule' | 'weekdays' | 'time' | 'fromDay' | 'untilDay'>

/** In Nepal. Null for a day that no calendar has. */
export function startOfDay(day: string, time: string): Date | null {
  return instantOfNepalTime(`${day} ${time}:00`)
}

export function startOf(day: string, time: string): Date {
  const start = startOfDay(day, time)
  if (!start) throw new Error(`no day of the calendar: ${day} ${time}`)
  return start
}

/** The first day of the rule from `first` on, whatever the time is now. By column every day is looked at. */
export function dayFrom({ rule, weekdays = [], fromDay, untilDay }: Days, first: string): string | null {
  let day = first > fromDay ? first : fromDay
  for (let looked = 0; day <= untilDay && looked < 7; looked++) {
    if (rule === 'column' || weekdays.includes(weekdayOf(day))) return day
    day = addDays(day, 1)
  }
  return null
}

/** The first one whose time is still to come. */
export function comingDay(days: Days, now: Date): string | null {
  const day = dayFrom(days, nepalDayOf(now))
  if (day === null || startOf(day, days.time) > now) return day
  return dayFrom(days, addDays(day, 1))
}

/** A day of the rule and those after it, at most `most` of them. Null: none. */
export function daysFrom(days: Days, first: string | null, most: number): string[] {
  const coming: string[] = []
  for (let day = first; day !== null && coming.length < most; day = dayFrom(days, addDays(day, 1))) coming.push(day)
  return coming
}
