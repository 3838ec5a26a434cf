import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { SettingForm } from './SettingForm.tsx'

export function FirstPassword({ opened }: { opened: boolean }) {
  const { title } = useTexts('settings').firstPassword
  const { firstPassword: t } = useTexts('factors')
  return (
    <SettingForm
      texts={{ title, note: t.note }}
      initial={{ firstPassword: opened }}
      labels={{ firstPassword: t.field }}
      fields={{ firstPassword: 'firstPassword' }}
      inputOf={({ firstPassword }) => ({ firstPassword })}
    >
      {(form) => <CheckboxField form={form} name="firstPassword" label={t.field} />}
    </SettingForm>
  )
}
