import * as z from 'zod/mini'
import { AfterCallCount, AfterCallMessage, CallTexts } from './after-call.ts'
import { campaignStatuses, dispositions } from './campaign-status.ts'
import { account, choice, choices, dates, text } from './filters.ts'
import { events, file, json, list } from './route.ts'
import { everyOperator } from './operators.ts'
import { Ids, Outcomes } from './several.ts'
import type { TemplateId } from './templates.ts'
import { Id, Message, OneLine, Paragraph, Search, UserIdInput } from './values.ts'

const CampaignIdInput = z.object({ campaignId: Id })

/** Why it is in this state; null when there is nothing to say. */
const Reason = z.nullable(z.string())

export const CampaignRow = z.object({
  campaignId: z.number(),
  campaignName: z.string(),
  username: z.string(),
  templateId: z.number(),
  campaignStatus: z.number(),
  /** For 'send now' when it was composed. */
  scheduleTime: z.string(),
  numbersUploaded: z.number(),
  /** done + expired: rows with a final outcome. */
  numbersProcessed: z.number(),
  callsConnected: z.number(),
  pulses: z.number(),
  dndCount: z.number(),
  dtmfCount: z.number(),
  /** Absent: never made, or failed; '0' queued, '1' being made, '2' ready. */
  reportStatus: z.optional(z.string()),
  reportReason: Reason,
  isRetry: z.number(),
  /** Its numbers are not queued yet, so `pending` does not count them. */
  retryQueuing: z.optional(z.literal(true)),
  /** Continues a sentence after the campaign's name. Absent: no known reason. */
  retryFault: z.optional(z.string()),
  /** Or what is special about its state. */
  reason: Reason,
  /** By pausing it: only that account or one above can resume it. */
  heldBy: z.optional(z.string()),
  pending: z.object({
    fresh: z.number(),
    inCall: z.number(),
    waiting: z.number(),
    /** `retry`: the latest that waiting rows wait for; `retries`: how many a row may have. */
    retry: z.number(),
    retries: z.number(),
    /** Null: none waits. */
    nextDue: z.nullable(z.string()),
  }),
  attempts: z.number(),
  /** Paid by the owner so far. */
  cost: z.number(),
  cli: z.string(),
  /** By disposition. */
  outcomes: z.record(z.string(), z.number()),
  /** With its texts. */
  smsCampaignId: z.optional(z.number()),
  /** Lists leave it out unless asked. */
  archived: z.optional(z.literal(true)),
  /** Sums and money stay; until `done`, numbers are still being deleted. */
  deleted: z.optional(z.enum(['underWay', 'done'])),
})
export type CampaignRow = z.output<typeof CampaignRow>

const CampaignDetail = z.object({
  ...CampaignRow.shape,
  /** Under whose id the voice files can be listened to. */
  userId: z.number(),
  /** The number is in another call, or was called too often today. */
  putOff: z.object({ numberBusy: z.number(), calledToday: z.number() }),
  /** Numbers left, and why they wait; null unless its route names operators. */
  byOperator: z.nullable(
    z.array(z.object({ operator: z.enum(everyOperator), waiting: z.number(), inCall: z.number(), reason: Reason })),
  ),
  rowsInFile: z.number(),
  invalid: z.number(),
  duplicate: z.number(),
  refusedKept: z.number(),
  retriesMax: z.number(),
  retryIntervalMinutes: z.number(),
  channels: z.number(),
  /** A conversation with an agent adds to it by the minute. */
  oneCallAtMost: z.number(),
  dialUntil: z.string(),
  /** False: the platform's last day. */
  notAfter: z.boolean(),
  composedAt: z.string(),
  /** For 'Duplicate': compose's input, without the time, addresses as host/…. */
  composed: z.record(z.string(), z.unknown()),
  prompts: z.array(z.object({ role: z.string(), promptId: z.number(), fileName: z.string() })),
  /** By occasion with a message. */
  sms: z.array(AfterCallCount),
  /** Null: no text follows its calls. */
  smsTexts: z.nullable(CallTexts),
  /** Null: all are here. */
  archivedCalls: z.nullable(z.object({ rows: z.number(), at: z.string() })),
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
  /** In order; '' when none. */
  keys: z.string(),
  /** By menu; empty when nobody recorded what the call heard. */
  menuKeys: z.array(z.object({ menu: z.string(), key: z.string() })),
  startTime: z.string(),
  answerTime: z.nullable(z.string()),
  endTime: z.string(),
  seconds: z.number(),
  pulses: z.number(),
  cost: z.number(),
  agent: z.nullable(z.string()),
  /** /rec/{uuID}.wav; null: nothing to listen to, and `recordingReason` says why. */
  uuID: z.nullable(z.string()),
  recordingReason: z.nullable(z.string()),
  /** SIP status, Q.850 cause and who ended it, in words. */
  cause: z.string(),
  sms: z.array(AfterCallMessage),
})

/** Written out: the console's first bundle need not contain the templates' names. Does not compile when one is missing. */
const everyTemplate = { 0: '', 1: '', 2: '', 3: '', 4: '', 5: '', 6: '', 7: '', 8: '' } satisfies Record<TemplateId, ''>
const templateIds = Object.keys(everyTemplate) as `${TemplateId}`[]

/** `customer`: with all below it. `cli`: a whole number. `archived`: 'too', 'only' these; absent: without them. */
const campaignFilters = {
  status: choices(campaignStatuses),
  customer: account,
  template: choices(templateIds),
  created: dates,
  scheduled: dates,
  cli: text,
  archived: choice(['too', 'only']),
} as const

/** In the console's first bundle; compose is apart, because only its form needs it. */
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
  refusedCsv: file({ path: '/api/obd/campaign/refused/:campaignId/refused.csv', input: CampaignIdInput }),
  /** `now` also ends answered calls; resellers and super admins must give a `reason`. */
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
    /** INVALID numbers as well. */
    input: z.object({
      campaignId: Id,
      userId: z.optional(Id),
      invalidToo: z._default(z.boolean({ error: 'must be true or false' }), false),
    }),
    reply: Message,
  }),
  events: events({ path: '/api/obd/events' }),
}

/** `events` sends 'campaigns' (changed rows), 'balance' and 'dialling' (session's `stopped`). */
/** So far back a new stream starts, so that no change is missed between a list's reply and the first event. */
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
