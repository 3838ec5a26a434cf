import { ownValue } from '@ghanti/contract/own-values.ts'
import { useState, type ReactElement, type Ref } from 'react'
import { useTexts } from '../../../i18n/language.ts'
import { BarPopover } from './BarPopover.tsx'
import { labelOf, Value } from './FilterBar.tsx'
import classes from './FilterBar.module.css'
import { FilterEditor } from './FilterEditor.tsx'
import type { FilterWords } from './filters.ts'
import type { FilterView } from '../use-list.ts'

type FilterPopoverProps = {
  button: ReactElement<{ ref: Ref<HTMLButtonElement>; onClick: () => void }>
  filters: FilterView
  words: FilterWords
  /** Opened from a chip: only this filter. */
  only?: string
}

/** Opened by a chip or by 'Filter': the filters, then the values of the selected one. */
export default function FilterPopover({ button, filters, words, only }: FilterPopoverProps) {
  const [opened, setOpened] = useState(true)
  const [chosen, setChosen] = useState<string | null>(only ?? null)
  const show = (open: boolean) => {
    setOpened(open)
    if (open) setChosen(only ?? null)
  }
  return (
    <BarPopover button={button} opened={opened} onChange={show} step={chosen ?? ''}>
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
    </BarPopover>
  )
}

type AllProps = { filters: FilterView; words: FilterWords; onChoose: (key: string) => void }

export function All({ filters, words, onChoose }: AllProps) {
  const { table } = useTexts('common')
  const keys = Object.keys(filters.declared).filter((key) => ownValue(words, key))
  const isAny = Object.keys(filters.set).length > 0
  return (
    <div className={classes.panel}>
      {keys.map((key) => (
        <button key={key} type="button" className={classes.item} onClick={() => onChoose(key)}>
          {labelOf(key, words)}
          {ownValue(filters.set, key) !== undefined && (
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
