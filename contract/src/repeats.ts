import * as z from 'zod/mini'
import { json, list } from './route.ts'
import { jsonOr } from './bounded-json.ts'
import { Id, Message, nameMax, OneLine, orRequired, Text, wireInt } from './values.ts'

export const repeatsMax = 100
/** How many days ahead it may end, as a campaign may begin. */
export const repeatDaysMax = 366
/** The day is appended to it for the name of each campaign. */
export const repeatNameMax = nameMax - ' 2026-11-20'.length
export const nextDaysShown = 5
/** How long before its time a day's campaign is composed. */
export const composedMinutesBefore = 30
/** How long after its time a day's campaign may still be composed, if the server was down; then the day is missed. */
export const graceMinutes = 120

export const repeatStates = ['active', 'paused', 'ended'] as const
export type RepeatState = (typeof repeatStates)[number]
/** 'nobody': no row of the contact file was due on that day. 'missed': the server was away at its time. */
const dayOutcomes = ['composed', 'nobody', 'missed', 'failed'] as const
export type DayOutcome = (typeof dayOutcomes)[number]

const Day = OneLine(orRequired('must look like 2026-11-20')).check(
  z.regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must look like 2026-11-20' }),
)
const wrongWeekdays = { error: 'must be a list of days of the week, 0 (Sunday) to 6' }

/** On which days it begins, and when; Nepal's days and times. */
export const RepeatRule = z.object({
  rule: z.enum(['weekly', 'column'], orRequired('must be weekly or column')),
  /** Weekly: 0 is Sunday, all seven are every day. */
  weekdays: z.optional(
    jsonOr(z.array(wireInt(0, 6), wrongWeekdays).check(z.minLength(1, wrongWeekdays), z.maxLength(7, wrongWeekdays))),
  ),
  /** By column: the contact file's column with a date. A row is called `offsetDays` after its date, before it if negative. */
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
  /** How many rows of the present contact file are due; null: all. */
  rows: z.nullable(z.number()),
})

const Repeat = z.object({
  repeatId: z.number(),
  repeatName: z.string(),
  repeatState: z.enum(repeatStates),
  /** Null, like `cli`, when it can no longer be read; `faults` says why. */
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
  /** The last day that is over. */
  lastDay: z.nullable(z.object({ day: z.string(), outcome: z.enum(dayOutcomes) })),
  /** Fields of its stored set-up that compose no longer accepts, with reasons: each of its days fails with them. */
  faults: z.array(z.object({ field: z.string(), text: z.string() })),
})
export type Repeat = z.output<typeof Repeat>

export const RepeatDay = z.object({
  day: z.string(),
  outcome: z.enum(dayOutcomes),
  /** Null: none was composed, or it was deleted. */
  campaignId: z.nullable(z.number()),
  campaignName: z.nullable(z.string()),
  campaignStatus: z.nullable(z.number()),
  rows: z.nullable(z.number()),
  /** Why it failed, by fields of compose. */
  reasons: z.array(z.object({ field: z.string(), text: z.string() })),
})
export type RepeatDay = z.output<typeof RepeatDay>

const ofRepeat = z.object({ repeatId: Id })

/** Repeating campaigns are private to their owner. */
export const repeatRoutes = {
  list: json({ method: 'GET', path: '/api/obd/repeats', reply: z.array(Repeat) }),
  detail: json({
    method: 'GET',
    path: '/api/obd/repeats/:repeatId',
    input: ofRepeat,
    reply: z.object({ ...Repeat.shape, nextDays: z.array(NextDay) }),
  }),
  /** Newest first. */
  days: list({ path: '/api/obd/repeats/:repeatId/days', input: ofRepeat, row: RepeatDay, sort: ['-day'] }),
  /** The days on which a rule would compose, before anything is stored. */
  next: json({
    method: 'POST',
    path: '/api/obd/repeats/next',
    input: z.extend(RepeatRule, { baseId: Id }),
    reply: z.object({
      days: z.array(NextDay),
      /** Rows whose column has something that is no date. Null unless by column. */
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
  /** For good. Campaigns that it composed go on. */
  end: json({ method: 'POST', path: '/api/obd/repeats/end', input: ofRepeat, reply: Message }),
  /** One that has ended. */
  delete: json({ method: 'DELETE', path: '/api/obd/repeats/:repeatId', input: ofRepeat, reply: Message }),
}
