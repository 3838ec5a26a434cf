import { noticeKindsOf, noticeRoutes, securityKinds, type NoticeRow } from '@ghanti/contract/notices.ts'
import { Button } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { useUnreadNotices } from '../../api/notices.ts'
import { useDecisions, waitingView } from '../../api/waiting.ts'
import { call } from '../../api/client.ts'
import { refresh, useWrite } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Bulk, type Column } from '../../components/table/DataTable.tsx'
import { useList } from '../../components/table/use-list.ts'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { screens } from '../../paths.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { serverSentence, useTexts } from '../../i18n/language.ts'
import { placeOf } from './places.ts'
import classes from './Notices.module.css'

function sentenceOf({ kind, about, balance }: NoticeRow, t: TextsOf<'notices'>, format: Format): string {
  return t.sentences[kind]({ about, rupees: balance === null ? '' : format.rupees(balance) })
}

function columnsOf(t: TextsOf<'notices'>, format: Format, onOpen: (row: NoticeRow) => void): Column<NoticeRow>[] {
  return [
    {
      key: 'notice',
      header: t.columns.notice,
      cardTitle: true,
      cell: (row) => (
        <Link
          to={placeOf[row.kind](row)}
          className={row.read ? classes.read : classes.unread}
          onClick={() => onOpen(row)}
        >
          {!row.read && <span className={classes.hidden}>{t.unread}: </span>}
          {sentenceOf(row, t, format)}
        </Link>
      ),
    },
    {
      key: 'reason',
      header: t.columns.reason,
      cell: (row) => (row.reason === null ? '–' : serverSentence(row.reason)),
    },
    {
      key: 'at',
      header: t.columns.at,
      sortKey: 'at',
      nowrap: true,
      cell: (row) => (
        <>
          <NepalTime wire={row.at} />
          {row.times > 1 && <span className={classes.times}>{t.times(format.count(row.times))}</span>}
        </>
      ),
    },
  ]
}

/** Without confirmation, because nothing is lost. */
function readMany(t: TextsOf<'notices'>, nameOf: (row: NoticeRow) => string): Bulk<NoticeRow> {
  return {
    nameOf,
    actions(chosen, keep) {
      const noticeIds = chosen.filter(({ read }) => !read).map(({ noticeId }) => noticeId)
      const read = async () => {
        await call(noticeRoutes.readMany, { noticeIds }).finally(() => refresh(noticeRoutes.list))
        keep([])
      }
      const disabledReason = noticeIds.length === 0 ? t.allRead : undefined
      return [{ label: t.readThese, icon: IconChecks, disabledReason, onClick: () => void read().catch(showFailure) }]
    },
  }
}

export default function NoticesScreen() {
  const t = useTexts('notices')
  const format = useFormat()
  const list = useList(noticeRoutes.list, {})
  const { role } = useSession()
  const kinds = Object.fromEntries(
    [...noticeKindsOf[role], ...securityKinds].map((kind) => [kind, t.filterLabels.kinds[kind]]),
  )
  const { mutate: markRead } = useWrite(noticeRoutes.read, [noticeRoutes.list])
  const readAll = useWrite(noticeRoutes.readAll, [noticeRoutes.list])
  const unread = useUnreadNotices()
  const columns = useMemo(
    () => columnsOf(t, format, (row) => row.read || markRead({ input: { noticeId: row.noticeId } })),
    [t, format, markRead],
  )
  return (
    <DataTable
      title={t.title}
      subtitle={
        <>
          {t.subtitle} <Link to="/user-profile">{t.choose}</Link>
          <Decisions />
        </>
      }
      columns={columns}
      name="notices"
      rowId={(row) => row.noticeId}
      list={list}
      bulk={readMany(t, (row) => sentenceOf(row, t, format))}
      empty="notices"
      filters={{
        kind: { label: t.filterLabels.kind, values: kinds },
        state: { label: t.filterLabels.state, values: t.filterLabels.states },
        at: { label: t.columns.at },
      }}
      tools={
        <Button
          variant="default"
          leftSection={<IconChecks size={18} stroke={1.6} aria-hidden />}
          loading={readAll.isPending}
          disabled={unread === 0 && !list.rows?.some(({ read }) => !read)}
          onClick={() => readAll.mutate({ input: {} }, { onError: (error) => showFailure(error) })}
        >
          {t.readAll}
        </Button>
      }
    />
  )
}

/** Decisions that wait for the viewer. They are not notices, and disappear once made. */
function Decisions() {
  const t = useTexts('notices')
  const { menu } = useTexts('common')
  const { role } = useSession()
  const format = useFormat()
  const lines = useDecisions().flatMap(({ entry, count }) => {
    const line = screens.find((screen) => screen.for[role] === entry)
    return line ? [{ entry, to: line.path + (waitingView[entry] ?? ''), count: format.count(count) }] : []
  })
  if (lines.length === 0) return null
  return (
    <span className={classes.decisions}>
      {t.decisions}{' '}
      {lines.map(({ entry, to, count }) => (
        <Link key={entry} to={to}>{`${menu[entry]} (${count})`}</Link>
      ))}
    </span>
  )
}
