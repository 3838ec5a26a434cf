import layout from '../../components/form/Form.module.css'
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { settingRoutes } from '@ghanti/contract/settings.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useWrite } from '../../api/query.ts'
import { saving } from '../../components/form/server-errors.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useTexts } from '../../i18n/language.ts'
import { checks, hoursOf, valuesOf, type HoursValues } from '../calling-hours/hours-form.ts'
import { HoursFields } from '../calling-hours/HoursFields.tsx'
import classes from './Settings.module.css'

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
  const save = useWrite(settingRoutes.save, [settingRoutes.read])
  const form = useForm<HoursValues>({ mode: 'uncontrolled', initialValues: valuesOf(opened), validate: checks })
  const labels = Object.fromEntries(Object.entries(fields).map(([wire, name]) => [wire, names[name]]))
  const saveIt = async (values: HoursValues) => {
    await save.mutateAsync({ input: { smsHours: hoursOf(values) } })
    showDone(t.saved)
  }
  return (
    <form className={layout.form} onSubmit={saving(form, saveIt, { labels, fields })} noValidate>
      <h2 className={layout.heading}>{t.title}</h2>
      <p className={classes.note}>{t.note}</p>
      <HoursFields form={form} enabled={t.enabled} />
      <div>
        <Button type="submit" loading={form.submitting}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
