import { ownValue } from '@ghanti/contract/own-values.ts'
import { betweenOf, isReference, recentDays, type ReferenceKind } from '@ghanti/contract/filters.ts'
import { plainNumber } from '@ghanti/contract/written-number.ts'
import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCheck, IconChevronLeft } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { labelOf } from './FilterBar.tsx'
import classes from './FilterBar.module.css'
import { RangePanel } from '../../dates/RangePanel.tsx'
import { useReferences } from './FilterReferences.tsx'
import type { FilterWords } from './filters.ts'
import type { FilterView } from '../use-list.ts'

type EditorProps = { id: string; filters: FilterView; words: FilterWords; close: () => void; back?: () => void }

/** The possible values of one filter. A single choice closes it; with several, each applies at once. */
export function FilterEditor(props: EditorProps) {
  const { id, filters, words, back } = props
  const t = useTexts('filters')
  const filter = ownValue(filters.declared, id)
  const named = ownValue(words, id)?.values
  return (
    <div className={classes.panel} data-kind={filter?.kind} role="group" aria-label={labelOf(id, words)}>
      {back && (
        <button type="button" className={classes.item} data-back onClick={back}>
          <IconChevronLeft size={16} aria-hidden />
          {t.back}
        </button>
      )}
      <p className={classes.title}>{labelOf(id, words)}</p>
      {filter?.kind === 'choice' && <Choices {...props} values={filter.values} several={filter.several} />}
      {filter?.kind === 'dates' && <Days {...props} />}
      {filter?.kind === 'text' &&
        (named ? <Choices {...props} values={Object.keys(named)} several={false} /> : <Words {...props} />)}
      {filter?.kind === 'number' && <WholeNumber {...props} min={filter.min} max={filter.max} />}
      {filter && isReference(filter) && <References {...props} kind={filter.kind} />}
    </div>
  )
}

function Item({ isOn, onClick, children }: { isOn: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={classes.item} aria-pressed={isOn} onClick={onClick}>
      <IconCheck size={16} aria-hidden visibility={isOn ? 'visible' : 'hidden'} />
      {children}
    </button>
  )
}

/** Values with the same label are one choice, like the two statuses that read 'Error'. */
function alike(values: readonly string[], words: Readonly<Record<string, string>>): [string, string[]][] {
  const byLabel = new Map<string, string[]>()
  for (const value of values) {
    const label = ownValue(words, value)
    if (label !== undefined) byLabel.set(label, [...(byLabel.get(label) ?? []), value])
  }
  return [...byLabel]
}

type ChoicesProps = EditorProps & { values: readonly string[]; several: boolean }

function Choices({ id, filters, words, close, values, several }: ChoicesProps) {
  const chosen = ownValue(filters.set, id)?.split(',') ?? []
  const choose = (these: readonly string[], isOn: boolean) => {
    if (!several) close()
    const others = several ? chosen.filter((value) => !these.includes(value)) : []
    const next = isOn ? others : [...others, ...these]
    filters.change({ [id]: next.length === 0 ? null : next.join(',') })
  }
  return alike(values, ownValue(words, id)?.values ?? {}).map(([label, these]) => {
    const isOn = these.every((value) => chosen.includes(value))
    return (
      <Item key={label} isOn={isOn} onClick={() => choose(these, isOn)}>
        {label}
      </Item>
    )
  })
}

function Days({ id, filters, words, close }: EditorProps) {
  const t = useTexts('filters')
  const value = ownValue(filters.set, id) ?? ''
  const { first, last } = betweenOf(value) ?? { first: '', last: '' }
  const choose = (next: string | null) => {
    close()
    filters.change({ [id]: next })
  }
  return (
    <RangePanel
      label={labelOf(id, words)}
      value={{ from: first, to: last }}
      onChange={({ from, to }) => choose(from === '' && to === '' ? null : `${from}..${to}`)}
      presets={recentDays.map((recent) => (
        <button
          key={recent}
          type="button"
          aria-pressed={value === recent}
          onClick={() => choose(value === recent ? null : recent)}
        >
          {t.recent[recent]}
        </button>
      ))}
    />
  )
}

function Words({ id, filters, words, close }: EditorProps) {
  const t = useTexts('filters')
  const [text, setText] = useState(ownValue(filters.set, id) ?? '')
  return (
    <form
      className={classes.fields}
      onSubmit={(event) => {
        event.preventDefault()
        close()
        filters.change({ [id]: text.trim() || null })
      }}
    >
      <input
        className={classes.input}
        aria-label={labelOf(id, words)}
        placeholder={ownValue(words, id)?.hint}
        value={text}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" size="xs">
        {t.apply}
      </Button>
    </form>
  )
}

function WholeNumber({ id, filters, words, close, min, max }: EditorProps & { min: number; max: number }) {
  const t = useTexts('filters')
  const { digits } = useFormat()
  const [text, setText] = useState(ownValue(filters.set, id) ?? '')
  const [isWrong, setWrong] = useState(false)
  const said = plainNumber(text.trim())
  const wrongId = useId()
  return (
    <form
      className={classes.fields}
      onSubmit={(event) => {
        event.preventDefault()
        const isRight = said === '' || (/^\d{1,9}$/.test(said) && Number(said) >= min && Number(said) <= max)
        setWrong(!isRight)
        if (!isRight) return
        close()
        filters.change({ [id]: said || null })
      }}
    >
      <input
        className={classes.input}
        aria-label={labelOf(id, words)}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? wrongId : undefined}
        inputMode="numeric"
        value={text}
        maxLength={20}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" size="xs">
        {t.apply}
      </Button>
      {isWrong && (
        <p id={wrongId} role="alert" className={classes.wrong}>
          {t.numberBetween(digits(String(min)), digits(String(max)))}
        </p>
      )}
    </form>
  )
}

function References({ id, filters, close, kind }: EditorProps & { kind: ReferenceKind }) {
  const t = useTexts('filters')
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  const found = useReferences(kind, search)
  return (
    <>
      <div className={classes.fields}>
        <input
          type="search"
          className={classes.input}
          aria-label={t.search}
          placeholder={t.search}
          value={typed}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      {found.data?.length === 0 && (
        <p role="status" className={classes.title}>
          {t.nothingFound}
        </p>
      )}
      {found.data?.map((one) => (
        <Item
          key={one.id}
          isOn={ownValue(filters.set, id) === String(one.id)}
          onClick={() => {
            close()
            filters.change({ [id]: String(one.id) })
          }}
        >
          {one.name}
          <span className={classes.note}>{one.note}</span>
        </Item>
      ))}
    </>
  )
}
