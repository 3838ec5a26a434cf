import { traceRoutes, type TrunkQuality as Quality } from '@ghanti/contract/traces.ts'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link, useParams } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { FewRows, type FewColumn } from '../../components/table/FewRows.tsx'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { Page } from '../../components/ui/Page.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { NotFound } from '../errors/NotFound.tsx'
import { idOf } from '../lines/opened.ts'
import classes from './Traces.module.css'

type Row = Quality['all'] & { key: string; label: string }

const columns = (t: TextsOf<'traces'>, format: Format): FewColumn<Row>[] => {
  const way = (of: Row['received']) =>
    of === null ? '–' : t.way(format.digits(String(of.lossPercent)), format.digits(String(of.jitterMs)))
  return [
    { key: 'operator', header: t.columns.operator, cell: (row) => row.label },
    { key: 'calls', header: t.columns.calls, align: 'right', cell: (row) => format.count(row.calls) },
    { key: 'answered', header: t.columns.answered, align: 'right', cell: (row) => format.count(row.answered) },
    {
      key: 'pdd',
      header: t.columns.pdd,
      align: 'right',
      cell: (row) => (row.pddMs === null ? '–' : t.ms(format.count(row.pddMs))),
    },
    { key: 'received', header: t.columns.received, align: 'right', cell: (row) => way(row.received) },
    { key: 'sent', header: t.columns.sent, align: 'right', cell: (row) => way(row.sent) },
  ]
}

export const loader = screenLoader(({ params, prefetch }) => {
  const trunkId = idOf(params.trunkId)
  if (trunkId !== null) void prefetch(jsonQuery(traceRoutes.quality, { trunkId }))
})

/** How long a trunk's calls take until they ring, and their sound quality, per operator. */
export default function TrunkQualityScreen() {
  const trunkId = idOf(useParams().trunkId)
  return trunkId === null ? <NotFound /> : <Opened key={trunkId} trunkId={trunkId} />
}

function Opened({ trunkId }: { trunkId: number }) {
  const t = useTexts('traces')
  const { data, error, refetch } = useQuery(jsonQuery(traceRoutes.quality, { trunkId }))
  const back = <Link to="/trunk-list">{t.backToTrunks}</Link>
  return (
    <Page title={data ? t.qualityOf(data.trunkName) : t.quality} subtitle={back}>
      {data ? (
        <Figures quality={data} />
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={classes.loading} aria-busy />
      )}
    </Page>
  )
}

function Figures({ quality: { all, operators } }: { quality: Quality }) {
  const t = useTexts('traces')
  const format = useFormat()
  const id = useId()
  const rows: Row[] = [
    ...operators.map((row) => ({ ...row, key: row.operator, label: t.operators[row.operator] })),
    { ...all, key: 'all', label: t.all },
  ]
  return (
    <div className={classes.quality}>
      <p id={id}>{t.qualityIntro}</p>
      {operators.length === 0 ? (
        <p className={classes.dim}>{t.noCalls}</p>
      ) : (
        <FewRows labelledBy={id} columns={columns(t, format)} rowId={({ key }) => key} rows={rows} />
      )}
    </div>
  )
}
