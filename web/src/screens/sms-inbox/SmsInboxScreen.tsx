import { smsInboxRoutes, type InboxAction, type InboxRow } from '@ghanti/contract/sms-inbox.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { listQueryAt, useList } from '../../components/table/use-list.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { Status, type StatusKind } from '../../components/ui/Status.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './SmsInbox.module.css'

const { list: route } = smsInboxRoutes

export const loader = screenLoader(({ userId, url, prefetch }) => void prefetch(listQueryAt(url, route, { userId })))

const tones: Record<InboxAction, StatusKind> = {
  waiting: 'neutral',
  kept: 'neutral',
  optOut: 'held',
  alreadyOut: 'neutral',
  optIn: 'done',
  notOut: 'neutral',
  help: 'neutral',
}

const columnsOf = (role: Role, t: TextsOf<'smsInbox'>, format: Format): Column<InboxRow>[] => [
  {
    key: 'msisdn',
    header: t.columns.msisdn,
    nowrap: true,
    cardTitle: true,
    cell: (row) => <bdi>{format.phone(row.msisdn)}</bdi>,
  },
  {
    key: 'smsText',
    header: t.columns.text,
    card: 'line',
    controls: true,
    cell: (row) => <span className={classes.text}>{row.smsText}</span>,
  },
  {
    key: 'action',
    header: t.columns.action,
    card: 'status',
    cell: (row) => <Status is={tones[row.action]}>{t.actions[row.action]}</Status>,
  },
  {
    key: 'campaign',
    header: t.columns.campaign,
    card: 'line',
    cell: (row) =>
      row.campaignId === null ? (
        t.none
      ) : (
        <Link to={`/sms-campaign-report/${row.campaignId}`}>{row.campaignName ?? row.campaignId}</Link>
      ),
  },
  ...(role === 'user'
    ? []
    : [
        {
          key: 'username',
          header: t.columns.customer,
          card: 'line' as const,
          cell: (row: InboxRow) => row.username ?? t.nobody,
        },
      ]),
  { key: 'to', header: t.columns.to, card: 'line', cell: (row) => <bdi>{row.to || t.none}</bdi> },
  {
    key: 'receivedTime',
    header: t.columns.received,
    sortKey: 'inboxId',
    card: 'line',
    nowrap: true,
    cell: (row) => <NepalTime wire={row.receivedTime} />,
  },
]

/** What people wrote back: to the user, to a reseller's customers or, for super admins, to everybody. */
const emptyOf = { user: 'inboxOwn', reseller: 'inboxBelow', superAdmin: 'inboxAll' } as const

export default function SmsInboxScreen() {
  const t = useTexts('smsInbox')
  const format = useFormat()
  const { userId, role } = useSession()
  const list = useList(route, { userId })
  const columns = useMemo(() => columnsOf(role, t, format), [role, t, format])
  return (
    <DataTable
      title={t.title}
      subtitle={`${t.subtitle[role]} ${t.searchHint}`}
      name="sms-inbox"
      columns={columns}
      rowId={(row) => row.inboxId}
      list={list}
      filters={{
        action: { label: t.columns.action, values: t.actions },
        received: { label: t.columns.received },
        campaign: { label: t.filterCampaign },
        ...(role !== 'user' && { customer: { label: t.columns.customer } }),
      }}
      empty={emptyOf[role]}
    />
  )
}
