import { dtmfKeys } from '@ghanti/contract/templates.ts'
import { MultiSelectField } from '../../../components/form/select/MultiSelectField.tsx'
import { useTexts } from '../../../i18n/language.ts'
import { KeyNames } from './KeyNames.tsx'
import { OptionalPrompts } from './OptionalPrompts.tsx'
import { PromptField } from '../PromptField.tsx'
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
      <PromptField form={form} role="menu" />
      <OptionalPrompts form={form} />
    </>
  )
}
