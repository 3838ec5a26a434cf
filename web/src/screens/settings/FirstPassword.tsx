import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { SettingForm } from './SettingForm.tsx'

export function FirstPassword({ opened }: { opened: boolean }) {
  const t = useTexts('settings').firstPassword
  return (
    <SettingForm
      texts={t}
      initial={{ firstPassword: opened }}
      labels={{ firstPassword: t.field }}
      fields={{ firstPassword: 'firstPassword' }}
      inputOf={({ firstPassword }) => ({ firstPassword })}
    >
      {(form) => <CheckboxField form={form} name="firstPassword" label={t.field} />}
    </SettingForm>
  )
}
