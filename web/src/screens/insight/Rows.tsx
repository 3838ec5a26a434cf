import type { Unit } from '@ghanti/contract/insight-figures.ts'
import { useMemo } from 'react'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { useLocalList } from '../../components/table/use-list.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { labelOf, shownFigure } from './figures.ts'
import classes from './Insight.module.css'
import { rowSorts } from './sorts.ts'

type Row = { key: string; name: string; values: readonly (number | null)[] }

type RowsProps = {
  title: string
  rows: readonly Row[]
  figures: readonly { name: string; unit: Unit; label?: string }[]
  leftOut: number
  csvHref: string
}

/** The figures that a row shows until the reader chooses others. */
const usual = new Set([
  'attempts',
  'answered',
  'listened',
  'asr',
  'acd',
  'pulses',
  'cost',
  'spend',
  'margin',
  'messages',
  'accepted',
  'delivered',
  'segments',
])

function columnsOf(figures: RowsProps['figures'], most: number, t: TextsOf<'insight'>, format: Format): Column<Row>[] {
  return [
    {
      key: 'name',
      header: t.name,
      sortKey: 'name',
      cardTitle: true,
      cell: (row) => (
        <>
          {row.name}
          <svg className={classes.share} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden>
            <rect width={(100 * (row.values[0] ?? 0)) / most} height="1" />
          </svg>
        </>
      ),
    },
    ...figures.map(({ name, unit, ...figure }, n): Column<Row> => ({
      key: name,
      header: labelOf({ name, ...figure }, t),
      ...(rowSorts.some((sort) => sort.replace('-', '') === name) && { sortKey: name }),
      align: 'right',
      nowrap: true,
      ...(!usual.has(name) && { hidden: true as const }),
      cell: (row) => <span data-numeric>{shownFigure(row.values[n] ?? null, unit, t, format)}</span>,
    })),
  ]
}

export default function Rows({ title, rows, figures, leftOut, csvHref }: RowsProps) {
  const t = useTexts('insight')
  const format = useFormat()
  const how = useMemo(
    () => ({
      sortKeys: rowSorts,
      searchIn: ({ name }: Row) => name,
      valueOf: {
        name: ({ name }: Row) => name,
        ...Object.fromEntries(figures.map(({ name }, n) => [name, ({ values }: Row) => values[n] ?? -1])),
      },
    }),
    [figures],
  )
  const list = useLocalList({ rows, error: null, isFetching: false, refetch: () => undefined }, how)
  const most = Math.max(1, ...rows.map(({ values }) => values[0] ?? 0))
  const columns = useMemo(() => columnsOf(figures, most, t, format), [figures, most, t, format])
  return (
    <>
      <DataTable
        isScreen={false}
        title={title}
        name="insight"
        columns={columns}
        rowId={(row) => row.key}
        list={list}
        csvHref={csvHref}
        empty="insightRows"
      />
      {leftOut > 0 && <p className={classes.note}>{t.leftOut(format.count(leftOut))}</p>}
    </>
  )
}
