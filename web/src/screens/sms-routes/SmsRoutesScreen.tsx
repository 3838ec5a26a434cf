import { smsRouteRoutes, type RouteRow } from '@ghanti/contract/sms-routes.ts'
import { everyOperator } from '@ghanti/contract/operators.ts'
import { Button } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { call } from '../../api/client.ts'
import { listQuery } from '../../api/query.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RouteStepList } from '../../components/table/RouteStepList.tsx'
import { RowMenu, type MenuAction } from '../../components/table/RowMenu.tsx'
import { useList } from '../../components/table/use-list.ts'
import { confirm, showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { late } from '../../components/ui/loading/late.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import { refreshRoutes } from './refresh.ts'
import classes from './SmsRoutes.module.css'

const RouteForm = late(() => Promise.all([import('./RouteForm.tsx'), loadTexts('smsApprovals')]).then(([part]) => part))

type Context = {
  t: TextsOf<'smsRoutes'>
  common: TextsOf<'common'>
  format: Format
}
type Operator = (typeof everyOperator)[number]

const named = (of: readonly Operator[], { t }: Context) => of.map((operator) => t.operators[operator]).join(', ')
const nameOf = (row: RouteRow, context: Context) =>
  context.t.nameOf(named(row.operators, context), row.cliName ?? context.t.others)

const columns = (context: Context): Column<RouteRow>[] => [
  {
    key: 'operators',
    header: context.t.columns.operators,
    cardTitle: true,
    controls: true,
    cell: (row) => named(row.operators, context),
  },
  {
    key: 'cliName',
    header: context.t.columns.sender,
    sortKey: 'cliName',
    card: 'line',
    cell: ({ cliName }) =>
      cliName === null ? <span className={classes.dim}>{context.t.others}</span> : <bdi>{cliName}</bdi>,
  },
  {
    key: 'steps',
    header: context.t.columns.steps,
    card: 'prose',
    controls: true,
    cell: ({ steps }) => (
      <RouteStepList
        steps={steps.map((step) => ({
          id: step.gatewayId,
          name: context.t.step(context.format.count(step.priority), step.gatewayName),
          notes: [context.t.weight(context.format.count(step.weight))],
          ...stateOf(step, context),
        }))}
      />
    ),
  },
  {
    key: 'action',
    header: context.t.columns.action,
    pinned: true,
    nowrap: true,
    cell: (row) => (
      <RowMenu
        label={context.common.table.takeAction}
        subject={nameOf(row, context)}
        actions={() => actionsOf(row, context)}
      />
    ),
  },
]

function stateOf({ enabled, works }: RouteRow['steps'][number], { t: { states } }: Context) {
  if (!enabled) return { is: 'held', state: states.disabled } as const
  if (works === null) return { is: 'neutral', state: states.unknown } as const
  return works ? ({ is: 'done', state: states.works } as const) : ({ is: 'problem', state: states.away } as const)
}

function openForm(row: RouteRow | null, t: TextsOf<'smsRoutes'>): void {
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

function actionsOf(row: RouteRow, context: Context): MenuAction[] {
  const { t } = context
  return [
    { label: t.actions.update, icon: IconPencil, onClick: () => openForm(row, t) },
    {
      label: t.actions.delete,
      danger: true,
      onClick: () =>
        confirm({
          title: nameOf(row, context),
          verb: t.actions.delete,
          question: t.deleteQuestion,
          failure: t.deleteFailed,
          labels: t.labels,
          danger: true,
          onYes: () => call(smsRouteRoutes.delete, { routeId: row.routeId }).finally(refreshRoutes),
        }),
    },
  ]
}

/** Operators that a sender ID without a route of its own cannot reach; empty while unknown. */
function useUncovered(): Operator[] {
  const { data } = useQuery(listQuery(smsRouteRoutes.list, {}, { pageSize: 1000, sort: 'cliName', order: 'asc' }))
  if (!data || data.rows.length === 0) return []
  const covered = new Set(data.rows.flatMap(({ cliName, operators }) => (cliName === null ? operators : [])))
  return everyOperator.filter((operator) => !covered.has(operator))
}

export default function SmsRoutesScreen() {
  const t = useTexts('smsRoutes')
  const common = useTexts('common')
  const format = useFormat()
  const list = useList(smsRouteRoutes.list, {})
  const context = useMemo(() => ({ t, common, format }), [t, common, format])
  const shown = useMemo(() => columns(context), [context])
  const uncovered = useUncovered()
  return (
    <DataTable
      title={t.title}
      subtitle={
        <>
          {t.subtitle}
          {uncovered.length > 0 && (
            <span className={classes.uncovered} role="status">
              {t.uncovered(named(uncovered, context))}
            </span>
          )}
        </>
      }
      columns={shown}
      name="sms-routes"
      rowId={(row) => row.routeId}
      list={list}
      empty="smsRoutes"
      onNext={() => openForm(null, t)}
      primary={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => openForm(null, t)}>
          {t.create}
        </Button>
      }
    />
  )
}
