import { memo, useDeferredValue, useId, type ReactNode } from 'react'
import { Failure } from '../ui/Failure.tsx'
import { TabTitle } from '../ui/Page.tsx'
import page from '../ui/Page.module.css'
import classes from './DataTable.module.css'
import { EmptyRows } from './EmptyRows.tsx'
import { HeadCell } from './HeadCell.tsx'
import { Pager } from './Pager.tsx'
import { TableTools } from './TableTools.tsx'
import type { ListView } from './use-list.ts'

/** One column. Make the list of columns once per language: `useMemo(() => columns(t, format), [t, format])`, rows are memoised by it. */
export type Column<Row> = {
  key: string
  header: string
  cell(row: Row): ReactNode
  /** A sort key of the route; without one the header is no button. */
  sortKey?: string
  /** Numbers stand right. */
  align?: 'right'
  /** Keeps the cell on one line; times, phone numbers, buttons. */
  nowrap?: boolean
  /** After a column of numbers, where every pixel counts: with less of the air between them while the window is narrow. */
  snug?: true
  /** Stays in sight when the table is wider than its place: what can be done with a row. */
  pinned?: true
  /** Heads the card into which a row turns on phones. Usually the name. */
  cardTitle?: boolean
}

type DataTableProps<Row> = {
  title: string
  subtitle?: ReactNode
  columns: readonly Column<Row>[]
  rowId(row: Row): number | string
  list: ListView<Row>
  /** What to do when there is nothing at all: a sentence and a link to the next step. */
  empty?: ReactNode
  /** fileAddress(...) of the export; holds every row that matches, so give it the search. */
  csvHref?: string
  /** More buttons beside search, export and refresh. */
  tools?: ReactNode
  /** False when the screen has a heading of its own: the table's is then an h2 and the tab keeps its title. */
  isScreen?: boolean
  /** What the tab says before the title: the progress of a campaign. */
  tabPrefix?: string
}

/** A searchable, sortable, paged table whose state lives in the address; cards under 600 px. Plain elements: a hundred rows must cost nothing. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { title, subtitle, columns, rowId, list, empty, csvHref, tools, isScreen = true, tabPrefix = '' } = props
  const rows = useDeferredValue(list.rows)
  const titleId = useId()
  const Heading = isScreen ? 'h1' : 'h2'
  return (
    <section className={page.card} aria-labelledby={titleId}>
      {isScreen && <TabTitle title={title} prefix={tabPrefix} />}
      <div className={classes.head}>
        <div>
          <Heading id={titleId} className={page.title}>
            {title}
          </Heading>
          {subtitle && <p className={page.subtitle}>{subtitle}</p>}
        </div>
        <TableTools columns={columns} list={list} {...(csvHref === undefined ? {} : { csvHref })}>
          {tools}
        </TableTools>
      </div>
      {list.error && <Failure error={list.error} onRetry={list.refetch} />}
      {!(list.error && !rows) && (
        <div className={classes.scroll} aria-busy={list.isFetching} data-stale={rows !== list.rows || undefined}>
          <table role="table" className={classes.table} aria-labelledby={titleId}>
            <thead role="rowgroup">
              <tr role="row">
                {columns.map((column) => (
                  <HeadCell key={column.key} column={column} list={list} />
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup">
              {rows?.map((row) => (
                <BodyRow key={rowId(row)} row={row} columns={columns} />
              ))}
              {!rows && <Skeleton columns={columns.length} rows={list.state.pageSize} />}
            </tbody>
          </table>
          {rows?.length === 0 && <EmptyRows list={list} empty={empty} />}
        </div>
      )}
      {rows && (list.total > 0 || list.state.page > 1) && <Pager list={list} />}
    </section>
  )
}

/** Rendered again only when its row or the columns change: live updates touch the rows that they name. */
const BodyRow = memo(function BodyRow<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return (
    <tr role="row">
      {columns.map((column) => (
        <td
          key={column.key}
          role="cell"
          data-label={column.header}
          data-align={column.align}
          data-nowrap={column.nowrap}
          data-snug={column.snug}
          data-pinned={column.pinned}
          data-card-title={column.cardTitle}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
})

function Skeleton({ columns, rows }: { columns: number; rows: number }) {
  return Array.from({ length: Math.min(rows, 10) }, (_, row) => (
    <tr key={row} role="row" aria-hidden>
      {Array.from({ length: columns }, (_, column) => (
        <td key={column} role="cell">
          <span className={classes.bone} />
        </td>
      ))}
    </tr>
  ))
}
