import { blacklistRoutes, type BlacklistRow } from '@ghanti/contract/blacklist.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconTrash, IconUpload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { askForAll, type BulkContext } from '../../components/table/bulk.tsx'
import { DataTable, type Bulk, type Column } from '../../components/table/DataTable.tsx'
import { RowMenu } from '../../components/table/RowMenu.tsx'
import { useList } from '../../components/table/use-list.ts'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Blacklist.module.css'
import { CheckNumber } from './CheckNumber.tsx'

type Context = { t: TextsOf<'blacklist'>; common: TextsOf<'common'>; format: Format }

const columns = ({ t, common, format }: Context): Column<BlacklistRow>[] => [
  {
    key: 'mobile',
    header: t.columns.mobile,
    nowrap: true,
    cardTitle: true,
    cell: (row) => format.phone(row.mobile),
  },
  {
    key: 'reqDate',
    header: t.columns.date,
    sortKey: 'blacklistId',
    nowrap: true,
    cell: (row) => <NepalTime wire={row.reqDate} />,
  },
  {
    key: 'action',
    header: t.columns.action,
    pinned: true,
    nowrap: true,
    cell: (row) => (
      <RowMenu
        label={common.table.takeAction}
        subject={row.mobile}
        actions={() => [
          {
            label: t.delete,
            icon: IconTrash,
            danger: true,
            onClick: () => remove(row, t, format),
          },
        ]}
      />
    ),
  },
]

function remove(row: BlacklistRow, t: TextsOf<'blacklist'>, format: Format): void {
  confirm({
    title: format.phone(row.mobile),
    verb: t.delete,
    question: t.deleteQuestion,
    failure: messages.blacklistDeleteFailed,
    labels: t.labels,
    danger: true,
    onYes: () =>
      call(blacklistRoutes.delete, { blacklistId: row.blacklistId }).finally(() => refresh(blacklistRoutes.list)),
  })
}

function removeMany(t: TextsOf<'blacklist'>, context: BulkContext): Bulk<BlacklistRow> {
  const nameOf = (row: BlacklistRow) => context.format.phone(row.mobile)
  return {
    nameOf,
    actions: (rows, keep) => [
      {
        label: t.delete,
        icon: IconTrash,
        danger: true,
        onClick: () =>
          askForAll(
            {
              label: t.delete,
              done: t.deleted,
              rows,
              nameOf,
              keep,
              idOf: (row) => row.blacklistId,
              question: rows.length === 1 ? t.deleteQuestion : t.deleteManyQuestion(context.format.count(rows.length)),
              failure: messages.blacklistDeleteFailed,
              labels: t.labels,
              danger: true,
              run: (blacklistIds) => call(blacklistRoutes.deleteMany, { blacklistIds }),
              again: () => refresh(blacklistRoutes.list),
            },
            context,
          ),
      },
    ],
  }
}

export default function VoiceBlacklistScreen() {
  const t = useTexts('blacklist')
  const common = useTexts('common')
  const format = useFormat()
  const { userId, role } = useSession()
  const list = useList(blacklistRoutes.list, { userId })
  const shown = useMemo(() => columns({ t, common, format }), [t, common, format])
  const subtitle = { user: t.subtitle, reseller: t.subtitleReseller, superAdmin: t.subtitlePlatform }[role]
  return (
    <div className={classes.screen}>
      <DataTable
        title={t.title}
        subtitle={`${subtitle} ${t.searchHint}`}
        columns={shown}
        name="voice-blacklist"
        rowId={(row) => row.blacklistId}
        list={list}
        filters={{ added: { label: t.filterLabels.added } }}
        empty="blacklist"
        bulk={removeMany(t, { common, format })}
        primary={
          <Button component={Link} to="/add-voice-blacklist" leftSection={<IconPlus size={16} aria-hidden />}>
            {t.add.submit}
          </Button>
        }
        tools={
          <Button
            component={Link}
            to="/bulk-voice-blacklist"
            variant="default"
            leftSection={<IconUpload size={16} aria-hidden />}
          >
            {t.bulk.link}
          </Button>
        }
      />
      <CheckNumber />
    </div>
  )
}
