import { userRoutes, type SuperAdminRow } from '@ghanti/contract/users.ts'
import { useMemo } from 'react'
import { screenLoader } from '../../api/loader.ts'
import { listQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { listQueryOf } from '../../components/table/list-state.ts'
import { RowMenu, type MenuAction } from '../../components/table/RowMenu.tsx'
import { useList } from '../../components/table/use-list.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { askOfSuperAdmin } from './disabling.tsx'
import { factorAction } from './factors.ts'
import classes from './Users.module.css'

const { superAdmins: route } = userRoutes

export const loader = screenLoader(
  ({ url, prefetch }) => void prefetch(listQuery(route, {}, listQueryOf(url, route.sort))),
)

type Context = { t: TextsOf<'users'>; common: TextsOf<'common'>; format: Format; viewerId: number }

function actionsOf(row: SuperAdminRow, { t, viewerId }: Context): MenuAction[] {
  const disabledReason = row.userId === viewerId ? t.superAdmins.own : undefined
  return [
    row.disabled
      ? { label: t.actions.enable, onClick: () => askOfSuperAdmin(row, false, t) }
      : { label: t.actions.disable, disabledReason, danger: true, onClick: () => askOfSuperAdmin(row, true, t) },
    factorAction(row, { t, viewerId, role: 'superAdmin' }),
  ]
}

const columns = (context: Context): Column<SuperAdminRow>[] => {
  const { t, common, format, viewerId } = context
  const words = t.superAdmins
  return [
    {
      key: 'username',
      header: t.columns.username,
      sortKey: 'username',
      cardTitle: true,
      cell: ({ userId, username, disabled }) => (
        <>
          <span className={classes.long}>{username}</span>
          {userId === viewerId && <span className={`${classes.mark} ${classes.dim}`}>{words.you}</span>}
          {disabled && (
            <span className={`${classes.mark} ${classes.bad}`}>
              {disabled.by === null
                ? words.disabledByOperator(disabled.reason)
                : words.disabledBy(disabled.by, disabled.reason)}
            </span>
          )}
        </>
      ),
    },
    {
      key: 'name',
      header: t.columns.name,
      sortKey: 'name',
      cell: (row) => <span className={classes.long}>{row.name}</span>,
    },
    { key: 'emailid', header: t.fields.emailid, cell: (row) => <span className={classes.long}>{row.emailid}</span> },
    {
      key: 'sessions',
      header: words.sessions,
      align: 'right',
      cell: (row) => <span data-numeric>{format.count(row.sessions)}</span>,
    },
    {
      key: 'created',
      header: words.created,
      sortKey: 'userId',
      nowrap: true,
      cell: (row) => <NepalTime wire={row.createdAt} />,
    },
    {
      key: 'action',
      header: t.columns.action,
      nowrap: true,
      pinned: true,
      cell: (row) => (
        <RowMenu label={common.table.takeAction} subject={row.username} actions={() => actionsOf(row, context)} />
      ),
    },
  ]
}

/** All super admins; each can be disabled by another one. */
export default function SuperAdminsScreen() {
  const t = useTexts('users')
  const common = useTexts('common')
  const format = useFormat()
  const { userId: viewerId } = useSession()
  const list = useList(route, {})
  const shown = useMemo(() => columns({ t, common, format, viewerId }), [t, common, format, viewerId])
  return (
    <DataTable
      title={t.superAdmins.title}
      subtitle={t.superAdmins.subtitle}
      columns={shown}
      name="super-admins"
      rowId={(row) => row.userId}
      list={list}
      filters={{ state: { label: t.filterLabels.state, values: t.filterLabels.states } }}
      empty="superAdmins"
    />
  )
}
