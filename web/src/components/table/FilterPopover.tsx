import { Popover } from '@mantine/core'
import '@mantine/core/styles/Popover.css'
import { cloneElement, useEffect, useRef, useState, type ReactElement, type Ref } from 'react'
import { useTexts } from '../../i18n/language.ts'
import { labelOf, Value } from './FilterBar.tsx'
import classes from './FilterBar.module.css'
import { FilterEditor } from './FilterEditor.tsx'
import type { FilterWords } from './filters.ts'
import type { FilterView } from './use-list.ts'

type FilterPopoverProps = {
  button: ReactElement<{ ref: Ref<HTMLButtonElement>; onClick: () => void }>
  filters: FilterView
  words: FilterWords
  /** Of one chip: that filter alone. */
  only?: string
}

/** What a chip or 'Filter' opens: the filters that there are, then what the chosen one can be. */
export default function FilterPopover({ button, filters, words, only }: FilterPopoverProps) {
  const [opened, setOpened] = useState(true)
  const [chosen, setChosen] = useState<string | null>(only ?? null)
  const target = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const show = (open: boolean) => {
    setOpened(open)
    if (open) setChosen(only ?? null)
    // Whoever pressed something else is there already.
    else if (panel.current?.contains(document.activeElement)) target.current?.focus()
  }
  return (
    <Popover
      opened={opened}
      onChange={show}
      position="bottom-start"
      shadow="md"
      trapFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>{cloneElement(button, { ref: target, onClick: () => show(!opened) })}</Popover.Target>
      <Popover.Dropdown ref={panel} p={0} className={classes.dropdown ?? ''}>
        <Focus key={chosen} />
        {chosen === null ? (
          <All filters={filters} words={words} onChoose={setChosen} />
        ) : (
          <FilterEditor
            key={chosen}
            id={chosen}
            filters={filters}
            words={words}
            close={() => show(false)}
            {...(only === undefined && { back: () => setChosen(null) })}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** What was pressed is gone when the panel changes: the focus goes to the first thing of the next one, and the page stays where it is. */
function Focus() {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    place.current?.parentElement?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true })
  }, [])
  return <span ref={place} hidden />
}

type AllProps = { filters: FilterView; words: FilterWords; onChoose: (key: string) => void }

function All({ filters, words, onChoose }: AllProps) {
  const { table } = useTexts('common')
  const keys = Object.keys(filters.declared).filter((key) => words[key])
  const isAny = Object.keys(filters.set).length > 0
  return (
    <div className={classes.panel}>
      {keys.map((key) => (
        <button key={key} type="button" className={classes.item} onClick={() => onChoose(key)}>
          {labelOf(key, words)}
          {filters.set[key] !== undefined && (
            <span className={classes.note}>
              <Value id={key} filters={filters} words={words} />
            </span>
          )}
        </button>
      ))}
      {isAny && (
        <button type="button" className={classes.item} onClick={filters.clear}>
          {table.clearFilters}
        </button>
      )}
    </div>
  )
}
