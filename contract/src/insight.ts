import * as z from 'zod/mini'
import { campaign, choice, choices, dates, trunk, fieldsOf } from './filters.ts'
import { operatorCode, type Operator } from './operators.ts'
import { file, json, type ReplyOf } from './route.ts'
import { templates } from './template-names.ts'
import { Id, OneLine } from './values.ts'

/** The length of a bucket. `weekday`: one of the 168 hours of the week. */
const grains = ['minute', 'hour', 'day', 'weekday'] as const
export type Grain = (typeof grains)[number]
/** The longest range, in days. Minutes are kept for 48 hours. */
export const daysMax: Record<Grain, number> = { minute: 1, hour: 31, day: 400, weekday: 92 }
/** How many days before today, in Nepal, have minutes. */
export const minuteDaysBack = 1

const callDimensions = ['customer', 'campaign', 'operator', 'trunk', 'cli', 'template', 'agent'] as const
export type CallDimension = (typeof callDimensions)[number]
const messageDimensions = ['customer', 'campaign', 'operator', 'gateway', 'sender'] as const
export type MessageDimension = (typeof messageDimensions)[number]
/** Only super admins see these. */
export const platformDimensions: readonly (CallDimension | MessageDimension)[] = ['trunk', 'gateway']

/** The rows of campaigns that hold all Call Nows and all test calls, by keys that no campaign has. */
export const [callNowKey, testCallKey] = [0, -1]
export const singleCallLabels: Readonly<Record<string, string>> = {
  [callNowKey]: 'Call Now',
  [testCallKey]: 'Test calls',
}

/** The rows of a dimension with the most calls or messages. */
export const insightRowsMax = 100

const operatorNames = Object.keys(operatorCode) as Operator[]
const templateIds = templates.map(({ id }) => String(id))

/** Filters of the console's bar. Without `started`: the last seven days. */
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
/** `from` and `to`: first and last day in Nepal, AD; either may be left out in favour of `started`. */
const Asked = { userId: Id, from: Day, to: Day }

/** Figures by bucket of time, or by key of `of`; of calls also keys pressed, hang-ups by band, and both by day. */
const callTables = ['time', 'rows', 'keys', 'hangUps', 'days'] as const
export type CallTable = (typeof callTables)[number]
const messageTables = ['time', 'rows'] as const
export type MessageTable = (typeof messageTables)[number]
const nullable = z.nullable(z.number())
/**
 * Rupees. `cost`: what the users paid. `spend`: what this account paid. `margin`: what it received from accounts below minus `spend`; null for
 * users.
 */
const money = { cost: z.number(), spend: nullable, margin: nullable }
/** docs/design.md#terms-of-insight */
const rates = {
  /** Share of answered calls among those not cancelled, in per cent. */
  asr: nullable,
  /** Mean length of an answered call, in seconds. */
  acd: nullable,
}
const CallPoint = z.object({
  time: z.string(),
  attempts: z.number(),
  answered: z.number(),
  busy: z.number(),
  noAnswer: z.number(),
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
  /** Rang unanswered. */
  ringOnly: z.number(),
  keyed: z.number(),
  /** Hung up before the last sound ended. */
  dropped: z.number(),
  /** Calls that reached an agent, and the length of these conversations. */
  joined: z.number(),
  joinedSeconds: z.number(),
  seconds: z.number(),
  pulses: z.number(),
  ...money,
  ...rates,
  /** Share of calls that reached a telephone among those not cancelled, in per cent. */
  ner: nullable,
  /** Mean time from the INVITE to the first ringing, in milliseconds, over calls for which it is known. */
  pdd: nullable,
}
/** In the order of display. */
export const keypad = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*'] as const
/** Upper ends, in seconds, of the bands in which hang-ups are counted; null is the band above all others. */
export const leftBefore = [5, 10, 20, 30, 60, null] as const
const Answers = z.object({
  /** Answered calls that pressed the key when it counted; only keys that occur. A call with two keys counts in both. */
  keys: z.array(z.object({ key: z.enum(keypad), count: z.number() })),
  /** Calls that hung up before the last sound ended (`dropped`), by band. */
  left: z.array(z.object({ before: z.nullable(z.number()), count: z.number() })),
})
export type Answers = z.output<typeof Answers>
/** Keys and hang-ups: of the range, of the range before and, by day, of each day. Null where they are not kept for what is asked. */
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
  /** According to receipts. */
  undelivered: z.number(),
  segments: z.number(),
  /** Share of delivered messages among accepted ones, in per cent. */
  deliveredShare: nullable,
  ...money,
}

function reply<P extends z.ZodMiniType, F extends z.core.$ZodLooseShape, R extends z.core.$ZodLooseShape>(
  point: P,
  figures: F,
  ofRow: R,
) {
  return {
    /** The account they belong to; '' for the platform. */
    username: z.string(),
    /** Days in Nepal, AD, both included. */
    from: z.string(),
    to: z.string(),
    before: z.object({ from: z.string(), to: z.string() }),
    by: z.enum(grains),
    of: z.nullable(z.string()),
    /**
     * Buckets that are not empty. `time` is 'yyyy-MM-dd HH:mm:ss' for minutes and hours, 'yyyy-MM-dd' for days, and '0 13' for hours of the week:
     * the weekday (Sunday 0) and the hour.
     */
    series: z.array(point),
    seriesBefore: z.array(point),
    totals: z.object(figures),
    totalsBefore: z.object(figures),
    /** A row for each key of `of`: the first hundred by calls or messages. */
    rows: z.array(z.object({ key: z.string(), label: z.string(), ...figures, ...ofRow })),
    rowsLeftOut: z.number(),
  }
}

/** Figures over time from counters, which lag behind ended calls by a second or two. Times are those at which calls started. */
export const insightRoutes = {
  calls: json({
    method: 'GET',
    path: '/api/obd/insight/:userId',
    input: z.object({ ...Asked, ...fieldsOf(callFilters) }),
    filters: callFilters,
    reply: z.object({
      ...reply(CallPoint, callFigures, { answers: z.nullable(Answers) }),
      answers: AnswersInRange,
      /** Names of keys: of one campaign, or that all campaigns of a user whose calls pressed them gave them alike. */
      keyLabels: z.record(z.string(), z.string()),
    }),
  }),
  messages: json({
    method: 'GET',
    path: '/api/obd/insight/messages/:userId',
    input: z.object({ ...Asked, ...fieldsOf(messageFilters) }),
    filters: messageFilters,
    reply: z.object(reply(MessagePoint, messageFigures, {})),
  }),
  /** One table of the screen, with the same range, filters and rights. */
  callsCsv: file({
    path: '/api/obd/insight/:userId/insight-calls.csv',
    input: z.object({ ...Asked, table: z.enum(callTables) }),
    filters: callFilters,
  }),
  messagesCsv: file({
    path: '/api/obd/insight/messages/:userId/insight-messages.csv',
    input: z.object({ ...Asked, table: z.enum(messageTables) }),
    filters: messageFilters,
  }),
}
export type CallInsight = ReplyOf<typeof insightRoutes.calls>
export type MessageInsight = ReplyOf<typeof insightRoutes.messages>
