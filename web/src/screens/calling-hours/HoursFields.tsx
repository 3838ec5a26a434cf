import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DateInput } from '../../components/dates/DateInput.tsx'
import { isDay } from '../../components/dates/day.ts'
import layout from '../../components/form/Form.module.css'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import type { Form } from '../../components/form/field.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { fieldText } from '../../components/ui/failures/failure-texts.ts'
import { useOtherDate } from '../../components/ui/NepalTime.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './CallingHours.module.css'
import type { HoursValues } from './hours-form.ts'

type Holiday = CallingHours['holidays'][number]

/** Hours, weekdays and holidays, for the platform and for accounts. `enabled`: the switch's label when the hours are not for calls. */
export function HoursFields({ form, enabled }: { form: Form<HoursValues>; enabled?: string }) {
  const { fields } = useTexts('callingHours')
  return (
    <>
      <CheckboxField form={form} name="enabled" label={enabled ?? fields.enabled} />
      <div className={layout.fields}>
        <TextField
          form={form}
          name="from"
          label={fields.from}
          description={fields.fromHint}
          required
          maxLength={5}
          autoComplete="off"
        />
        <TextField
          form={form}
          name="to"
          label={fields.to}
          description={fields.toHint}
          required
          maxLength={5}
          autoComplete="off"
        />
      </div>
      <Weekdays form={form} />
      <Holidays form={form} />
    </>
  )
}

function Weekdays({ form }: { form: Form<HoursValues> }) {
  const { fields, weekdays } = useTexts('callingHours')
  const [chosen, setChosen] = useState(form.getValues().weekdays)
  const toggle = (day: number) => {
    const next = chosen.includes(day) ? chosen.filter((other) => other !== day) : [...chosen, day]
    setChosen(next)
    form.setFieldValue('weekdays', next)
  }
  return (
    <fieldset className={classes.days}>
      <legend>{fields.weekdays}</legend>
      <p className={classes.more}>{fields.ownHoursHint}</p>
      <ul className={classes.week}>
        {weekdays.map((name, day) => (
          <li key={name}>
            <Checkbox label={name} checked={chosen.includes(day)} onChange={() => toggle(day)} />
            <OwnHours form={form} weekday={day} name={name} disabled={!chosen.includes(day)} />
          </li>
        ))}
      </ul>
      {(['weekdays', 'ownHours'] as const).map((field) => {
        const error = form.errors[field]
        return (
          typeof error === 'string' && (
            <p key={field} className={classes.error}>
              {fieldText(fields[field], error)}
            </p>
          )
        )
      })}
    </fieldset>
  )
}

type OwnHoursProps = { form: Form<HoursValues>; weekday: number; name: string; disabled: boolean }

function OwnHours({ form, weekday, name, disabled }: OwnHoursProps) {
  const { fields } = useTexts('callingHours')
  const own = form.getValues().ownHours.find((one) => one.weekday === weekday)
  const put = (end: 'from' | 'to', time: string) => {
    const { ownHours } = form.getValues()
    const before = ownHours.find((one) => one.weekday === weekday) ?? { weekday, from: '', to: '' }
    const others = ownHours.filter((one) => one.weekday !== weekday)
    form.setFieldValue('ownHours', [...others, { ...before, [end]: time }])
  }
  return (['from', 'to'] as const).map((end) => (
    <TextInput
      key={end}
      size="xs"
      aria-label={`${name}: ${fields[end]}`}
      placeholder={fields[end]}
      defaultValue={own?.[end]}
      disabled={disabled}
      maxLength={5}
      autoComplete="off"
      onChange={(event) => put(end, event.currentTarget.value)}
    />
  ))
}

function Holidays({ form }: { form: Form<HoursValues> }) {
  const t = useTexts('callingHours')
  const [holidays, setHolidays] = useState(form.getValues().holidays)
  const [date, setDate] = useState('')
  const [name, setName] = useState('')
  const put = (next: Holiday[]) => {
    const sorted = next.toSorted((a, b) => (a.date < b.date ? -1 : 1))
    setHolidays(sorted)
    form.setFieldValue('holidays', sorted)
  }
  const add = () => {
    put([...holidays.filter((other) => other.date !== date), { date, name: name.trim() }])
    setDate('')
    setName('')
  }
  return (
    <section className={classes.days} aria-labelledby="holidays">
      <strong id="holidays">{t.fields.holidays}</strong>
      {holidays.length === 0 && <p className={classes.more}>{t.noHolidays}</p>}
      <ul className={classes.holidays}>
        {holidays.map((holiday) => (
          <HolidayLine
            key={holiday.date}
            holiday={holiday}
            onRemove={() => put(holidays.filter((other) => other.date !== holiday.date))}
          />
        ))}
      </ul>
      <div className={classes.adder}>
        <DateInput label={t.date} value={date} onChange={setDate} />
        <TextInput
          label={t.holidayName}
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button variant="default" onClick={add} disabled={!isDay(date)}>
          {t.add}
        </Button>
      </div>
    </section>
  )
}

function HolidayLine({ holiday, onRemove }: { holiday: Holiday; onRemove: () => void }) {
  const t = useTexts('callingHours')
  const format = useFormat()
  const other = useOtherDate(holiday.date)
  return (
    <li>
      <span>
        {format.day(holiday.date)}
        {other && <span className={classes.more}>{other}</span>}
      </span>
      <span>{holiday.name || '–'}</span>
      <Button
        variant="default"
        size="xs"
        aria-label={t.remove(`${holiday.date} ${holiday.name}`.trim())}
        onClick={onRemove}
      >
        {t.exceptions.remove}
      </Button>
    </li>
  )
}
