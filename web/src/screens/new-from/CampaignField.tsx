import Select from '../../components/form/select/LoadedSelect.tsx'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useField, type Form } from '../../components/form/field.ts'
import { useReferences } from '../../components/table/filters/FilterReferences.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import type { NewFromForm } from './choice.ts'

type Option = { value: string; label: string }

/** Another of the user's campaigns, whose contacts are left out: the newest ones, others by search. */
export function CampaignField({ form, without }: { form: Form<NewFromForm>; without: number }) {
  const t = useTexts('newFrom')
  const { form: texts } = useTexts('common')
  const { key, props } = useField({ form, name: 'other', label: t.other, description: t.otherEveryone })
  const [chosen, setChosen] = useState<Option | null>(null)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed === chosen?.label ? '' : typed.trim(), 200)
  const campaigns = useReferences('campaign', search)
  const found = (campaigns.data ?? [])
    .filter(({ id }) => id !== without)
    .map(({ id, name }) => ({ value: String(id), label: `${name} (#${id})` }))
  const { onChange, ...input } = props
  return (
    <Select
      key={key}
      {...input}
      error={input.error ?? (campaigns.error && !campaigns.data ? failureTexts(campaigns.error).message : undefined)}
      data={chosen && !found.some(({ value }) => value === chosen.value) ? [...found, chosen] : found}
      searchable
      clearable
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(value, option) => {
        onChange(value)
        setChosen(option)
      }}
      nothingFoundMessage={campaigns.data ? t.noCampaign : texts.loading}
      comboboxProps={{ keepMounted: false }}
    />
  )
}
