import * as z from 'zod/mini'
import { json } from './route.ts'
import { Id, OneLine, orRequired } from './values.ts'

export const calendarDaysMax = 31
/** At most this many campaigns of a range, and as many days of repeating campaigns. */
export const calendarItemsMax = 200
/** What is left out is counted up to this. */
export const calendarCountMax = 1000
/** Campaigns that began before the range and are not over. */
export const calendarUnfinishedMax = 20

const dayError = 'must be a day like 2026-11-20'
const Day = OneLine(orRequired(dayError)).check(z.regex(/^\d{4}-\d{2}-\d{2}$/, { error: dayError }))

const CalendarItem = z.object({
  kind: z.enum(['calls', 'messages']),
  campaignId: z.number(),
  campaignName: z.string(),
  username: z.string(),
  campaignStatus: z.number(),
  scheduleTime: z.string(),
  /** Null until it is over. */
  finishedTime: z.nullable(z.string()),
})
export type CalendarItem = z.output<typeof CalendarItem>

const CalendarRepeat = z.object({
  repeatId: z.number(),
  repeatName: z.string(),
  day: z.string(),
  time: z.string(),
  /** Due by the date in a column, so perhaps nobody is due on that day. */
  byColumn: z.boolean(),
})
export type CalendarRepeat = z.output<typeof CalendarRepeat>

/** Of a day in Nepal; `to` '24:00' is its end. Null: closed all day. */
const Hours = z.nullable(z.object({ from: z.string(), to: z.string() }))

/** Texts after calls are left out: they move with their calls. So are archived and deleted campaigns. */
export const calendarRoutes = {
  range: json({
    method: 'GET',
    path: '/api/obd/calendar/:userId',
    input: z.object({ userId: Id, from: Day, to: Day }),
    reply: z.object({
      campaigns: z.array(CalendarItem),
      /** How many more campaigns begin in the range, counted to 1,000. */
      more: z.number(),
      /** Began before the range and are not over, the latest first. */
      unfinished: z.array(CalendarItem),
      /** The caller's own. A day whose campaign was composed is among the campaigns. */
      repeats: z.array(CalendarRepeat),
      days: z.array(z.object({ day: z.string(), calls: Hours, messages: Hours })),
    }),
  }),
}
