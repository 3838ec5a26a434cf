import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../i18n/language.ts'
import { drawingOfList, EmptyDrawing } from '../ui/EmptyDrawing.tsx'
import classes from './DataTable.module.css'
import type { ListView } from './use-list.ts'

type EmptyRowsProps = { name: string | undefined; list: ListView<unknown>; empty: ReactNode }

/** Why there is no row, and what to do about it. */
export default function EmptyRows({ name, list, empty }: EmptyRowsProps) {
  const { table } = useTexts('common')
  const { search, page } = list.state
  if (page > 1) {
    return (
      <div className={classes.empty}>
        <p>{table.beyondEnd}</p>
        <Button variant="default" onClick={() => list.change({ page: 1 })}>
          {table.firstPage}
        </Button>
      </div>
    )
  }
  if (search) {
    return (
      <div className={classes.empty} role="status">
        <EmptyDrawing is={drawingOfList(name)} />
        <p>{table.nothingFound(search)}</p>
        <Button variant="default" onClick={() => list.change({ search: '' })}>
          {table.clearSearch}
        </Button>
      </div>
    )
  }
  if (list.filters && Object.keys(list.filters.set).some((key) => key !== list.filters?.usual)) {
    return (
      <div className={classes.empty} role="status">
        <EmptyDrawing is={drawingOfList(name)} />
        <p>{table.noneFiltered}</p>
        <Button variant="default" onClick={list.filters.clear}>
          {table.clearFilters}
        </Button>
      </div>
    )
  }
  return (
    <div className={classes.empty}>
      <EmptyDrawing is={drawingOfList(name)} />
      {empty ?? <p>{table.empty}</p>}
    </div>
  )
}
