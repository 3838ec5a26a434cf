import * as z from 'zod/mini'
import { AfterCallCount, AfterCallMessage, CallTexts } from './after-call.ts'
import { dispositions } from './campaign-status.ts'
import { choices, dates } from './filters.ts'
import { file, json, list } from './route.ts'
import { everyOperator } from './operators.ts'
import { Id } from './values.ts'
import { CampaignRow } from './voice-campaigns.ts'

const CampaignIdInput = z.object({ campaignId: Id })

/** Null when there is nothing to say. */
const Reason = z.nullable(z.string())

const CampaignDetail = z.object({
  ...CampaignRow.shape,
  /** The owner, under whose id the voice files can be listened to. */
  userId: z.number(),
  /** With which frozen account the owner is frozen: the owner, or one above. `mayLift`: whoever asks. */
  frozen: z.nullable(
    z.object({ userId: z.number(), username: z.string(), mayLift: z.boolean(), byPlatform: z.boolean() }),
  ),
  /** Rows that wait because of their number: it is in another call, or was called too often today. */
  putOff: z.object({ numberBusy: z.number(), calledToday: z.number() }),
  /** Where its route names operators, the numbers that are left of each, and why they wait; null otherwise. */
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
  /** Rupees; a conversation with an agent adds to it by the minute. */
  oneCallAtMost: z.number(),
  dialUntil: z.string(),
  /** `dialUntil` was chosen by the owner. */
  notAfter: z.boolean(),
  composedAt: z.string(),
  /** The input of compose, for 'Duplicate' (without the time, addresses as host/…). */
  composed: z.record(z.string(), z.unknown()),
  prompts: z.array(z.object({ role: z.string(), promptId: z.number(), fileName: z.string() })),
  /** One entry per occasion with a message. */
  sms: z.array(AfterCallCount),
  /** Null when no text follows its calls. */
  smsTexts: z.nullable(CallTexts),
  /** Calls moved to files, and when; null when all are here. */
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
  /** What the campaign calls them; '' when none of them has a name. */
  keyNames: z.string(),
  /** The last key of each menu that got a valid one; empty when nobody recorded what the call heard. */
  menuKeys: z.array(z.object({ menu: z.string(), key: z.string() })),
  startTime: z.string(),
  answerTime: z.nullable(z.string()),
  endTime: z.string(),
  seconds: z.number(),
  pulses: z.number(),
  cost: z.number(),
  agent: z.nullable(z.string()),
  /** For /rec/{uuID}.wav; null when there is nothing to listen to, and `recordingReason` says why. */
  uuID: z.nullable(z.string()),
  recordingReason: z.nullable(z.string()),
  /** SIP status, Q.850 cause and who ended it, in words. */
  cause: z.string(),
  sms: z.array(AfterCallMessage),
})

/** One campaign, apart from the list so that the list need not load what only its pages show. */
export const campaignDetailRoutes = {
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
}
