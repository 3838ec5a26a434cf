import { exportRoutes, type ExportRow } from '@ghanti/contract/exports.ts'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call, fileAddress } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import { download } from '../../api/follow-download.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RowMenu } from '../../components/table/RowMenu.tsx'
import { useLocalList } from '../../components/table/use-list.ts'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { fieldText } from '../../components/ui/failures/failure-texts.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { Status } from '../../components/ui/Status.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'

type Texts = TextsOf<'exports'>

const { list: route } = exportRoutes
const againMs = 2_000
const isUnfinished = ({ exportStatus }: ExportRow) => exportStatus === '0' || exportStatus === '1'
const kinds = { '0': 'neutral', '1': 'running', '2': 'done', '3': 'problem' } as const

export const loader = screenLoader(({ userId, prefetch }) => void prefetch(jsonQuery(route, { userId })))

const addressOf = ({ exportId, fileName }: ExportRow) => fileAddress(exportRoutes.download, { exportId, fileName })

function askDelete(row: ExportRow, t: Texts): void {
  confirm({
    title: row.fileName,
    verb: isUnfinished(row) ? t.stopMaking : t.actions.delete,
    question: isUnfinished(row) ? t.cancelQuestion : t.deleteQuestion,
    failure: t.deleteFailed,
    labels: t.fields,
    danger: true,
    onYes: () => call(exportRoutes.delete, { exportId: row.exportId }).finally(() => refresh(route)),
  })
}

const columns = (t: Texts, takeAction: string, format: Format): Column<ExportRow>[] => [
  {
    key: 'file',
    header: t.columns.file,
    cardTitle: true,
    cell: (row) =>
      row.exportStatus === '2' ? (
        <a href={addressOf(row)} download aria-label={t.download(row.fileName)}>
          {row.fileName}
        </a>
      ) : (
        row.fileName
      ),
  },
  { key: 'state', header: t.columns.state, cell: (row) => <State row={row} /> },
  {
    key: 'rows',
    header: t.columns.rows,
    align: 'right',
    cell: (row) => <span data-numeric>{format.count(row.rows)}</span>,
  },
  {
    key: 'bytes',
    header: t.columns.size,
    align: 'right',
    nowrap: true,
    cell: (row) => (row.exportStatus === '2' ? format.size(row.bytes) : '–'),
  },
  { key: 'asked', header: t.columns.asked, nowrap: true, cell: (row) => <NepalTime wire={row.askedTime} /> },
  {
    key: 'expiry',
    header: t.columns.expiry,
    nowrap: true,
    cell: (row) => (row.expiryTime === null ? '–' : <NepalTime wire={row.expiryTime} />),
  },
  {
    key: 'action',
    header: t.columns.action,
    pinned: true,
    nowrap: true,
    cell: (row) => (
      <RowMenu
        label={takeAction}
        subject={row.fileName}
        actions={() => [
          {
            label: t.actions.download,
            icon: IconDownload,
            disabledReason: row.exportStatus === '2' ? undefined : t.refusals.notReady,
            onClick: () => download(addressOf(row)),
          },
          {
            label: isUnfinished(row) ? t.actions.cancel : t.actions.delete,
            icon: IconTrash,
            danger: true,
            onClick: () => askDelete(row, t),
          },
        ]}
      />
    ),
  },
]

function State({ row }: { row: ExportRow }) {
  const t = useTexts('exports')
  const format = useFormat()
  return (
    <>
      <Status is={kinds[row.exportStatus]}>{t.states[row.exportStatus]}</Status>
      {row.reason !== null && <small>{fieldText(t.of, row.reason)}</small>}
      {row.archivedTo !== null && <small>{t.archivedTo(format.day(row.archivedTo))}</small>}
    </>
  )
}

const how = { sortKeys: [], searchIn: ({ fileName }: ExportRow) => fileName, valueOf: {} }

export default function MyExportsScreen() {
  const t = useTexts('exports')
  const { takeAction } = useTexts('common').table
  const format = useFormat()
  const { userId } = useSession()
  const { data, error, isFetching, refetch } = useQuery({
    ...jsonQuery(route, { userId }),
    refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? againMs : false),
  })
  const list = useLocalList({ rows: data, error, isFetching, refetch: () => void refetch() }, how)
  const shown = useMemo(() => columns(t, takeAction, format), [t, takeAction, format])
  return (
    <DataTable
      title={t.title}
      subtitle={t.subtitle}
      columns={shown}
      name="my-exports"
      rowId={(row) => row.exportId}
      list={list}
      empty="exports"
    />
  )
}
