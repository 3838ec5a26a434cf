import { lineRoutes } from '@ghanti/contract/lines.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconUpload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { fileAddress } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useList } from '../../components/table/use-list.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import lines from '../lines/Lines.module.css'
import { idOf } from '../lines/opened.ts'
import { columnsFor, type ViewKind } from './columns.tsx'

/** /cli-list: every CLI, or those that one holds; /allocated-cli-list: who below the viewer holds which, of one account with `userId`. */
export default function CliListScreen() {
  const t = useTexts('clis')
  const common = useTexts('common')
  const format = useFormat()
  const navigate = useNavigate()
  const { role, userId, username } = useSession()
  const view = useView()
  const list = useList(view.route, view.input)
  const shown = useMemo(
    () => columnsFor({ kind: view.kind, role, username, t, common, format, go: (path) => void navigate(path) }),
    [view.kind, role, username, t, common, format, navigate],
  )
  const { search } = list.state
  return (
    <DataTable
      title={view.kind === 'allocated' ? t.allocatedTitle : t.title}
      subtitle={view.filter ? <Link to={view.path}>{t.showAll}</Link> : t.subtitles[role][view.kind]}
      columns={shown}
      name={view.kind}
      rowId={(row) => row.allocation?.allocationId ?? row.cliId}
      list={list}
      csvHref={fileAddress(lineRoutes.exportCsv, { userId, search, ...view.filter, ...view.csv })}
      empty={<Empty kind={view.kind} isSuperAdmin={role === 'superAdmin'} />}
      primary={<Primary kind={view.kind} />}
      tools={<Tools kind={view.kind} />}
    />
  )
}

/** What the address shows to this role. */
function useView() {
  const { role, userId } = useSession()
  const [params] = useSearchParams()
  const trunkId = idOf(params.get('trunkId') ?? undefined)
  const ofUser = idOf(params.get('userId') ?? undefined)
  const isAllocated = useLocation().pathname.endsWith('/allocated-cli-list')
  const path = isAllocated ? '/allocated-cli-list' : '/cli-list'
  const kind: ViewKind = isAllocated ? 'allocated' : 'clis'
  const none: { trunkId?: number; userId?: number } | null = null
  if (isAllocated) {
    const filter = ofUser === null ? none : { userId: ofUser }
    return { kind, path, route: lineRoutes.allocated, input: filter ?? {}, filter, csv: { allocated: '1' as const } }
  }
  if (role !== 'superAdmin')
    return { kind, path, route: lineRoutes.clisOfUser, input: { userId }, filter: none, csv: {} }
  const filter = trunkId === null ? none : { trunkId }
  return { kind, path, route: lineRoutes.all, input: filter ?? {}, filter, csv: {} }
}

function Empty({ kind, isSuperAdmin }: { kind: ViewKind; isSuperAdmin: boolean }) {
  const t = useTexts('clis')
  if (kind === 'allocated')
    return (
      <>
        <p>{t.noneAllocated}</p>
        <Link to="/allocate-cli">{t.allocateFirst}</Link>
      </>
    )
  return (
    <>
      <p>{t.none}</p>
      {isSuperAdmin ? <Link to="/add-cli">{t.addFirst}</Link> : <p>{t.askProvider}</p>}
    </>
  )
}

function Tools({ kind }: { kind: ViewKind }) {
  const t = useTexts('clis')
  const { role } = useSession()
  if (role === 'user') return null
  const tool = lines.tool ?? ''
  return (
    <>
      {role === 'superAdmin' && kind === 'clis' && (
        <Button
          className={tool}
          variant="default"
          component={Link}
          to="/upload-cli"
          leftSection={<IconUpload size={16} aria-hidden />}
        >
          {t.upload.title}
        </Button>
      )}
      <Button
        className={tool}
        variant="default"
        component={Link}
        to={kind === 'clis' ? '/allocated-cli-list' : '/cli-list'}
      >
        {kind === 'clis' ? t.allocatedTitle : t.title}
      </Button>
    </>
  )
}

function Primary({ kind }: { kind: ViewKind }) {
  const t = useTexts('clis')
  const { role } = useSession()
  if (role === 'user') return null
  const [to, title] =
    role === 'superAdmin' && kind === 'clis' ? ['/add-cli', t.add.title] : ['/allocate-cli', t.allocate.title]
  return (
    <Button component={Link} to={to} leftSection={<IconPlus size={16} aria-hidden />}>
      {title}
    </Button>
  )
}
