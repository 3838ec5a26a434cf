import { calendarDaysMax } from '@ghanti/contract/calendar.ts'
import { addDays } from '@ghanti/contract/days.ts'
import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import type { FieldError } from '../../errors.ts'

/** Days that a calendar shows. Beyond the year 9999 a day has another form, and all that compares days as texts would be wrong. */
const isShown = (day: string) =>
  day >= '1900-01-01' && day < '2200-01-01' && instantOfNepalTime(`${day} 00:00:00`) !== null

export function rangeProblems(from: string, to: string): FieldError[] {
  const wrong = (field: string, text: string): FieldError => ({ field, code: 'invalid', text })
  const unknown = Object.entries({ from, to }).filter(([, day]) => !isShown(day))
  if (unknown.length > 0) return unknown.map(([field]) => wrong(field, 'is not a day of the calendar'))
  if (to < from) return [wrong('to', 'must not be before the beginning')]
  return to > addDays(from, calendarDaysMax - 1) ? [wrong('to', `leaves more than ${calendarDaysMax} days`)] : []
}

export function daysOf(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

export function midnightOf(day: string): Date {
  const midnight = instantOfNepalTime(`${day} 00:00:00`)
  if (!midnight) throw new Error(`${day} is not a calendar day`)
  return midnight
}
