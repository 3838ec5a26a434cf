import { ownValue } from '@ghanti/contract/own-values.ts'
import { IconBookmark, IconChevronLeft, IconChevronRight, IconDownload, IconRefresh } from '@tabler/icons-react'
import { useState, type MouseEvent, type ReactNode } from 'react'
import { loadTexts, useTexts } from '../../../i18n/language.ts'
import type { ListMenuProps, OpenedListMenu } from '../columns/ListMenu.tsx'
import { Columns } from '../columns/OpenListMenu.tsx'
import { BarPopover } from '../filters/BarPopover.tsx'
import { FilterEditor } from '../filters/FilterEditor.tsx'
import { All } from '../filters/FilterPopover.tsx'
import bar from '../filters/FilterBar.module.css'
import { late } from '../../ui/loading/late.tsx'
import { useViews } from '../filters/Views.tsx'
import { ViewsPanel } from '../filters/ViewsPopover.tsx'
import type { ListView, FilterView } from '../use-list.ts'
import classes from './Sheet.module.css'

/** What is on the sheet: all of it, the views, or the values of one filter. */
type Place = { at: 'all' } | { at: 'views' } | { at: 'filter'; key: string }

function Panel({ button, ...props }: OpenedListMenu) {
  const { list, filters: words = {} } = props
  const t = useTexts('filters')
  const [opened, setOpened] = useState(true)
  const [place, setPlace] = useState<Place>({ at: 'all' })
  const show = (wanted: boolean) => {
    setOpened(wanted)
    if (wanted) setPlace({ at: 'all' })
  }
  const close = () => show(false)
  const back = () => setPlace({ at: 'all' })
  return (
    <BarPopover
      button={button}
      opened={opened}
      onChange={show}
      step={place.at === 'filter' ? place.key : place.at}
      isVeiled
    >
      {place.at === 'all' && <Whole {...props} close={close} go={setPlace} />}
      {place.at === 'views' && list.filters && (
        <Saved filters={list.filters} close={close}>
          <button type="button" className={bar.item} data-back onClick={back}>
            <IconChevronLeft size={16} aria-hidden />
            {t.views.title}
          </button>
        </Saved>
      )}
      {place.at === 'filter' && list.filters && (
        <FilterEditor id={place.key} filters={list.filters} words={words} close={close} back={back} />
      )}
    </BarPopover>
  )
}

/** With its texts, which are read here and not where every list begins. */
export default late(async () => {
  await Promise.all([loadTexts('filters'), loadTexts('dates')])
  return { default: Panel }
})

type WholeProps = ListMenuProps<never> & { close: () => void; go: (place: Place) => void }

function Whole({ columns, list, filters: words = {}, csvHref, choice, children, close, go }: WholeProps) {
  const { table } = useTexts('common')
  const t = useTexts('filters')
  const hasFilters = list.filters && Object.keys(list.filters.declared).some((key) => ownValue(words, key))
  return (
    <div className={classes.sheet} role="group" aria-label={table.listMenu}>
      {list.filters && hasFilters && (
        <section>
          <h2>{t.bar}</h2>
          <All filters={list.filters} words={words} onChoose={(key) => go({ at: 'filter', key })} />
          <button type="button" className={bar.item} onClick={() => go({ at: 'views' })}>
            <IconBookmark size={16} stroke={1.7} aria-hidden />
            {t.views.title}
            <IconChevronRight className={classes.into} size={16} aria-hidden />
          </button>
        </section>
      )}
      <Sort columns={columns} list={list} />
      <section>
        {children && (
          <div className={classes.own} onClick={closeAfter(close)}>
            {children}
          </div>
        )}
        {csvHref !== undefined && (
          <a href={csvHref} download className={bar.item} onClick={close}>
            <IconDownload size={16} stroke={1.7} aria-hidden />
            {table.exportCsv}
          </a>
        )}
        <button
          type="button"
          className={bar.item}
          onClick={() => {
            close()
            list.refetch()
          }}
        >
          <IconRefresh size={16} stroke={1.7} aria-hidden />
          {table.refresh}
        </button>
      </section>
      {choice && (
        <div className={classes.columns}>
          <Columns choice={choice} />
        </div>
      )}
    </div>
  )
}

/** After a button or link of the screen's own, but not after a choice, which may be followed by another. */
const closeAfter = (close: () => void) => (event: MouseEvent) => {
  if (event.target instanceof Element && event.target.closest('a, button')) close()
}

function Saved({ filters, close, children }: { filters: FilterView; close: () => void; children: ReactNode }) {
  const { views = [], query, active } = useViews(filters)
  return (
    <ViewsPanel filters={filters} views={views} query={query} activeId={active?.viewId ?? null} close={close}>
      {children}
    </ViewsPanel>
  )
}

/** Cards have no headings to sort by. */
function Sort({ columns, list }: { columns: ListMenuProps<never>['columns']; list: ListView<never> }) {
  const { sort } = useTexts('filters')
  const options = columns.flatMap(({ sortKey, header }) =>
    sortKey === undefined
      ? []
      : [
          { value: sortKey, label: sort.ascending(header) },
          { value: `-${sortKey}`, label: sort.descending(header) },
        ],
  )
  if (options.length === 0) return null
  const { defaultSort } = list
  if (options.every(({ value }) => value !== defaultSort))
    options.unshift({ value: defaultSort, label: sort.newestFirst })
  return (
    <label className={classes.sort}>
      {sort.by}
      <select value={list.state.sort} onChange={(event) => list.change({ sort: event.currentTarget.value })}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}
