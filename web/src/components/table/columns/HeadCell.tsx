import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react'
import classes from '../DataTable.module.css'
import type { Column } from '../DataTable.tsx'
import { isDescending, keyOf, nextSort } from '../list-state.ts'
import type { ListView } from '../use-list.ts'

type HeadCellProps<Row> = { column: Column<Row>; list: ListView<Row>; isFirst: boolean }

export function HeadCell<Row>({ column, list, isFirst }: HeadCellProps<Row>) {
  const { sortKey } = column
  const { sort } = list.state
  const sorted = sortKey !== undefined && keyOf(sort) === sortKey
  const SortIcon = sorted ? (isDescending(sort) ? IconArrowDown : IconArrowUp) : IconSelector
  const ariaSort = sorted ? (isDescending(sort) ? 'descending' : 'ascending') : undefined
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={ariaSort}
      data-align={column.align}
      data-nowrap={column.nowrap}
      data-pinned={column.pinned}
      data-first={isFirst || undefined}
    >
      {sortKey === undefined ? (
        column.header
      ) : (
        <button
          type="button"
          className={classes.sort}
          data-sorted={sorted || undefined}
          onClick={() => list.change({ sort: nextSort(sort, sortKey) })}
        >
          <span>{column.header}</span>
          <SortIcon size={13} stroke={1.8} aria-hidden />
        </button>
      )}
    </th>
  )
}
