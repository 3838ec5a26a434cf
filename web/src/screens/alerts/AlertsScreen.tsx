import { ownValue } from '@ghanti/contract/own-values.ts'
import { alertRoutes, type AlertRow } from '@ghanti/contract/alerts.ts'
import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { askForAll, leftOut, type BulkContext } from '../../components/table/bulk.tsx'
import { DataTable, type Bulk, type Column } from '../../components/table/DataTable.tsx'
import { useList } from '../../components/table/use-list.ts'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import { isKnown, ruleOf, titleOf } from './alert-title.ts'
import classes from './Alerts.module.css'

type Texts = TextsOf<'alerts'>

const readAgainMs = 10_000
const openFirst = { key: 'state', value: 'open', every: 'all' }

function todoOf({ kind }: AlertRow, t: Texts): string {
  if (isKnown(kind, t)) return t.todo[kind]
  return ruleOf(kind) ? t.invariantTodo : ''
}

const placeOf: Readonly<Record<string, string>> = {
  campaign: '/voice-campaign-summary',
  trunk: '/update-trunk',
  gateway: '/update-gateway',
  dialer: '/update-dialer',
  user: '/customers',
}

function Subject({ subject }: { subject: string }) {
  const [, kind = '', id] = /^(\w+) (\d+)$/.exec(subject) ?? []
  const place = ownValue(placeOf, kind)
  return place ? <Link to={`${place}/${id}`}>{serverText(subject)}</Link> : serverText(subject)
}

const othersShown = 5

function Detail({ row: { detail, others }, t, format }: { row: AlertRow; t: Texts; format: Format }) {
  return (
    <div className={classes.detail}>
      {serverText(detail)}
      {others.slice(0, othersShown).map((other) => (
        <div key={other.subject}>
          {serverText(other.subject)}: {serverText(other.detail)}
        </div>
      ))}
      {others.length > othersShown && <div>{t.more(format.count(others.length - othersShown))}</div>}
    </div>
  )
}

function clear(row: AlertRow, t: Texts): void {
  confirm({
    title: `${titleOf(row, t)}: ${serverText(row.subject)}`,
    verb: t.clear,
    question: t.question,
    failure: t.failure,
    onYes: async () => {
      await call(alertRoutes.clear, { alertId: row.alertId })
      await refresh(alertRoutes.list)
    },
  })
}

function clearMany(t: Texts, context: BulkContext): Bulk<AlertRow> {
  const nameOf = (row: AlertRow) => `${titleOf(row, t)}: ${serverText(row.subject)}`
  return {
    nameOf,
    actions(chosen, keep) {
      const rows = chosen.filter((row) => row.clearedAt === null)
      const question = rows.length === 1 ? t.question : t.questionOfMany(context.format.count(rows.length))
      const deed: Parameters<typeof askForAll<AlertRow>>[0] = {
        label: t.clear,
        done: t.filterLabels.states.cleared,
        rows,
        nameOf,
        keep,
        idOf: (row) => row.alertId,
        question,
        failure: t.failure,
        labels: { alertId: t.alertId },
        run: (alertIds) => call(alertRoutes.clearMany, { alertIds }),
        again: () => refresh(alertRoutes.list),
        ...leftOut(chosen, rows, context),
      }
      const disabledReason = rows.length === 0 ? t.allCleared : undefined
      return [{ label: t.clear, icon: IconCheck, disabledReason, onClick: () => askForAll(deed, context) }]
    },
  }
}

const columns = (t: Texts, format: Format): Column<AlertRow>[] => [
  { key: 'kind', header: t.columns.kind, cardTitle: true, cell: (row) => titleOf(row, t) },
  {
    key: 'raised',
    header: t.columns.raised,
    sortKey: 'alertId',
    nowrap: true,
    card: 'line',
    cell: (row) => <NepalTime wire={row.raisedAt} relative />,
  },
  {
    key: 'subject',
    header: t.columns.subject,
    nowrap: true,
    card: 'line',
    cell: (row) => <Subject subject={row.subject} />,
  },
  {
    key: 'detail',
    header: t.columns.detail,
    controls: true,
    card: 'prose',
    cell: (row) => <Detail row={row} t={t} format={format} />,
  },
  {
    key: 'times',
    header: t.columns.times,
    align: 'right',
    cell: (row) => format.count(row.times),
  },
  {
    key: 'todo',
    header: t.columns.todo,
    controls: true,
    card: 'prose',
    cell: (row) => <span className={classes.todo}>{todoOf(row, t)}</span>,
  },
  {
    key: 'action',
    header: t.columns.action,
    pinned: true,
    cell: (row) =>
      row.clearedAt ? (
        t.cleared(format.time(row.clearedAt))
      ) : (
        <Button variant="default" size="xs" onClick={() => clear(row, t)}>
          {t.clear}
        </Button>
      ),
  },
]

export default function AlertsScreen() {
  const t = useTexts('alerts')
  const format = useFormat()
  const list = useList(alertRoutes.list, {}, { everyMs: readAgainMs, usual: openFirst })
  const common = useTexts('common')
  const shown = useMemo(() => columns(t, format), [t, format])
  return (
    <DataTable
      title={t.title}
      subtitle={t.subtitle}
      columns={shown}
      name="alerts"
      rowId={(row) => row.alertId}
      list={list}
      bulk={clearMany(t, { common, format })}
      empty="alerts"
      filters={{
        state: { label: t.filterLabels.state, values: t.filterLabels.states },
        kind: { label: t.columns.kind, values: { ...t.kinds, judge: t.filterLabels.judge } },
        raised: { label: t.columns.raised },
      }}
    />
  )
}
