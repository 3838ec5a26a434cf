import { ActionIcon, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconX } from '@tabler/icons-react'
import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import { late } from '../ui/loading/late.tsx'
import { ListMenu, type Choosable } from './columns/ListMenu.tsx'
import { Hint } from './Hint.tsx'
import classes from './DataTable.module.css'
import type { Column } from './DataTable.tsx'
import type { FilterWords } from './filters/filters.ts'
import type { ListView } from './use-list.ts'

const FilterBar = late(async () => {
  const [part] = await Promise.all([import('./filters/FilterBar.tsx'), loadTexts('filters')])
  return part
})

type TableToolsProps<Row> = {
  columns: readonly Column<Row>[]
  list: ListView<Row>
  /** Undefined where the screen has no filters. */
  filters: FilterWords | undefined
  csvHref: string | undefined
  /** What the search covers, shown while searching; undefined where it covers everything shown. */
  searches: string | undefined
  choice: Choosable<Row> | undefined
  children?: ReactNode
}

/** Search and filters on the left; on the right what the screen adds, and one menu of the rest. Above cards one button has all but the search. */
export function TableTools<Row>(props: TableToolsProps<Row>) {
  const { list, filters, searches, children } = props
  const format = useFormat()
  return (
    <div className={classes.tools}>
      <SearchBox search={list.state.search} onSearch={(search) => list.change({ search })} />
      {list.filters && (filters ?? (list.filters.dropped[0] || Object.keys(list.filters.set)[0])) && (
        <div className={classes.filters}>
          <Suspense>
            <FilterBar filters={list.filters} words={filters ?? {}} />
          </Suspense>
        </div>
      )}
      {children}
      <ListMenu {...props} />
      {list.searchedTo !== undefined && (
        <p role="status" className={classes.searches}>
          <Hint is="searchedTo" value={format.time(list.searchedTo)} />
        </p>
      )}
      {list.archivedTo !== undefined && (
        <p role="status" className={classes.searches}>
          <Hint is="archivedTo" value={format.day(list.archivedTo)} />
        </p>
      )}
      {searches !== undefined && list.state.search !== '' && (
        <p role="status" className={classes.searches}>
          {searches}
        </p>
      )}
    </div>
  )
}

/** Keeps the reader's own text; the URL follows a moment later, and the text follows other changes of the URL. */
function SearchBox({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const { table } = useTexts('common')
  const box = useRef<HTMLInputElement>(null)
  const typing = useRef(false)
  const send = useDebouncedCallback((text: string) => {
    typing.current = false
    onSearch(text.trim())
  }, 250)
  useEffect(() => {
    if (box.current && !typing.current && box.current.value.trim() !== search) box.current.value = search
  }, [search])
  return (
    <TextInput
      ref={box}
      className={classes.search ?? ''}
      type="search"
      role="searchbox"
      aria-label={table.search}
      placeholder={table.search}
      defaultValue={search}
      maxLength={100}
      autoComplete="off"
      leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
      rightSectionProps={{ className: classes.clear ?? '' }}
      rightSection={
        <ActionIcon
          variant="subtle"
          color="gray"
          size={26}
          aria-label={table.clearSearch}
          onClick={() => {
            if (!box.current) return
            box.current.value = ''
            box.current.focus()
            send.cancel()
            typing.current = false
            onSearch('')
          }}
        >
          <IconX size={15} />
        </ActionIcon>
      }
      onChange={(event) => {
        typing.current = true
        send(event.currentTarget.value)
      }}
    />
  )
}
