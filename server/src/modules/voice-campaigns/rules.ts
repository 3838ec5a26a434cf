import { keysInTrail } from '@ghanti/callflow/trail.ts'
import { campaignStatusCode, finishedStatuses, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { keyNamesOf, type KeyLabels } from '@ghanti/contract/key-names.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { operatorOfCode } from '@ghanti/contract/operators.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import type { RowOf, ReplyOf } from '@ghanti/contract/route.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { PreviewInput } from '@ghanti/contract/compose.ts'
import type { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import * as z from 'zod/mini'
import type { CallEnder, Json, ReportStatus } from '../../db/tables.ts'
import { holdOf } from '../campaigns/rules.ts'
import { refusedKept } from '../contacts/rules-refused.ts'
import { whySilent } from '../recordings/rules.ts'
import { composerOf } from '../voice-compose/rules.ts'
import { promptsDeleted, withCallsUp } from './rules-state.ts'
import type { AttemptLine, Detail, Event, StreamLeft } from './store-detail.ts'
import type { ProgressRow } from './store.ts'

const wireReportStatus: Record<ReportStatus, string | undefined> = {
  queued: '0',
  making: '1',
  ready: '2',
  failed: undefined,
}

/** In these statuses due rows are not called. */
const dialsNotNow: ReadonlySet<CampaignStatus> = new Set([
  ...finishedStatuses,
  'cancelling',
  'pausing',
  'paused',
  'onHold',
  'lowBalance',
])

export function rowOf(p: ProgressRow): CampaignRow {
  const hold = holdOf(p)
  const reportStatus = p.report_status === null ? undefined : wireReportStatus[p.report_status]
  return {
    campaignId: p.campaign_id,
    campaignName: p.name,
    username: p.username,
    templateId: p.template_id,
    campaignStatus: campaignStatusCode[p.status],
    scheduleTime: nepalTimeOf(p.start_at),
    numbersUploaded: p.uploaded,
    numbersProcessed: p.processed,
    callsConnected: p.answered,
    pulses: p.pulses,
    dndCount: p.dnd,
    dtmfCount: p.dtmf,
    ...(reportStatus !== undefined && { reportStatus }),
    reportReason: p.report_status === 'failed' ? p.report_reason : null,
    isRetry: p.is_retry ? 1 : 0,
    ...(p.retry_requested && { retryQueuing: true as const }),
    ...(p.gone_prompts && { retryFault: promptsDeleted(p.gone_prompts) }),
    reason: p.reason !== null && p.status === 'onHold' ? withCallsUp(p.reason, p.in_call) : p.reason,
    ...(hold !== undefined && { hold }),
    ...(p.held_by !== null && { heldBy: p.held_by }),
    pending: {
      fresh: p.fresh,
      inCall: p.in_call,
      waiting: p.waiting,
      // the round of a retry is one attempt, which has no number
      retry: p.is_retry ? 0 : p.retry_no,
      retries: p.is_retry ? 0 : p.retries,
      nextDue: p.next_due_at && !dialsNotNow.has(p.status) ? nepalTimeOf(p.next_due_at) : null,
    },
    attempts: p.attempts,
    cost: rupeesOf(p.cost_paisa),
    cli: p.cli,
    outcomes: countsOf(p.outcomes),
    ...(p.sms_campaign_id !== null && { smsCampaignId: p.sms_campaign_id }),
    ...(p.archived_at !== null && { archived: true as const }),
    ...(p.deleted_at !== null && { deleted: p.forgotten_at === null ? ('underWay' as const) : ('done' as const) }),
  }
}

function isFields(value: Json | undefined): value is Record<string, Json | undefined> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function countsOf(outcomes: Json): Record<string, number> {
  if (!isFields(outcomes)) return {}
  return Object.fromEntries(
    Object.entries(outcomes).flatMap(([name, count]) =>
      typeof count === 'number' && count > 0 ? [[name, count]] : [],
    ),
  )
}

type CampaignDetail = ReplyOf<typeof campaignDetailRoutes.detail>
type AttemptRow = RowOf<typeof campaignDetailRoutes.attempts>

export function promptsOf(composed: Json): { role: string; promptId: number }[] {
  const input = PreviewInput.safeParse(composed)
  if (!input.success) return []
  const read = composerOf(input.data.templateId ?? -1)?.read(input.data)
  return read?.ok ? read.answers.prompts.map(({ role, promptId }) => ({ role, promptId })) : []
}

type Beside = {
  events: readonly Event[]
  names: ReadonlyMap<number, string>
  putOff: CampaignDetail['putOff']
  /** Null: its rows are not by operator. */
  left: readonly StreamLeft[] | null
  sms: CampaignDetail['sms']
  smsTexts: CampaignDetail['smsTexts']
  archivedCalls: CampaignDetail['archivedCalls']
  frozen: CampaignDetail['frozen']
}

export function detailOf(
  row: CampaignRow,
  d: Detail,
  { events, names, putOff, left, sms, smsTexts, archivedCalls, frozen }: Beside,
): CampaignDetail {
  const detail: CampaignDetail = {
    ...row,
    userId: d.account_id,
    frozen,
    putOff,
    byOperator: left?.map(({ stream, ...of }) => ({ operator: operatorOfCode(stream) ?? 'other', ...of })) ?? null,
    sms,
    smsTexts,
    archivedCalls,
    rowsInFile: d.rows_in_file ?? 0,
    invalid: d.invalid ?? 0,
    duplicate: d.duplicate ?? 0,
    refusedKept: refusedKept(d),
    retriesMax: d.retries,
    retryIntervalMinutes: d.retry_interval_minutes,
    channels: d.channels,
    oneCallAtMost: rupeesOf(d.reserve_paisa),
    dialUntil: nepalTimeOf(d.dial_until),
    notAfter: d.not_after,
    composedAt: nepalTimeOf(d.created_at),
    composed: { ...(isFields(d.composed) && d.composed), ...smsShownOf(d.sms) },
    prompts: promptsOf(d.composed).map((prompt) => ({
      ...prompt,
      fileName: `${names.get(prompt.promptId) ?? ''}.wav`,
    })),
    history: events.map((event) => ({
      at: nepalTimeOf(event.at),
      from: campaignStatusCode[event.from_status],
      to: campaignStatusCode[event.to_status],
      reason: event.reason,
      by: event.by,
    })),
  }
  return detail
}

const SmsOption = z.optional(z.object({ host: z.string() }))
/**
 * campaign_detail.sms of a campaign composed before messages could be sent: it sends none. Its addresses contain credentials and are
 * sealed, so only hosts are shown.
 */
const SmsOptions = z.object({ success: SmsOption, fail: SmsOption, dtmf: SmsOption })

function smsShownOf(sms: Json): Record<string, string> {
  const { success, fail, dtmf } = SmsOptions.safeParse(sms).data ?? {}
  return {
    ...(success && { smsSuccessApi: `${success.host}/…` }),
    ...(fail && { smsFailApi: `${fail.host}/…` }),
    ...(dtmf && { smsDtmfApi: `${dtmf.host}/…` }),
  }
}

const enders: Record<CallEnder, string> = {
  customer: 'hung up by the customer',
  network: 'ended by the network',
  us: 'ended by us',
}

type Ended = Pick<AttemptLine, 'sip_status' | 'q850_cause' | 'ended_by' | 'unheard' | 'proof' | 'proven_ms'>

/** 'SIP 486, cause 17, ended by the network' */
export function causeOf(a: Ended): string {
  const parts = [
    a.sip_status === null ? [] : `SIP ${a.sip_status}`,
    a.q850_cause === null ? [] : `cause ${a.q850_cause}`,
    a.ended_by === null ? [] : enders[a.ended_by],
    a.unheard ? 'not charged: a prompt was not heard' : [],
    a.proof === null ? [] : provenWords(a.proven_ms),
  ]
  return parts.flat().join(', ')
}

/** About a LOST call whose dialer came back after all. `talkMs` null: nobody answered. */
export function provenWords(talkMs: number | null): string {
  if (talkMs === null) return 'the dialer came back: this call was not answered'
  return `the dialer came back: this call was answered and lasted ${Math.ceil(talkMs / 1000)} s; it was not charged`
}

/** `kept`: how long recordings are kept, and the time before which they have expired. */
export function attemptRowOf(
  a: AttemptLine & Pick<AttemptRow, 'sms'> & { keyLabels: KeyLabels },
  kept: { days: number; since: Date },
): AttemptRow {
  const recordingReason = whySilent({ ...a, is_old: a.started_at < kept.since }, kept.days)
  return {
    attemptId: a.id,
    row: a.line ?? 0,
    mobile: nationalOf(String(a.phone)),
    attempt: a.attempt_no,
    disposition: a.disposition,
    keys: a.keys ?? '',
    keyNames: keyNamesOf(a.keyLabels, a.keys ?? ''),
    menuKeys: Array.from(keysInTrail(a.trail ?? ''), ([menu, key]) => ({ menu, key })),
    startTime: nepalTimeOf(a.started_at),
    answerTime: a.answered_at && nepalTimeOf(a.answered_at),
    endTime: nepalTimeOf(a.ended_at),
    seconds: Math.ceil((a.bill_ms ?? 0) / 1000),
    pulses: a.pulses,
    cost: rupeesOf(a.cost_paisa),
    agent: a.agent && nationalOf(a.agent),
    uuID: recordingReason === null ? a.recording : null,
    recordingReason,
    cause: causeOf(a),
    sms: a.sms,
  }
}
