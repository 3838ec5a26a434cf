import { promptRoutes, promptStatusCode, type PromptRow } from '@ghanti/contract/prompts.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { PromptCategory } from '@ghanti/contract/templates.ts'
import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useSession } from '../../api/session.ts'
import { Segments } from '../../components/form/Segments.tsx'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RowMenu } from '../../components/table/RowMenu.tsx'
import { useList } from '../../components/table/use-list.ts'
import { Light, type LightIs } from '../../components/ui/Light.tsx'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { listenTo } from '../../components/ui/Player.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { addressOfPrompt, promptActions } from './actions.ts'
import classes from './PromptsTable.module.css'

type World = { role: Role; t: TextsOf<'prompts'>; common: TextsOf<'common'>; format: Format }

const columns = ({ role, t, common, format }: World): Column<PromptRow>[] => [
  { key: 'fileName', header: t.columns.fileName, sortKey: 'fileName', cardTitle: true, cell: (row) => row.fileName },
  {
    key: 'promptCategory',
    header: t.columns.fileType,
    sortKey: 'promptCategory',
    cell: (row) => t.categories[row.promptCategory as PromptCategory] ?? row.promptCategory,
  },
  { key: 'promptStatus', header: t.columns.status, sortKey: 'promptStatus', cell: (row) => <Status row={row} /> },
  {
    key: 'accountType',
    header: t.columns.account,
    sortKey: 'accountType',
    cell: (row) => common.accountTypes[row.accountType],
  },
  ...(role === 'superAdmin'
    ? [{ key: 'username', header: t.columns.uploadedBy, sortKey: 'username', cell: (row: PromptRow) => row.username }]
    : []),
  {
    key: 'durationMs',
    header: t.columns.length,
    align: 'right',
    cell: (row) => <span data-numeric>{format.length(row.durationMs)}</span>,
  },
  {
    key: 'uploadedAt',
    header: t.columns.uploaded,
    sortKey: 'promptId',
    nowrap: true,
    cell: (row) => <NepalTime wire={row.uploadedAt} />,
  },
  {
    key: 'action',
    header: t.columns.action,
    nowrap: true,
    cell: (row) => (
      <RowMenu
        label={common.table.takeAction}
        subject={row.fileName}
        actions={() => promptActions(role, row, t, () => listenTo(row.fileName, addressOfPrompt(row)))}
      />
    ),
  },
]

const lightOf: Readonly<Record<number, LightIs>> = {
  [promptStatusCode.approved]: 'good',
  [promptStatusCode.rejected]: 'bad',
}

function Status({ row }: { row: PromptRow }) {
  const t = useTexts('prompts')
  return (
    <>
      <Light is={lightOf[row.promptStatus] ?? 'none'}>{t.status[row.promptStatus]}</Light>
      {row.rejectReason && <span className={classes.reason}>{t.reason(row.rejectReason)}</span>}
    </>
  )
}

const statuses = ['0', '1', '2'] as const

/** View Voice Files of a user or reseller; Prompts for Approval of the super admin, pending ones first shown (spec 1 §2). */
export default function VoiceFilesScreen() {
  const t = useTexts('prompts')
  const common = useTexts('common')
  const format = useFormat()
  const { userId, role } = useSession()
  const isApproval = role === 'superAdmin'
  const [params, setParams] = useSearchParams()
  const wanted = params.get('status') ?? (isApproval ? '0' : '')
  const promptStatus = statuses.find((status) => status === wanted)
  const filter = promptStatus === undefined ? {} : { promptStatus }
  const list = useList<typeof promptRoutes.listAll | typeof promptRoutes.list>(
    isApproval ? promptRoutes.listAll : promptRoutes.list,
    isApproval ? filter : { userId, ...filter },
  )
  const shown = useMemo(() => columns({ role, t, common, format }), [role, t, common, format])
  return (
    <DataTable
      title={isApproval ? t.titles.approval : t.titles.own}
      columns={shown}
      rowId={(row) => row.promptId}
      list={list}
      empty={
        isApproval ? (
          <p>{t.emptyApproval}</p>
        ) : (
          <>
            <p>{t.empty}</p>
            <Link to="/add-voice-files">{t.uploadLink}</Link>
          </>
        )
      }
      tools={
        <>
          <Segments
            className={classes.tool}
            label={t.filters.label}
            value={promptStatus ?? ''}
            data={[
              { value: '', label: t.filters.all },
              ...statuses.map((status) => ({ value: status, label: t.status[Number(status)] ?? status })),
            ]}
            onChange={(status) =>
              setParams((before) => {
                const next = new URLSearchParams(before)
                next.set('status', status)
                next.delete('page')
                return next
              })
            }
          />
          {!isApproval && (
            <Button component={Link} to="/add-voice-files" leftSection={<IconUpload size={16} aria-hidden />}>
              {t.uploadTitle}
            </Button>
          )}
        </>
      }
    />
  )
}
