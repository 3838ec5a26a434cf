import { choices, dates, number } from '@ghanti/contract/filters.ts'
import { Button } from '@mantine/core'
import { IconPlayerPause, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { askForAll, type BulkContext } from '../components/table/bulk.tsx'
import { DataTable, type Bulk, type Column } from '../components/table/DataTable.tsx'
import { RowMenu, type MenuAction } from '../components/table/RowMenu.tsx'
import { useFilters, useLocalList } from '../components/table/use-list.ts'
import { Page } from '../components/ui/Page.tsx'
import { showDone } from '../components/ui/toasts/toasts.ts'
import { Status, type StatusKind } from '../components/ui/Status.tsx'
import { useFormat } from '../i18n/format.ts'
import { useTexts } from '../i18n/language.ts'
import { Part } from './Part.tsx'

type Row = { id: number; name: string; status: StatusKind; note: string } & Record<Figure, number>
const figures = ['uploaded', 'dialed', 'connected', 'pulses', 'dnd', 'keys'] as const
type Figure = (typeof figures)[number]
const kinds: readonly StatusKind[] = ['neutral', 'running', 'done', 'held', 'problem']
const name = 'A campaign whose name is longer than two lines of its column can be, as people do write them'
const rows: readonly Row[] = Array.from({ length: 130 }, (_, id) => ({
  id,
  name: id === 1 ? name : `Campaign ${id}`,
  status: kinds[id % kinds.length] ?? 'neutral',
  note: id === 2 ? name : `9841 0000${id}`,
  uploaded: id * 1234,
  dialed: id * 1000,
  connected: id * 800,
  pulses: id * 2345,
  dnd: id,
  keys: id * 17,
}))

/** The design page's URL sets these filters, and one that no list has. */
export const designAddress = '/?status=running,held&created=last7&gone=1'
const narrowed = {
  path: '/design',
  filters: { status: choices(kinds), created: dates, pulses: number(1, 10) },
  sort: ['name', 'uploaded'],
}
const words = {
  status: { label: 'Status', values: Object.fromEntries(kinds.map((kind) => [kind, kind])) },
  created: { label: 'Created' },
  pulses: { label: 'Pulses' },
}

const actions = ({ name: subject }: Row): MenuAction[] => [
  { label: 'Pause', icon: IconPlayerPause, onClick: () => showDone(`${subject}: Pause`) },
  { label: 'Resume', disabledReason: 'Only a paused campaign can be resumed', onClick: () => undefined },
  { label: 'Delete', icon: IconTrash, danger: true, onClick: () => showDone(`${subject}: Delete`) },
]
const columns: Column<Row>[] = [
  { key: 'name', header: 'Name', sortKey: 'name', cardTitle: true, cell: (row) => row.name },
  { key: 'status', header: 'Status', card: 'status', cell: (row) => <Status is={row.status}>{row.status}</Status> },
  ...figures.map((key): Column<Row> => ({
    key,
    header: `Numbers ${key}`,
    sortKey: key,
    align: 'right',
    cell: (row) => row[key],
  })),
  { key: 'note', header: 'Note', card: 'prose', cell: (row) => row.note },
  { key: 'hidden', header: 'Not shown at first', hidden: true, cell: (row) => row.id },
  {
    key: 'action',
    header: 'Action',
    pinned: true,
    cell: (row) => <RowMenu label="Take Action" subject={row.name} actions={() => actions(row)} quick="wide" />,
  },
]
const runAll = async (ids: readonly number[]) => ({
  results: ids.map((id) =>
    id % 3 === 0
      ? { status: 409, message: 'Request Failed!! Please try again', errors: [] }
      : { status: 200, message: 'Success', errors: [] },
  ),
})
const bulkOf = (context: BulkContext): Bulk<Row> => ({
  nameOf: (row) => row.name,
  actions: (chosen, keep) => [
    { label: 'Resume', disabledReason: 'Only a paused campaign can be resumed', onClick: () => undefined },
    {
      label: 'Delete',
      icon: IconTrash,
      danger: true,
      onClick: () =>
        askForAll(
          {
            label: 'Delete',
            done: 'Deleted',
            rows: chosen,
            idOf: ({ id }) => id,
            nameOf: (row) => row.name,
            keep,
            run: runAll,
            again: () => Promise.resolve(),
            question: 'Are you sure you want to delete these?',
            failure: 'Error in Deleting, please try again',
          },
          context,
        ),
    },
  ],
})
const how = {
  sortKeys: ['name', ...figures],
  searchIn: (row: Row) => row.name,
  valueOf: Object.fromEntries(figures.map((key) => [key, (row: Row) => row[key]])),
}

export function Lists() {
  const list = useLocalList({ rows, error: null, isFetching: false, refetch: () => undefined }, how)
  const filters = useFilters(narrowed)
  const common = useTexts('common')
  const format = useFormat()
  const bulk = useMemo(() => bulkOf({ common, format }), [common, format])
  return (
    <Part title="Pages and lists">
      <Page title="A screen" subtitle="Small words under the title." actions={<Button>The one action</Button>}>
        <p>Its content.</p>
      </Page>
      <DataTable
        isScreen={false}
        empty="voiceCampaigns"
        name="design"
        title="A list with everything"
        subtitle="Numbers stand right; what does not fit is cut, and its title has all of it."
        columns={columns}
        rowId={(row) => row.id}
        list={{ ...list, filters, searchedTo: '2026-11-23 12:00:00', archivedTo: '2026-05-31 23:40:00' }}
        filters={words}
        searches="Searches the name."
        csvHref="#csv"
        primary={<Button>Add one</Button>}
        bulk={bulk}
      />
    </Part>
  )
}
