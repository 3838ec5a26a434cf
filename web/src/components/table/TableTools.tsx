import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconDownload, IconRefresh, IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTexts } from '../../i18n/language.ts'
import { ColumnsButton, type Choosable } from './ColumnsButton.tsx'
import classes from './DataTable.module.css'
import type { Column } from './DataTable.tsx'
import { PhoneSort } from './HeadCell.tsx'
import type { ListView } from './use-list.ts'

type TableToolsProps<Row> = {
  columns: readonly Column<Row>[]
  list: ListView<Row>
  csvHref?: string
  /** Absent where the columns are as they are. */
  choice?: Choosable<Row>
  children?: ReactNode
}

export function TableTools<Row>({ columns, list, csvHref, choice, children }: TableToolsProps<Row>) {
  const { table } = useTexts('common')
  return (
    <div className={classes.tools}>
      <SearchBox search={list.state.search} onSearch={(search) => list.change({ search })} />
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
        variant="default"
        leftSection={<IconRefresh size={16} stroke={1.7} />}
        onClick={list.refetch}
        data-fetching={list.isFetching || undefined}
      >
        {table.refresh}
      </Button>
      {choice && <ColumnsButton choice={choice} />}
      {children}
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
