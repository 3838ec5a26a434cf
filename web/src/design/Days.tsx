import { useForm } from '@mantine/form'
import { useEffect } from 'react'
import { Calendar } from '../components/dates/Calendar.tsx'
import { DateField } from '../components/dates/DateField.tsx'
import DigitChoice from '../components/dates/DigitChoice.tsx'
import { RangePanel } from '../components/dates/RangePanel.tsx'
import { NepalTime } from '../components/ui/NepalTime.tsx'
import { Part } from './Part.tsx'

const initialValues = { none: '', given: '2026-11-23', typed: 'tomorrow', early: '2026-11-01', fixed: '2026-11-23' }
const between = { from: '2026-11-08', to: '2026-11-19' }

export function Days() {
  const form = useForm({ mode: 'uncontrolled', initialValues })
  const { setFieldError } = form
  useEffect(() => setFieldError('early', 'must be a later day'), [setFieldError])
  return (
    <Part title="Days">
      <DateField form={form} name="none" label="No day yet" description="Help stands below." empty="" required />
      <DateField form={form} name="given" label="A day" empty="" />
      <DateField form={form} name="typed" label="What is no day" empty="" />
      <DateField form={form} name="early" label="Too early" empty="" min="2026-11-23" max="2026-12-31" />
      <DateField form={form} name="fixed" label="Disabled" empty="" disabled />
      <Calendar chosen={between} min="2026-11-03" max="2026-11-26" onPick={() => undefined} />
      <RangePanel label="Created" value={between} onChange={() => undefined} />
      <DigitChoice />
      <NepalTime wire="2026-11-23 12:00:00" relative />
      <NepalTime wire="2026-11-23 12:00:00" seconds />
    </Part>
  )
}
