import { setupRoutes, type SetupRow } from '@ghanti/contract/setups.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { call } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RowMenu } from '../../components/table/RowMenu.tsx'
import { useLocalList } from '../../components/table/use-list.ts'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { whenLoaded } from '../../components/ui/loading/when-loaded.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Setups.module.css'

type Texts = TextsOf<'setups'>

const { list: route } = setupRoutes

export const loader = screenLoader(({ prefetch }) => void prefetch(jsonQuery(route, {})))

const rename = (row: SetupRow) =>
  whenLoaded(
    () => import('./dialogs.tsx'),
    (opens) => opens.openRenameSetup(row),
  )

function askDelete({ setupId, setupName }: SetupRow, t: Texts): void {
  confirm({
    title: setupName,
    verb: t.actions.delete,
    question: t.deleteQuestion,
    failure: t.deleteFailed,
    labels: t.fields,
    danger: true,
    onYes: () => call(setupRoutes.delete, { setupId }).finally(() => refresh(route)),
  })
}

const columns = (t: Texts, takeAction: string, format: Format): Column<SetupRow>[] => [
  { key: 'name', header: t.columns.name, cardTitle: true, cell: ({ setupName }) => <bdi>{setupName}</bdi> },
  {
    key: 'template',
    header: t.columns.template,
    cell: ({ templateId }) => (templateId === null ? '–' : t.types[templateId]),
  },
  { key: 'cli', header: t.columns.cli, nowrap: true, cell: ({ cli }) => (cli === null ? '–' : format.phone(cli)) },
  { key: 'contacts', header: t.columns.contacts, cell: ({ baseName }) => <bdi>{baseName ?? '–'}</bdi> },
  {
    key: 'changed',
    header: t.columns.changed,
    nowrap: true,
    cell: ({ changedTime }) => <NepalTime wire={changedTime} />,
  },
  {
    key: 'action',
    header: t.columns.action,
    pinned: true,
    nowrap: true,
    controls: true,
    cell: (row) => (
      <span className={classes.actions}>
        <Button
          component={Link}
          to={`/add-voice-campaign?setup=${row.setupId}`}
          size="compact-sm"
          variant="default"
          aria-label={t.use(row.setupName)}
        >
          {t.actions.use}
        </Button>
        <RowMenu
          label={takeAction}
          subject={row.setupName}
          actions={() => [
            { label: t.actions.rename, onClick: () => void rename(row) },
            { label: t.actions.delete, danger: true, onClick: () => askDelete(row, t) },
          ]}
        />
      </span>
    ),
  },
]

const how = { sortKeys: [], searchIn: ({ setupName }: SetupRow) => setupName, valueOf: {} }

export default function SetupsScreen() {
  const t = useTexts('setups')
  const { takeAction } = useTexts('common').table
  const format = useFormat()
  const { data, error, isFetching, refetch } = useQuery(jsonQuery(route, {}))
  const list = useLocalList({ rows: data, error, isFetching, refetch: () => void refetch() }, how)
  const shown = useMemo(() => columns(t, takeAction, format), [t, takeAction, format])
  return (
    <DataTable
      title={t.title}
      subtitle={t.subtitle}
      columns={shown}
      name="set-ups"
      rowId={(row) => row.setupId}
      list={list}
      empty="setups"
    />
  )
}
