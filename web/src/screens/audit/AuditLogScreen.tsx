import { ownValue } from '@ghanti/contract/own-values.ts'
import { auditRoutes, type AuditRow } from '@ghanti/contract/audit.ts'
import { useMemo } from 'react'
import { fileAddress } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { useList } from '../../components/table/use-list.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './AuditLog.module.css'
import { Details, Named, Target } from './Details.tsx'

type Texts = TextsOf<'audit'>

const columns = (t: Texts, roles: TextsOf<'common'>['roles']): Column<AuditRow>[] => [
  {
    key: 'at',
    header: t.columns.at,
    sortKey: 'at',
    nowrap: true,
    card: 'line',
    cell: (row) => <NepalTime wire={row.at} seconds />,
  },
  {
    key: 'user',
    header: t.columns.user,
    nowrap: true,
    card: 'line',
    cell: (row) => (
      <div>
        {row.username === null ? t.nobody : <span translate="no">{row.username}</span>}
        {row.ip === '' && row.role !== null && <span className={classes.more}>{roles[row.role]}</span>}
      </div>
    ),
  },
  {
    key: 'action',
    header: t.columns.action,
    cardTitle: true,
    cell: (row) => ownValue(t.actions, row.action) ?? row.action,
  },
  {
    key: 'target',
    header: t.columns.target,
    nowrap: true,
    cell: (row) => (
      <div>
        <Target target={row.target} />
        {row.targetName !== null && (
          <span className={classes.more}>
            <Named name={row.targetName} />
          </span>
        )}
      </div>
    ),
  },
  {
    key: 'detail',
    header: t.columns.detail,
    controls: true,
    cell: (row) => <Details details={row.details} targetName={row.targetName} />,
  },
  { key: 'ip', header: t.columns.ip, nowrap: true, cell: (row) => <span translate="no">{row.ip || '–'}</span> },
]

export default function AuditLogScreen() {
  const t = useTexts('audit')
  const { roles } = useTexts('common')
  const { role } = useSession()
  const list = useList(auditRoutes.list, {})
  const shown = useMemo(() => columns(t, roles), [t, roles])
  return (
    <DataTable
      title={t.title}
      subtitle={t.subtitle[role]}
      columns={shown}
      name="audit"
      rowId={(row) => row.auditId}
      list={list}
      csvHref={fileAddress(auditRoutes.csv, { ...list.filters.set, search: list.state.search })}
      searches={t.searches}
      empty="audit"
      filters={{
        action: { label: t.filterLabels.action, values: t.kinds },
        actor: { label: t.filterLabels.actor },
        target: { label: t.filterLabels.target, hint: t.targetHint },
        date: { label: t.columns.at },
        opened: { label: t.filterLabels.opened, values: { others: t.filterLabels.others } },
      }}
    />
  )
}
