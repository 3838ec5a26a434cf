import { nepalDayOf } from '@ghanti/contract/time.ts'
import { DatePickerInput } from '@mantine/dates'
import '@mantine/dates/styles.css'
import 'dayjs/locale/ne'
import { SelectField } from '../../components/form/SelectField.tsx'
import { useField } from '../../components/form/field.ts'
import { useBikramSambat } from '../../components/ui/NepalTime.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage, useTexts } from '../../i18n/language.ts'
import classes from './Compose.module.css'
import type { FormOfCompose } from './form.ts'
import { useNow } from './now.ts'
import { firstDay, lastDay, quarterHoursOf, weekdayOf } from './schedule.ts'
import { useWatched } from './watched.ts'

/** Day and quarter hour in Nepal, whatever the browser's zone; what is past is not offered. */
export default function ScheduleFields({ form }: { form: FormOfCompose }) {
  const { schedule: t } = useTexts('compose')
  const { time } = useTexts('common')
  const format = useFormat()
  const language = useLanguage()
  const day = useWatched(form, 'day')
  const now = useNow()
  const quarters = day === null ? [] : quarterHoursOf(day, now)
  const { key, props } = useField({ form, name: 'day', label: t.day, required: true })
  form.watch('day', ({ value }) => {
    const { time: chosen } = form.getValues()
    if (chosen !== null && !quarterHoursOf(value ?? '', new Date()).includes(chosen)) form.setFieldValue('time', null)
  })
  const bikramSambat = useBikramSambat(day ?? '', day !== null)
  return (
    <div>
      <div className={classes.schedule}>
        <DatePickerInput
          key={key}
          {...props}
          id="schedule-day"
          popoverProps={{ id: 'schedule-day' }}
          // Also names the calendar, which is named after what the button shows.
          placeholder={t.chooseDay}
          valueFormat="YYYY-MM-DD"
          minDate={firstDay(now)}
          maxDate={lastDay(now)}
          locale={language}
          firstDayOfWeek={0}
          weekendDays={[6]}
          defaultDate={firstDay(now)}
          getDayProps={(date) => (date === nepalDayOf(now) ? { 'data-nepal-today': true } : {})}
          classNames={{ day: classes.day ?? '' }}
          ariaLabels={{ nextMonth: t.nextMonth, previousMonth: t.previousMonth }}
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
      {day !== null && (
        <p className={classes.hint}>
          {bikramSambat !== null && <strong>{time.bikramSambat(bikramSambat)}</strong>}{' '}
          {t.hint(t.weekdays[weekdayOf(day)] ?? '')}
        </p>
      )}
    </div>
  )
}
