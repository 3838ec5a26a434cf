import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { states as enStates, texts as en } from '../../i18n/en/empty-lists.ts'
import { useLanguage, useTexts } from '../../i18n/language.ts'
import { states as neStates, texts as ne } from '../../i18n/ne/empty-lists.ts'
import { drawingOfList, EmptyDrawing } from '../ui/EmptyDrawing.tsx'
import classes from './DataTable.module.css'
import { placeOfNext, type EmptyList } from './empty-lists.ts'
import type { ListView } from './use-list.ts'

/** Both languages are in a file that loads with the first empty list. As an area of texts, they would load with every screen. */
const texts = { en, ne }
const states = { en: enStates, ne: neStates }

type EmptyRowsProps = {
  name: string | undefined
  list: ListView<unknown>
  empty: EmptyList
  onNext: (() => void) | undefined
}

export default function EmptyRows({ name, list, empty, onNext }: EmptyRowsProps) {
  const { table } = useTexts('common')
  const language = useLanguage()
  const { is, next } = texts[language][empty]
  const t = states[language]
  const place = placeOfNext[empty]
  const { search, page } = list.state
  if (page > 1) {
    return (
      <div className={classes.empty}>
        <p>{t.beyondEnd}</p>
        <Button variant="default" onClick={() => list.change({ page: 1 })}>
          {t.firstPage}
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
        <p>{t.noneFiltered}</p>
        <Button variant="default" onClick={list.filters.clear}>
          {table.clearFilters}
        </Button>
      </div>
    )
  }
  return (
    <div className={classes.empty}>
      <EmptyDrawing is={drawingOfList(name)} />
      <p>{is}</p>
      {place === undefined ? (
        <p data-next>{next}</p>
      ) : place === null ? (
        <Button variant="default" onClick={onNext}>
          {next}
        </Button>
      ) : (
        <Button variant="default" component={Link} to={place}>
          {next}
        </Button>
      )}
    </div>
  )
}
