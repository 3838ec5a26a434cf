import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconDownload, IconRefresh, IconSearch, IconX } from '@tabler/icons-react'
import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import { late } from '../ui/late.tsx'
import { ColumnsButton, type Choosable } from './ColumnsButton.tsx'
import classes from './DataTable.module.css'
import type { Column } from './DataTable.tsx'
import type { FilterWords } from './filters.ts'
import { PhoneSort } from './HeadCell.tsx'
import type { ListView } from './use-list.ts'

const FilterBar = late(async () => {
  const [part] = await Promise.all([import('./FilterBar.tsx'), loadTexts('filters')])
  return part
})

type TableToolsProps<Row> = {
  columns: readonly Column<Row>[]
  list: ListView<Row>
  /** What the filters are called; undefined where the screen offers none. */
  filters: FilterWords | undefined
  csvHref?: string
  /** What the search looks at, said while there is one; undefined where it looks at all that is shown. */
  searches: string | undefined
  /** Absent where the columns are as they are. */
  choice?: Choosable<Row>
  children?: ReactNode
}

/** Search and filters at the left; at the right what is done with the list as a whole, by icons alone where the row is short. */
export function TableTools<Row>({ columns, list, filters, csvHref, searches, choice, children }: TableToolsProps<Row>) {
  const { table } = useTexts('common')
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
      <PhoneSort columns={columns} list={list} />
      {csvHref !== undefined && (
        <Button
          component="a"
          href={csvHref}
          download
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.7} />}
        >
          {table.exportCsv}
        </Button>
      )}
      <Button
        className={classes.icon ?? ''}
        variant="default"
        title={table.refresh}
        leftSection={<IconRefresh size={16} stroke={1.7} />}
        onClick={list.refetch}
        data-fetching={list.isFetching || undefined}
      >
        {table.refresh}
      </Button>
      {choice && <ColumnsButton choice={choice} />}
      {children}
      {list.searchedTo !== undefined && (
        <p role="status" className={classes.searches}>
          {table.searchedTo(format.time(list.searchedTo))}
        </p>
      )}
      {list.archivedTo !== undefined && (
        <p role="status" className={classes.searches}>
          {table.archivedTo(format.day(list.archivedTo))}
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

/** The reader's own text stays in the box; the address follows a moment later, and back again when it changes by other means. */
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
