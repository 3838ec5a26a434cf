import * as z from 'zod/mini'
import { json, list } from './route.ts'
import { Id, jsonOr, Message, nameMax, OneLine, orRequired, Text, wireInt } from './values.ts'

export const repeatsMax = 100
/** Ahead, as for a campaign's beginning. */
export const repeatDaysMax = 366
/** Each campaign's name has the day appended. */
export const repeatNameMax = nameMax - ' 2026-11-20'.length
export const nextDaysShown = 5
/** Before a day's time. */
export const composedMinutesBefore = 30
/** After a day's time, if the server was down; then the day is missed. */
export const graceMinutes = 120

export const repeatStates = ['active', 'paused', 'ended'] as const
export type RepeatState = (typeof repeatStates)[number]
/** 'nobody': no row was due. 'missed': the server was away. */
const dayOutcomes = ['composed', 'nobody', 'missed', 'failed'] as const
export type DayOutcome = (typeof dayOutcomes)[number]

const Day = OneLine(orRequired('must look like 2026-11-20')).check(
  z.regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must look like 2026-11-20' }),
)
const wrongWeekdays = { error: 'must be a list of days of the week, 0 (Sunday) to 6' }

/** In Nepal. */
export const RepeatRule = z.object({
  rule: z.enum(['weekly', 'column'], orRequired('must be weekly or column')),
  /** Weekly: 0 is Sunday, all seven are every day. */
  weekdays: z.optional(
    jsonOr(z.array(wireInt(0, 6), wrongWeekdays).check(z.minLength(1, wrongWeekdays), z.maxLength(7, wrongWeekdays))),
  ),
  /** With a date. A row is called `offsetDays` after it, before it if negative. */
  column: z.optional(Text(nameMax)),
  offsetDays: z._default(wireInt(-repeatDaysMax, repeatDaysMax), 0),
  time: OneLine(orRequired('must look like 10:00')).check(
    z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must look like 10:00' }),
  ),
  fromDay: Day,
  untilDay: Day,
})
export type RepeatRule = z.output<typeof RepeatRule>

const NextDay = z.object({
  day: z.string(),
  /** Due in the present contact file; null: all. */
  rows: z.nullable(z.number()),
})

const Repeat = z.object({
  repeatId: z.number(),
  repeatName: z.string(),
  repeatState: z.enum(repeatStates),
  /** Null, like `cli`, when unreadable; `faults` says why. */
  templateId: z.nullable(z.number()),
  cli: z.nullable(z.string()),
  baseId: z.number(),
  baseName: z.string(),
  rule: z.enum(['weekly', 'column']),
  weekdays: z.array(z.number()),
  column: z.nullable(z.string()),
  offsetDays: z.number(),
  time: z.string(),
  fromDay: z.string(),
  untilDay: z.string(),
  /** Null unless it is active. */
  nextDay: z.nullable(z.string()),
  /** Of those that are over. */
  lastDay: z.nullable(z.object({ day: z.string(), outcome: z.enum(dayOutcomes) })),
  /** Fields that compose no longer accepts: each of its days fails with them. */
  faults: z.array(z.object({ field: z.string(), text: z.string() })),
})
export type Repeat = z.output<typeof Repeat>

export const RepeatDay = z.object({
  day: z.string(),
  outcome: z.enum(dayOutcomes),
  /** Null: none, or deleted. */
  campaignId: z.nullable(z.number()),
  campaignName: z.nullable(z.string()),
  campaignStatus: z.nullable(z.number()),
  rows: z.nullable(z.number()),
  /** By fields of compose. */
  reasons: z.array(z.object({ field: z.string(), text: z.string() })),
})
export type RepeatDay = z.output<typeof RepeatDay>

const ofRepeat = z.object({ repeatId: Id })

/** Private to their owner. */
export const repeatRoutes = {
  list: json({ method: 'GET', path: '/api/obd/repeats', reply: z.array(Repeat) }),
  detail: json({
    method: 'GET',
    path: '/api/obd/repeats/:repeatId',
    input: ofRepeat,
    reply: z.object({ ...Repeat.shape, nextDays: z.array(NextDay) }),
  }),
  days: list({ path: '/api/obd/repeats/:repeatId/days', input: ofRepeat, row: RepeatDay, sort: ['-day'] }),
  /** Before anything is stored. */
  next: json({
    method: 'POST',
    path: '/api/obd/repeats/next',
    input: z.extend(RepeatRule, { baseId: Id }),
    reply: z.object({
      days: z.array(NextDay),
      /** Of the column with dates. Null unless by column. */
      unreadable: z.nullable(z.number()),
    }),
  }),
  create: json({
    method: 'POST',
    path: '/api/obd/repeats',
    input: z.extend(RepeatRule, { repeatName: Text(repeatNameMax), setupId: Id, baseId: Id }),
    reply: z.object({ message: z.string(), repeatId: z.number() }),
  }),
  pause: json({ method: 'POST', path: '/api/obd/repeats/pause', input: ofRepeat, reply: Message }),
  resume: json({ method: 'POST', path: '/api/obd/repeats/resume', input: ofRepeat, reply: Message }),
  /** For good. Composed campaigns go on. */
  end: json({ method: 'POST', path: '/api/obd/repeats/end', input: ofRepeat, reply: Message }),
  /** One that has ended. */
  delete: json({ method: 'DELETE', path: '/api/obd/repeats/:repeatId', input: ofRepeat, reply: Message }),
}
