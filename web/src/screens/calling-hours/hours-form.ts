import type { CallingHours } from '@ghanti/contract/calling-hours.ts'

export type HoursValues = CallingHours & {
  dialDays: string
  userId: string | null
  reason: string
}

export function valuesOf(hours: CallingHours, more: Partial<HoursValues> = {}): HoursValues {
  return { ...hours, dialDays: '', userId: null, reason: '', ...more }
}

/** One end of a weekday's own hours may be empty: then that of all days applies. */
export function hoursOf({ enabled, from, to, weekdays, holidays, ownHours }: HoursValues): CallingHours {
  const common = { from: from.trim(), to: to.trim() }
  const own = ownHours
    .map((one) => ({ weekday: one.weekday, from: one.from.trim() || common.from, to: one.to.trim() || common.to }))
    .filter((one) => weekdays.includes(one.weekday) && (one.from !== common.from || one.to !== common.to))
  return { enabled, ...common, weekdays, ownHours: own, holidays }
}

export const fieldsOfHours = {
  'hours.from': 'from',
  'hours.to': 'to',
  'hours.weekdays': 'weekdays',
  'hours.ownHours': 'ownHours',
  'hours.holidays': 'holidays',
} as const

const looksLikeTime = (text: string) =>
  /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text.trim()) ? null : 'must look like 07:00'

export const checks = {
  from: looksLikeTime,
  to: (to: string, { from }: HoursValues) =>
    looksLikeTime(to) ?? (from.trim() < to.trim() ? null : 'must be after the beginning'),
  ownHours: (_: unknown, values: HoursValues) => {
    const own = hoursOf(values).ownHours
    const wrong = own.map(({ from, to }) => looksLikeTime(from) ?? looksLikeTime(to)).find((text) => text !== null)
    return wrong ?? (own.every(({ from, to }) => from < to) ? null : 'must be after the beginning')
  },
  weekdays: (days: readonly number[]) => (days.length > 0 ? null : 'must name a day'),
}
