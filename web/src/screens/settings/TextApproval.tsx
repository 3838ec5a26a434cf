import type { TextApproval as Approval } from '@ghanti/contract/sms-texts.ts'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import { TextAreaField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { entriesOf, fieldsOfList } from './list-field.ts'
import { SettingForm } from './SettingForm.tsx'

const wordsMax = 500
const fields: Record<string, keyof Approval> = {
  'textApproval.promotional': 'promotional',
  ...fieldsOfList('textApproval.words', 'words', wordsMax),
}

export function TextApproval({ opened }: { opened: Approval }) {
  const t = useTexts('settings').textApproval
  const labels = Object.fromEntries(
    Object.entries(fields).map(([wire, name]) => [wire, name === 'words' ? t.fields.words : t.fields.promotional]),
  )
  return (
    <SettingForm
      texts={t}
      initial={{ promotional: opened.promotional, words: opened.words.join('\n') }}
      labels={labels}
      fields={fields}
      inputOf={({ promotional, words }) => ({ textApproval: { promotional, words: entriesOf(words, '\n') } })}
    >
      {(form) => (
        <>
          <CheckboxField form={form} name="promotional" label={t.fields.promotional} />
          <TextAreaField form={form} name="words" label={t.fields.words} description={t.wordsHint} rows={4} />
        </>
      )}
    </SettingForm>
  )
}
