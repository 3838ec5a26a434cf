import { RowMenu, type MenuAction } from '../components/table/RowMenu.tsx'
import { DataTable, type Column } from '../components/table/DataTable.tsx'
import { FewRows, type FewColumn } from '../components/table/FewRows.tsx'
import { RouteStepList } from '../components/table/RouteStepList.tsx'
import { useLocalList } from '../components/table/use-list.ts'
import { Status } from '../components/ui/Status.tsx'
import { Part } from './Part.tsx'

type Row = { id: number; name: string; calls: number }
const few: readonly Row[] = [1, 2, 3].map((id) => ({ id, name: `Campaign ${id}`, calls: id * 1234 }))
const none: readonly Row[] = []

const actions = (): MenuAction[] => [
  { label: 'Listen', onClick: () => undefined },
  { label: 'Pause', disabledReason: 'Only a running campaign can be paused', onClick: () => undefined },
]
const columns: Column<Row>[] = [
  { key: 'name', header: 'Name', sortKey: 'name', cardTitle: true, cell: (row) => row.name },
  { key: 'status', header: 'Status', card: 'status', cell: () => <Status is="running">Running</Status> },
  { key: 'calls', header: 'Calls', sortKey: 'calls', align: 'right', cell: (row) => row.calls },
  {
    key: 'action',
    header: 'Action',
    pinned: true,
    controls: true,
    cell: (row) => <RowMenu label="Take Action" subject={row.name} actions={actions} />,
  },
]
const fewColumns: FewColumn<Row>[] = [
  { key: 'name', header: 'Name', cell: (row) => row.name },
  { key: 'calls', header: 'Calls', align: 'right', cell: (row) => row.calls },
]
const how = {
  sortKeys: ['name', 'calls'],
  searchIn: (row: Row) => row.name,
  valueOf: { name: (row: Row) => row.name, calls: (row: Row) => row.calls },
}
const rowId = (row: Row) => row.id

type State = { title: string; rows: readonly Row[] | undefined; error?: Error; isFetching?: boolean }
const states: readonly State[] = [
  { title: 'Rows', rows: few },
  { title: 'Read again', rows: few, isFetching: true },
  { title: 'Loads', rows: undefined, isFetching: true },
  { title: 'Empty', rows: none },
  { title: 'Failed', rows: undefined, error: new Error('The server cannot be reached') },
]

export function Tables() {
  return (
    <Part title="Tables">
      {states.map((state) => (
        <Table key={state.title} {...state} />
      ))}
      <h3 id="few-rows">A few rows inside a page</h3>
      <FewRows labelledBy="few-rows" columns={fewColumns} rowId={rowId} rows={few} />
      <h3>The steps of a route</h3>
      <RouteStepList
        steps={[
          { id: 1, name: '1. NTC 1', notes: ['weight 2', 'cost 40'], is: 'done', state: 'Works' },
          { id: 2, name: '2. Ncell 1', notes: ['weight 1'], is: 'problem', state: 'Fails' },
        ]}
      />
    </Part>
  )
}

function Table({ title, rows, error, isFetching = false }: State) {
  const list = useLocalList({ rows, error: error ?? null, isFetching, refetch: () => undefined }, how)
  return <DataTable empty="users" isScreen={false} title={title} columns={columns} rowId={rowId} list={list} />
}
