import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { weekdayOf as weekdayOfDay } from '@ghanti/contract/days.ts'
import { nepalDayOf, nepalOffsetMs } from '@ghanti/contract/time.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** A year and a day cover every weekday and holiday. */
const daysAhead = 366

export const defaultCallingHours: CallingHours = {
  enabled: true,
  from: '07:00',
  to: '21:00',
  weekdays: [0, 1, 2, 3, 4, 5, 6],
  ownHours: [],
  holidays: [],
}

/** `until` null: open without end. `opensAt` null: not within a year. */
export type HoursNow = { open: true; until: Date | null } | { open: false; opensAt: Date | null }

export function hoursAt(hours: CallingHours, now: Date): HoursNow {
  if (!hours.enabled) return { open: true, until: null }
  const midnight = Math.floor((now.getTime() + nepalOffsetMs) / dayMs) * dayMs - nepalOffsetMs
  for (let day = 0; day <= daysAhead; day++) {
    const start = midnight + day * dayMs
    const ofDay = hours.ownHours.find(({ weekday }) => weekday === weekdayOf(start)) ?? hours
    const from = start + msOf(ofDay.from)
    const to = start + msOf(ofDay.to)
    if (now.getTime() >= to || !isCallingDay(hours, start)) continue
    return now.getTime() >= from ? { open: true, until: new Date(to) } : { open: false, opensAt: new Date(from) }
  }
  return { open: false, opensAt: null }
}

/** The hours of a day 'yyyy-MM-dd'; null: none. */
export function openOn(hours: CallingHours, day: string): { from: string; to: string } | null {
  if (!hours.enabled) return { from: '00:00', to: '24:00' }
  const weekday = weekdayOfDay(day)
  if (!hours.weekdays.includes(weekday) || hours.holidays.some(({ date }) => date === day)) return null
  const { from, to } = hours.ownHours.find((own) => own.weekday === weekday) ?? hours
  return { from, to }
}

/** When work of this many ms ends if it proceeds only while open; null: not before `until`. */
export function doneAt(
  hours: CallingHours,
  from: Date,
  { workMs, until }: { workMs: number; until: Date },
): Date | null {
  let [at, left] = [from, workMs]
  while (at < until) {
    const now = hoursAt(hours, at)
    if (now.open) {
      const openMs = (now.until ?? until).getTime() - at.getTime()
      if (left <= openMs) return at.getTime() + left <= until.getTime() ? new Date(at.getTime() + left) : null
      left -= openMs
    }
    const next = now.open ? now.until : now.opensAt
    if (!next) return null
    at = next
  }
  return null
}

function isCallingDay(hours: CallingHours, midnight: number): boolean {
  const day = nepalDayOf(new Date(midnight))
  return hours.weekdays.includes(weekdayOf(midnight)) && !hours.holidays.some(({ date }) => date === day)
}

function weekdayOf(midnight: number): number {
  return new Date(midnight + nepalOffsetMs).getUTCDay()
}

/** Minutes since midnight of a time like '07:30'. */
export function minutesOf(hourAndMinute: string): number {
  const [hours = 0, minutes = 0] = hourAndMinute.split(':').map(Number)
  return hours * 60 + minutes
}

const msOf = (hourAndMinute: string): number => minutesOf(hourAndMinute) * minuteMs

/** Sorted, one entry per day. Of two entries for one holiday or weekday the later one wins. */
export function inOrder(hours: CallingHours): CallingHours {
  const ownHours = new Map(hours.ownHours.map((own) => [own.weekday, own]))
  const holidays = new Map(hours.holidays.map((holiday) => [holiday.date, holiday]))
  return {
    ...hours,
    weekdays: [...new Set(hours.weekdays)].toSorted((a, b) => a - b),
    ownHours: [...ownHours.values()].toSorted((a, b) => a.weekday - b.weekday),
    holidays: [...holidays.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1)),
  }
}

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** For the audit log: '07:00-21:00 Sun Mon Tue, 10:00-16:00 Sat'. */
export function wordsOf({ enabled, from, to, weekdays, ownHours }: CallingHours): string {
  if (!enabled) return 'at any time'
  const others = weekdays.filter((day) => !ownHours.some(({ weekday }) => weekday === day))
  const common = others.length > 0 ? [`${from}-${to} ${others.map((day) => dayNames[day]).join(' ')}`] : []
  const own = ownHours.filter(({ weekday }) => weekdays.includes(weekday))
  return [...common, ...own.map((one) => `${one.from}-${one.to} ${dayNames[one.weekday]}`)].join(', ')
}
