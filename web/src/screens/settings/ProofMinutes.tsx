import { wholeNumber } from '../../components/form/field.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { SettingForm } from './SettingForm.tsx'

/** For how long a login lets sensitive requests through. */
export function ProofMinutes({ opened }: { opened: number }) {
  const { title } = useTexts('settings').proofMinutes
  const { proofMinutes: t } = useTexts('factors')
  return (
    <SettingForm
      texts={{ title, note: t.note }}
      initial={{ count: String(opened) }}
      labels={{ proofMinutes: t.field }}
      fields={{ proofMinutes: 'count' }}
      inputOf={({ count }) => ({ proofMinutes: count })}
    >
      {(form) => <TextField form={form} name="count" label={t.field} required {...wholeNumber} />}
    </SettingForm>
  )
}
