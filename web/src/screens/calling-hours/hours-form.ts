import type { CallingHours } from '@ghanti/contract/calling-hours.ts'

export type HoursValues = CallingHours & {
  dialDays: string
  userId: string | null
  reason: string
}

export function valuesOf(hours: CallingHours, more: Partial<HoursValues> = {}): HoursValues {
  return { ...hours, dialDays: '', userId: null, reason: '', ...more }
}

export function hoursOf({ enabled, from, to, weekdays, holidays }: HoursValues): CallingHours {
  return { enabled, from: from.trim(), to: to.trim(), weekdays, holidays }
}

/** Where the wire's names stand in the form. */
export const fieldsOfHours = {
  'hours.from': 'from',
  'hours.to': 'to',
  'hours.weekdays': 'weekdays',
  'hours.holidays': 'holidays',
} as const

const looksLikeTime = (text: string) =>
  /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text.trim()) ? null : 'must look like 07:00'

export const checks = {
  from: looksLikeTime,
  to: (to: string, { from }: HoursValues) =>
    looksLikeTime(to) ?? (from.trim() < to.trim() ? null : 'must be after the beginning'),
  weekdays: (days: readonly number[]) => (days.length > 0 ? null : 'must name a day'),
}
