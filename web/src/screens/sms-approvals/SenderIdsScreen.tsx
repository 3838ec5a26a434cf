import { smsSenderRoutes, type SenderRow } from '@ghanti/contract/sms-senders.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RowMenu } from '../../components/table/RowMenu.tsx'
import { useList } from '../../components/table/use-list.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Approvals.module.css'
import { Allowed, Decision } from './cells.tsx'
import { askForSender, decideSenders, senderActions } from './sender-actions.tsx'

type Context = {
  viewer: ReturnType<typeof useSession>
  t: TextsOf<'smsApprovals'>
  common: TextsOf<'common'>
  format: Format
}

const columns = ({ viewer, t, common, format }: Context): Column<SenderRow>[] => [
  {
    key: 'cliName',
    header: t.senders.columns.name,
    sortKey: 'cliName',
    cardTitle: true,
    cell: (row) => (
      <>
        <bdi>{row.cliName}</bdi>
        {row.others !== null && row.others > 0 && (
          <span className={classes.reason}>{t.senders.others(format.count(row.others), row.others === 1)}</span>
        )}
      </>
    ),
  },
  {
    key: 'cliStatus',
    header: t.senders.columns.status,
    sortKey: 'cliStatus',
    card: 'status',
    cell: (row) => <Decision code={row.cliStatus} reason={row.reason} />,
  },
  {
    key: 'operators',
    header: t.senders.columns.operators,
    card: 'line',
    cell: (row) => <Allowed row={row} />,
  },
  ...(viewer.role === 'user'
    ? []
    : [
        {
          key: 'username',
          header: t.senders.columns.customer,
          sortKey: 'username',
          card: 'line' as const,
          cell: (row: SenderRow) => (
            <>
              {row.username}
              <span className={classes.reason}>{row.company}</span>
            </>
          ),
        },
      ]),
  {
    key: 'askedAt',
    header: t.senders.columns.asked,
    sortKey: 'cliId',
    card: 'line',
    nowrap: true,
    cell: (row) => <NepalTime wire={row.askedAt} />,
  },
  ...(viewer.role === 'reseller'
    ? []
    : [
        {
          key: 'action',
          header: t.senders.columns.action,
          pinned: true as const,
          nowrap: true,
          cell: (row: SenderRow) => (
            <RowMenu
              label={common.table.takeAction}
              subject={row.cliName}
              actions={() => senderActions(viewer.role, row, t)}
            />
          ),
        },
      ]),
]

/** For users and resellers, what they may read; for super admins everybody's, waiting ones first. */
export default function SenderIdsScreen() {
  const t = useTexts('smsApprovals')
  const common = useTexts('common')
  const format = useFormat()
  const viewer = useSession()
  const { userId, role } = viewer
  const isBoss = role === 'superAdmin'
  const route = isBoss ? smsSenderRoutes.listAll : smsSenderRoutes.list
  const list = useList<typeof smsSenderRoutes.listAll | typeof smsSenderRoutes.list>(route, isBoss ? {} : { userId })
  const shown = useMemo(() => columns({ viewer, t, common, format }), [viewer, t, common, format])
  const statuses = Object.fromEntries(t.status.map((status, code) => [String(code), status]))
  return (
    <DataTable
      title={t.senders.title}
      subtitle={t.senders.subtitle[role]}
      columns={shown}
      name="sender-ids"
      rowId={(row) => row.cliId}
      list={list}
      filters={{
        cliStatus: { label: t.filterLabels.status, values: statuses },
        asked: { label: t.filterLabels.asked },
        ...(role !== 'user' && { customer: { label: t.filterLabels.customer } }),
      }}
      empty={role === 'user' ? 'senders' : 'sendersOfOthers'}
      onNext={() => askForSender(t)}
      primary={
        role === 'user' && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => askForSender(t)}>
            {t.senders.ask}
          </Button>
        )
      }
      bulk={isBoss ? decideSenders(t, { common, format }) : undefined}
    />
  )
}
