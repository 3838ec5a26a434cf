import { weekdayOf } from '@ghanti/contract/days.ts'
import { Button } from '@mantine/core'
import { CheckboxField } from '../../../components/form/CheckboxField.tsx'
import { DateField } from '../../../components/dates/DateField.tsx'
import { isDay } from '../../../components/dates/day.ts'
import layout from '../../../components/form/Form.module.css'
import { SelectField } from '../../../components/form/select/SelectField.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import type { FormOfCompose } from '../form.ts'
import { useNow } from './use-now.ts'
import { firstDay, lastDay, quarterHoursOf, quickTime, quickTimes, type QuickTime } from './schedule.ts'
import { useWatched } from '../use-watched.ts'

type ScheduleFieldsProps = {
  form: FormOfCompose
  /** Offers a time after which no call begins, or no message leaves. */
  of?: 'calls' | 'messages'
}

/** Day and quarter hour in Nepal, whatever the browser's zone; past ones are not offered. */
export default function ScheduleFields({ form, of }: ScheduleFieldsProps) {
  const { schedule: t } = useTexts('compose')
  const ends = useWatched(form, 'withEnd')
  const start = { day: useWatched(form, 'day'), time: useWatched(form, 'time') }
  const choose = (which: QuickTime) => {
    const { day, time } = quickTime(which, new Date())
    form.setFieldValue('day', day)
    form.setFieldValue('time', time)
    form.clearFieldError('day')
    form.clearFieldError('time')
  }
  return (
    <div className={layout.form}>
      <div className={layout.buttons} role="group" aria-label={t.quick}>
        {quickTimes.map((which) => (
          <Button key={which} size="compact-sm" variant="default" onClick={() => choose(which)}>
            {t.quickTimes[which]}
          </Button>
        ))}
      </div>
      <Moment form={form} day="day" time="time" labels={{ day: t.day, time: t.time }} />
      {of && (
        <>
          <CheckboxField form={form} name="withEnd" label={t.ends[of].with} description={t.ends[of].hint} />
          {ends && (
            <Moment
              form={form}
              day="endDay"
              time="endTime"
              labels={{ day: t.ends[of].day, time: t.ends[of].time }}
              after={start.day !== null && start.time !== null ? start.day : undefined}
            />
          )}
        </>
      )}
    </div>
  )
}

type MomentProps = {
  form: FormOfCompose
  day: 'day' | 'endDay'
  time: 'time' | 'endTime'
  labels: { day: string; time: string }
  /** The first day that is offered, where it is not today. */
  after?: string | undefined
}

function Moment({ form, day: dayName, time: timeName, labels, after }: MomentProps) {
  const { schedule: t } = useTexts('compose')
  const format = useFormat()
  const day = useWatched(form, dayName)
  const now = useNow()
  // Of a day that is not chosen yet every quarter hour is offered; those that are over go once it is.
  const quartersOf = (of: string | null, at: Date) => quarterHoursOf(of ?? lastDay(at), at)
  const quarters = quartersOf(day, now)
  form.watch(dayName, ({ value }) => {
    const chosen = form.getValues()[timeName]
    if (chosen !== null && !quartersOf(value, new Date()).includes(chosen)) form.setFieldValue(timeName, null)
  })
  return (
    <div className={layout.fields}>
      <DateField
        form={form}
        name={dayName}
        label={labels.day}
        description={isDay(day ?? '') ? t.hint(t.weekdays[weekdayOf(day ?? '')] ?? '') : undefined}
        required
        empty={null}
        min={after ?? firstDay(now)}
        max={lastDay(now)}
      />
      <SelectField
        form={form}
        name={timeName}
        label={labels.time}
        required
        data={quarters.map((quarter) => ({ value: quarter, label: format.digits(quarter) }))}
        emptyText=""
      />
    </div>
  )
}
