import { Suspense, useEffect, useId, useMemo, type PointerEvent, type ReactNode } from 'react'
import { Failure } from '../ui/failures/Failure.tsx'
import { late } from '../ui/loading/late.tsx'
import { TabTitle } from '../ui/Page.tsx'
import { loadTexts } from '../../i18n/language.ts'
import { BodyRow } from './rows/BodyRow.tsx'
import { ChooseAll } from './rows/Chooser.tsx'
import { useColumnChoice } from './columns/columns.ts'
import classes from './DataTable.module.css'
import type { EmptyList } from './empty-lists.ts'
import { filterLabels, type FilterWords } from './filters/filters.ts'
import { HeadCell } from './columns/HeadCell.tsx'
import { Pager } from './Pager.tsx'
import type { MenuAction } from './RowMenu.tsx'
import { afterPaint, useAfterPaint, useLasting } from './rows/use-after-paint.ts'
import { usePrinting } from './use-printing.ts'
import { useSelection, type RowId, type Selection } from './rows/selection.ts'
import { Scroll } from './Scroll.tsx'
import { TableTools } from './TableTools.tsx'
import type { ListView } from './use-list.ts'

const EmptyRows = late(() => import('./EmptyRows.tsx'))
const BulkBar = late(() => import('./rows/BulkBar.tsx'))
const RowKeys = late(async () => {
  const [part] = await Promise.all([import('./rows/RowKeys.tsx'), loadTexts('goTo')])
  return part
})

/** Rows are memoised by the list of columns, so make it once per language: `useMemo(() => columns(t, format), [t, format])`. */
export type Column<Row> = {
  key: string
  header: string
  /** One line, and under it a muted one. Longer text is cut, with the full text as its title. */
  cell(row: Row): ReactNode
  /** A sort key of the route; without one the header is not a button. */
  sortKey?: string
  align?: 'right'
  nowrap?: boolean
  /** The column of actions stays in sight when the table scrolls sideways. */
  pinned?: true
  /** Never cut: buttons, fields, and prose that appears nowhere else. */
  controls?: true
  /** Hidden until the reader selects it. */
  hidden?: true
  /** The heading of a row's card on phones, usually the name. */
  cardTitle?: boolean
  /** Its place on that card; 'prose' continues below its heading. Without any 'figure', the first three numeric columns are. */
  card?: 'status' | 'figure' | 'line' | 'prose' | 'more'
}

/** Actions on several rows. A module constant, or memoised. */
export type Bulk<Row> = {
  nameOf(row: Row): string
  /** `keep` sets which rows stay selected afterwards. */
  actions(rows: readonly Row[], keep: (ids: readonly RowId[]) => void): MenuAction[]
  /** Actions by letter on the focused row. The letters of `actions` then work too, and j and k move between rows. */
  onFocused?(row: Row): MenuAction[]
}

type DataTableProps<Row> = {
  title: string
  subtitle?: ReactNode
  /** The browser stores the reader's choice of columns under this name; without one there is no choice. */
  name?: string
  columns: readonly Column<Row>[]
  rowId(row: Row): RowId
  list: ListView<Row>
  empty: EmptyList
  /** The next step of an empty list, where it is on this screen. */
  onNext?: (() => void) | undefined
  /**
   * The address of the export if the list has its own call for it: fileAddress(...) with the search, because it contains every matching row. Null:
   * the screen has its own button.
   */
  csvHref?: string | null
  /** What the search covers, if not everything shown. */
  searches?: string
  primary?: ReactNode
  filters?: FilterWords
  tools?: ReactNode
  bulk?: Bulk<Row> | undefined
  /** False when the screen has its own heading: the table's is then an h2, and the tab keeps its title. */
  isScreen?: boolean
  /** Precedes the title in the tab: a campaign's progress. */
  tabPrefix?: string
}

/** From this many columns on, the table is denser, to fit beside the menu on a laptop. */
const denseFrom = 9
const densestFrom = 13

/**
 * A searchable, sortable, paged table whose state is in the URL; cards in at most 712 px. Uses plain elements, so that a hundred rows stay
 * cheap.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    title,
    subtitle,
    name,
    columns,
    rowId,
    list,
    csvHref = list.csvHref,
    filters,
    primary,
    tools,
    bulk,
    isScreen = true,
    tabPrefix = '',
  } = props
  const titleId = useId()
  const painted = useAfterPaint(list.rows)
  // The paper does not wait for the next frame.
  const rows = usePrinting() ? list.rows : painted
  const selection = useSelection(rows, rowId)
  const choice = useColumnChoice(name, columns)
  const kept = columns.filter((column) => choice.isShown(column))
  const keys = kept.map(({ key }) => key).join()
  // The same array while the same columns are shown, because rows are memoised by it.
  const shown = useMemo(() => columns.filter(({ key }) => keys.split(',').includes(key)), [columns, keys])
  const Heading = isScreen ? 'h1' : 'h2'
  return (
    <section
      className={classes.list}
      aria-labelledby={titleId}
      data-paper={isScreen && shown.length >= denseFrom ? 'wide' : undefined}
    >
      {isScreen && <TabTitle title={title} prefix={tabPrefix} />}
      <div className={classes.head}>
        <div>
          <Heading id={titleId} className={classes.title}>
            {title}
          </Heading>
          {subtitle && <p className={classes.subtitle}>{subtitle}</p>}
        </div>
        {primary}
      </div>
      <div className={classes.toolbar} data-chosen={(bulk && selection.chosen.size > 0) || undefined}>
        <div className={classes.room}>
          <TableTools
            columns={shown}
            list={list}
            filters={filters}
            searches={props.searches}
            csvHref={csvHref ?? undefined}
            choice={name === undefined ? undefined : { ...choice, columns }}
          >
            {tools}
          </TableTools>
        </div>
        {bulk && rows && <Chosen bulk={bulk} rows={rows} rowId={rowId} selection={selection} />}
      </div>
      {bulk?.onFocused && (
        <Suspense fallback={<p className={classes.keys} />}>
          <RowKeys
            bulk={bulk as Bulk<unknown>}
            rows={rows ?? []}
            rowId={rowId as (row: unknown) => RowId}
            selection={selection}
          />
        </Suspense>
      )}
      {list.error && <Failure error={list.error} labels={filterLabels(filters)} onRetry={list.refetch} />}
      <Rows {...props} columns={shown} rows={rows} selection={selection} titleId={titleId} />
    </section>
  )
}

type Shown<Row> = { rows: readonly Row[] | undefined; selection: Selection }

/** Replaces the toolbar, so that nothing else moves. */
function Chosen<Row>({
  bulk,
  rows = [],
  rowId,
  selection: { chosen, keep },
}: Shown<Row> & { bulk: Bulk<Row>; rowId: (row: Row) => RowId }) {
  if (chosen.size === 0) return null
  const these = rows.filter((row) => chosen.has(rowId(row)))
  return (
    <Suspense>
      <BulkBar count={chosen.size} actions={bulk.actions(these, keep)} onClear={() => keep([])} />
    </Suspense>
  )
}

type RowsProps<Row> = DataTableProps<Row> & Shown<Row> & { titleId: string }

function Rows<Row>({ name, columns, rowId, list, empty, onNext, bulk, titleId, rows, selection }: RowsProps<Row>) {
  const { chosen, choose } = selection
  const isStale = rows !== list.rows
  const isLate = useLasting(isStale)
  const isAwaited = !list.rows
  // Loads while the rows are being requested, so that an empty list shows its sentence at once.
  useEffect(() => {
    if (isAwaited) void EmptyRows.preload()
  }, [isAwaited])
  if (list.error && !rows) return null
  return (
    <div className={classes.card}>
      <Scroll
        className={classes.scroll}
        aria-busy={list.isFetching}
        data-stale={isStale || undefined}
        data-late={isLate || undefined}
      >
        <table
          role="table"
          className={columns.length >= denseFrom ? `${classes.table} ${classes.dense}` : classes.table}
          data-densest={columns.length >= densestFrom || undefined}
          aria-labelledby={titleId}
          onPointerOver={titleWhatIsCut}
        >
          <thead role="rowgroup">
            <tr role="row">
              {bulk && (
                <td role="cell" className={classes.chooserCell}>
                  <ChooseAll selection={selection} />
                </td>
              )}
              {columns.map((column, at) => (
                <HeadCell key={column.key} column={column} list={list} isFirst={at === 0} />
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows?.map((row) => (
              <BodyRow
                key={rowId(row)}
                row={row}
                columns={columns}
                isChosen={chosen.has(rowId(row))}
                {...(bulk && { id: rowId(row), name: bulk.nameOf(row), choose })}
              />
            ))}
            {!rows && <Skeleton columns={columns.length + (bulk ? 1 : 0)} rows={list.state.pageSize} />}
          </tbody>
        </table>
        {rows?.length === 0 && (
          <Suspense fallback={<div className={classes.empty} aria-busy />}>
            <EmptyRows name={name} list={list} empty={empty} onNext={onNext} />
          </Suspense>
        )}
      </Scroll>
      {rows && (list.total > 0 || list.state.page > 1) && <Pager list={list} />}
    </div>
  )
}

/** Loaded with the first hover; without it a cut text only lacks its title. It measures the cell, after the frame that shows the hover. */
function titleWhatIsCut({ target, currentTarget }: PointerEvent<HTMLTableElement>): void {
  import('./rows/title-cut.ts').then(
    (part) => afterPaint(() => part.titleWhatIsCut(target, currentTarget)),
    () => undefined,
  )
}

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
