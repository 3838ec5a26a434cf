import { callingHoursRoutes, type CallingHours, type ExceptionRow } from '@ghanti/contract/calling-hours.ts'
import { Button } from '@mantine/core'
import { Suspense, useMemo } from 'react'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { useList } from '../../components/table/use-list.ts'
import { confirm, showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './CallingHours.module.css'
import { late } from '../../components/ui/loading/late.tsx'

const ExceptionForm = late(() => import('./ExceptionForm.tsx'))

type Context = { t: TextsOf<'callingHours'>; format: Format; platform: CallingHours }

function edit(row: ExceptionRow | null, { t, platform }: Context): void {
  showDialog({
    title: row?.username ?? t.exceptions.add,
    size: 'lg',
    render: (close) => (
      <Suspense fallback={<div className={classes.loading} aria-busy />}>
        <ExceptionForm platform={platform} row={row} onDone={close} />
      </Suspense>
    ),
  })
}

function remove({ userId, username }: ExceptionRow, { t }: Context): void {
  confirm({
    title: username,
    verb: t.exceptions.remove,
    question: t.exceptions.removeQuestion,
    failure: t.exceptions.removeFailed,
    danger: true,
    onYes: () =>
      call(callingHoursRoutes.removeException, { userId }).finally(() => refresh(callingHoursRoutes.exceptions)),
  })
}

function wordsOf({ enabled, from, to, weekdays, ownHours }: CallingHours, { t, format }: Context): string {
  if (!enabled) return t.always
  const own = ownHours.filter(({ weekday }) => weekdays.includes(weekday))
  const others = weekdays.filter((day) => !own.some(({ weekday }) => weekday === day))
  const days = others.length === 7 ? t.everyDay : others.map((day) => t.weekdays[day]).join(', ')
  const time = (hours: { from: string; to: string }) => format.digits(`${hours.from}–${hours.to}`)
  return [
    ...(others.length > 0 ? [`${time({ from, to })}, ${days}`] : []),
    ...own.map((one) => `${t.weekdays[one.weekday]} ${time(one)}`),
  ].join('; ')
}

const columns = (context: Context): Column<ExceptionRow>[] => [
  {
    key: 'account',
    header: context.t.exceptions.columns.account,
    sortKey: 'username',
    cardTitle: true,
    cell: (row) => (
      <div>
        {row.username}
        <span className={classes.more}>{row.company}</span>
      </div>
    ),
  },
  { key: 'hours', header: context.t.exceptions.columns.hours, cell: (row) => wordsOf(row.hours, context) },
  {
    key: 'holidays',
    header: context.t.exceptions.columns.holidays,
    align: 'right',
    cell: (row) => context.format.count(row.hours.holidays.length),
  },
  { key: 'reason', header: context.t.exceptions.columns.reason, cell: (row) => row.reason },
  {
    key: 'by',
    header: context.t.exceptions.columns.by,
    sortKey: 'changedAt',
    cell: (row) => (
      <div>
        {row.changedBy}
        <span className={classes.more}>
          <NepalTime wire={row.changedAt} />
        </span>
      </div>
    ),
  },
  {
    key: 'action',
    header: context.t.exceptions.columns.action,
    pinned: true,
    cell: (row) => (
      <div className={classes.actions}>
        <Button variant="default" size="xs" onClick={() => edit(row, context)}>
          {context.t.exceptions.change}
        </Button>
        <Button variant="default" size="xs" onClick={() => remove(row, context)}>
          {context.t.exceptions.remove}
        </Button>
      </div>
    ),
  },
]

export function Exceptions({ platform }: { platform: CallingHours }) {
  const t = useTexts('callingHours')
  const format = useFormat()
  const list = useList(callingHoursRoutes.exceptions, {})
  const context = useMemo(() => ({ t, format, platform }), [t, format, platform])
  const shown = useMemo(() => columns(context), [context])
  return (
    <DataTable
      isScreen={false}
      title={t.exceptions.title}
      subtitle={t.exceptions.subtitle}
      columns={shown}
      rowId={(row) => row.userId}
      list={list}
      empty="hourExceptions"
      onNext={() => edit(null, context)}
      primary={<Button onClick={() => edit(null, context)}>{t.exceptions.add}</Button>}
    />
  )
}
