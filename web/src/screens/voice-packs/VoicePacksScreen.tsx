import type { Role } from '@ghanti/contract/roles.ts'
import { voiceRoutes, type VoicePackRow } from '@ghanti/contract/voices.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Suspense, useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RowMenu } from '../../components/table/RowMenu.tsx'
import { listQueryAt, useList } from '../../components/table/use-list.ts'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { deletePack } from './actions.ts'
import classes from './VoicePacks.module.css'
import { late } from '../../components/ui/loading/late.tsx'

const NewPack = late(() => import('./NewPack.tsx'))

export const loader = screenLoader(({ url, prefetch }) => void prefetch(listQueryAt(url, voiceRoutes.list, {})))

type Context = {
  role: Role
  t: TextsOf<'voicePacks'>
  takeAction: string
  format: Format
  open: (packId: number) => void
}

const columns = ({ role, t, takeAction, format, open }: Context): Column<VoicePackRow>[] => [
  {
    key: 'name',
    header: t.columns.name,
    sortKey: 'name',
    cardTitle: true,
    cell: (row) => <Link to={`/voice-packs/${row.packId}`}>{row.name}</Link>,
  },
  { key: 'language', header: t.columns.language, sortKey: 'language', cell: (row) => t.languages[row.language] },
  ...(role === 'user'
    ? []
    : [
        {
          key: 'username',
          header: t.columns.owner,
          sortKey: 'username',
          cell: (row: VoicePackRow) => row.username ?? t.platform,
        },
      ]),
  {
    key: 'approved',
    header: t.columns.approved,
    cell: (row) => (
      <div>
        <span data-numeric>{t.of(format.count(row.approvedWords), format.count(row.allWords))}</span>
        {row.rejectReason && <span className={classes.more}>{t.rejectedWhy(row.rejectReason)}</span>}
      </div>
    ),
  },
  {
    key: 'waiting',
    header: t.columns.waiting,
    align: 'right',
    cell: (row) => <span data-numeric>{format.count(row.pendingWords)}</span>,
  },
  {
    key: 'created',
    header: t.columns.created,
    sortKey: 'packId',
    nowrap: true,
    cell: (row) => <NepalTime wire={row.createdAt} />,
  },
  {
    key: 'action',
    header: t.columns.action,
    pinned: true,
    nowrap: true,
    cell: (row) => (
      <RowMenu
        label={takeAction}
        subject={row.name}
        actions={() => [{ label: t.actions.open, onClick: () => open(row.packId) }, deletePack(row, role, t)]}
      />
    ),
  },
]

/** Recorded voices of the viewer and the accounts below; super admins approve them. */
export default function VoicePacksScreen() {
  const t = useTexts('voicePacks')
  const { table } = useTexts('common')
  const format = useFormat()
  const { role } = useSession()
  const navigate = useNavigate()
  const list = useList(voiceRoutes.list, {})
  const shown = useMemo(
    () =>
      columns({
        role,
        t,
        takeAction: table.takeAction,
        format,
        open: (packId) => void navigate(`/voice-packs/${packId}`),
      }),
    [role, t, table, format, navigate],
  )
  const create = () =>
    showDialog({
      title: t.create,
      render: (close) => (
        <Suspense fallback={<div className={classes.loading} aria-busy />}>
          <NewPack
            onMade={(packId) => {
              close()
              void navigate(`/voice-packs/${packId}`)
            }}
          />
        </Suspense>
      ),
    })
  return (
    <DataTable
      title={t.title}
      subtitle={t.subtitle}
      columns={shown}
      name="voice-packs"
      rowId={(row) => row.packId}
      list={list}
      empty="voicePacks"
      onNext={create}
      filters={{
        waiting: { label: t.filterLabels.words, values: { '1': t.filterLabels.waiting } },
        language: { label: t.columns.language, values: t.languages },
      }}
      primary={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
          {t.create}
        </Button>
      }
    />
  )
}
