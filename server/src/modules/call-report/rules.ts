import { keysInTrail } from '@ghanti/callflow/trail.ts'
import type { AfterCallMessage } from '@ghanti/contract/after-call.ts'
import type { CallRow } from '@ghanti/contract/call-report.ts'
import { keyNamesOf, type KeyLabels } from '@ghanti/contract/key-names.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { operatorLabel, operatorOfCode } from '@ghanti/contract/operators.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { csvCell, type CellKind, type CsvCell } from '../../lib/csv.ts'
import { silence, whySilent } from '../recordings/rules.ts'
import { causeOf } from '../voice-campaigns/rules.ts'
import type { CallLine } from './store.ts'

export type Reader = { role: Role; keptDays: number; keptSince: Date }

/** What belongs to a call and is stored elsewhere. */
export type Beside = { sms: AfterCallMessage[]; keyLabels: KeyLabels }

export function callRowOf(a: CallLine, { sms, keyLabels }: Beside, { role, keptDays, keptSince }: Reader): CallRow {
  const recordingReason = whySilent({ ...a, is_old: a.started_at < keptSince }, keptDays)
  return {
    attemptId: a.id,
    uuID: recordingReason === null ? a.recording : null,
    recordingReason,
    callID: String(a.id),
    customerNo: nationalOf(String(a.phone)),
    agentNo: a.agent && nationalOf(a.agent),
    agentReason: a.agent_missed && silence[a.agent_missed],
    startTime: nepalTimeOf(a.started_at),
    answerTime: a.answered_at && nepalTimeOf(a.answered_at),
    endTime: nepalTimeOf(a.ended_at),
    status: a.disposition === 'ANSWER' ? 'Success' : 'Fail',
    disposition: a.disposition,
    kind: a.kind,
    username: a.username,
    campaignId: a.campaign_id,
    campaignName: a.campaign_name,
    row: a.line ?? 0,
    attempt: a.attempt_no,
    keys: a.keys ?? '',
    keyNames: keyNamesOf(keyLabels, a.keys ?? ''),
    menuKeys: Array.from(keysInTrail(a.trail ?? ''), ([menu, key]) => ({ menu, key })),
    seconds: Math.ceil((a.bill_ms ?? 0) / 1000),
    pulses: a.pulses,
    cost: rupeesOf(a.cost_paisa),
    cli: a.cli,
    operator: operatorOfCode(a.operator ?? 0) ?? 'other',
    trunkName: role === 'superAdmin' ? a.trunk_name : null,
    triedTrunks: role === 'superAdmin' ? (a.tried_names ?? []) : [],
    cause: causeOf(a),
    sms,
  }
}

type Column = { header: string; cell: (row: CallRow) => CsvCell; for?: readonly Role[]; kind?: CellKind }

const kindWords: Record<CallRow['kind'], string> = { campaign: 'Campaign', test: 'Test call', callNow: 'Call Now' }

/** All columns of the screen, those hidden by default included (specification 2 §2). */
const columns: readonly Column[] = [
  { header: 'Attempt ID', kind: 'id', cell: (row) => row.attemptId },
  { header: 'Customer Number', cell: (row) => row.customerNo },
  { header: 'Username', cell: (row) => row.username, for: ['reseller', 'superAdmin'] },
  { header: 'Campaign', cell: (row) => row.campaignName },
  { header: 'Agent No', cell: (row) => row.agentNo },
  { header: 'Start Time', kind: 'time', cell: (row) => row.startTime },
  { header: 'Answer Time', kind: 'time', cell: (row) => row.answerTime },
  { header: 'End Time', kind: 'time', cell: (row) => row.endTime },
  { header: 'Status', cell: (row) => row.status },
  { header: 'Disposition', kind: 'outcome', cell: (row) => row.disposition },
  { header: 'Keys', cell: (row) => row.keys },
  { header: 'Key Names', cell: (row) => row.keyNames },
  { header: 'Seconds', kind: 'whole', cell: (row) => row.seconds },
  { header: 'Pulses', kind: 'whole', cell: (row) => row.pulses },
  { header: 'Cost (Rs)', kind: 'money', cell: (row) => row.cost },
  { header: 'CLI', cell: (row) => row.cli },
  { header: 'Operator', cell: (row) => operatorLabel[row.operator] },
  { header: 'Trunk', cell: (row) => row.trunkName, for: ['superAdmin'] },
  { header: 'Trunks Tried Before', cell: (row) => row.triedTrunks.join('; '), for: ['superAdmin'] },
  { header: 'Kind', cell: (row) => kindWords[row.kind] },
  { header: 'Row', kind: 'whole', cell: (row) => row.row },
  { header: 'Attempt', kind: 'whole', cell: (row) => row.attempt },
  { header: 'Cause', cell: (row) => row.cause },
  { header: 'Agent Not Reached', cell: (row) => row.agentReason },
  {
    header: 'SMS after the call',
    cell: (row) => row.sms.map(messageCell).join('; '),
  },
  { header: 'Recording ID', cell: (row) => row.uuID },
]

/** Worded as in a campaign's report: 'dtmf 1: failed, the number is off'. */
function messageCell({ occasion, key, state, reason }: AfterCallMessage): string {
  const why = reason === null ? '' : `, ${reason}`
  return `${occasion}${key === null ? '' : ` ${key}`}: ${state}${why}`
}

const columnsOf = (role: Role) => columns.filter((column) => !column.for || column.for.includes(role))

export const csvHeader = (role: Role): string[] => columnsOf(role).map(({ header }) => header)
/** The same for formats that distinguish numbers from text. */
export const tableColumns = (role: Role): { header: string; kind: CellKind }[] =>
  columnsOf(role).map(({ header, kind }) => ({ header, kind: kind ?? 'text' }))
export const tableCells = (row: CallRow, role: Role): CsvCell[] => columnsOf(role).map(({ cell }) => cell(row))
export const csvCells = (row: CallRow, role: Role): CsvCell[] =>
  columnsOf(role).map(({ cell, kind }) => csvCell(cell(row), kind))

export const leftOutOfCsv = (max: number): string =>
  `Only the newest ${max.toLocaleString('en')} calls are here: choose days for the others`
