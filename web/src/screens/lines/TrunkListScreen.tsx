import { messages } from '@ghanti/contract/messages.ts'
import { trunkRoutes, type TrunkRow } from '@ghanti/contract/trunks.ts'
import { Button } from '@mantine/core'
import { IconPencil, IconPhoneOutgoing, IconPlus } from '@tabler/icons-react'
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
import { serverText, useTexts } from '../../i18n/language.ts'
import classes from './Lines.module.css'
import { showTrunkTest } from './show-trunk-test.tsx'
import { LastFailure, State, Used } from './Live.tsx'

const readAgainMs = 2000

type Context = { t: TextsOf<'lines'>; common: TextsOf<'common'>; format: Format; go: (path: string) => void }

const columns = ({ t, common, format, go }: Context): Column<TrunkRow>[] => [
  {
    key: 'trunkName',
    header: t.trunks.columns.name,
    sortKey: 'trunkName',
    cardTitle: true,
    cell: (row) => <ItsName row={row} />,
  },
  {
    key: 'trunkId',
    header: t.trunks.columns.id,
    sortKey: 'trunkId',
    hidden: true,
    cell: (row) => format.digits(String(row.trunkId)),
  },
  {
    key: 'pilotNumber',
    header: t.trunks.columns.pilot,
    sortKey: 'pilotNumber',
    nowrap: true,
    cell: (row) => format.phone(row.pilotNumber),
  },
  {
    key: 'dialerName',
    header: t.trunks.columns.dialer,
    sortKey: 'dialerName',
    cell: (row) => <span className={classes.name}>{row.dialerName}</span>,
  },
  {
    key: 'activeCli',
    header: t.trunks.columns.activeCli,
    align: 'right',
    cell: (row) => <ItsClis row={row} />,
  },
  {
    key: 'channels',
    header: t.trunks.columns.channels,
    sortKey: 'channels',
    align: 'right',
    cell: (row) => <Used used={row.state?.channelsUsed} of={row.channels} />,
  },
  {
    key: 'cps',
    header: t.trunks.columns.cps,
    sortKey: 'cps',
    align: 'right',
    cell: (row) => <Rate row={row} />,
  },
  { key: 'state', header: t.trunks.columns.state, card: 'status', cell: (row) => <TrunkState row={row} /> },
  { key: 'answered', header: t.trunks.columns.answered, align: 'right', cell: (row) => <Answered row={row} /> },
  {
    key: 'lastFailure',
    header: t.trunks.columns.lastFailure,
    cell: (row) => <LastFailure failure={row.state?.lastFailure} />,
  },
  {
    key: 'action',
    header: t.trunks.columns.action,
    nowrap: true,
    pinned: true,
    cell: (row) => (
      <RowMenu label={common.table.takeAction} subject={row.trunkName} actions={() => actionsOf(row, t, go)} />
    ),
  },
]

function ItsName({ row: { trunkId, trunkName, contractName } }: { row: TrunkRow }) {
  const { trunks } = useTexts('lines')
  return (
    <div>
      <Link className={classes.name} to={`/update-trunk/${trunkId}`}>
        {trunkName}
      </Link>
      {contractName !== null && <span className={classes.more}>{trunks.ofContract(contractName)}</span>}
    </div>
  )
}

function ItsClis({ row: { trunkId, activeCli } }: { row: TrunkRow }) {
  const format = useFormat()
  return (
    <Link to={`/cli-list?trunkId=${trunkId}`} data-numeric>
      {format.count(activeCli)}
    </Link>
  )
}

/** The worst known problem wins: unusable settings, an open circuit breaker, a refused registration, an unreachable peer. */
function TrunkState({ row: { state } }: { row: TrunkRow }) {
  const { live } = useTexts('lines')
  const format = useFormat()
  if (!state) return <State light="neutral" text={live.noEngine} />
  if (state.unusable) return <State light="problem" text={live.unusable(serverText(state.unusable))} />
  if (state.held) {
    const probe = state.held.nextProbeAt && live.probeAt(format.timeWithSeconds(state.held.nextProbeAt).slice(11))
    return <State light="problem" text={live.held(serverText(state.held.reason))} more={probe} />
  }
  if (state.registered === 'rejected') return <State light="problem" text={live.rejected} />
  const registered = state.registered && live[state.registered]
  if (state.reachable === null) return <State light="neutral" text={live.unknown} more={registered} />
  if (!state.reachable) return <State light="problem" text={live.unreachable} more={registered} />
  return <State light={state.registered === 'unregistered' ? 'held' : 'done'} text={live.reachable} more={registered} />
}

/** Calls per second, and how many the operator accepts where that is fewer. */
function Rate({ row: { cps, state } }: { row: TrunkRow }) {
  const { live } = useTexts('lines')
  const format = useFormat()
  const takes = state?.takes
  return (
    <div>
      <Used used={state?.callsPerSecond} of={cps} />
      {typeof takes === 'number' && (
        <span className={classes.more}>{live.takes(format.digits(String(cps)), format.digits(String(takes)))}</span>
      )}
    </div>
  )
}

function Answered({ row: { state } }: { row: TrunkRow }) {
  const { live } = useTexts('lines')
  const format = useFormat()
  const recent = state?.recent
  if (!recent || recent.calls === 0) return <span className={classes.dim}>{live.none}</span>
  const percent = format.count(Math.round((100 * recent.answered) / recent.calls))
  return (
    <span className={classes.answered} data-numeric>
      {live.answered(percent, format.count(recent.calls))}
    </span>
  )
}

function actionsOf(row: TrunkRow, t: TextsOf<'lines'>, go: (path: string) => void): MenuAction[] {
  return [
    { label: t.actions.update, icon: IconPencil, onClick: () => go(`/update-trunk/${row.trunkId}`) },
    {
      label: t.actions.test,
      icon: IconPhoneOutgoing,
      disabledReason: row.state ? undefined : t.live.noEngine,
      onClick: () => showTrunkTest(row, t),
    },
    { label: t.actions.quality, onClick: () => go(`/trunk-quality/${row.trunkId}`) },
    { label: t.actions.codes, onClick: () => go(`/trunk-codes/${row.trunkId}`) },
    {
      label: t.actions.delete,
      danger: true,
      onClick: () =>
        confirm({
          title: row.trunkName,
          verb: t.actions.delete,
          question: t.trunks.deleteQuestion,
          failure: messages.trunkDeleteFailed,
          labels: { trunkId: row.trunkName },
          danger: true,
          wayOut: { label: t.trunks.itsClis, go: () => go(`/cli-list?trunkId=${row.trunkId}`) },
          onYes: () => call(trunkRoutes.delete, { trunkId: row.trunkId }).finally(() => refresh(trunkRoutes.list)),
        }),
    },
  ]
}

export default function TrunkListScreen() {
  const t = useTexts('lines')
  const common = useTexts('common')
  const format = useFormat()
  const navigate = useNavigate()
  const list = useList(trunkRoutes.list, {}, { everyMs: readAgainMs })
  const shown = useMemo(
    () => columns({ t, common, format, go: (path) => void navigate(path) }),
    [t, common, format, navigate],
  )
  return (
    <DataTable
      title={t.trunks.title}
      subtitle={t.trunks.subtitle}
      columns={shown}
      name="trunks"
      rowId={(row) => row.trunkId}
      list={list}
      filters={{
        state: { label: t.trunks.columns.state, values: t.states },
        dialerId: { label: t.trunks.columns.dialer },
      }}
      empty="trunks"
      primary={
        <Button component={Link} to="/create-trunk" leftSection={<IconPlus size={16} aria-hidden />}>
          {t.trunks.create}
        </Button>
      }
    />
  )
}
