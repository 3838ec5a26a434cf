import { smsTextRoutes, type TextRow } from '@ghanti/contract/sms-texts.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RowMenu } from '../../components/table/RowMenu.tsx'
import { useList } from '../../components/table/use-list.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Approvals.module.css'
import { Decision } from './cells.tsx'
import { decideTexts, openText, textActions } from './text-actions.tsx'

type Context = {
  viewer: ReturnType<typeof useSession>
  t: TextsOf<'smsApprovals'>
  common: TextsOf<'common'>
}

const columns = ({ viewer, t, common }: Context): Column<TextRow>[] => [
  {
    key: 'textName',
    header: t.saved.columns.name,
    sortKey: 'textName',
    cardTitle: true,
    cell: (row) => <bdi>{row.textName}</bdi>,
  },
  {
    key: 'smsText',
    header: t.saved.columns.text,
    controls: true,
    card: 'line',
    cell: (row) => <span className={classes.text}>{row.smsText}</span>,
  },
  {
    key: 'textStatus',
    header: t.saved.columns.status,
    sortKey: 'textStatus',
    card: 'status',
    cell: (row) => (
      <>
        <Decision code={row.textStatus} reason={row.reason} />
        {row.urgent && <span className={classes.reason}>{t.saved.urgent}</span>}
      </>
    ),
  },
  ...(viewer.role === 'user'
    ? []
    : [
        {
          key: 'username',
          header: t.saved.columns.customer,
          sortKey: 'username',
          card: 'line' as const,
          cell: (row: TextRow) => (
            <>
              {row.username}
              <span className={classes.reason}>{common.accountTypes[row.accountType]}</span>
            </>
          ),
        },
      ]),
  {
    key: 'changedAt',
    header: t.saved.columns.changed,
    card: 'line',
    nowrap: true,
    cell: (row) => <NepalTime wire={row.changedAt} />,
  },
  ...(viewer.role === 'reseller'
    ? []
    : [
        {
          key: 'action',
          header: t.saved.columns.action,
          pinned: true as const,
          nowrap: true,
          cell: (row: TextRow) => (
            <RowMenu
              label={common.table.takeAction}
              subject={row.textName}
              actions={() => textActions(viewer.role, row, t)}
            />
          ),
        },
      ]),
]

/** For users and resellers, what they may read; for super admins everybody's, waiting ones first. */
export default function SavedTextsScreen() {
  const t = useTexts('smsApprovals')
  const common = useTexts('common')
  const format = useFormat()
  const viewer = useSession()
  const { userId, role } = viewer
  const isBoss = role === 'superAdmin'
  const route = isBoss ? smsTextRoutes.listAll : smsTextRoutes.list
  const list = useList<typeof smsTextRoutes.listAll | typeof smsTextRoutes.list>(route, isBoss ? {} : { userId })
  const shown = useMemo(() => columns({ viewer, t, common }), [viewer, t, common])
  const statuses = Object.fromEntries(t.status.map((status, code) => [String(code), status]))
  return (
    <DataTable
      title={t.saved.title}
      subtitle={t.saved.subtitle[role]}
      columns={shown}
      name="sms-texts"
      rowId={(row) => row.textId}
      list={list}
      filters={{
        textStatus: { label: t.filterLabels.status, values: statuses },
        changed: { label: t.filterLabels.changed },
        ...(role !== 'user' && { customer: { label: t.filterLabels.customer } }),
      }}
      searches={t.saved.searches}
      empty={role === 'user' ? 'savedTexts' : 'savedTextsOfOthers'}
      onNext={() => openText(null, t)}
      primary={
        role === 'user' && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => openText(null, t)}>
            {t.saved.add}
          </Button>
        )
      }
      bulk={isBoss ? decideTexts(t, { common, format }) : undefined}
    />
  )
}
