import * as z from 'zod/mini'
import { AfterCallMessage } from './after-call.ts'
import { dispositions } from './campaign-status.ts'
import { account, campaign, choice, choices, dates, number, text, trunk } from './filters.ts'
import { operatorCode, type Operator } from './operators.ts'
import { file, list } from './route.ts'
import { Id, NepalTime, Search, Text } from './values.ts'

const callKinds = ['campaign', 'test', 'callNow'] as const
export const callKeys = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*'] as const
const callOperators = Object.keys(operatorCode) as Operator[]

/** No call lasts longer (docs/design.md#reservation), and none is charged for longer. */
export const secondsMax = 3600

/** `agentNo` and `cli` are whole numbers, in any notation. */
const ofCalls = {
  started: dates,
  disposition: choices(dispositions),
  key: choice(callKeys),
  operator: choices(callOperators),
  trunkId: trunk,
  cli: text,
  agentNo: text,
  minSeconds: number(0, secondsMax),
  maxSeconds: number(0, secondsMax),
  /** Whether its conversation can be listened to. */
  recorded: choice(['yes', 'no']),
} as const
/** `customer`: of that account and all below it. */
const reportFilters = { ...ofCalls, customer: account, campaignId: campaign, kind: choices(callKinds) } as const

const { recorded: _, ...filtersOfRecordings } = reportFilters

/** Besides the filters: from `from` to `to`, inclusive, of the account of that name and all below it. */
const Narrowed = {
  userId: Id,
  from: z.optional(NepalTime),
  to: z.optional(NepalTime),
  username: z.optional(Text(100)),
}

const CallRow = z.object({
  attemptId: z.number(),
  /** The recording's name in /rec/{uuID}.wav; null when there is nothing to listen to, and `recordingReason` says why. */
  uuID: z.nullable(z.string()),
  recordingReason: z.nullable(z.string()),
  callID: z.string(),
  customerNo: z.string(),
  agentNo: z.nullable(z.string()),
  /** Why the agent who was asked for was not talked to: 'agent busy'. Null: an agent was, or none was asked for. */
  agentReason: z.nullable(z.string()),
  startTime: z.string(),
  answerTime: z.nullable(z.string()),
  endTime: z.string(),
  status: z.enum(['Success', 'Fail']),
  disposition: z.string(),
  kind: z.enum(callKinds),
  username: z.string(),
  campaignId: z.number(),
  campaignName: z.string(),
  row: z.number(),
  attempt: z.number(),
  keys: z.string(),
  /** What the campaign calls them, in order: 'Interested; 2'. '' when none of them has a name. */
  keyNames: z.string(),
  /** The last valid key of each menu that got one; empty when nobody recorded what the call heard. */
  menuKeys: z.array(z.object({ menu: z.string(), key: z.string() })),
  seconds: z.number(),
  pulses: z.number(),
  /** Rupees, paid by the account. */
  cost: z.number(),
  cli: z.string(),
  operator: z.enum(callOperators),
  /** Null except for super admins, to whom trunks belong. */
  trunkName: z.nullable(z.string()),
  /** Trunks of its route that it tried before that one, in order, because they were at fault. For super admins. */
  triedTrunks: z.array(z.string()),
  /** SIP status, Q.850 cause and who ended it, in words. */
  cause: z.string(),
  sms: z.array(AfterCallMessage),
})

/** How many calls one file holds; spreadsheets hold hardly more rows. */
export const callsOfCsvMax = 1_000_000

export const callReportRoutes = {
  /**
   * Every call that has ended, of all campaigns. The search takes the customer's number, whole or its last four digits or more. Filters
   * without an index examine the first calls of the order. If there are more, X-Searched-To has the time of the last call that was examined.
   */
  list: list({
    path: '/api/obd/campaign/report/:userId',
    input: z.object(Narrowed),
    filters: reportFilters,
    row: CallRow,
    sort: ['-attemptId'],
  }),
  recordings: list({
    path: '/api/obd/recordings/:userId',
    input: z.object(Narrowed),
    filters: filtersOfRecordings,
    row: CallRow,
    sort: ['-attemptId'],
  }),
  ofCampaign: list({
    path: '/api/obd/campaign/calls/:campaignId',
    input: z.object({ campaignId: Id }),
    filters: ofCalls,
    row: CallRow,
    sort: ['-attemptId'],
  }),
  exportCsv: file({
    path: '/api/obd/campaign/report/:userId/report.csv',
    input: z.object({ ...Narrowed, search: z.optional(Search) }),
    filters: reportFilters,
  }),
  /** Calls of a campaign that are no longer in the database. */
  archivedCsv: file({
    path: '/api/obd/campaign/archived/:campaignId/calls.csv',
    input: z.object({ campaignId: Id }),
  }),
}
export type CallRow = z.output<typeof CallRow>
