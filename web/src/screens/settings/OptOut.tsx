import type { OptOut as Words } from '@ghanti/contract/sms-inbox.ts'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import { TextAreaField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { entriesOf, fieldsOfList } from './list-field.ts'
import { SettingForm } from './SettingForm.tsx'

const wordsMax = 100
const lists = ['stopWords', 'startWords', 'helpWords'] as const
const answers = [
  ['confirm', 'confirmText'],
  ['help', 'helpText'],
] as const
const fields: Record<string, keyof Words> = {
  ...Object.assign({}, ...lists.map((name) => fieldsOfList(`optOut.${name}`, name, wordsMax))),
  ...Object.fromEntries(answers.flat().map((name) => [`optOut.${name}`, name])),
}

export function OptOut({ opened }: { opened: Words }) {
  const t = useTexts('settings').optOut
  const labels = Object.fromEntries(Object.entries(fields).map(([wire, name]) => [wire, t.fields[name]]))
  const initial = {
    ...opened,
    stopWords: opened.stopWords.join('\n'),
    startWords: opened.startWords.join('\n'),
    helpWords: opened.helpWords.join('\n'),
  }
  return (
    <SettingForm
      texts={t}
      initial={initial}
      labels={labels}
      fields={fields}
      inputOf={({ stopWords, startWords, helpWords, ...said }) => ({
        optOut: {
          ...said,
          stopWords: entriesOf(stopWords, '\n'),
          startWords: entriesOf(startWords, '\n'),
          helpWords: entriesOf(helpWords, '\n'),
        },
      })}
    >
      {(form) => (
        <>
          {lists.map((name) => (
            <TextAreaField
              key={name}
              form={form}
              name={name}
              label={t.fields[name]}
              description={t.hints[name]}
              rows={4}
            />
          ))}
          {answers.map(([name, text]) => (
            <div key={name}>
              <CheckboxField form={form} name={name} label={t.fields[name]} />
              <TextAreaField form={form} name={text} label={t.fields[text]} rows={2} />
            </div>
          ))}
        </>
      )}
    </SettingForm>
  )
}
