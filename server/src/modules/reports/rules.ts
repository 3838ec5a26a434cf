import { ownValue } from '@ghanti/contract/own-values.ts'
import { keysInTrail } from '@ghanti/callflow/trail.ts'
import { hasNames, keyNamesOf, type KeyLabels } from '@ghanti/contract/key-names.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import type { AgentMissed } from '../../db/tables.ts'
import { silence } from '../recordings/rules.ts'
import { partNames, partNameText } from '@ghanti/contract/part-names.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { rupeesCell, type CsvCell } from '../../lib/csv.ts'

/** 'cc': a line per answered row. 'dtmf': a line per row with a key. */
export const reportTypes = ['cc', 'dtmf'] as const
export type ReportType = (typeof reportTypes)[number]

/**
 * `hasSms`: messages follow its calls. `columns`: the file's besides the number, in order. `menus`: set only for a flow with several, where
 * keys alone do not show which question they answer. With `keyLabels`, names that it gave its keys, there is a column for them.
 */
export type ReportHead = {
  name: string
  columns: readonly string[]
  cli: string
  menus: readonly string[]
  keyLabels: KeyLabels
  hasSms: boolean
}
export type ReportRow = {
  line: number
  phone: number
  values: Readonly<Record<string, string>> | null
  disposition: string
  keys: string | null
  trail: string | null
  startedAt: Date
  answeredAt: Date | null
  endedAt: Date
  billMs: number | null
  pulses: number
  costPaisa: number
  agent: string | null
  agentMissed: AgentMissed | null
  /** The caller ID that it showed. Null: the campaign's. */
  cli: string | null
  /** 'success: sent; dtmf: failed, it answered 404'; null when none followed. */
  sms: string | null
}

type Columns = Omit<ReportHead, 'name'>

export function headerOf({ columns, menus, keyLabels, hasSms }: Columns): string[] {
  const keys = hasNames(keyLabels) ? ['Keys', 'Key Names'] : ['Keys']
  const call = ['Start', 'Answer', 'End', 'Seconds', 'Pulses', 'Cost (Rs)', 'Agent', 'CLI']
  return [
    'Row',
    'Mobile',
    ...columns,
    'Disposition',
    ...keys,
    ...call,
    ...menus.map((menu) => `Key of ${partNameText(menu, partNames)}`),
    ...(hasSms ? ['SMS after the call'] : []),
  ]
}

/** 'Agent' is who was talked to, or why the requested agent was not. Times are Nepal's, seconds the billed ones, cost in rupees. */
export function cellsOf(row: ReportRow, { columns, cli, menus, keyLabels, hasSms }: Columns): CsvCell[] {
  const keys = keysInTrail(row.trail ?? '')
  return [
    row.line,
    nationalOf(String(row.phone)),
    ...columns.map((column) => ownValue(row.values, column) ?? ''),
    row.disposition,
    row.keys ?? '',
    ...(hasNames(keyLabels) ? [keyNamesOf(keyLabels, row.keys ?? '')] : []),
    nepalTimeOf(row.startedAt),
    row.answeredAt && nepalTimeOf(row.answeredAt),
    nepalTimeOf(row.endedAt),
    Math.ceil((row.billMs ?? 0) / 1000),
    row.pulses,
    rupeesCell(rupeesOf(row.costPaisa)),
    row.agentMissed === null ? row.agent && nationalOf(row.agent) : silence[row.agentMissed],
    row.cli ?? cli,
    ...menus.map((menu) => keys.get(menu) ?? ''),
    ...(hasSms ? [row.sms ?? ''] : []),
  ]
}
