import * as z from 'zod/mini'
import { campaignStatuses, holdCauses } from './campaign-status.ts'
import { account, choice, choices, dates } from './filters.ts'
import { file, json, list, listIn } from './route.ts'
import { Ids, Outcomes } from './bulk.ts'
import { Id, Message, Paragraph, Search, UserIdInput } from './values.ts'

const CampaignIdInput = z.object({ campaignId: Id })
const Reason = z.nullable(z.string())

export const SmsCampaignRow = z.object({
  campaignId: z.number(),
  campaign_id: z.number(),
  campaignName: z.string(),
  username: z.string(),
  templateId: z.number(),
  campaignStatus: z.number(),
  /** Nepal time; for 'send now' when it was composed. */
  scheduleTime: z.string(),
  numbersUploaded: z.number(),
  /** Accepted by a gateway, whatever happened later. */
  smsSubmitted: z.number(),
  smsDelivered: z.number(),
  smsFailed: z.number(),
  smsExpired: z.number(),
  smsUnknown: z.number(),
  dndCount: z.number(),
  /** Numbers that opted out after one of its messages. */
  optOuts: z.number(),
  unreachable: z.number(),
  segments: z.number(),
  /** Rupees that the owner has paid so far. */
  cost: z.number(),
  cli: z.string(),
  isRetry: z.number(),
  /** Why it is not sending, or what is special about its state. */
  reason: Reason,
  /** Rows whose column values wait for a super admin's decision; not part of `numbersUploaded`. */
  unapproved: z.number(),
  /** The campaign whose calls lead to its messages; absent when it stands alone. */
  callCampaign: z.optional(z.object({ campaignId: z.number(), campaignName: z.string() })),
  /** A feed: it takes the messages that programs send one by one on a day. It has no contact file, and each message its own text. */
  feed: z.optional(z.literal(true)),
  /** What it waits for while it is On Hold or Low Balance; absent otherwise. */
  hold: z.optional(z.enum(holdCauses)),
  /** The administrator whose pause holds it. */
  heldBy: z.optional(z.string()),
  /** Archived by its owner: lists leave it out unless asked. */
  archived: z.optional(z.literal(true)),
  /** Deleted by its owner: sums and money stay; until it is `done`, numbers are still being deleted. */
  deleted: z.optional(z.enum(['underWay', 'done'])),
  pending: z.object({ fresh: z.number(), inFlight: z.number(), waiting: z.number(), nextDue: z.nullable(z.string()) }),
})
export type SmsCampaignRow = z.output<typeof SmsCampaignRow>

const SmsCampaignSummary = z.object({
  ...SmsCampaignRow.shape,
  /** With which frozen account the owner is frozen: the owner, or one above. `mayLift`: whoever asks. */
  frozen: z.nullable(
    z.object({ userId: z.number(), username: z.string(), mayLift: z.boolean(), byPlatform: z.boolean() }),
  ),
  smsText: z.string(),
  perSegment: z.number(),
  rowsInFile: z.number(),
  invalid: z.number(),
  duplicate: z.number(),
  refusedKept: z.number(),
  sendUntil: z.string(),
  /** A person chose `sendUntil`; otherwise it is the platform's last day. */
  notAfter: z.boolean(),
  composedAt: z.string(),
  /** Messages moved to files, and when; null when all are here. */
  archivedMessages: z.nullable(z.object({ rows: z.number(), at: z.string() })),
  /** The input of create, for 'Duplicate' (without the time). */
  composed: z.record(z.string(), z.unknown()),
  history: z.array(
    z.object({ at: z.string(), from: z.number(), to: z.number(), reason: Reason, by: z.nullable(z.string()) }),
  ),
})
export type SmsCampaignSummary = z.output<typeof SmsCampaignSummary>

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
  messageId: z.number(),
  row: z.number(),
  msisdn: z.string(),
  cli: z.string(),
  submitTime: z.nullable(z.string()),
  deliveryTime: z.nullable(z.string()),
  deliveryStatus: z.enum(deliveryStatuses),
  segments: z.number(),
  /** Null when archived with the message. */
  cost: z.nullable(z.number()),
  reason: Reason,
})
export type SmsReportRow = z.output<typeof SmsReportRow>

/** A row whose column values are more than names and figures, in an approved text. */
const UnapprovedRow = z.object({
  row: z.number(),
  msisdn: z.string(),
  smsText: z.string(),
  reason: z.string(),
})
export type UnapprovedRow = z.output<typeof UnapprovedRow>

const campaignFilters = {
  status: choices(campaignStatuses),
  customer: account,
  created: dates,
  scheduled: dates,
  /** Unfinished ones with rows whose values wait for approval. */
  values: choice(['waiting']),
  /** 'too': with archived ones, 'only': these alone; absent: without them. */
  archived: choice(['too', 'only']),
} as const
const reportFilters = { deliveryStatus: choices(deliveryStatuses) } as const

/** Without composing, which only its form needs. */
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
  /** On failure the reply has `error` beside `message`. */
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
  /** What was submitted of a campaign and is no longer in the database. */
  archivedCsv: file({ path: '/app/sms/campaign/archived/:campaignId/messages.csv', input: CampaignIdInput }),
  /** Lines of its file that get no message, and why; landlines are rows of the report instead. */
  refusedCsv: file({ path: '/app/sms/campaign/refused/:campaignId/refused.csv', input: CampaignIdInput }),
  unapproved: list({
    path: '/app/sms/campaign/unapproved/:campaignId',
    input: CampaignIdInput,
    row: UnapprovedRow,
    sort: ['row'],
  }),
  /** Applies to all waiting rows, which are then sent unless the campaign is over. */
  approveValues: json({
    method: 'POST',
    path: '/app/sms/campaign/unapproved/approve',
    input: CampaignIdInput,
    reply: Message,
  }),
  /** The rows become refused lines of the campaign; the owner reads the reason. */
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
  /** Sends failed and expired messages again; unknown ones may have arrived, so they are not. */
  retry: json({ method: 'POST', path: '/app/sms/campaign/retry', input: CampaignIdInput, reply: Message }),
}
