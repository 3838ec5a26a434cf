import { DateField } from '../../components/dates/DateField.tsx'
import { isDay, weekdayOf } from '../../components/dates/day.ts'
import layout from '../../components/form/Form.module.css'
import { SelectField } from '../../components/form/SelectField.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import type { FormOfCompose } from './form.ts'
import { useNow } from './now.ts'
import { firstDay, lastDay, quarterHoursOf } from './schedule.ts'
import { useWatched } from './watched.ts'

/** Day and quarter hour in Nepal, whatever the browser's zone; past ones are not offered. */
export default function ScheduleFields({ form }: { form: FormOfCompose }) {
  const { schedule: t } = useTexts('compose')
  const format = useFormat()
  const day = useWatched(form, 'day')
  const now = useNow()
  const quarters = day === null ? [] : quarterHoursOf(day, now)
  form.watch('day', ({ value }) => {
    const { time: chosen } = form.getValues()
    if (chosen !== null && !quarterHoursOf(value ?? '', new Date()).includes(chosen)) form.setFieldValue('time', null)
  })
  return (
    <div>
      <div className={layout.fields}>
        <DateField
          form={form}
          name="day"
          label={t.day}
          description={isDay(day ?? '') ? t.hint(t.weekdays[weekdayOf(day ?? '')] ?? '') : undefined}
          required
          empty={null}
          min={firstDay(now)}
          max={lastDay(now)}
        />
        <SelectField
          form={form}
          name="time"
          label={t.time}
          required
          data={quarters.map((quarter) => ({ value: quarter, label: format.digits(quarter) }))}
          emptyText=""
        />
      </div>
    </div>
  )
}
