import { dtmfKeys } from '@ghanti/contract/templates.ts'
import { MultiSelectField } from '../../../components/form/select/MultiSelectField.tsx'
import { useTexts } from '../../../i18n/language.ts'
import { KeyNames } from './KeyNames.tsx'
import { MenuFields, OptionalPrompts } from './MenuFields.tsx'
import type { FieldsProps } from './template.ts'

export default function DtmfInputFields({ form }: FieldsProps) {
  const t = useTexts('compose')
  return (
    <>
      <MultiSelectField
        form={form}
        name="keys"
        label={t.keys}
        required
        data={[...dtmfKeys]}
        emptyText=""
        searchable={false}
      />
      <KeyNames form={form} />
      <MenuFields form={form} />
      <OptionalPrompts form={form} />
    </>
  )
}
