import { auditRoutes, type AuditRow } from '@ghanti/contract/audit.ts'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { fileAddress } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { useList } from '../../components/table/use-list.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './AuditLog.module.css'

type Texts = TextsOf<'audit'>

const columns = (t: Texts): Column<AuditRow>[] => [
  {
    key: 'at',
    header: t.columns.at,
    sortKey: 'at',
    nowrap: true,
    cell: (row) => <NepalTime wire={row.at} seconds />,
  },
  { key: 'user', header: t.columns.user, nowrap: true, cell: (row) => row.username ?? t.nobody },
  { key: 'action', header: t.columns.action, cardTitle: true, cell: (row) => t.actions[row.action] ?? row.action },
  {
    key: 'target',
    header: t.columns.target,
    nowrap: true,
    cell: (row) => (
      <div>
        {row.target ?? '–'}
        {row.targetName !== null && <span className={classes.more}>{row.targetName}</span>}
      </div>
    ),
  },
  {
    key: 'detail',
    header: t.columns.detail,
    cell: (row) => <span className={classes.detail}>{row.detail || '–'}</span>,
  },
  { key: 'ip', header: t.columns.ip, nowrap: true, cell: (row) => row.ip },
]

/** What the reader narrows the log down to; it lives in the address beside the list's own state. */
function useFilter() {
  const [params, setParams] = useSearchParams()
  const [action, from, to] = ['kind', 'from', 'to'].map((name) => params.get(name) ?? '')
  const change = (name: string, value: string) =>
    setParams((before) => {
      const after = new URLSearchParams(before)
      after.delete('page')
      if (value) after.set(name, value)
      else after.delete(name)
      return after
    })
  return { action, from, to, change }
}

const isDay = (text: string | undefined): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '')

/** The day after, for a range that holds its last day. */
function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

/** Who did what to whom, from where: own, the subtree's or all, by role. */
export default function AuditLogScreen() {
  const t = useTexts('audit')
  const { role } = useSession()
  const { action, from, to, change } = useFilter()
  const filter = {
    action: action || undefined,
    from: isDay(from) ? `${from} 00:00:00` : undefined,
    to: isDay(to) ? `${dayAfter(to)} 00:00:00` : undefined,
  }
  const list = useList(auditRoutes.list, filter)
  const shown = useMemo(() => columns(t), [t])
  return (
    <DataTable
      title={t.title}
      subtitle={t.subtitle[role]}
      columns={shown}
      rowId={(row) => row.auditId}
      list={list}
      csvHref={fileAddress(auditRoutes.csv, { ...filter, search: list.state.search })}
      empty={<p>{action || from || to ? t.emptyFilter : t.empty}</p>}
      tools={
        <>
          <label className={classes.filter}>
            {t.kind}
            <select value={action} onChange={(event) => change('kind', event.currentTarget.value)}>
              <option value="">{t.anyKind}</option>
              {Object.entries(t.kinds).map(([kind, label]) => (
                <option key={kind} value={kind}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          {(['from', 'to'] as const).map((name) => (
            <label key={name} className={classes.filter}>
              {t[name]}
              <input
                type="date"
                value={(name === 'from' ? from : to) ?? ''}
                onChange={(event) => change(name, event.currentTarget.value)}
              />
            </label>
          ))}
        </>
      }
    />
  )
}
