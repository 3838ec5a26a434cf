import { contactFileFilters, contactRoutes } from '@ghanti/contract/contacts.ts'
import { rangeOf } from '@ghanti/contract/range.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import { IconDownload, IconFileX, IconPencil, IconTrash, IconUpload } from '@tabler/icons-react'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { call, fileAddress } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import { download } from '../../api/follow-download.ts'
import { useSession } from '../../api/session.ts'
import { askForAll, leftOut, type BulkContext } from '../../components/table/bulk.tsx'
import { DataTable, type Bulk, type Column } from '../../components/table/DataTable.tsx'
import type { SetFilters } from '../../components/table/filters/filters.ts'
import { RowMenu } from '../../components/table/RowMenu.tsx'
import { useFilters, useLocalList, type ListView } from '../../components/table/use-list.ts'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { contactFileTypes } from '../compose/contacts/contact-file-types.ts'
import { askName } from './ask-name.tsx'
import { dropForm, keptForm } from './kept-form.ts'
import { newFile, type NewFile } from './new-file.ts'
import classes from './ContactFiles.module.css'

type File = ReplyOf<typeof contactRoutes.bases>[number]
type Texts = TextsOf<'contactFiles'>

const soonMs = 14 * 24 * 3600_000

export const loader = screenLoader(({ userId, prefetch }) => void prefetch(jsonQuery(contactRoutes.bases, { userId })))

function askDelete(file: File, t: Texts): void {
  confirm({
    title: file.baseName,
    verb: t.actions.delete,
    question: t.deleteQuestion,
    failure: t.deleteFailed,
    labels: t.fields,
    danger: true,
    onYes: () => call(contactRoutes.delete, { baseId: file.baseId }).finally(() => refresh(contactRoutes.bases)),
  })
}

function removeMany(t: Texts, context: BulkContext): Bulk<File> {
  const nameOf = (file: File) => file.baseName
  return {
    nameOf,
    actions(chosen, keep) {
      const rows = chosen.filter(({ keptUntil }) => keptUntil !== null)
      const deed = { rows, nameOf, keep, idOf: (file: File) => file.baseId, ...leftOut(chosen, rows, context) }
      return [
        {
          label: t.actions.delete,
          icon: IconTrash,
          danger: true,
          disabledReason: rows.length === 0 ? t.needed : undefined,
          onClick: () =>
            askForAll(
              {
                ...deed,
                label: t.actions.delete,
                done: t.deleted,
                question:
                  rows.length === 1 ? t.deleteQuestion : t.deleteManyQuestion(context.format.count(rows.length)),
                failure: t.deleteFailed,
                labels: t.fields,
                danger: true,
                run: (baseIds) => call(contactRoutes.deleteMany, { baseIds }),
                again: () => refresh(contactRoutes.bases),
              },
              context,
            ),
        },
      ]
    },
  }
}

const columns = (t: Texts, common: TextsOf<'common'>, format: Format): Column<File>[] => [
  {
    key: 'baseName',
    header: t.columns.name,
    cardTitle: true,
    cell: (row) => (
      <Link className={classes.name} to={`/contact-files/${row.baseId}`}>
        {row.baseName}
      </Link>
    ),
  },
  {
    key: 'rows',
    header: t.columns.rows,
    align: 'right',
    cell: (row) => <span data-numeric>{format.count(row.rows)}</span>,
  },
  {
    key: 'dialable',
    header: t.columns.dialable,
    align: 'right',
    cell: (row) => <span data-numeric>{format.count(row.dialable)}</span>,
  },
  {
    key: 'bytes',
    header: t.columns.size,
    align: 'right',
    nowrap: true,
    cell: (row) => format.size(row.bytes),
  },
  {
    key: 'uploadedAt',
    header: t.columns.uploaded,
    nowrap: true,
    cell: (row) => <NepalTime wire={row.uploadedAt} />,
  },
  { key: 'keptUntil', header: t.columns.keptUntil, cell: (row) => <KeptUntil wire={row.keptUntil} /> },
  {
    key: 'action',
    header: t.columns.action,
    pinned: true,
    nowrap: true,
    cell: (row) => (
      <RowMenu
        label={common.table.takeAction}
        subject={row.baseName}
        actions={() => [
          {
            label: t.actions.download,
            icon: IconDownload,
            onClick: () => download(fileAddress(contactRoutes.download, { baseId: row.baseId })),
          },
          {
            label: t.actions.refused,
            icon: IconFileX,
            onClick: () => download(fileAddress(contactRoutes.refusedFile, { baseId: row.baseId })),
          },
          { label: t.actions.rename, icon: IconPencil, onClick: () => askName(row, t) },
          {
            label: t.actions.delete,
            icon: IconTrash,
            danger: true,
            disabledReason: row.keptUntil === null ? t.needed : undefined,
            onClick: () => askDelete(row, t),
          },
        ]}
      />
    ),
  },
]

function KeptUntil({ wire }: { wire: string | null }) {
  const t = useTexts('contactFiles')
  const [now] = useState(() => Date.now())
  if (wire === null) return <span className={classes.dim}>{t.needed}</span>
  const isSoon = (instantOfNepalTime(wire)?.getTime() ?? Infinity) < now + soonMs
  return (
    <>
      <NepalTime wire={wire} />
      {isSoon && <span className={classes.more}>{t.soon}</span>}
    </>
  )
}

const how = { sortKeys: [], searchIn: ({ baseName }: File) => baseName, valueOf: {} }
const filtered = { path: contactRoutes.bases.path, filters: contactFileFilters, sort: how.sortKeys }

function narrowed(files: readonly File[], { use, uploaded }: SetFilters): File[] {
  const now = new Date()
  const { from, to } = rangeOf(uploaded, now)
  return files.filter(({ keptUntil, uploadedAt }) => {
    const at = instantOfNepalTime(uploadedAt) ?? now
    const isOfUse = use === undefined || (use === 'used') === (keptUntil === null)
    return isOfUse && (!from || at >= from) && (!to || at < to)
  })
}

/** All files arrive at once, so search, filters and pages work locally. */
function useFiles(): ListView<File> {
  const { userId } = useSession()
  const { data, error, isFetching, refetch } = useQuery(jsonQuery(contactRoutes.bases, { userId }))
  const filters = useFilters(filtered)
  const rows = useMemo(() => data && narrowed(data, filters.set), [data, filters.set])
  return { ...useLocalList({ rows, error, isFetching, refetch: () => void refetch() }, how), filters }
}

export default function ContactFilesScreen() {
  const t = useTexts('contactFiles')
  const common = useTexts('common')
  const format = useFormat()
  const list = useFiles()
  const shown = useMemo(() => columns(t, common, format), [t, common, format])
  return (
    <DataTable
      title={t.title}
      subtitle={t.subtitle}
      columns={shown}
      name="contact-files"
      rowId={(row) => row.baseId}
      bulk={removeMany(t, { common, format })}
      list={list}
      filters={{ uploaded: { label: t.columns.uploaded }, use: { label: t.use, values: t.uses } }}
      empty="contactFiles"
      primary={<Upload />}
    />
  )
}

/** Opens the browser's choice of a file at once; the page that checks it follows. */
function Upload() {
  const t = useTexts('contactFiles')
  const { userId } = useSession()
  const { data: stored = [] } = useQuery(jsonQuery(contactRoutes.bases, { userId }))
  const go = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [unsaved, setUnsaved] = useState(() => keptForm<NewFile>(newFile)?.baseFile?.name)
  const pick = async (file: globalThis.File | undefined) => {
    if (!file) return
    const { keepPicked } = await import('./keep-picked.ts')
    keepPicked(
      file,
      stored.map(({ baseName }) => baseName),
    )
    await go('/add-contact-file')
  }
  return (
    <>
      {unsaved !== undefined && (
        <span className={classes.unsaved}>
          <Link to="/add-contact-file">{t.upload.goOn(unsaved)}</Link>
          <Button
            variant="subtle"
            size="xs"
            onClick={() => {
              dropForm(newFile)
              setUnsaved(undefined)
            }}
          >
            {t.upload.discard}
          </Button>
        </span>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept={contactFileTypes}
        onChange={({ currentTarget: { files } }) => void pick(files?.[0])}
      />
      <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => input.current?.click()}>
        {t.upload.title}
      </Button>
    </>
  )
}
