import * as z from 'zod/mini'
import { campaignStatuses } from './campaign-status.ts'
import { account, choice, choices, dates } from './filters.ts'
import { file, json, list, listIn } from './route.ts'
import { Ids, Outcomes } from './several.ts'
import { Id, Message, Paragraph, Search, UserIdInput } from './values.ts'

const CampaignIdInput = z.object({ campaignId: Id })
const Reason = z.nullable(z.string())

export const SmsCampaignRow = z.object({
  campaignId: z.number(),
  /** The same. */
  campaign_id: z.number(),
  campaignName: z.string(),
  username: z.string(),
  templateId: z.number(),
  campaignStatus: z.number(),
  /** Nepal time; for 'send now' the moment of composing. */
  scheduleTime: z.string(),
  numbersUploaded: z.number(),
  /** Accepted by a gateway, whatever became of them. */
  smsSubmitted: z.number(),
  smsDelivered: z.number(),
  smsFailed: z.number(),
  smsExpired: z.number(),
  smsUnknown: z.number(),
  dndCount: z.number(),
  /** Numbers that asked for no more messages after one of these. */
  optOuts: z.number(),
  unreachable: z.number(),
  segments: z.number(),
  /** Rupees paid by the owner so far. */
  cost: z.number(),
  cli: z.string(),
  isRetry: z.number(),
  /** Why it is not sending, or what is special about its state. */
  reason: Reason,
  /** Rows that wait for a super admin, who decides on what their columns say; they are none of `numbersUploaded`. */
  unapproved: z.number(),
  /** Its messages follow the calls of this one: none but a call brings them about. Absent: it is a campaign of its own. */
  callCampaign: z.optional(z.object({ campaignId: z.number(), campaignName: z.string() })),
  /** The administrator whose pause holds it. Absent when none does. */
  heldBy: z.optional(z.string()),
  /** Its owner archived it: lists leave it out unless they are asked for it. */
  archived: z.optional(z.literal(true)),
  /** Its owner deleted it: sums and money are left; until it is `done` the last numbers go. */
  deleted: z.optional(z.enum(['underWay', 'done'])),
  pending: z.object({ fresh: z.number(), inFlight: z.number(), waiting: z.number(), nextDue: z.nullable(z.string()) }),
})
export type SmsCampaignRow = z.output<typeof SmsCampaignRow>

const SmsCampaignSummary = z.object({
  ...SmsCampaignRow.shape,
  smsText: z.string(),
  perSegment: z.number(),
  rowsInFile: z.number(),
  invalid: z.number(),
  duplicate: z.number(),
  /** How many of the refused lines `refusedCsv` has. */
  refusedKept: z.number(),
  sendUntil: z.string(),
  composedAt: z.string(),
  /** What was sent so often is in files since then, with its price; null: all of it is here. */
  archivedMessages: z.nullable(z.object({ rows: z.number(), at: z.string() })),
  /** What create was sent, for 'Duplicate' (without its time). */
  composed: z.record(z.string(), z.unknown()),
  history: z.array(
    z.object({ at: z.string(), from: z.number(), to: z.number(), reason: Reason, by: z.nullable(z.string()) }),
  ),
})
export type SmsCampaignSummary = z.output<typeof SmsCampaignSummary>

/** Of one message, as the wire and the screen say it. */
const deliveryStatuses = [
  'Waiting',
  'Submitted',
  'Delivered',
  'Failed',
  'Expired',
  'Unknown',
  'DND',
  'Unreachable',
] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

const SmsReportRow = z.object({
  /** Its number in the campaign. */
  messageId: z.number(),
  /** Its line in the file. */
  row: z.number(),
  msisdn: z.string(),
  cli: z.string(),
  submitTime: z.nullable(z.string()),
  deliveryTime: z.nullable(z.string()),
  deliveryStatus: z.enum(deliveryStatuses),
  segments: z.number(),
  /** Null: it was archived with what was sent. */
  cost: z.nullable(z.number()),
  reason: Reason,
})
export type SmsReportRow = z.output<typeof SmsReportRow>

/** A row whose columns put more into an approved text than names and figures. */
const UnapprovedRow = z.object({
  /** Its line in the file. */
  row: z.number(),
  msisdn: z.string(),
  /** What it would be sent. */
  smsText: z.string(),
  /** Which column, and why. */
  reason: z.string(),
})
export type UnapprovedRow = z.output<typeof UnapprovedRow>

const campaignFilters = {
  status: choices(campaignStatuses),
  customer: account,
  created: dates,
  scheduled: dates,
  /** Unfinished ones with rows that wait for an approval of their columns. */
  values: choice(['waiting']),
  /** Those as well, or nothing else; left out: none. */
  archived: choice(['too', 'only']),
} as const
const reportFilters = { deliveryStatus: choices(deliveryStatuses) } as const

/** All but composing, which only its form needs. */
export const smsCampaignRoutes = {
  list: list({
    path: '/app/sms/campaigns/:userId',
    input: UserIdInput,
    filters: campaignFilters,
    row: SmsCampaignRow,
    sort: ['-campaignId', 'campaignName', 'campaignStatus', 'scheduleTime', 'smsSubmitted'],
  }),
  exportCsv: file({
    path: '/app/sms/campaigns/:userId/sms_campaign_summary.csv',
    input: z.object({ userId: Id, search: z.optional(Search) }),
    filters: campaignFilters,
  }),
  summary: json({
    method: 'GET',
    path: '/app/sms/campaign/summary/:campaignId',
    input: CampaignIdInput,
    reply: SmsCampaignSummary,
  }),
  /** A failure says `error` beside `message`. */
  report: listIn({
    path: '/app/sms/campaign/report/:campaignId',
    input: CampaignIdInput,
    filters: reportFilters,
    rowsIn: 'rows',
    row: SmsReportRow,
    beside: { campaignId: z.number() },
    sort: ['-messageId'],
  }),
  reportCsv: file({
    path: '/app/sms/campaign/report/:campaignId/sms-report.csv',
    input: z.object({ campaignId: Id, search: z.optional(Search) }),
    filters: reportFilters,
  }),
  /** The lines of its file that get no message, with the reason of each; landlines are rows of the report. */
  refusedCsv: file({ path: '/app/sms/campaign/refused/:campaignId/refused.csv', input: CampaignIdInput }),
  /** Rows that wait for an approval of their columns, in the order of the file. */
  unapproved: list({
    path: '/app/sms/campaign/unapproved/:campaignId',
    input: CampaignIdInput,
    row: UnapprovedRow,
    sort: ['row'],
  }),
  /** All rows of the campaign that wait for it: they are sent, unless the campaign is over. */
  approveValues: json({
    method: 'POST',
    path: '/app/sms/campaign/unapproved/approve',
    input: CampaignIdInput,
    reply: Message,
  }),
  /** They are refused lines of the campaign then; the owner reads the reason. */
  rejectValues: json({
    method: 'POST',
    path: '/app/sms/campaign/unapproved/reject',
    input: z.object({ campaignId: Id, reason: Paragraph(500) }),
    reply: Message,
  }),
  pause: json({
    method: 'POST',
    path: '/app/sms/campaign/pause',
    input: z.object({ campaignId: Id, reason: z.optional(Paragraph(500)) }),
    reply: Message,
  }),
  resume: json({ method: 'POST', path: '/app/sms/campaign/resume', input: CampaignIdInput, reply: Message }),
  stop: json({
    method: 'POST',
    path: '/app/sms/campaign/stop',
    input: z.object({ campaignId: Id, reason: z.optional(Paragraph(500)) }),
    reply: Message,
  }),
  pauseMany: json({
    method: 'POST',
    path: '/app/sms/campaigns/pause',
    input: z.object({ campaignIds: Ids, reason: z.optional(Paragraph(500)) }),
    reply: Outcomes,
  }),
  resumeMany: json({
    method: 'POST',
    path: '/app/sms/campaigns/resume',
    input: z.object({ campaignIds: Ids }),
    reply: Outcomes,
  }),
  stopMany: json({
    method: 'POST',
    path: '/app/sms/campaigns/stop',
    input: z.object({ campaignIds: Ids, reason: z.optional(Paragraph(500)) }),
    reply: Outcomes,
  }),
  /** Messages that failed or expired are sent once more; unknown ones are not, since they may have arrived. */
  retry: json({ method: 'POST', path: '/app/sms/campaign/retry', input: CampaignIdInput, reply: Message }),
}
