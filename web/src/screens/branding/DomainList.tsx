import { brandRoutes, type DomainRow } from '@ghanti/contract/brands.ts'
import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { useList } from '../../components/table/use-list.ts'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { Status } from '../../components/ui/Status.tsx'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Branding.module.css'

type Texts = TextsOf<'branding'>
const again = () => refresh(brandRoutes.domains)

function confirmDomain({ domainId, hostname, username, others }: DomainRow, { domains: t }: Texts): void {
  confirm({
    title: hostname,
    verb: t.confirm,
    question: others === 0 ? t.confirmQuestion : t.confirmOneQuestion(username),
    failure: t.confirmFailed,
    onYes: () => call(brandRoutes.confirmDomain, { domainId }).finally(again),
  })
}

function refuseDomain({ domainId, hostname, confirmedAt }: DomainRow, { domains: t }: Texts): void {
  confirm({
    title: hostname,
    verb: confirmedAt === null ? t.refuse : t.takeBack,
    question: confirmedAt === null ? t.refuseQuestion : t.takeBackQuestion,
    failure: t.refuseFailed,
    danger: true,
    reason: { required: true },
    onYes: (reason) => call(brandRoutes.refuseDomain, { domainId, reason }).finally(again),
  })
}

const columns = (t: Texts): Column<DomainRow>[] => [
  {
    key: 'hostname',
    header: t.domains.columns.hostname,
    sortKey: 'hostname',
    cardTitle: true,
    cell: (row) => row.hostname,
  },
  {
    key: 'account',
    header: t.domains.columns.account,
    sortKey: 'username',
    card: 'line',
    cell: (row) => (
      <div>
        {row.username}
        <span className={classes.more}>{row.company}</span>
      </div>
    ),
  },
  {
    key: 'asked',
    header: t.domains.columns.asked,
    sortKey: 'askedAt',
    nowrap: true,
    cell: (row) => <NepalTime wire={row.askedAt} relative />,
  },
  {
    key: 'state',
    header: t.domains.columns.state,
    sortKey: 'waiting',
    card: 'status',
    cell: (row) => (
      <div>
        <Status is={row.confirmedAt === null ? 'held' : 'done'}>
          {row.confirmedAt === null ? t.domains.waiting : t.domains.working}
        </Status>
        {row.others > 0 && <span className={classes.more}>{t.domains.others(row.others === 1)}</span>}
        {row.confirmedBy !== null && <span className={classes.more}>{t.domains.by(row.confirmedBy)}</span>}
      </div>
    ),
  },
  {
    key: 'action',
    header: t.domains.columns.action,
    pinned: true,
    cell: (row) => (
      <div className={classes.actions}>
        {row.confirmedAt === null && (
          <Button size="xs" onClick={() => confirmDomain(row, t)}>
            {t.domains.confirm}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => refuseDomain(row, t)}>
          {row.confirmedAt === null ? t.domains.refuse : t.domains.takeBack}
        </Button>
      </div>
    ),
  },
]

export default function DomainList() {
  const t = useTexts('branding')
  const list = useList(brandRoutes.domains, {})
  const shown = useMemo(() => columns(t), [t])
  return (
    <DataTable
      isScreen={false}
      title={t.domains.title}
      subtitle={t.domains.subtitle}
      columns={shown}
      rowId={(row) => row.domainId}
      list={list}
      empty="domains"
    />
  )
}
