import * as z from 'zod/mini'
import { campaignStatuses, holdCauses } from './campaign-status.ts'
import { account, choice, choices, dates, text } from './filters.ts'
import { events, file, json, list } from './route.ts'
import { Ids, Outcomes } from './bulk.ts'
import { templates, type TemplateId } from './template-names.ts'
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
  /** Nepal time; for 'send now' when it was composed. */
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
  /** Retry was requested and its numbers are not queued yet, so `pending` does not count them. */
  retryQueuing: z.optional(z.literal(true)),
  /** Why retrying a complete campaign would fail, continuing a sentence after its name. Absent: no known reason. */
  retryFault: z.optional(z.string()),
  /** Why it is not dialling, or what is special about its state. */
  reason: Reason,
  /** What it waits for while it is On Hold or Low Balance; absent otherwise. */
  hold: z.optional(z.enum(holdCauses)),
  /** The administrator whose pause holds it: only that account or one above can resume it. */
  heldBy: z.optional(z.string()),
  pending: z.object({
    fresh: z.number(),
    inCall: z.number(),
    waiting: z.number(),
    /** `retry`: the latest re-attempt that waiting rows wait for; `retries`: how many a row may have. */
    retry: z.number(),
    retries: z.number(),
    /** Nepal time of the next one due; null when none waits. */
    nextDue: z.nullable(z.string()),
  }),
  attempts: z.number(),
  /** Rupees that the owner has paid so far. */
  cost: z.number(),
  cli: z.string(),
  /** Attempts by disposition. */
  outcomes: z.record(z.string(), z.number()),
  /** The SMS campaign that carries its texts, if any. */
  smsCampaignId: z.optional(z.number()),
  /** Archived by its owner: lists leave it out unless asked. */
  archived: z.optional(z.literal(true)),
  /** Deleted by its owner: sums and money stay; until it is `done`, numbers are still being deleted. */
  deleted: z.optional(z.enum(['underWay', 'done'])),
})
export type CampaignRow = z.output<typeof CampaignRow>

const templateIds = templates.map(({ id }): `${TemplateId}` => `${id}`)

/**
 * `customer`: that account and all below it. `cli`: a whole number. `archived`: 'too' with archived ones, 'only' these alone; absent:
 * without them.
 */
const campaignFilters = {
  status: choices(campaignStatuses),
  customer: account,
  template: choices(templateIds),
  created: dates,
  scheduled: dates,
  cli: text,
  archived: choice(['too', 'only']),
} as const

/** Without compose, which only its form needs: the console's first bundle contains these. */
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
    /** `invalidToo`: retries INVALID numbers as well. */
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
/** A new stream starts with the changes of this long ago, so that none is missed between a list's reply and the first event. */
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
