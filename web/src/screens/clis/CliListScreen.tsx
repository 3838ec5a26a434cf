import { lineRoutes } from '@ghanti/contract/lines.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconUpload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { fileAddress } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useList } from '../../components/table/use-list.ts'
import page from '../../components/ui/Page.module.css'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import lines from '../lines/Lines.module.css'
import { openGroup } from './actions.tsx'
import { removeMany, takeBackMany } from './bulk.tsx'
import { columnsFor, type ViewKind } from './columns.tsx'

/** /cli-list: every CLI, or those one holds; /allocated-cli-list: which accounts below hold which, or one account's with `userId`. */
export default function CliListScreen() {
  const t = useTexts('clis')
  const common = useTexts('common')
  const format = useFormat()
  const navigate = useNavigate()
  const { role, username } = useSession()
  const view = useView()
  const list = useList<View['route']>(view.route, view.input)
  const shown = useMemo(
    () => columnsFor({ kind: view.kind, role, username, t, common, format, go: (path) => void navigate(path) }),
    [view.kind, role, username, t, common, format, navigate],
  )
  const { search } = list.state
  const context = { role, username, t, common, format }
  const bulk = view.kind === 'clis' ? removeMany(context) : takeBackMany(context)
  return (
    <DataTable
      title={view.kind === 'allocated' ? t.allocatedTitle : t.title}
      subtitle={t.subtitles[role][view.kind]}
      columns={shown}
      name={view.kind}
      rowId={(row) => row.allocation?.allocationId ?? row.cliId}
      list={list}
      csvHref={fileAddress(lineRoutes.exportCsv, { ...view.csv, search, ...list.filters.set })}
      filters={{
        cliStatus: { label: t.columns.status, values: { '1': t.statuses.active, '0': t.statuses.inactive } },
        ...(role === 'superAdmin' && { trunkId: { label: t.columns.trunk } }),
        userId: { label: t.filterLabels.holder },
      }}
      empty={view.kind === 'allocated' ? 'allocatedClis' : role === 'superAdmin' ? 'clis' : 'clisOfAccount'}
      bulk={bulk}
      primary={<Primary kind={view.kind} />}
      tools={<Tools kind={view.kind} />}
    />
  )
}

function useView() {
  const { role, userId } = useSession()
  const isAllocated = useLocation().pathname.endsWith('/allocated-cli-list')
  const kind: ViewKind = isAllocated ? 'allocated' : 'clis'
  if (isAllocated) return { kind, route: lineRoutes.allocated, input: {}, csv: { allocated: '1' as const } } as const
  if (role === 'superAdmin') return { kind, route: lineRoutes.all, input: {}, csv: {} } as const
  return { kind, route: lineRoutes.clisOfUser, input: { userId }, csv: {} } as const
}
type View = ReturnType<typeof useView>

function Tools({ kind }: { kind: ViewKind }) {
  const t = useTexts('clis')
  const { role } = useSession()
  if (role === 'user') return null
  return (
    <Button
      className={lines.tool ?? ''}
      variant="default"
      component={Link}
      to={kind === 'clis' ? '/allocated-cli-list' : '/cli-list'}
    >
      {kind === 'clis' ? t.allocatedTitle : t.title}
    </Button>
  )
}

/** The buttons that add rows stand beside the title, because the row of the search has no room for them at 1280 px. */
function Primary({ kind }: { kind: ViewKind }) {
  const t = useTexts('clis')
  const { role } = useSession()
  if (role === 'user') return null
  const isAdding = role === 'superAdmin' && kind === 'clis'
  const [to, title] = isAdding ? ['/add-cli', t.add.title] : ['/allocate-cli', t.allocate.title]
  return (
    <div className={page.actions}>
      {isAdding && (
        <>
          <Button
            variant="default"
            component={Link}
            to="/upload-cli"
            leftSection={<IconUpload size={16} aria-hidden />}
          >
            {t.upload.title}
          </Button>
          <Button variant="default" onClick={() => openGroup(t.group.title, null)}>
            {t.group.title}
          </Button>
        </>
      )}
      <Button component={Link} to={to} leftSection={<IconPlus size={16} aria-hidden />}>
        {title}
      </Button>
    </div>
  )
}
