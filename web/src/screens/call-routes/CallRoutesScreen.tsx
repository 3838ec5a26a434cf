import { callRouteRoutes, type CallRouteRow } from '@ghanti/contract/call-routes.ts'
import { Button } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { Suspense, useMemo } from 'react'
import { call } from '../../api/client.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RouteStepList } from '../../components/table/RouteStepList.tsx'
import { RowMenu, type MenuAction } from '../../components/table/RowMenu.tsx'
import { useList } from '../../components/table/use-list.ts'
import { confirm, showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { late } from '../../components/ui/loading/late.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from '../sms-routes/SmsRoutes.module.css'
import { refreshRoutes } from './refresh.ts'

const RouteForm = late(() => import('./RouteForm.tsx'))

type Context = { t: TextsOf<'callRoutes'>; common: TextsOf<'common'>; format: Format }

const columns = (context: Context): Column<CallRouteRow>[] => [
  {
    key: 'routeName',
    header: context.t.columns.routeName,
    sortKey: 'routeName',
    cardTitle: true,
    cell: ({ routeName }) => <bdi>{routeName}</bdi>,
  },
  {
    key: 'dialerName',
    header: context.t.columns.dialer,
    card: 'line',
    cell: ({ dialerName }) => <bdi>{dialerName}</bdi>,
  },
  {
    key: 'steps',
    header: context.t.columns.steps,
    card: 'prose',
    controls: true,
    cell: ({ steps, dialerName }) => (
      <RouteStepList
        steps={steps.map((step) => ({
          id: step.trunkId,
          name: context.t.step(
            context.format.count(step.priority),
            step.dialerName === dialerName ? step.trunkName : context.t.trunkOf(step.trunkName, step.dialerName),
          ),
          notes: [
            ...(step.operators.length > 0
              ? [step.operators.map((operator) => context.t.operators[operator]).join(', ')]
              : []),
            context.t.weight(context.format.count(step.weight)),
            ...(step.costPaisa > 0 ? [context.t.cost(context.format.count(step.costPaisa))] : []),
          ],
          ...stateOf(step, context),
        }))}
      />
    ),
  },
  {
    key: 'cliCount',
    header: context.t.columns.cliCount,
    align: 'right',
    cell: ({ cliCount }) => <span data-numeric>{context.format.count(cliCount)}</span>,
  },
  {
    key: 'action',
    header: context.t.columns.action,
    pinned: true,
    nowrap: true,
    cell: (row) => (
      <RowMenu
        label={context.common.table.takeAction}
        subject={row.routeName}
        actions={() => actionsOf(row, context)}
      />
    ),
  },
]

function stateOf({ works }: CallRouteRow['steps'][number], { t: { states } }: Context) {
  if (works === null) return { is: 'neutral', state: states.unknown } as const
  return works ? ({ is: 'done', state: states.works } as const) : ({ is: 'problem', state: states.fails } as const)
}

function openForm(row: CallRouteRow | null, t: TextsOf<'callRoutes'>): void {
  showDialog({
    title: row ? t.update : t.create,
    size: 'lg',
    render: (close) => (
      <Suspense fallback={<div className={classes.loading} aria-busy />}>
        <RouteForm row={row} close={close} />
      </Suspense>
    ),
  })
}

function actionsOf(row: CallRouteRow, { t, format }: Context): MenuAction[] {
  return [
    { label: t.actions.update, icon: IconPencil, onClick: () => openForm(row, t) },
    {
      label: t.actions.delete,
      danger: true,
      disabledReason: row.cliCount > 0 ? t.inUse(format.count(row.cliCount)) : undefined,
      onClick: () =>
        confirm({
          title: row.routeName,
          verb: t.actions.delete,
          question: t.deleteQuestion,
          failure: t.deleteFailed,
          labels: t.labels,
          danger: true,
          onYes: () => call(callRouteRoutes.delete, { routeId: row.routeId }).finally(refreshRoutes),
        }),
    },
  ]
}

export default function CallRoutesScreen() {
  const t = useTexts('callRoutes')
  const common = useTexts('common')
  const format = useFormat()
  const list = useList(callRouteRoutes.list, {})
  const context = useMemo(() => ({ t, common, format }), [t, common, format])
  const shown = useMemo(() => columns(context), [context])
  return (
    <DataTable
      title={t.title}
      subtitle={t.subtitle}
      columns={shown}
      name="call-routes"
      rowId={(row) => row.routeId}
      list={list}
      empty="callRoutes"
      onNext={() => openForm(null, t)}
      primary={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => openForm(null, t)}>
          {t.create}
        </Button>
      }
    />
  )
}
