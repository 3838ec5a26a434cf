import { userRoutes, type UserRow } from '@ghanti/contract/users.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Suspense, useMemo, useSyncExternalStore } from 'react'
import { Link, useNavigate } from 'react-router'
import { freeOf } from '../../api/balance.ts'
import { fileAddress } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RowMenu } from '../../components/table/RowMenu.tsx'
import { listQueryAt, useList } from '../../components/table/use-list.ts'
import { useOwnBalance } from '../../components/ui/own-balance.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat } from '../../i18n/format.ts'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import { actionsOf, type Context } from './actions.tsx'
import { Expiry } from './Expiry.tsx'
import classes from './Users.module.css'
import { welcomeStore } from './welcome.ts'
import { late } from '../../components/ui/loading/late.tsx'

const WelcomeText = late(async () => {
  const [part] = await Promise.all([import('./WelcomeText.tsx'), loadTexts('welcome')])
  return part
})

const { list: route } = userRoutes

export const loader = screenLoader(({ url, userId, prefetch }) => void prefetch(listQueryAt(url, route, { userId })))

function Marks({ row: { mail, disabled, stoppedBy, frozen, frozenBy }, t }: { row: UserRow; t: TextsOf<'users'> }) {
  const bad = `${classes.mark} ${classes.bad}`
  const frost = `${classes.mark} ${classes.frozen}`
  return (
    <>
      {(mail === 'unconfirmed' || mail === 'waiting') && (
        <span className={`${classes.mark} ${classes.dim}`}>{t.mail[mail]}</span>
      )}
      {frozen && <span className={frost}>{t.frozen.mark(frozen.reason)}</span>}
      {frozenBy !== null && <span className={frost}>{t.frozen.with(frozenBy)}</span>}
      {disabled && !frozen && <span className={bad}>{t.disabled(disabled.reason)}</span>}
      {stoppedBy !== null && frozenBy === null && <span className={bad}>{t.stoppedBy(stoppedBy)}</span>}
    </>
  )
}

const columns = (context: Context, common: TextsOf<'common'>): Column<UserRow>[] => {
  const { t, format } = context
  const long = (text: string) => <span className={classes.long}>{text}</span>
  return [
    {
      key: 'username',
      header: t.columns.username,
      sortKey: 'username',
      cardTitle: true,
      cell: (row) => (
        <>
          <Link className={classes.long ?? ''} to={`/customers/${row.userId}`}>
            {row.username}
          </Link>
          <Marks row={row} t={t} />
        </>
      ),
    },
    { key: 'name', header: t.columns.name, sortKey: 'name', card: 'status', cell: (row) => long(row.name) },
    { key: 'company', header: t.columns.company, sortKey: 'company', cell: (row) => long(row.company) },
    { key: 'type', header: t.columns.type, sortKey: 'userType', cell: (row) => long(t.userTypes[row.userType]) },
    {
      key: 'credits',
      header: t.columns.credits,
      sortKey: 'credits',
      align: 'right',
      nowrap: true,
      cell: (row) => (
        <>
          <span data-numeric>{format.rupees(freeOf(row))}</span>
          {row.reserved > 0 && (
            <span className={`${classes.mark} ${classes.dim}`}>{t.reserved(format.rupees(row.reserved))}</span>
          )}
        </>
      ),
    },
    { key: 'plan', header: t.columns.plan, cell: (row) => long(row.planName ?? t.noPlan) },
    { key: 'parent', header: t.columns.parent, cell: (row) => long(row.parentUser) },
    {
      key: 'expiry',
      header: t.columns.expiry,
      sortKey: 'expiryDate',
      nowrap: true,
      cell: (row) => <Expiry wire={row.expiryDate} />,
    },
    {
      key: 'channels',
      header: t.columns.channels,
      align: 'right',
      cell: (row) => <span data-numeric>{row.channels === null ? '–' : format.count(row.channels)}</span>,
    },
    {
      key: 'action',
      header: t.columns.action,
      pinned: true,
      cell: (row) => (
        <RowMenu
          label={common.table.takeAction}
          subject={row.username}
          actions={() => actionsOf(row, context)}
          quick="wide"
        />
      ),
    },
  ]
}

export default function UserListScreen() {
  const t = useTexts('users')
  const common = useTexts('common')
  const format = useFormat()
  const { userId, role } = useSession()
  const list = useList(route, { userId })
  const navigate = useNavigate()
  const shown = useMemo(
    () => columns({ t, format, viewerId: userId, role, go: (path) => void navigate(path) }, common),
    [t, format, userId, role, common, navigate],
  )
  const asked = { userId, search: list.state.search, ...list.filters.set }
  const balance = useOwnBalance()
  const welcome = useSyncExternalStore(welcomeStore.subscribe, welcomeStore.get)
  return (
    <>
      <Suspense fallback={null}>{welcome && <WelcomeText welcome={welcome} />}</Suspense>
      <DataTable
        title={t.title}
        subtitle={
          balance ? [t.subtitle(balance.free), balance.reserved].filter(Boolean).join(' · ') : t.subtitleOfPlatform
        }
        columns={shown}
        name="users"
        rowId={(row) => row.userId}
        list={list}
        csvHref={fileAddress(userRoutes.listCsv, asked)}
        filters={{
          userType: { label: t.columns.type, values: t.userTypes },
          state: { label: t.filterLabels.state, values: t.filterLabels.states },
          parent: { label: t.columns.parent },
        }}
        empty="users"
        primary={
          <Button component={Link} to="/create-user" leftSection={<IconPlus size={16} aria-hidden />}>
            {t.create}
          </Button>
        }
        tools={
          <Button
            component="a"
            href={fileAddress(userRoutes.listCsv, { ...asked, columns: 'all' })}
            download
            variant="default"
          >
            {t.exportAll}
          </Button>
        }
      />
    </>
  )
}
