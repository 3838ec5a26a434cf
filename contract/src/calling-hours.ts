import * as z from 'zod/mini'
import { json, list } from './route.ts'
import { jsonOr } from './bounded-json.ts'
import { Id, Message, OneLine, oneLine, Paragraph, wireInt } from './values.ts'

const HourAndMinute = OneLine({ error: 'must look like 07:00' }).check(
  z.regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, { error: 'must look like 07:00' }),
)

const weekdayError = { error: 'must be 0 (Sunday) to 6' }
/** 0 is Sunday. */
const Weekday = z.int(weekdayError).check(z.minimum(0, weekdayError), z.maximum(6, weekdayError))
const sevenMax = z.maxLength(7, { error: 'has a day twice' })
const inTurn = { error: 'must be after the beginning' }
/** The hours of one weekday, in place of the common ones. */
const OwnHours = z
  .object({ weekday: Weekday, from: HourAndMinute, to: HourAndMinute })
  .check(z.refine((hours) => hours.from < hours.to, { ...inTurn, path: ['to'] }))

const Day = z.iso.date({ error: 'must be a day like 2026-11-20' }).check(oneLine)
const HolidayName = OneLine({ error: 'must be text' }).check(
  z.trim(),
  z.maxLength(100, { error: 'is longer than 100 characters' }),
)
/** A day without calls. Stored ones may be a bare date. */
const Holiday = z.pipe(
  z.transform((value: unknown) => (typeof value === 'string' ? { date: value } : value)),
  z.object({ date: Day, name: z._default(HolidayName, '') }),
)
const holidaysMax = 500

/** When calls may begin, in Nepal time. `to` is the first minute without calls; '24:00' is midnight. */
export const CallingHours = z
  .object({
    /** false: calls may begin at any time. */
    enabled: z._default(z.boolean({ error: 'must be true or false' }), true),
    from: HourAndMinute,
    to: HourAndMinute,
    weekdays: jsonOr(
      z.array(Weekday, { error: 'must be a list' }).check(z.minLength(1, { error: 'must name a day' }), sevenMax),
    ),
    /** Hours of weekdays that differ from `from` and `to`. A weekday that is not in `weekdays` has no calls, even with hours here. */
    ownHours: z._default(jsonOr(z.array(OwnHours, { error: 'must be a list' }).check(sevenMax)), []),
    holidays: jsonOr(
      z
        .array(Holiday, { error: 'must be a list' })
        .check(z.maxLength(holidaysMax, { error: `has more than ${holidaysMax} days` })),
    ),
  })
  .check(z.refine((hours) => hours.from < hours.to, { ...inTurn, path: ['to'] }))
export type CallingHours = z.output<typeof CallingHours>

/** `opensAt` is null when no calls may begin within a year. */
const HoursNow = z.object({ open: z.boolean(), opensAt: z.nullable(z.string()) })

const ExceptionRow = z.object({
  userId: z.number(),
  username: z.string(),
  company: z.string(),
  hours: CallingHours,
  now: HoursNow,
  reason: z.string(),
  changedBy: z.string(),
  changedAt: z.string(),
})
export type ExceptionRow = z.output<typeof ExceptionRow>

const dialDaysMax = 90

/** The platform's calling hours, and those of single accounts, which also apply to accounts below without their own. */
export const callingHoursRoutes = {
  platform: json({
    method: 'GET',
    path: '/api/obd/calling-hours',
    reply: z.object({ hours: CallingHours, now: HoursNow, dialDays: z.number() }),
  }),
  /** `dialDays`: how many days after a campaign's time its unfinished rows expire. */
  save: json({
    method: 'POST',
    path: '/api/obd/calling-hours',
    input: z.object({ hours: CallingHours, dialDays: z.optional(wireInt(1, dialDaysMax)) }),
    reply: Message,
  }),
  exceptions: list({
    path: '/api/obd/calling-hours/exceptions',
    row: ExceptionRow,
    sort: ['username', 'changedAt'],
  }),
  saveException: json({
    method: 'POST',
    path: '/api/obd/calling-hours/exception',
    input: z.object({ userId: Id, hours: CallingHours, reason: Paragraph(500) }),
    reply: Message,
  }),
  removeException: json({
    method: 'POST',
    path: '/api/obd/calling-hours/exception/remove',
    input: z.object({ userId: Id }),
    reply: Message,
  }),
}
