import * as z from 'zod/mini'
import { AfterCallCount, AfterCallMessage, CallTexts } from './after-call.ts'
import { campaignStatuses, dispositions } from './campaign-status.ts'
import { account, choice, choices, dates, text } from './filters.ts'
import { events, file, json, list } from './route.ts'
import { Ids, Outcomes } from './several.ts'
import type { TemplateId } from './templates.ts'
import { Id, Message, OneLine, Paragraph, Search, UserIdInput } from './values.ts'

const CampaignIdInput = z.object({ campaignId: Id })

/** Reason of the state, in words a person reads; null when there is nothing to say. */
const Reason = z.nullable(z.string())

export const CampaignRow = z.object({
  campaignId: z.number(),
  campaignName: z.string(),
  username: z.string(),
  templateId: z.number(),
  campaignStatus: z.number(),
  /** Nepal time; for 'send now' the moment of composing. */
  scheduleTime: z.string(),
  numbersUploaded: z.number(),
  /** done + expired: rows with their final outcome. */
  numbersProcessed: z.number(),
  callsConnected: z.number(),
  pulses: z.number(),
  dndCount: z.number(),
  dtmfCount: z.number(),
  /** Absent = never made or failed, '0' queued, '1' making, '2' ready. */
  reportStatus: z.optional(z.string()),
  reportReason: Reason,
  isRetry: z.number(),
  /** Retry was asked for and its numbers are not queued yet: what Pending counts does not hold them. */
  retryQueuing: z.optional(z.literal(true)),
  /** Why a retry could only fail, of a complete campaign that was not retried; reads on after its name. Absent: nothing is known. */
  retryFault: z.optional(z.string()),
  /** Why it is not dialling, or what is special about its state. */
  reason: Reason,
  /** The administrator whose pause holds it: only that account or one above can resume it. Absent when none does. */
  heldBy: z.optional(z.string()),
  /** What Pending consists of. */
  pending: z.object({
    fresh: z.number(),
    inCall: z.number(),
    waiting: z.number(),
    /** Which re-attempt the waiting rows wait for at the most, and how many there are. */
    retry: z.number(),
    retries: z.number(),
    /** Nepal time of the next one due; null when none waits. */
    nextDue: z.nullable(z.string()),
  }),
  attempts: z.number(),
  /** Rupees paid by the owner so far. */
  cost: z.number(),
  cli: z.string(),
  /** Attempts by disposition. */
  outcomes: z.record(z.string(), z.number()),
  /** The SMS campaign that carries its texts. Absent: it has none. */
  smsCampaignId: z.optional(z.number()),
  /** Its owner archived it: lists leave it out unless they are asked for it. */
  archived: z.optional(z.literal(true)),
  /** Its owner deleted it: sums and money are left; until it is `done` the last numbers go. */
  deleted: z.optional(z.enum(['underWay', 'done'])),
})
export type CampaignRow = z.output<typeof CampaignRow>

const CampaignDetail = z.object({
  ...CampaignRow.shape,
  /** The owner; their voice files are listened to under this id. */
  userId: z.number(),
  /** Rows that wait for their number's sake: it is in another call, or was called too often today. */
  putOff: z.object({ numberBusy: z.number(), calledToday: z.number() }),
  rowsInFile: z.number(),
  invalid: z.number(),
  duplicate: z.number(),
  /** How many of the refused lines `refusedCsv` has. */
  refusedKept: z.number(),
  retriesMax: z.number(),
  retryIntervalMinutes: z.number(),
  channels: z.number(),
  /** Rupees; a talk with an agent adds to it by the minute. */
  oneCallAtMost: z.number(),
  dialUntil: z.string(),
  composedAt: z.string(),
  /** What compose was sent, for 'Duplicate' (without its time; SMS addresses shown as host/…). */
  composed: z.record(z.string(), z.unknown()),
  prompts: z.array(z.object({ role: z.string(), promptId: z.number(), fileName: z.string() })),
  /** Of each occasion that it has a message for; none of a campaign that was composed before they were sent. */
  sms: z.array(AfterCallCount),
  /** Null: no text of ours follows its calls. */
  smsTexts: z.nullable(CallTexts),
  /** So many of its calls are in files since then; null: all are here. */
  archivedCalls: z.nullable(z.object({ rows: z.number(), at: z.string() })),
  /** The last changes of status: what, when, why, by whom. */
  history: z.array(
    z.object({ at: z.string(), from: z.number(), to: z.number(), reason: Reason, by: z.nullable(z.string()) }),
  ),
})

const AttemptRow = z.object({
  attemptId: z.number(),
  row: z.number(),
  mobile: z.string(),
  attempt: z.number(),
  disposition: z.string(),
  /** The keys in order, '' when none. */
  keys: z.string(),
  /** The last key of each menu that got a valid one; none where nobody saw what the call heard. */
  menuKeys: z.array(z.object({ menu: z.string(), key: z.string() })),
  startTime: z.string(),
  answerTime: z.nullable(z.string()),
  endTime: z.string(),
  seconds: z.number(),
  pulses: z.number(),
  cost: z.number(),
  agent: z.nullable(z.string()),
  /** Of the conversation with the agent, for /rec/{uuID}.wav; null: there is none to listen to, `recordingReason` says why. */
  uuID: z.nullable(z.string()),
  recordingReason: z.nullable(z.string()),
  /** SIP status, Q.850 cause and who ended it, in words. */
  cause: z.string(),
  /** Messages that this call made due. */
  sms: z.array(AfterCallMessage),
})

/** Written out: the console's first bundle does without the templates' names. */
const templateIds = ['0', '1', '2', '3', '4', '5', '6', '7', '8'] as const satisfies readonly `${TemplateId}`[]

/** `customer`: of that account and all below it. `cli`: the whole number that it calls from. `archived`: those as well, or nothing else; left out: none. */
const campaignFilters = {
  status: choices(campaignStatuses),
  customer: account,
  template: choices(templateIds),
  created: dates,
  scheduled: dates,
  cli: text,
  archived: choice(['too', 'only']),
} as const

/** All but composing, which only its form needs: the console's first bundle holds these. */
export const voiceCampaignRoutes = {
  list: list({
    path: '/api/obd/campaign/:userId',
    input: UserIdInput,
    filters: campaignFilters,
    row: CampaignRow,
    sort: [
      '-scheduleTime',
      'campaignName',
      'campaignStatus',
      'templateId',
      'numbersUploaded',
      'numbersProcessed',
      'pendingCalls',
      'callsConnected',
      'pulses',
      'dndCount',
      'dtmfCount',
      'campaignId',
    ],
  }),
  exportCsv: file({
    path: '/api/obd/campaign/:userId/campaign_summary.csv',
    input: z.object({ userId: Id, search: z.optional(Search) }),
    filters: campaignFilters,
  }),
  detail: json({
    method: 'GET',
    path: '/api/obd/campaign/detail/:campaignId',
    input: CampaignIdInput,
    reply: CampaignDetail,
  }),
  attempts: list({
    path: '/api/obd/campaign/attempts/:campaignId',
    input: CampaignIdInput,
    filters: { disposition: choices(dispositions), started: dates },
    row: AttemptRow,
    sort: ['-attemptId'],
  }),
  /** Refused lines of the campaign's file with line and reason. */
  refusedCsv: file({ path: '/api/obd/campaign/refused/:campaignId/refused.csv', input: CampaignIdInput }),
  /** `now` ends answered calls at once too; `reason` is asked of resellers and the super admin. */
  stop: json({
    method: 'POST',
    path: '/api/obd/campaign/stop',
    input: z.object({ campaignId: Id, now: z.optional(z.boolean()), reason: z.optional(Paragraph(500)) }),
    reply: Message,
  }),
  pause: json({
    method: 'POST',
    path: '/api/obd/campaign/pause',
    input: z.object({ campaignId: Id, reason: z.optional(Paragraph(500)) }),
    reply: Message,
  }),
  resume: json({ method: 'POST', path: '/api/obd/campaign/resume', input: CampaignIdInput, reply: Message }),
  stopMany: json({
    method: 'POST',
    path: '/api/obd/campaigns/stop',
    input: z.object({ campaignIds: Ids, now: z.optional(z.boolean()), reason: z.optional(Paragraph(500)) }),
    reply: Outcomes,
  }),
  pauseMany: json({
    method: 'POST',
    path: '/api/obd/campaigns/pause',
    input: z.object({ campaignIds: Ids, reason: z.optional(Paragraph(500)) }),
    reply: Outcomes,
  }),
  resumeMany: json({
    method: 'POST',
    path: '/api/obd/campaigns/resume',
    input: z.object({ campaignIds: Ids }),
    reply: Outcomes,
  }),
  retry: json({
    method: 'POST',
    path: '/api/obd/campaign/retry',
    /** `invalidToo`: numbers that were INVALID get their attempt too. */
    input: z.object({
      campaignId: Id,
      userId: z.optional(Id),
      invalidToo: z._default(z.boolean({ error: 'must be true or false' }), false),
    }),
    reply: Message,
  }),
  events: events({ path: '/api/obd/events' }),
}

/** What `events` sends as event 'campaigns' (changed rows), 'balance' and 'dialling' (session's `stopped`). */
/** Whoever opens `events` is first told what changed so long before, so that nothing is missed between a list's answer and the first change. */
export const eventsReachBackMs = 30_000
export const CampaignsEvent = z.array(CampaignRow)
export const DiallingEvent = z.array(z.string())
export const BalanceEvent = z.object({ credits: z.number(), reserved: z.number() })

const noZip = { error: 'must look like 12.zip' }

export const reportRoutes = {
  generate: json({ method: 'POST', path: '/api/obd/report/generate', input: CampaignIdInput, reply: Message }),
  download: json({
    method: 'POST',
    path: '/api/obd/report/download',
    input: z.object({
      campaignId: Id,
      reprtType: z.optional(z.enum(['dtmf', 'cc'])),
      reportType: z.optional(z.enum(['dtmf', 'cc'])),
    }),
    reply: z.object({ message: z.string(), reportStatus: z.string() }),
  }),
  zip: file({
    path: '/reports/:campaignZip',
    input: z.object({
      campaignZip: OneLine({ error: 'must be text' }).check(
        z.regex(/^\d{1,10}\.zip$/, { ...noZip, abort: true }),
        z.refine((fileName) => z.safeParse(Id, fileName.replace('.zip', '')).success, noZip),
      ),
      type: z.optional(z.enum(['dtmf', 'cc'])),
    }),
  }),
}
