import { creditRoutes } from '@ghanti/contract/credits.ts'
import Select from '../../components/form/select/LoadedSelect.tsx'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { jsonQuery } from '../../api/query.ts'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'

type AccountPickerProps = {
  label: string
  own: { value: string; label: string }
  chosen: { value: string; label: string }
  onChoose: (userId: string) => void
}

/** The viewer's own account, and the direct children through a server-side search. */
export default function AccountPicker({ label, own, chosen, onChoose }: AccountPickerProps) {
  const { form } = useTexts('common')
  const [typed, setTyped] = useState('')
  // The chosen account's name in the box is not a search.
  const search = useDeferredValue(typed === chosen.label ? '' : typed)
  const children = useQuery({ ...jsonQuery(creditRoutes.children, { search }), placeholderData: keepPreviousData })
  const found = children.data?.map(({ userId, username }) => ({ value: String(userId), label: username })) ?? []
  const data = [
    own,
    ...(found.some(({ value }) => value === chosen.value) || chosen.value === own.value ? [] : [chosen]),
    ...found,
  ]
  return (
    <Select
      label={label}
      data={data}
      value={chosen.value}
      allowDeselect={false}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      onChange={(value) => value && onChoose(value)}
      nothingFoundMessage={form.nothingFound}
      error={children.error && !children.data ? failureTexts(children.error).message : undefined}
      comboboxProps={{ keepMounted: false }}
    />
  )
}
