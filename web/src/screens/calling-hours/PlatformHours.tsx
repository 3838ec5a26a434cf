import layout from '../../components/form/Form.module.css'
import { callingHoursRoutes } from '@ghanti/contract/calling-hours.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useWrite } from '../../api/query.ts'
import { wholeNumber } from '../../components/form/field.ts'
import { ErrorSummary } from '../../components/form/ErrorSummary.tsx'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useTexts } from '../../i18n/language.ts'
import { checks, fieldsOfHours, hoursOf, valuesOf, type HoursValues } from './hours-form.ts'
import { HoursFields } from './HoursFields.tsx'

/** For every account without hours of its own. */
export function PlatformHours({ opened }: { opened: ReplyOf<typeof callingHoursRoutes.platform> }) {
  const t = useTexts('callingHours')
  const save = useWrite(callingHoursRoutes.save, [callingHoursRoutes.platform])
  const form = useForm<HoursValues>({
    mode: 'uncontrolled',
    initialValues: valuesOf(opened.hours, { dialDays: String(opened.dialDays) }),
    validate: checks,
  })
  const { from, to, weekdays, ownHours, holidays, dialDays } = t.fields
  const labels = {
    'hours.from': from,
    'hours.to': to,
    'hours.weekdays': weekdays,
    'hours.ownHours': ownHours,
    'hours.holidays': holidays,
    dialDays,
  }
  const saveIt = async (values: HoursValues) => {
    await save.mutateAsync({ input: { hours: hoursOf(values), dialDays: values.dialDays.trim() || undefined } })
    showDone(t.saved)
  }
  return (
    <form
      className={layout.form}
      onSubmit={saving(form, saveIt, { labels, fields: fieldsOfHours, summed: true })}
      noValidate
    >
      <HoursFields form={form} />
      <TextField form={form} name="dialDays" label={t.fields.dialDays} {...wholeNumber} />
      <ErrorSummary form={form} labels={t.fields} />
      <div className={layout.buttons}>
        <Button type="submit" loading={form.submitting}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
