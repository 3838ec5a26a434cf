import { dialerRoutes, type DialerRow } from '@ghanti/contract/dialers.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { Button } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RowMenu, type MenuAction } from '../../components/table/RowMenu.tsx'
import { useList } from '../../components/table/use-list.ts'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { giveUp, whyKept } from './give-up.ts'
import classes from './Lines.module.css'
import { LastFailure, State, Used } from './Live.tsx'

const readAgainMs = 2000

type Context = { t: TextsOf<'lines'>; common: TextsOf<'common'>; format: Format; go: (path: string) => void }

const columns = ({ t, common, format, go }: Context): Column<DialerRow>[] => [
  {
    key: 'dialerName',
    header: t.dialers.columns.name,
    sortKey: 'dialerName',
    cardTitle: true,
    cell: (row) => (
      <Link className={classes.name} to={`/update-dialer/${row.dialerId}`}>
        {row.dialerName}
      </Link>
    ),
  },
  {
    key: 'dialerId',
    header: t.dialers.columns.id,
    sortKey: 'dialerId',
    hidden: true,
    cell: (row) => format.digits(String(row.dialerId)),
  },
  { key: 'dialerIP', header: t.dialers.columns.ip, sortKey: 'dialerIP', nowrap: true, cell: (row) => row.dialerIP },
  {
    key: 'dialerPort',
    header: t.dialers.columns.port,
    sortKey: 'dialerPort',
    nowrap: true,
    cell: (row) => <span translate="no">{row.dialerPort}</span>,
  },
  {
    key: 'activeCli',
    header: t.dialers.columns.activeCli,
    align: 'right',
    cell: (row) => <span data-numeric>{format.count(row.activeCli)}</span>,
  },
  {
    key: 'dialerCalls',
    header: t.dialers.columns.calls,
    align: 'right',
    cell: (row) => <span data-numeric>{format.count(row.dialerCalls)}</span>,
  },
  {
    key: 'totalChannels',
    header: t.dialers.columns.channels,
    sortKey: 'totalChannels',
    align: 'right',
    cell: (row) => (
      <Used used={row.state?.channelsUsed} of={row.channelReduction ?? row.totalChannels} total={row.totalChannels} />
    ),
  },
  {
    key: 'cps',
    header: t.dialers.columns.cps,
    sortKey: 'cps',
    align: 'right',
    cell: (row) => <Used used={row.state?.callsPerSecond} of={row.cpsReduction ?? row.cps} total={row.cps} />,
  },
  { key: 'state', header: t.dialers.columns.state, card: 'status', cell: (row) => <DialerState row={row} /> },
  {
    key: 'engine',
    header: t.dialers.columns.engine,
    cell: (row) => <EngineName name={row.state?.engineName} />,
  },
  {
    key: 'lastFailure',
    header: t.dialers.columns.lastFailure,
    cell: (row) => <LastFailure failure={row.state?.lastFailure} />,
  },
  actionColumn({ t, common, format, go }),
]

const actionColumn = ({ t, common, format, go }: Context): Column<DialerRow> => ({
  key: 'action',
  header: t.dialers.columns.action,
  nowrap: true,
  pinned: true,
  cell: (row) => (
    <RowMenu
      label={common.table.takeAction}
      subject={row.dialerName}
      actions={() => actionsOf(row, { t, format, go })}
    />
  ),
})

function EngineName({ name }: { name: string | null | undefined }) {
  const { live } = useTexts('lines')
  return name ? <span translate="no">{name}</span> : <span className={classes.dim}>{live.none}</span>
}

function DialerState({ row: { state, givenUp } }: { row: DialerRow }) {
  const { live } = useTexts('lines')
  const format = useFormat()
  if (givenUp) return <State light="problem" text={live.givenUp} more={givenUp.reason} />
  if (!state) return <State light="neutral" text={live.noEngine} />
  if (state.reachable) {
    const answers = state.roundTripMs === null ? null : live.answersIn(format.count(state.roundTripMs))
    return <State light="done" text={live.reachable} more={answers} />
  }
  return <State light="problem" text={live.unreachable} more={state.reason} />
}

function actionsOf(row: DialerRow, { t, format, go }: Omit<Context, 'common'>): MenuAction[] {
  return [
    { label: t.actions.update, icon: IconPencil, onClick: () => go(`/update-dialer/${row.dialerId}`) },
    {
      label: t.dialers.giveUp,
      danger: true,
      disabledReason: whyKept(row, t.dialers),
      onClick: () => giveUp(row, t.dialers, format),
    },
    {
      label: t.actions.delete,
      danger: true,
      onClick: () =>
        confirm({
          title: row.dialerName,
          verb: t.actions.delete,
          question: t.dialers.deleteQuestion,
          failure: messages.dialerDeleteFailed,
          labels: { dialerId: row.dialerName },
          danger: true,
          onYes: () =>
            call(dialerRoutes.delete, { dialerId: row.dialerId }).finally(() =>
              refresh(dialerRoutes.list, dialerRoutes.choices),
            ),
        }),
    },
  ]
}

export default function DialerListScreen() {
  const t = useTexts('lines')
  const common = useTexts('common')
  const format = useFormat()
  const navigate = useNavigate()
  const list = useList(dialerRoutes.list, {}, { everyMs: readAgainMs })
  const shown = useMemo(
    () => columns({ t, common, format, go: (path) => void navigate(path) }),
    [t, common, format, navigate],
  )
  return (
    <DataTable
      title={t.dialers.title}
      subtitle={t.dialers.subtitle}
      columns={shown}
      name="dialers"
      rowId={(row) => row.dialerId}
      list={list}
      filters={{ state: { label: t.dialers.columns.state, values: t.states } }}
      empty="dialers"
      primary={
        <Button component={Link} to="/create-dialer" leftSection={<IconPlus size={16} aria-hidden />}>
          {t.dialers.create}
        </Button>
      }
    />
  )
}
