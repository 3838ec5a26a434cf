import { smsGatewayRoutes, type GatewayRow } from '@ghanti/contract/sms-gateways.ts'
import { Button } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { Suspense, useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RowMenu, type MenuAction } from '../../components/table/RowMenu.tsx'
import { useList } from '../../components/table/use-list.ts'
import { confirm, showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { late } from '../../components/ui/loading/late.tsx'
import { Status } from '../../components/ui/Status.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import lines from '../lines/Lines.module.css'

const NepalTime = late(async () => ({ default: (await import('../../components/ui/NepalTime.tsx')).NepalTime }))
const GatewayTest = late(() => import('./GatewayTest.tsx'))

const readAgainMs = 2000
type Texts = TextsOf<'gateways'>
type Context = { t: Texts; common: TextsOf<'common'>; format: Format; go: (path: string) => void }

const columns = ({ t, common, format, go }: Context): Column<GatewayRow>[] => [
  {
    key: 'gatewayName',
    header: t.columns.name,
    sortKey: 'gatewayName',
    cardTitle: true,
    cell: (row) => (
      <Link className={lines.name} to={`/update-gateway/${row.gatewayId}`}>
        {row.gatewayName}
      </Link>
    ),
  },
  { key: 'driver', header: t.columns.driver, sortKey: 'driver', cell: (row) => t.drivers[row.driver] },
  { key: 'place', header: t.columns.place, hidden: true, cell: (row) => row.place ?? t.here },
  { key: 'state', header: t.columns.state, card: 'status', cell: (row) => <State row={row} /> },
  {
    key: 'window',
    header: t.columns.window,
    align: 'right',
    cell: (row) => used(row.state?.windowUsed, row.window, t, format),
  },
  {
    key: 'rate',
    header: t.columns.rate,
    align: 'right',
    cell: (row) => used(row.state?.perSecond, row.tps, t, format),
  },
  {
    key: 'waiting',
    header: t.columns.waiting,
    align: 'right',
    cell: (row) => <span data-numeric>{row.state ? format.count(row.state.waiting) : t.none}</span>,
  },
  {
    key: 'routes',
    header: t.columns.routes,
    align: 'right',
    cell: (row) => <span data-numeric>{format.count(row.routes)}</span>,
  },
  { key: 'lastError', header: t.columns.lastError, card: 'line', cell: (row) => <LastError row={row} /> },
  {
    key: 'action',
    header: t.columns.action,
    nowrap: true,
    pinned: true,
    cell: (row) => (
      <RowMenu label={common.table.takeAction} subject={row.gatewayName} actions={() => actionsOf(row, t, go)} />
    ),
  },
]

function used(now: number | undefined, of: number, t: Texts, format: Format) {
  return <span data-numeric>{now === undefined ? format.count(of) : t.used(format.count(now), format.count(of))}</span>
}

function State({ row: { enabled, state } }: { row: GatewayRow }) {
  const t = useTexts('gateways')
  if (!enabled) return <Status is="held">{t.states.disabled}</Status>
  if (!state) return <Status is="neutral">{t.noEngine}</Status>
  if (state.held !== null) return <Status is="problem">{t.held(serverText(state.held))}</Status>
  return <Status is={state.bound ? 'done' : 'problem'}>{state.bound ? t.states.bound : t.states.unbound}</Status>
}

function LastError({ row: { state } }: { row: GatewayRow }) {
  const t = useTexts('gateways')
  if (!state?.lastError) return <span className={lines.dim}>{t.none}</span>
  return (
    <div>
      {serverText(state.lastError)}
      {state.lastErrorTime !== null && (
        <span className={lines.more}>
          <Suspense>
            <NepalTime wire={state.lastErrorTime} relative />
          </Suspense>
        </span>
      )}
    </div>
  )
}

const again = () => refresh(smsGatewayRoutes.list)

function actionsOf(row: GatewayRow, t: Texts, go: (path: string) => void): MenuAction[] {
  const { gatewayId, gatewayName: title, enabled } = row
  return [
    { label: t.actions.update, icon: IconPencil, onClick: () => go(`/update-gateway/${gatewayId}`) },
    {
      label: t.actions.test,
      disabledReason: enabled ? (row.state ? undefined : t.noEngine) : t.disabledNow,
      onClick: () =>
        showDialog({
          title: t.test.title(title),
          render: () => (
            <Suspense fallback={<div className={lines.loading} aria-busy />}>
              <GatewayTest gatewayId={gatewayId} />
            </Suspense>
          ),
        }),
    },
    {
      label: enabled ? t.actions.disable : t.actions.enable,
      danger: enabled,
      onClick: () =>
        confirm({
          title,
          verb: enabled ? t.actions.disable : t.actions.enable,
          question: enabled ? t.disableQuestion : t.enableQuestion,
          failure: t.disableFailed,
          labels: t.labels,
          danger: enabled,
          onYes: () => call(smsGatewayRoutes.enable, { gatewayId, enabled: !enabled }).finally(again),
        }),
    },
    {
      label: t.actions.delete,
      danger: true,
      onClick: () =>
        confirm({
          title,
          verb: t.actions.delete,
          question: t.deleteQuestion,
          failure: t.deleteFailed,
          labels: t.labels,
          danger: true,
          onYes: () => call(smsGatewayRoutes.delete, { gatewayId }).finally(again),
        }),
    },
  ]
}

export default function GatewayListScreen() {
  const t = useTexts('gateways')
  const common = useTexts('common')
  const format = useFormat()
  const navigate = useNavigate()
  const list = useList(smsGatewayRoutes.list, {}, { everyMs: readAgainMs })
  const shown = useMemo(
    () => columns({ t, common, format, go: (path) => void navigate(path) }),
    [t, common, format, navigate],
  )
  return (
    <DataTable
      title={t.title}
      subtitle={t.subtitle}
      columns={shown}
      name="gateways"
      rowId={(row) => row.gatewayId}
      list={list}
      filters={{
        driver: { label: t.columns.driver, values: t.drivers },
        state: { label: t.columns.state, values: t.states },
      }}
      empty="gateways"
      primary={
        <Button component={Link} to="/create-gateway" leftSection={<IconPlus size={16} aria-hidden />}>
          {t.create}
        </Button>
      }
    />
  )
}
