import { auditRoutes, type AuditRow } from '@ghanti/contract/audit.ts'
import { useMemo } from 'react'
import { fileAddress } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { Filters, useFilter } from '../../components/table/Filters.tsx'
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

/** Who did what to whom, from where: own, the subtree's or all, by role. */
export default function AuditLogScreen() {
  const t = useTexts('audit')
  const { role } = useSession()
  const chosen = useFilter()
  const filter = { action: chosen.kind || undefined, ...chosen.sent }
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
      empty={<p>{chosen.isSet ? t.emptyFilter : t.empty}</p>}
      tools={<Filters filter={chosen} kindLabel={t.kind} anyKind={t.anyKind} kinds={t.kinds} />}
    />
  )
}
