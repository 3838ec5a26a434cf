import * as z from 'zod/mini'
import { choice, choices, dates } from './filters.ts'
import { json, list, type RowOf } from './route.ts'
import { Ids, Outcomes } from './bulk.ts'
import { Id, Message } from './values.ts'

/** What calls say of their trunk's sound and keys; each has a question to the operator. */
export const trunkSymptomKinds = [
  'no_keys',
  'one_way_sound',
  'dead_air',
  'short_calls',
  'contradicting_answers',
] as const
export type TrunkSymptomKind = (typeof trunkSymptomKinds)[number]

const faultKinds = [
  'trunk_held',
  'campaign_held',
  'calls_lost',
  'outcome_parked',
  'uncollected',
  'prompt',
  'record',
  'recording',
  'mail_failed',
  'speech_down',
  'dialer_down',
  'gateway_held',
  'inbox_flood',
  'receipts_unread',
  'partitions',
  'archive',
  'standby',
  ...trunkSymptomKinds,
] as const
export type FaultKind = (typeof faultKinds)[number]
/** `judge`: an invariant does not hold. Stored alerts, and monitoring outside, know it by this name. */
const alertKinds = [...faultKinds, 'judge'] as const
/** An alert about a violated invariant is of the kind 'judge: ' and one of these names. 'books': accounts, counters and history as a whole. */
export type InvariantRule =
  | 'hours'
  | 'channels'
  | 'rate'
  | 'suppression'
  | 'route'
  | 'operator'
  | 'twice'
  | 'attempts'
  | 'money'
  | 'counts'
  | 'books'
export type AlertKind = FaultKind | `judge: ${InvariantRule}`

/** Each alert stays open until a person clears it or its cause is gone. */
export const alertRoutes = {
  list: list({
    path: '/api/obd/alerts',
    /** Without `state`: the open ones. */
    filters: { state: choice(['open', 'cleared', 'all']), kind: choices(alertKinds), raised: dates },
    row: z.object({
      alertId: z.number(),
      raisedAt: z.string(),
      kind: z.string(),
      /** 'trunk 3', 'campaign 12', 'attempt 7', 'dialer 1'. */
      subject: z.string(),
      detail: z.string(),
      /** How often it was raised within its hour: by how many attempts or messages, or how often it opened again. */
      times: z.number(),
      /** Further attempts or messages that it is about, at most 100. */
      others: z.array(z.object({ subject: z.string(), detail: z.string() })),
      /** Null while the alert is open. */
      clearedAt: z.nullable(z.string()),
    }),
    sort: ['-alertId'],
  }),
  clear: json({ method: 'POST', path: '/api/obd/alert/clear', input: z.object({ alertId: Id }), reply: Message }),
  clearMany: json({
    method: 'POST',
    path: '/api/obd/alerts/clear',
    input: z.object({ alertIds: Ids }),
    reply: Outcomes,
  }),
}
export type AlertRow = RowOf<typeof alertRoutes.list>
