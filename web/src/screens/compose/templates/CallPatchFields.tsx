import { languages } from '@ghanti/contract/templates.ts'
import { SelectField } from '../../../components/form/select/SelectField.tsx'
import { useTexts } from '../../../i18n/language.ts'
import { AgentFields } from './AgentFields.tsx'
import { KeyNames } from './KeyNames.tsx'
import { OptionalPrompts } from './OptionalPrompts.tsx'
import { PromptField } from '../PromptField.tsx'
import type { FieldsProps } from './template.ts'

export default function CallPatchFields({ form }: FieldsProps) {
  const { speech: t } = useTexts('compose')
  return (
    <>
      <PromptField form={form} role="menu" />
      <AgentFields form={form} />
      <KeyNames form={form} />
      <OptionalPrompts form={form} />
      <SelectField
        form={form}
        name="language"
        label={t.language}
        description={t.noticeHint}
        required
        data={languages.map((language) => ({ value: language, label: t.languages[language] }))}
        emptyText=""
        searchable={false}
      />
    </>
  )
}
