import * as z from 'zod/mini'
import { json } from './route.ts'
import { Id, OneLine, orRequired } from './values.ts'

export const calendarDaysMax = 31
/** And as many days of repeating campaigns. */
export const calendarItemsMax = 200
/** Of what is left out. */
export const calendarCountMax = 1000
/** Begun before the range. */
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
  /** Perhaps nobody is due on that day. */
  byColumn: z.boolean(),
})
export type CalendarRepeat = z.output<typeof CalendarRepeat>

/** In Nepal; `to` '24:00' is the end. Null: closed all day. */
const Hours = z.nullable(z.object({ from: z.string(), to: z.string() }))

/** Without texts after calls, which move with their calls, and archived and deleted campaigns. */
export const calendarRoutes = {
  range: json({
    method: 'GET',
    path: '/api/obd/calendar/:userId',
    input: z.object({ userId: Id, from: Day, to: Day }),
    reply: z.object({
      campaigns: z.array(CalendarItem),
      /** Counted to 1,000. */
      more: z.number(),
      /** Begun before the range, the latest first. */
      unfinished: z.array(CalendarItem),
      /** The caller's own. A composed day is among the campaigns. */
      repeats: z.array(CalendarRepeat),
      days: z.array(z.object({ day: z.string(), calls: Hours, messages: Hours })),
    }),
  }),
}
