import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { useTexts } from '../../i18n/language.ts'
import { checks, hoursOf, valuesOf, type HoursValues } from '../calling-hours/hours-form.ts'
import { HoursFields } from '../calling-hours/HoursFields.tsx'
import { SettingForm } from './SettingForm.tsx'

const fields = {
  'smsHours.from': 'from',
  'smsHours.to': 'to',
  'smsHours.weekdays': 'weekdays',
  'smsHours.ownHours': 'ownHours',
  'smsHours.holidays': 'holidays',
} as const

export function SmsHours({ opened }: { opened: CallingHours }) {
  const t = useTexts('settings').smsHours
  const names = useTexts('callingHours').fields
  const labels = Object.fromEntries(Object.entries(fields).map(([wire, name]) => [wire, names[name]]))
  return (
    <SettingForm<HoursValues>
      texts={t}
      initial={valuesOf(opened)}
      labels={labels}
      fields={fields}
      validate={checks}
      inputOf={(values) => ({ smsHours: hoursOf(values) })}
    >
      {(form) => <HoursFields form={form} enabled={t.enabled} />}
    </SettingForm>
  )
}
