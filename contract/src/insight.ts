import * as z from 'zod/mini'
import { campaign, choice, choices, dates, trunk, fieldsOf } from './filters.ts'
import { operatorCode, type Operator } from './operators.ts'
import { json, type ReplyOf } from './route.ts'
import { templates } from './templates.ts'
import { Id, OneLine } from './values.ts'

/** How long a bucket is. `weekday`: hours of the week, 168 of them. */
const grains = ['minute', 'hour', 'day', 'weekday'] as const
export type Grain = (typeof grains)[number]
/** So many days at most. Minutes are kept for 48 hours. */
export const daysMax: Record<Grain, number> = { minute: 1, hour: 31, day: 400, weekday: 92 }
/** Days of Nepal's before today for which minutes are kept. */
export const minuteDaysBack = 1

const callDimensions = ['customer', 'campaign', 'operator', 'trunk', 'cli', 'template', 'agent'] as const
export type CallDimension = (typeof callDimensions)[number]
const messageDimensions = ['customer', 'campaign', 'operator', 'gateway', 'sender'] as const
export type MessageDimension = (typeof messageDimensions)[number]
/** What is the platform's: for super admins alone. */
export const platformDimensions: readonly (CallDimension | MessageDimension)[] = ['trunk', 'gateway']

/** So many rows of one dimension, those with the most calls or messages. */
export const insightRowsMax = 100

const operatorNames = Object.keys(operatorCode) as Operator[]
const templateIds = templates.map(({ id }) => String(id))

/** What the console's bar offers. `started`: without it the last seven days. */
const shared = { started: dates }
const callFilters = {
  ...shared,
  by: choice(grains),
  of: choice(callDimensions),
  operator: choices(operatorNames),
  template: choice(templateIds),
  trunkId: trunk,
  campaignId: campaign,
} as const
const messageFilters = {
  ...shared,
  by: choice(['hour', 'day', 'weekday']),
  of: choice(messageDimensions),
  operator: choices(operatorNames),
} as const

const dayError = { error: 'must look like 2026-11-20' }
const Day = z.optional(OneLine(dayError).check(z.regex(/^\d{4}-\d{2}-\d{2}$/, dayError)))
/** `from` and `to`: first and last day of Nepal's, AD; either may be left out beside `started`. */
const Asked = { userId: Id, from: Day, to: Day }

const nullable = z.nullable(z.number())
/** Rupees. `cost`: what the users paid; `spend`: what this account paid; `margin`: what it got from below less that, null for those who have nobody below. */
const money = { cost: z.number(), spend: nullable, margin: nullable }
/** docs/design.md#terms-of-insight */
const rates = {
  /** Answered of all that were not cancelled, in per cent. */
  asr: nullable,
  /** How long an answered call was, in seconds. */
  acd: nullable,
}
const CallPoint = z.object({
  time: z.string(),
  attempts: z.number(),
  answered: z.number(),
  busy: z.number(),
  noAnswer: z.number(),
  /** All others. */
  failed: z.number(),
  keyed: z.number(),
  pulses: z.number(),
  cost: z.number(),
  ...rates,
  /** Milliseconds. */
  pdd: nullable,
})
const callFigures = {
  attempts: z.number(),
  answered: z.number(),
  busy: z.number(),
  noAnswer: z.number(),
  rejected: z.number(),
  invalid: z.number(),
  congestion: z.number(),
  failed: z.number(),
  cancelled: z.number(),
  lost: z.number(),
  /** Rang, and nobody answered. */
  ringOnly: z.number(),
  /** Pressed a key. */
  keyed: z.number(),
  /** Hung up before the end of what was to be heard. */
  dropped: z.number(),
  /** Talked to an agent, and how long in all. */
  joined: z.number(),
  joinedSeconds: z.number(),
  seconds: z.number(),
  pulses: z.number(),
  ...money,
  ...rates,
  /** Reached a telephone, of all that were not cancelled, in per cent. */
  ner: nullable,
  /** From the INVITE until it first rang, in milliseconds, of calls where somebody saw when. */
  pdd: nullable,
}
/** Keys of a telephone, in the order in which they are shown. */
export const keypad = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*'] as const
/** Bands of the seconds after which somebody hung up: less than so many, and not less than the one before; null: all others. */
export const leftBefore = [5, 10, 20, 30, 60, null] as const
const Answers = z.object({
  /** Answered calls in which the key was pressed and counted, those keys that were. A call with two keys is in both. */
  keys: z.array(z.object({ key: z.enum(keypad), count: z.number() })),
  /** Calls that were hung up before the end of what was to be heard (`dropped`), a line for each band. */
  left: z.array(z.object({ before: z.nullable(z.number()), count: z.number() })),
})
export type Answers = z.output<typeof Answers>
/** Keys and hanging up, of the whole range, of the one before and of each day when it is asked for by day. Null: not kept for what is asked. */
const AnswersInRange = z.nullable(
  z.object({
    now: Answers,
    before: Answers,
    series: z.array(z.object({ time: z.string(), ...Answers.shape })),
  }),
)
const MessagePoint = z.object({
  time: z.string(),
  messages: z.number(),
  accepted: z.number(),
  delivered: z.number(),
  refused: z.number(),
  segments: z.number(),
  cost: z.number(),
})
const messageFigures = {
  messages: z.number(),
  accepted: z.number(),
  refused: z.number(),
  unknown: z.number(),
  delivered: z.number(),
  /** By a receipt. */
  undelivered: z.number(),
  segments: z.number(),
  /** Delivered of accepted, in per cent. */
  deliveredShare: nullable,
  ...money,
}

function reply<P extends z.ZodMiniType, F extends z.core.$ZodLooseShape, R extends z.core.$ZodLooseShape>(
  point: P,
  figures: F,
  /** What a row has beside its figures. */
  ofRow: R,
) {
  return {
    /** Whose figures they are; '' of the platform. */
    username: z.string(),
    /** Nepal's days, AD, both included. */
    from: z.string(),
    to: z.string(),
    before: z.object({ from: z.string(), to: z.string() }),
    by: z.enum(grains),
    of: z.nullable(z.string()),
    /**
     * Buckets with something in them. time: 'yyyy-MM-dd HH:mm:ss' of minutes and hours, 'yyyy-MM-dd' of days; of hours of the week the weekday, Sunday 0, and the hour: '0 13'.
     */
    series: z.array(point),
    seriesBefore: z.array(point),
    totals: z.object(figures),
    totalsBefore: z.object(figures),
    /** One for each key of `of`, the first hundred by calls or messages. */
    rows: z.array(z.object({ key: z.string(), label: z.string(), ...figures, ...ofRow })),
    /** How many rows were left out. */
    rowsLeftOut: z.number(),
    /** What is older is still being counted, after an upgrade. */
    isFilling: z.boolean(),
  }
}

/** Figures over time, from counters that are kept as calls end: what is older than a second or two is in them. Times are those at which calls started. */
export const insightRoutes = {
  calls: json({
    method: 'GET',
    path: '/api/obd/insight/:userId',
    input: z.object({ ...Asked, ...fieldsOf(callFilters) }),
    filters: callFilters,
    reply: z.object({
      ...reply(CallPoint, callFigures, { answers: z.nullable(Answers) }),
      answers: AnswersInRange,
    }),
  }),
  messages: json({
    method: 'GET',
    path: '/api/obd/insight/messages/:userId',
    input: z.object({ ...Asked, ...fieldsOf(messageFilters) }),
    filters: messageFilters,
    reply: z.object(reply(MessagePoint, messageFigures, {})),
  }),
}
export type CallInsight = ReplyOf<typeof insightRoutes.calls>
export type MessageInsight = ReplyOf<typeof insightRoutes.messages>
