import * as z from 'zod/mini'
import { dispositions } from './campaign-status.ts'
import { AgentRows, ContactPreview, TemplateIdInput } from './contacts.ts'
import { PromptsInput } from './parts.ts'
import { events, file, json, list } from './route.ts'
import { calendars, callDurationSmsMax, languages, menuWaitSecondsMax, rePromptMax } from './templates.ts'
import { Id, Message, Name, NepalTime, orRequired, Search, Text, UserIdInput, wireInt } from './values.ts'

/** Where an SMS after the call is asked for: {PHONE} becomes the ten digits. */
export const SmsUrl = z.string(orRequired('must be text')).check(
  z.trim(),
  z.maxLength(2000, { error: 'is longer than 2000 characters' }),
  z.regex(/^https?:\/\//i, { error: 'must begin with http:// or https://' }),
  // oxlint-disable-next-line no-control-regex -- control characters are just what is refused
  z.regex(/^[^\s\u0000-\u001f\u007f]*$/, { error: 'must not hold spaces or control characters' }),
  z.refine((url) => url.includes('{PHONE}'), { error: 'must contain {PHONE}' }),
)

/** The compose payload of spec 1 §3; defaults of spec 1 §9 and WIRE.md. Which fields a template needs: its own schema on the server and in the form. */
export const ComposeInput = z.object({
  userId: z.optional(Id),
  campaignName: Name,
  templateId: TemplateIdInput,
  templateName: z.optional(z.string().check(z.maxLength(40, { error: 'is longer than 40 characters' }))),
  cli: Text(20),
  baseId: Id,
  dtmf: z.optional(z.string().check(z.maxLength(40, { error: 'is longer than 40 characters' }))),
  welcomePId: z.optional(Id),
  menuPId: z.optional(Id),
  noInputPId: z.optional(Id),
  wrongInputPId: z.optional(Id),
  thanksPId: z.optional(Id),
  menuWaitTime: z.optional(wireInt(0, menuWaitSecondsMax)),
  rePrompt: z.optional(wireInt(0, rePromptMax)),
  agentRows: z.optional(AgentRows),
  prompts: z.optional(PromptsInput),
  /** How values are spoken: ne when absent, and the calendar of the language. */
  language: z.optional(z.enum(languages, { error: 'must be ne or en' })),
  calendar: z.optional(z.enum(calendars, { error: 'must be ad or bs' })),
  scheduleTime: z.optional(NepalTime),
  smsSuccessApi: z.optional(SmsUrl),
  smsFailApi: z.optional(SmsUrl),
  smsDtmfApi: z.optional(SmsUrl),
  callDurationSMS: z.optional(wireInt(0, callDurationSmsMax)),
  retries: z._default(wireInt(0, 5), 2),
  retryInterval: z._default(wireInt(1, 1440), 10),
  channels: z._default(wireInt(1, 1000), 30),
})
export type ComposeInput = z.output<typeof ComposeInput>

/** What of it is filled in so far. */
export const PreviewInput = z.partial(ComposeInput)
export type PreviewInput = z.output<typeof PreviewInput>

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
  /** Why it is not dialling, or what is special about its state. */
  reason: Reason,
  /** The administrator whose pause holds it: only he or somebody above him can resume it. Absent when none does. */
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
})
export type CampaignRow = z.output<typeof CampaignRow>

const CampaignDetail = z.object({
  ...CampaignRow.shape,
  /** The owner; his voice files are listened to under this id. */
  userId: z.number(),
  rowsInFile: z.number(),
  invalid: z.number(),
  duplicate: z.number(),
  retriesMax: z.number(),
  retryIntervalMinutes: z.number(),
  channels: z.number(),
  dialUntil: z.string(),
  composedAt: z.string(),
  /** What compose was sent, for 'Duplicate' (without its time; SMS addresses shown as host/…). */
  composed: z.record(z.string(), z.unknown()),
  prompts: z.array(z.object({ role: z.string(), promptId: z.number(), fileName: z.string() })),
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
})

export const voiceCampaignRoutes = {
  compose: json({
    method: 'POST',
    path: '/api/obd/campaign/compose',
    input: ComposeInput,
    reply: z.object({ message: z.string(), campaignId: z.number() }),
  }),
  /** Compose's body, nothing stored: what the file would give and cost. Only baseId is needed. */
  preview: json({
    method: 'POST',
    path: '/api/obd/campaign/preview',
    input: PreviewInput,
    reply: ContactPreview,
  }),
  list: list({
    path: '/api/obd/campaign/:userId',
    input: UserIdInput,
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
  }),
  detail: json({
    method: 'GET',
    path: '/api/obd/campaign/detail/:campaignId',
    input: CampaignIdInput,
    reply: CampaignDetail,
  }),
  attempts: list({
    path: '/api/obd/campaign/attempts/:campaignId',
    input: z.object({ campaignId: Id, disposition: z.optional(z.enum(dispositions)) }),
    row: AttemptRow,
    sort: ['-attemptId'],
  }),
  /** Refused lines of the campaign's file with line and reason. */
  refusedCsv: file({ path: '/api/obd/campaign/refused/:campaignId/refused.csv', input: CampaignIdInput }),
  /** `now` ends answered calls at once too; `reason` is asked of resellers and the super admin. */
  stop: json({
    method: 'POST',
    path: '/api/obd/campaign/stop',
    input: z.object({ campaignId: Id, now: z.optional(z.boolean()), reason: z.optional(Text(500)) }),
    reply: Message,
  }),
  pause: json({
    method: 'POST',
    path: '/api/obd/campaign/pause',
    input: z.object({ campaignId: Id, reason: z.optional(Text(500)) }),
    reply: Message,
  }),
  resume: json({ method: 'POST', path: '/api/obd/campaign/resume', input: CampaignIdInput, reply: Message }),
  retry: json({
    method: 'POST',
    path: '/api/obd/campaign/retry',
    input: z.object({ campaignId: Id, userId: z.optional(Id) }),
    reply: Message,
  }),
  events: events({ path: '/api/obd/events' }),
}

/** What `events` sends as event 'campaigns' (changed rows) and 'balance'. */
export const CampaignsEvent = z.array(CampaignRow)
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
      campaignZip: z.string().check(
        z.regex(/^\d{1,10}\.zip$/, { ...noZip, abort: true }),
        z.refine((fileName) => z.safeParse(Id, fileName.replace('.zip', '')).success, noZip),
      ),
      type: z.optional(z.enum(['dtmf', 'cc'])),
    }),
  }),
}
