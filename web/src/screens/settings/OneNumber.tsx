import { wholeNumber } from '../../components/form/field.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { SettingForm } from './SettingForm.tsx'

const inputs = {
  contactFileDays: (contactFileDays: string) => ({ contactFileDays }),
  exportDays: (exportDays: string) => ({ exportDays }),
  historyMonths: (historyMonths: string) => ({ historyMonths }),
  smsPricePaisa: (smsPricePaisa: string) => ({ smsPricePaisa }),
  inboxDays: (inboxDays: string) => ({ inboxDays }),
  dialerWaitMinutes: (dialerWaitMinutes: string) => ({ dialerWaitMinutes }),
}
type OneNumberProps = { name: keyof typeof inputs; opened: number }

export function OneNumber({ name, opened }: OneNumberProps) {
  const t = useTexts('settings')[name]
  return (
    <SettingForm
      texts={t}
      initial={{ count: String(opened) }}
      labels={{ [name]: t.field }}
      fields={{ [name]: 'count' }}
      inputOf={({ count }) => inputs[name](count)}
    >
      {(form) => <TextField form={form} name="count" label={t.field} required {...wholeNumber} />}
    </SettingForm>
  )
}
