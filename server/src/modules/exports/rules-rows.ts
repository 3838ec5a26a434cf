import { ownValue } from '@ghanti/contract/own-values.ts'
import { hasNames, keyNamesOf } from '@ghanti/contract/key-names.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { CsvCell } from '../../lib/csv.ts'
import type { TableColumn } from './rules.ts'
import type { EndedRow, RowsHead } from './store-rows.ts'

const text = (header: string): TableColumn => ({ header, kind: 'text' })
const time = (header: string): TableColumn => ({ header, kind: 'time' })
const whole = (header: string): TableColumn => ({ header, kind: 'whole' })

export const columnsOfRows = ({ columns, keyLabels }: RowsHead): TableColumn[] => [
  whole('Row'),
  text('Mobile'),
  ...columns.map((header): TableColumn => ({ header, kind: 'value' })),
  { header: 'Final State', kind: 'outcome' },
  text('Reached'),
  whole('Calls'),
  text('Keys'),
  ...(hasNames(keyLabels) ? [text('Key Names')] : []),
  time('Last Call'),
  time('Answer Time'),
  time('End Time'),
  whole('Seconds'),
  whole('Pulses'),
  { header: 'Cost (Rs)', kind: 'money' },
  text('Agent No'),
  text('CLI'),
]

/** A row's state: the outcome of its last call, DND before its first, EXPIRED when it was not called to the end, or what it waits for. */
function finalState({ state, disposition }: Pick<EndedRow, 'state' | 'disposition'>): string {
  if (state === 'done') return disposition ?? 'EXPIRED'
  return { dnd: 'DND', expired: 'EXPIRED', waiting: 'TO BE CALLED AGAIN', fresh: 'NOT CALLED YET' }[state]
}

const timeOf = (at: Date | null) => at && nepalTimeOf(at)

export function cellsOfRow(row: EndedRow, { columns, keyLabels, cli }: RowsHead): CsvCell[] {
  return [
    row.line,
    nationalOf(String(row.phone)),
    ...columns.map((column) => ownValue(row.values, column) ?? ''),
    finalState(row),
    row.state === 'done' && row.disposition === 'ANSWER' ? 'Yes' : 'No',
    row.calls,
    row.keys ?? '',
    ...(hasNames(keyLabels) ? [keyNamesOf(keyLabels, row.keys ?? '')] : []),
    timeOf(row.startedAt),
    timeOf(row.answeredAt),
    timeOf(row.endedAt),
    Math.ceil((row.billMs ?? 0) / 1000),
    row.pulses,
    rupeesOf(row.costPaisa),
    row.agent && nationalOf(row.agent),
    row.cli ?? cli,
  ]
}
