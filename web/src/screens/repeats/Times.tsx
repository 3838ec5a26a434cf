import { nepalDayOf } from '@ghanti/contract/time.ts'
import { useState } from 'react'
import { DateField } from '../../components/dates/DateField.tsx'
import type { Form } from '../../components/form/field.ts'
import layout from '../../components/form/Form.module.css'
import { SelectField } from '../../components/form/SelectField.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { lastDay, times, type RepeatForm } from './form.ts'

export function Times({ form }: { form: Form<RepeatForm> }) {
  const { fields, form: t } = useTexts('repeats')
  const format = useFormat()
  const [now] = useState(() => new Date())
  const today = nepalDayOf(now)
  return (
    <div className={layout.fields}>
      <SelectField
        form={form}
        name="time"
        label={fields.time}
        required
        data={times.map((time) => ({ value: time, label: format.digits(time) }))}
        emptyText=""
      />
      <DateField
        form={form}
        name="fromDay"
        label={fields.fromDay}
        required
        empty={null}
        min={today}
        max={lastDay(now)}
      />
      <DateField
        form={form}
        name="untilDay"
        label={fields.untilDay}
        description={t.untilHint}
        required
        empty={null}
        min={today}
        max={lastDay(now)}
      />
    </div>
  )
}
