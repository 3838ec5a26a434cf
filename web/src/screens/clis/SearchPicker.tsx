import type { RowOf } from '@ghanti/contract/route.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListRoute, SentOf } from '../../api/client.ts'
import { listQuery } from '../../api/query.ts'
import { useField, type FieldProps } from '../../components/form/field.ts'
import { Select } from '../../components/form/select/Select.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'

export type Option = { value: string; label: string }
type SearchPickerProps<Values, R extends ListRoute> = FieldProps<Values> & {
  route: R
  optionOf: (row: RowOf<R>) => Option
  isOffered?: (row: RowOf<R>) => boolean
  chosen: Option | null
  onChoose: (option: Option | null) => void
  /** A choice that may be taken back. */
  clearable?: boolean
  emptyText: string
}

const offered = 50

/** Picks from a list that may be too long for the browser: the server searches it. */
export function SearchPicker<Values, R extends ListRoute>(props: SearchPickerProps<Values, R>) {
  return <Picker key={props.form.key(props.name)} {...props} />
}

/** Keeps the typed text, which the Select would lose with every reply; resetting the form clears it. */
function Picker<Values, R extends ListRoute>(props: SearchPickerProps<Values, R>) {
  const { route, optionOf, isOffered = () => true, chosen, onChoose, clearable = false, emptyText } = props
  const { form: texts } = useTexts('common')
  const { props: input } = useField(props)
  const [typed, setTyped] = useState(chosen?.label ?? '')
  const [search] = useDebouncedValue(typed === chosen?.label ? '' : typed.trim(), 200)
  const sent: SentOf<ListRoute> = {}
  const found = useQuery({
    ...listQuery(route, sent as SentOf<R>, { pageSize: offered, ...(search ? { search } : {}) }),
    placeholderData: keepPreviousData,
  })
  const rows = (found.data?.rows ?? []) as RowOf<R>[]
  const options = rows.filter(isOffered).map(optionOf)
  const data = chosen && !options.some(({ value }) => value === chosen.value) ? [...options, chosen] : options
  // Nothing is missing before the reply arrives.
  const unread = found.error !== null && !found.data
  const nothingFound = found.data && search ? texts.nothingFound : found.data || unread ? emptyText : texts.loading
  const isEmpty = unread || (found.data?.rows.length === 0 && !search)
  const { onChange, ...rest } = input
  return (
    <Select
      {...rest}
      error={rest.error ?? (unread ? failureTexts(found.error).message : undefined)}
      data={data}
      searchable
      allowDeselect={false}
      clearable={clearable}
      filter={({ options: all }) => all}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(value, option) => {
        onChange(value)
        onChoose(option)
      }}
      placeholder={found.isPending ? texts.loading : isEmpty ? emptyText : ''}
      nothingFoundMessage={nothingFound}
      comboboxProps={{ keepMounted: false }}
    />
  )
}
