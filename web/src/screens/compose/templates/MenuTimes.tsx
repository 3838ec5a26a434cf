import { menuWaitSecondsMax, rePromptMax } from '@ghanti/contract/templates.ts'
import layout from '../../../components/form/Form.module.css'
import { SelectField } from '../../../components/form/select/SelectField.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import type { FieldsProps } from './template.ts'

export default function MenuTimes({ form }: FieldsProps) {
  const t = useTexts('compose')
  const format = useFormat()
  const upTo = (max: number) =>
    Array.from({ length: max + 1 }, (_, value) => ({ value: String(value), label: format.count(value) }))
  return (
    <div className={layout.fields}>
      <SelectField
        form={form}
        name="menuWait"
        label={t.menuWait}
        description={t.menuWaitHint}
        required
        data={upTo(menuWaitSecondsMax)}
        emptyText=""
        searchable={false}
      />
      <SelectField
        form={form}
        name="rePrompts"
        label={t.rePrompts}
        description={t.rePromptsHint}
        required
        data={upTo(rePromptMax)}
        emptyText=""
      />
    </div>
  )
}
