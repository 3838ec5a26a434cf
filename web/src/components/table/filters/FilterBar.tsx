import { ownValue } from '@ghanti/contract/own-values.ts'
import { betweenOf, isReference, seemsBikramSambat, type Filter } from '@ghanti/contract/filters.ts'
import { IconFilter, IconX } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { TextsOf } from '../../../i18n/areas.ts'
import { useFormat, type Format } from '../../../i18n/format.ts'
import { loadTexts, useTexts } from '../../../i18n/language.ts'
import { late } from '../../ui/loading/late.tsx'
import classes from './FilterBar.module.css'
import type { Dropped, FilterWords } from './filters.ts'
import { keyOf } from '../list-state.ts'
import type { FilterView } from '../use-list.ts'
import { Views } from './Views.tsx'

const FilterPopover = late(
  async () => {
    const [part] = await Promise.all([import('./FilterPopover.tsx'), loadTexts('dates')])
    return part
  },
  { floating: true },
)

const ReferencedName = late(() => import('./FilterReferences.tsx'))

type FilterBarProps = { filters: FilterView; words: FilterWords }

/** A chip per filter, all stored in the URL; on phones one button with their number. `elsewhere`: filters with controls outside the bar. */
export default function FilterBar({
  filters,
  words,
  elsewhere = [],
}: FilterBarProps & { elsewhere?: readonly string[] }) {
  const { table } = useTexts('common')
  const t = useTexts('filters')
  const format = useFormat()
  const keys = Object.keys(filters.declared).filter((key) => ownValue(words, key))
  const set = keys.filter((key) => ownValue(filters.set, key) !== undefined)
  const strange = Object.keys(filters.set).filter((key) => !ownValue(words, key) && !elsewhere.includes(key))
  if (keys.length === 0 && filters.dropped.length === 0 && strange.length === 0) return null
  return (
    <div className={classes.bar} role="group" aria-label={t.bar}>
      {set.map((key) => (
        <span key={key} className={classes.chip}>
          <Opening filters={filters} words={words} only={key} label={t.edit(labelOf(key, words))}>
            <span className={classes.name}>{labelOf(key, words)}:</span>
            <Value id={key} filters={filters} words={words} />
          </Opening>
          <button
            type="button"
            className={classes.remove}
            aria-label={t.remove(labelOf(key, words))}
            onClick={() => filters.change({ [key]: null })}
          >
            <IconX size={14} aria-hidden />
          </button>
        </span>
      ))}
      {keys.length > 0 && (
        <span className={classes.add}>
          <Opening filters={filters} words={words}>
            <IconFilter size={16} stroke={1.7} aria-hidden />
            <span className={classes.wide}>{t.add}</span>
            <span className={classes.phone}>{set.length > 0 ? t.count(format.count(set.length)) : t.bar}</span>
          </Opening>
        </span>
      )}
      {set.length > 1 && (
        <button type="button" className={classes.clear} onClick={filters.clear}>
          {table.clearFilters}
        </button>
      )}
      {keys.length > 0 && <Views key={filters.list} filters={filters} />}
      {filters.dropped.map((dropped) => (
        <p key={dropped.key} role="status" className={classes.dropped}>
          {faultText(dropped, words, t)}
        </p>
      ))}
      {strange.map((key) => (
        <p key={key} role="status" className={classes.dropped}>
          {t.notOffered(key)}{' '}
          <button type="button" className={classes.clear} onClick={() => filters.change({ [key]: null })}>
            {t.remove(key)}
          </button>
        </p>
      ))}
    </div>
  )
}

function faultText({ key, value, isKnown }: Dropped, words: FilterWords, t: BarTexts): string {
  if (key === 'sort') return t.sortGone(keyOf(value))
  if (isKnown && seemsBikramSambat(value)) return t.notAd(labelOf(key, words), value)
  return isKnown ? t.wrong(labelOf(key, words), value) : t.unknown(key)
}

export const labelOf = (key: string, words: FilterWords) => ownValue(words, key)?.label ?? key

type OpeningProps = FilterBarProps & { only?: string; label?: string; children: React.ReactNode }

/** A plain button until its first click. */
function Opening({ filters, words, only, label, children }: OpeningProps) {
  const [mounted, setMounted] = useState(false)
  const button = (
    <button
      type="button"
      className={classes.button}
      aria-haspopup="dialog"
      data-paper={only}
      {...(label !== undefined && { 'aria-description': label })}
      onClick={() => setMounted(true)}
    >
      {children}
    </button>
  )
  if (!mounted) return button
  return (
    <Suspense fallback={button}>
      <FilterPopover button={button} filters={filters} words={words} {...(only !== undefined && { only })} />
    </Suspense>
  )
}

export function Value({ id, filters, words }: FilterBarProps & { id: string }) {
  const t = useTexts('filters')
  const format = useFormat()
  const filter = ownValue(filters.declared, id)
  const value = ownValue(filters.set, id)
  if (!filter || value === undefined) return null
  if (isReference(filter))
    return (
      <Suspense fallback="…">
        <ReferencedName kind={filter.kind} id={Number(value)} />
      </Suspense>
    )
  return <span className={classes.value}>{valueText(filter, value, ownValue(words, id), t, format)}</span>
}

type BarTexts = TextsOf<'filters'>

function valueText(
  filter: Filter,
  value: string,
  words: FilterWords[string] | undefined,
  t: BarTexts,
  format: Format,
): string {
  if (filter.kind === 'dates') return daysText(value, t, format)
  if (filter.kind === 'number') return format.count(Number(value))
  if (filter.kind !== 'choice') return ownValue(words?.values, value) ?? value
  const chosen = [...new Set(value.split(',').map((one) => ownValue(words?.values, one) ?? one))]
  return chosen.length > shownMax
    ? `${chosen.slice(0, shownMax).join(', ')} +${format.count(chosen.length - shownMax)}`
    : chosen.join(', ')
}
const shownMax = 3

function daysText(value: string, t: BarTexts, format: Format): string {
  const between = betweenOf(value)
  if (!between) return ownValue(t.recent as Readonly<Record<string, string>>, value) ?? value
  const [first, last] = [format.moment(between.first), format.moment(between.last)]
  if (first === last) return first
  if (between.first === '') return t.until(last)
  return between.last === '' ? t.since(first) : t.between(first, last)
}
