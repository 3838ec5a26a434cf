import { betweenOf } from '@ghanti/contract/filters.ts'
import { useSearchParams } from 'react-router'
import { useTexts } from '../../i18n/language.ts'
import { DateRangeField } from '../dates/DateRangeField.tsx'
import { isDay } from '../dates/day.ts'
import classes from './Filters.module.css'

/** What the reader narrows a list of events down to: one kind and a range of days. It lives in the address beside the list's own state. */
export function useFilter() {
  const [params, setParams] = useSearchParams()
  const [kind = '', from = '', to = ''] = ['kind', 'from', 'to'].map((name) => params.get(name) ?? '')
  const change = (values: Partial<Record<'kind' | 'from' | 'to', string>>) =>
    setParams((before) => {
      const after = new URLSearchParams(before)
      after.delete('page')
      for (const [name, value] of Object.entries(values)) {
        if (value) after.set(name, value)
        else after.delete(name)
      }
      return after
    })
  return { kind, from, to, change, isSet: Boolean(kind || from || to), sent: rangeOf(from, to) }
}

/** As the wire has it; days that are none are not sent. */
function rangeOf(from: string, to: string) {
  const date = [from, to].map((day) => (isDay(day) ? day : '')).join('..')
  return { date: betweenOf(date) ? date : undefined }
}

type FiltersProps = {
  filter: ReturnType<typeof useFilter>
  kindLabel: string
  anyKind: string
  kinds: Readonly<Record<string, string>>
}

export function Filters({ filter, kindLabel, anyKind, kinds }: FiltersProps) {
  const { table } = useTexts('common')
  return (
    <div className={classes.filters}>
      <label className={classes.filter}>
        {kindLabel}
        <select value={filter.kind} onChange={(event) => filter.change({ kind: event.currentTarget.value })}>
          <option value="">{anyKind}</option>
          {Object.entries(kinds).map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <DateRangeField label={table.days} value={filter} onChange={filter.change} />
    </div>
  )
}
