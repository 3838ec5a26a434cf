import { nepalDayOf, nepalOffsetMs } from '@ghanti/contract/time.ts'
import * as z from 'zod/mini'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** A year and a day: every weekday and holiday has passed. */
const daysAhead = 366

const HourAndMinute = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, { error: 'must look like 07:00' }))

/** When calls may begin, in Nepal time. `to` is the first minute without calls; '24:00' is midnight. */
export const CallingHours = z
  .object({
    /** false: calls may begin at any time. */
    enabled: z._default(z.boolean(), true),
    from: HourAndMinute,
    to: HourAndMinute,
    /** 0 is Sunday. */
    weekdays: z.array(z.int().check(z.minimum(0), z.maximum(6))).check(z.minLength(1, { error: 'must name a day' })),
    /** 'yyyy-MM-dd': no calls all day. */
    holidays: z.array(z.iso.date()),
  })
  .check(z.refine((hours) => hours.from < hours.to, { error: 'must end after they begin', path: ['to'] }))
export type CallingHours = z.output<typeof CallingHours>

export const defaultCallingHours: CallingHours = {
  enabled: true,
  from: '07:00',
  to: '21:00',
  weekdays: [0, 1, 2, 3, 4, 5, 6],
  holidays: [],
}

/** Open: until when (null: no end). Closed: since no call may begin, when the next may (null: not within a year). */
export type HoursNow = { open: true; until: Date | null } | { open: false; opensAt: Date | null }

export function hoursAt(hours: CallingHours, now: Date): HoursNow {
  if (!hours.enabled) return { open: true, until: null }
  const midnight = Math.floor((now.getTime() + nepalOffsetMs) / dayMs) * dayMs - nepalOffsetMs
  for (let day = 0; day <= daysAhead; day++) {
    const start = midnight + day * dayMs
    const from = start + msOf(hours.from)
    const to = start + msOf(hours.to)
    if (now.getTime() >= to || !isCallingDay(hours, start)) continue
    return now.getTime() >= from ? { open: true, until: new Date(to) } : { open: false, opensAt: new Date(from) }
  }
  return { open: false, opensAt: null }
}

function isCallingDay(hours: CallingHours, midnight: number): boolean {
  const weekday = new Date(midnight + nepalOffsetMs).getUTCDay()
  return hours.weekdays.includes(weekday) && !hours.holidays.includes(nepalDayOf(new Date(midnight)))
}

function msOf(hourAndMinute: string): number {
  const [hours = 0, minutes = 0] = hourAndMinute.split(':').map(Number)
  return (hours * 60 + minutes) * minuteMs
}
