import {
  campaignStatusCode,
  campaignStatusLabel,
  campaignStatusOf,
  finishedStatuses,
  type CampaignStatus,
} from '@ghanti/contract/campaign-status.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import type { SmsCampaignRow, SmsCampaignSummary, SmsReportRow } from '@ghanti/contract/sms-campaigns.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { rupeesCell, type CsvCell } from '../../lib/csv.ts'
import type { Json } from '../../db/tables.ts'
import { holdOf } from '../campaigns/rules.ts'
import { refusedKept } from '../contacts/rules-refused.ts'
import { deliveryStatusOf } from './rules.ts'
import type { MessageRow, Submission } from './store-report.ts'
import type { Detail, Event, ProgressRow } from './store-rows.ts'

/** In these statuses waiting rows are no longer sent. */
const sendsNoMore: ReadonlySet<CampaignStatus> = new Set([...finishedStatuses, 'cancelling'])

export function rowOf(p: ProgressRow): SmsCampaignRow {
  const hold = holdOf(p)
  return {
    campaignId: p.campaign_id,
    campaign_id: p.campaign_id,
    campaignName: p.name,
    username: p.username,
    templateId: p.template,
    campaignStatus: campaignStatusCode[p.status],
    scheduleTime: nepalTimeOf(p.start_at),
    numbersUploaded: p.uploaded,
    smsSubmitted: p.accepted,
    smsDelivered: p.delivered,
    smsFailed: p.failed,
    smsExpired: p.expired,
    smsUnknown: p.unknown,
    dndCount: p.dnd,
    optOuts: p.opted_out,
    unreachable: p.unreachable,
    segments: p.segments,
    cost: rupeesOf(p.cost_paisa),
    cli: p.sender,
    isRetry: p.is_retry ? 1 : 0,
    unapproved: p.unapproved,
    reason: p.reason,
    ...(p.call_campaign_id !== null && {
      callCampaign: { campaignId: p.call_campaign_id, campaignName: p.call_campaign_name ?? '' },
    }),
    ...(p.feed !== null && { feed: true as const }),
    ...(hold !== undefined && { hold }),
    ...(p.held_by !== null && { heldBy: p.held_by }),
    ...(p.archived_at !== null && { archived: true as const }),
    ...(p.deleted_at !== null && { deleted: p.forgotten_at === null ? ('underWay' as const) : ('done' as const) }),
    pending: {
      fresh: p.fresh,
      inFlight: p.in_flight,
      waiting: p.waiting,
      nextDue: p.next_due_at && !sendsNoMore.has(p.status) ? nepalTimeOf(p.next_due_at) : null,
    },
  }
}

export function summaryOf(
  p: ProgressRow,
  d: Detail,
  events: readonly Event[],
): Omit<SmsCampaignSummary, 'archivedMessages' | 'frozen'> {
  return {
    ...rowOf(p),
    smsText: d.text,
    perSegment: rupeesOf(d.price_paisa),
    rowsInFile: d.rows_in_file ?? 0,
    invalid: d.invalid ?? 0,
    duplicate: d.duplicate ?? 0,
    refusedKept: refusedKept(d),
    sendUntil: nepalTimeOf(d.send_until),
    notAfter: d.not_after,
    composedAt: nepalTimeOf(d.created_at),
    composed: fieldsOf(d.composed),
    history: events.map((event) => ({
      at: nepalTimeOf(event.at),
      from: campaignStatusCode[event.from_status],
      to: campaignStatusCode[event.to_status],
      reason: event.reason,
      by: event.by,
    })),
  }
}

function fieldsOf(composed: Json): Record<string, unknown> {
  return typeof composed === 'object' && composed !== null && !Array.isArray(composed) ? composed : {}
}

export function reportRowOf(m: MessageRow, sender: string, isArchived: boolean): SmsReportRow {
  const isUnknown = m.cost_paisa === null && isArchived && m.submitted_at !== null
  return {
    messageId: m.no + 1,
    row: m.line,
    msisdn: nationalOf(String(m.phone)),
    cli: sender,
    submitTime: m.submitted_at && nepalTimeOf(m.submitted_at),
    deliveryTime: m.final_at && nepalTimeOf(m.final_at),
    deliveryStatus: deliveryStatusOf[m.state],
    segments: m.segments,
    cost: isUnknown ? null : rupeesOf(m.cost_paisa ?? 0),
    reason: m.reason,
  }
}

/** The screen's columns (specification 2 §2), then additional ones. */
export const reportHeader = [
  'Mobile No.',
  'Sender Id',
  'Submit Time',
  'Delivery Time',
  'Delivery Status',
  'Row',
  'Segments',
  'Cost (Rs)',
  'Reason',
]
export function reportCells(row: Omit<SmsReportRow, 'messageId' | 'row'> & { row: number | null }): CsvCell[] {
  const { msisdn, cli, submitTime, deliveryTime, deliveryStatus, segments, cost, reason } = row
  return [
    msisdn,
    cli,
    submitTime ?? '',
    deliveryTime ?? '',
    deliveryStatus,
    row.row,
    segments,
    rupeesCell(cost),
    reason ?? '',
  ]
}

/** The outcome of its message, if this was the last submission. Otherwise, or if the messages were deleted, what the gateway answered. */
function outcomeOf(of: Submission) {
  if (of.sms_id === of.id && of.state !== null) return { ...of, status: deliveryStatusOf[of.state] }
  const submitted_at = of.result === 'refused' ? null : of.settled_at
  return { submitted_at, final_at: null, status: answeredStatus[of.result], reason: of.answer }
}
const answeredStatus = { accepted: 'Submitted', refused: 'Failed', unknown: 'Unknown' } as const

export function archivedCells(of: Submission, sender: string): CsvCell[] {
  const { submitted_at, final_at, status, reason } = outcomeOf(of)
  return reportCells({
    row: of.line,
    msisdn: nationalOf(String(of.phone)),
    cli: sender,
    submitTime: submitted_at && nepalTimeOf(submitted_at),
    deliveryTime: final_at && nepalTimeOf(final_at),
    deliveryStatus: status,
    segments: of.segments,
    cost: rupeesOf(of.cost_paisa),
    reason,
  })
}

const summaryColumns: readonly { header: string; cell: (row: SmsCampaignRow) => CsvCell; aboveUsers?: true }[] = [
  { header: 'Campaign Name', cell: (row) => row.campaignName },
  { header: 'Username', cell: (row) => row.username, aboveUsers: true },
  { header: 'Campaign Status', cell: (row) => labelOf(row.campaignStatus) },
  { header: 'Schedule Time', cell: (row) => row.scheduleTime },
  { header: 'Numbers Uploaded', cell: (row) => row.numbersUploaded },
  { header: 'SMS Submitted', cell: (row) => row.smsSubmitted },
  { header: 'SMS Delivered', cell: (row) => row.smsDelivered },
  { header: 'SMS Failed', cell: (row) => row.smsFailed },
  { header: 'SMS Expired', cell: (row) => row.smsExpired },
  { header: 'SMS Unknown', cell: (row) => row.smsUnknown },
  { header: 'DnD Count', cell: (row) => row.dndCount },
  { header: 'Opt-outs', cell: (row) => row.optOuts },
  { header: 'Segments', cell: (row) => row.segments },
  { header: 'Cost (Rs)', cell: (row) => rupeesCell(row.cost) },
  { header: 'After the calls of', cell: (row) => row.callCampaign?.campaignName ?? '' },
]

function labelOf(code: number): string {
  const status = campaignStatusOf(code)
  return status ? campaignStatusLabel[status] : ''
}

export function summaryCsv(isUser: boolean) {
  const shown = summaryColumns.filter(({ aboveUsers }) => !aboveUsers || !isUser)
  return {
    header: shown.map(({ header }) => header),
    cells: (row: SmsCampaignRow): CsvCell[] => shown.map(({ cell }) => cell(row)),
  }
}
