import { platformRoutes } from '@ghanti/contract/platform.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { jsonQuery } from '../../api/query.ts'
import { useField, type FieldProps } from './field.ts'
import { Select } from './select/Select.tsx'
import { failureTexts } from '../ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'

type Option = { value: string; label: string }

type AccountFieldProps<Values> = FieldProps<Values> & {
  onChoose?: (username: string) => void
}

/** Any account except super admins'; the server searches by username. */
export function AccountField<Values>(props: AccountFieldProps<Values>) {
  return <Picker key={props.form.key(props.name)} {...props} />
}

/** Keeps the typed text, which the Select would lose with every reply; resetting the form clears it. */
function Picker<Values>({ onChoose, ...props }: AccountFieldProps<Values>) {
  const { form: texts } = useTexts('common')
  const { props: input } = useField(props)
  const [chosen, setChosen] = useState<Option | null>(null)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed === chosen?.label ? '' : typed.trim(), 200)
  const accounts = useQuery({
    ...jsonQuery(platformRoutes.dialTargets, { kind: 'account', ...(search ? { search } : {}) }),
    placeholderData: keepPreviousData,
  })
  const found = accounts.data?.map(({ targetId, target }) => ({ value: String(targetId), label: target })) ?? []
  const { onChange, ...rest } = input
  return (
    <Select
      {...rest}
      error={rest.error ?? (accounts.error && !accounts.data ? failureTexts(accounts.error).message : undefined)}
      data={chosen && !found.some(({ value }) => value === chosen.value) ? [...found, chosen] : found}
      searchable
      allowDeselect={false}
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(value, option) => {
        onChange(value)
        setChosen(option)
        onChoose?.(option?.label ?? '')
      }}
      nothingFoundMessage={accounts.data ? (search ? texts.nothingFound : texts.noIdFound) : texts.loading}
      comboboxProps={{ keepMounted: false }}
    />
  )
}
