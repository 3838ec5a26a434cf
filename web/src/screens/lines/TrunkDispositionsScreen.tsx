import { codeMeanings, trunkDispositionRoutes, type TrunkDispositionRow } from '@ghanti/contract/trunk-dispositions.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { Link, useParams } from 'react-router'
import { call } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { useList } from '../../components/table/use-list.ts'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { late } from '../../components/ui/loading/late.tsx'
import { Page } from '../../components/ui/Page.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { NotFound } from '../errors/NotFound.tsx'
import { idOf } from './opened.ts'

export const loader = screenLoader(({ params, prefetch }) => {
  const trunkId = idOf(params.selectedTrunkId)
  if (trunkId !== null) void prefetch(jsonQuery(trunkRoutes.detail, { trunkId }))
})

const DispositionForm = late(() => import('./DispositionForm.tsx'))

type Context = { codes: TextsOf<'lineForms'>['codes']; format: Format }

const codeOf = ({ sipStatus, q850Cause }: TrunkDispositionRow, { codes, format }: Context): string =>
  [
    ...(sipStatus === null ? [] : [codes.status(format.digits(String(sipStatus)))]),
    ...(q850Cause === null ? [] : [codes.cause(format.digits(String(q850Cause)))]),
  ].join(', ')

const columns = (context: Context): Column<TrunkDispositionRow>[] => {
  const { codes } = context
  return [
    { key: 'code', header: codes.columns.code, cardTitle: true, nowrap: true, cell: (row) => codeOf(row, context) },
    {
      key: 'disposition',
      header: codes.fields.disposition,
      cell: (row) => {
        const known = codeMeanings.find((one) => one === row.disposition)
        return known === undefined ? row.disposition : codes.meanings[known]
      },
    },
    { key: 'sign', header: codes.fields.sign, cell: (row) => codes.signs[row.sign] },
    {
      key: 'action',
      header: codes.columns.action,
      pinned: true,
      nowrap: true,
      cell: (row) => (
        <Button
          variant="default"
          size="xs"
          aria-label={`${codes.remove}: ${codeOf(row, context)}`}
          onClick={() => askRemove(row, context)}
        >
          {codes.remove}
        </Button>
      ),
    },
  ]
}

function askRemove(row: TrunkDispositionRow, context: Context): void {
  const { dispositionId } = row
  confirm({
    title: codeOf(row, context),
    verb: context.codes.remove,
    question: context.codes.removeQuestion,
    failure: context.codes.removeFailed,
    labels: { dispositionId: codeOf(row, context) },
    danger: true,
    onYes: () =>
      call(trunkDispositionRoutes.delete, { dispositionId }).finally(() => refresh(trunkDispositionRoutes.list)),
  })
}

export default function TrunkDispositionsScreen() {
  const trunkId = idOf(useParams().selectedTrunkId)
  return trunkId === null ? <NotFound /> : <Codes key={trunkId} trunkId={trunkId} />
}

function Codes({ trunkId }: { trunkId: number }) {
  const { codes } = useTexts('lineForms')
  const { trunks } = useTexts('lines')
  const format = useFormat()
  const trunk = useQuery(jsonQuery(trunkRoutes.detail, { trunkId }))
  const list = useList(trunkDispositionRoutes.list, { trunkId })
  const shown = useMemo(() => columns({ codes, format }), [codes, format])
  return (
    <>
      <Page
        title={codes.title(trunk.data?.trunkName ?? '')}
        subtitle={
          <>
            {codes.subtitle} <Link to="/trunk-list">{trunks.back}</Link>
          </>
        }
      >
        <Suspense fallback={<Loader size="sm" />}>
          <DispositionForm trunkId={trunkId} />
        </Suspense>
      </Page>
      <DataTable
        title={codes.table}
        isScreen={false}
        columns={shown}
        rowId={(row) => row.dispositionId}
        list={list}
        empty="dispositions"
      />
    </>
  )
}
