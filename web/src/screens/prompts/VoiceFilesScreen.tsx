import { promptRoutes, promptStatusCode, type PromptRow } from '@ghanti/contract/prompts.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { PromptCategory } from '@ghanti/contract/templates.ts'
import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useSession } from '../../api/session.ts'
import { Segments } from '../../components/form/Segments.tsx'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RowMenu } from '../../components/table/RowMenu.tsx'
import { useList } from '../../components/table/use-list.ts'
import { Status, type StatusKind } from '../../components/ui/Status.tsx'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { decideMany, promptActions } from './actions.ts'
import { hearAndDecide, listenToRow } from './hear.tsx'
import classes from './PromptsTable.module.css'

type Viewer = { userId: number; role: Role }
type Context = {
  viewer: Viewer
  withOwner: boolean
  listen: (row: PromptRow) => void
  t: TextsOf<'prompts'>
  common: TextsOf<'common'>
  format: Format
}

const columns = ({ viewer, withOwner, listen, t, common, format }: Context): Column<PromptRow>[] => [
  { key: 'fileName', header: t.columns.fileName, sortKey: 'fileName', cardTitle: true, cell: (row) => row.fileName },
  {
    key: 'promptCategory',
    header: t.columns.fileType,
    sortKey: 'promptCategory',
    cell: (row) => t.categories[row.promptCategory as PromptCategory] ?? row.promptCategory,
  },
  {
    key: 'promptStatus',
    header: t.columns.status,
    sortKey: 'promptStatus',
    card: 'status',
    cell: (row) => <PromptStatus row={row} />,
  },
  {
    key: 'accountType',
    header: t.columns.account,
    sortKey: 'accountType',
    cell: (row) => common.accountTypes[row.accountType],
  },
  ...(withOwner
    ? [
        {
          key: 'username',
          header: t.columns.uploadedBy,
          sortKey: 'username',
          card: 'line' as const,
          cell: (row: PromptRow) => row.username,
        },
      ]
    : []),
  {
    key: 'durationMs',
    header: t.columns.length,
    align: 'right',
    cell: (row) => <span data-numeric>{format.length(row.durationMs)}</span>,
  },
  {
    key: 'uploadedAt',
    card: 'line',
    header: t.columns.uploaded,
    sortKey: 'promptId',
    nowrap: true,
    cell: (row) => <NepalTime wire={row.uploadedAt} />,
  },
  {
    key: 'action',
    header: t.columns.action,
    pinned: true,
    nowrap: true,
    cell: (row) => (
      <RowMenu
        label={common.table.takeAction}
        subject={row.fileName}
        actions={() => promptActions(viewer, row, t, () => listen(row))}
      />
    ),
  },
]

const kindOf: Readonly<Record<number, StatusKind>> = {
  [promptStatusCode.approved]: 'done',
  [promptStatusCode.rejected]: 'problem',
}

function PromptStatus({ row }: { row: PromptRow }) {
  const t = useTexts('prompts')
  return (
    <>
      <Status is={kindOf[row.promptStatus] ?? 'neutral'}>{t.status[row.promptStatus]}</Status>
      {row.rejectReason && <span className={classes.reason}>{t.reason(row.rejectReason)}</span>}
    </>
  )
}

const nothing = {}
/** All users' files, those first that wait, and of these the one that waits longest (specification 1 §6). */
const pendingFirst = ['promptStatus', ...promptRoutes.listAll.sort.filter((key) => key !== 'promptStatus')]
const others = ['customers']

/** What the URL shows to this role: one's own files, a reseller's customers', or all, for approval. */
function useView() {
  const { userId, role } = useSession()
  const [params, setParams] = useSearchParams()
  const kind = role === 'superAdmin' ? 'approval' : role === 'reseller' && params.has('customers') ? 'customers' : 'own'
  const showCustomers = (shown: boolean) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      if (shown) next.set('customers', '1')
      else next.delete('customers')
      next.delete('page')
      return next
    })
  const route = { own: promptRoutes.list, customers: promptRoutes.listOfCustomers, approval: promptRoutes.listAll }[
    kind
  ]
  const sortKeys = kind === 'approval' ? pendingFirst : undefined
  return { kind, route, input: kind === 'own' ? { userId } : nothing, sortKeys, showCustomers } as const
}
type View = ReturnType<typeof useView>

/** View Voice Files for users and resellers; Prompts for Approval for super admins, pending ones first (specification 1 §2). */
const emptyOf = { own: 'voiceFiles', customers: 'voiceFilesOfCustomers', approval: 'voiceFilesForApproval' } as const

export default function VoiceFilesScreen() {
  const t = useTexts('prompts')
  const common = useTexts('common')
  const format = useFormat()
  const { userId, role } = useSession()
  const view = useView()
  const { kind } = view
  const list = useList<View['route']>(view.route, view.input, { others, sortKeys: view.sortKeys })
  const { rows } = list
  const listen = useCallback(
    (row: PromptRow) => (kind === 'approval' ? hearAndDecide(rows ?? [], row) : listenToRow(row)),
    [kind, rows],
  )
  const shown = useMemo(
    () => columns({ viewer: { userId, role }, withOwner: kind !== 'own', listen, t, common, format }),
    [userId, role, kind, listen, t, common, format],
  )
  return (
    <DataTable
      title={kind === 'approval' ? t.titles.approval : t.titles.own}
      columns={shown}
      name="voice-files"
      rowId={(row) => row.promptId}
      list={list}
      filters={{
        promptStatus: {
          label: t.columns.status,
          values: Object.fromEntries(t.status.map((name, code) => [code, name])),
        },
        promptCategory: { label: t.columns.fileType, values: t.categories },
        uploaded: { label: t.filterLabels.uploaded },
        ...(kind !== 'own' && { customer: { label: t.filterLabels.customer } }),
      }}
      empty={emptyOf[kind]}
      primary={
        kind === 'own' && (
          <Button component={Link} to="/add-voice-files" leftSection={<IconUpload size={16} aria-hidden />}>
            {t.uploadTitle}
          </Button>
        )
      }
      bulk={kind === 'approval' ? decideMany(t, { common, format }, listen) : undefined}
      tools={role === 'reseller' && <Whose view={view} />}
    />
  )
}

function Whose({ view: { kind, showCustomers } }: { view: View }) {
  const t = useTexts('prompts')
  return (
    <Segments
      label={t.whose.label}
      value={kind === 'customers' ? 'customers' : 'own'}
      data={[
        { value: 'own', label: t.whose.own },
        { value: 'customers', label: t.whose.customers },
      ]}
      onChange={(whose) => showCustomers(whose === 'customers')}
    />
  )
}
