import { nepalDayOf } from '@ghanti/contract/time.ts'
import { useState } from 'react'
import { DateField } from '../../components/dates/DateField.tsx'
import { wholeNumber, type Form } from '../../components/form/field.ts'
import layout from '../../components/form/Form.module.css'
import { Segments } from '../../components/form/Segments.tsx'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { ends, isCounted, lastDay, times, type RepeatForm } from './form.ts'

export function Times({ form }: { form: Form<RepeatForm> }) {
  const { fields, form: t } = useTexts('repeats')
  const format = useFormat()
  const [now] = useState(() => new Date())
  const today = nepalDayOf(now)
  // oxlint-disable react/hooks -- the form's own hooks are the same in every render
  const [rule, how] = [form.useWatchValue('rule'), form.useWatchValue('ends')]
  // oxlint-enable react/hooks
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
      {rule === 'weekly' && (
        <Segments
          label={fields.ends}
          value={how}
          onChange={(chosen) => form.setFieldValue('ends', chosen)}
          data={ends.map((value) => ({ value, label: t.ends[value] }))}
        />
      )}
      {isCounted({ rule, ends: how }) ? (
        <TextField form={form} name="count" label={fields.count} required {...wholeNumber} />
      ) : (
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
      )}
    </div>
  )
}
