import { auditRoutes, type AuditRow } from '@ghanti/contract/audit.ts'
import { useMemo } from 'react'
import { fileAddress } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { useList } from '../../components/table/use-list.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './AuditLog.module.css'

type Texts = TextsOf<'audit'>

/** 'prompt 10' becomes 'Voice file 10'; a blacklisted number stays as it is. */
function targetOf({ target }: AuditRow, t: Texts, format: Format): string {
  const [, kind = '', id = ''] = /^([a-z ]*[a-z]) ?(\d*|[\da-f-]{36})$/.exec(target ?? '') ?? []
  const name = t.targets[kind]
  return name === undefined ? (target ?? '–') : `${name} ${format.digits(id.slice(0, 10))}`.trim()
}

function detailOf({ details, targetName }: AuditRow, t: Texts, format: Format): string {
  return details
    .filter(({ name, value }) => !(['name', 'username', 'campaignName'].includes(name) && value === targetName))
    .map(({ name, value }) => {
      const label = name.split('.').map((part) => t.labels[part] ?? part)
      return `${label.join(' ')}: ${t.values[value] ?? measured(value, t, format)}`
    })
    .join('; ')
}

function measured(value: string, t: Texts, format: Format): string {
  const seconds = /^([\d.]+) s$/.exec(value)?.[1]
  if (seconds !== undefined) return t.seconds(format.digits(seconds))
  return /^Rs [\d.]+$|^\d+$/.test(value) ? format.digits(value).replace('Rs', t.rupees) : value
}

const columns = (t: Texts, roles: TextsOf<'common'>['roles'], format: Format): Column<AuditRow>[] => [
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
        {row.username ?? t.nobody}
        {row.ip === '' && row.role !== null && <span className={classes.more}>{roles[row.role]}</span>}
      </div>
    ),
  },
  { key: 'action', header: t.columns.action, cardTitle: true, cell: (row) => t.actions[row.action] ?? row.action },
  {
    key: 'target',
    header: t.columns.target,
    nowrap: true,
    cell: (row) => (
      <div>
        {targetOf(row, t, format)}
        {row.targetName !== null && <span className={classes.more}>{row.targetName}</span>}
      </div>
    ),
  },
  {
    key: 'detail',
    header: t.columns.detail,
    controls: true,
    cell: (row) => <span className={classes.detail}>{detailOf(row, t, format) || '–'}</span>,
  },
  { key: 'ip', header: t.columns.ip, nowrap: true, cell: (row) => <span translate="no">{row.ip || '–'}</span> },
]

export default function AuditLogScreen() {
  const t = useTexts('audit')
  const { roles } = useTexts('common')
  const format = useFormat()
  const { role } = useSession()
  const list = useList(auditRoutes.list, {})
  const shown = useMemo(() => columns(t, roles, format), [t, roles, format])
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
