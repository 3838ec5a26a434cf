import { useState } from 'react'
import { useField, type FieldProps } from '../form/field.ts'
import { DateInput, type DateInputProps } from './DateInput.tsx'

type DateFieldProps<Values, Empty> = FieldProps<Values> &
  Pick<DateInputProps, 'min' | 'max'> & {
    /** The form's value while no day is chosen. */
    empty: Empty
  }

/** A day in a form, 'yyyy-MM-dd' (AD). Text that cannot be read reaches the form's checks, which use `dayFault`. */
export function DateField<Values>(props: DateFieldProps<Values, '' | null>) {
  const { key, props: field } = useField(props)
  return <Held key={key} field={field} {...props} />
}

type HeldProps<Values> = DateFieldProps<Values, '' | null> & { field: ReturnType<typeof useField<Values>>['props'] }

function Held<Values>({ field, empty, min, max }: HeldProps<Values>) {
  const { defaultValue, value: _, checked: _c, onChange, ...input } = field
  const [day, setDay] = useState(typeof defaultValue === 'string' ? defaultValue : '')
  const change = (next: string) => {
    setDay(next)
    onChange(next === '' ? empty : next)
  }
  return <DateInput {...input} value={day} onChange={change} min={min} max={max} />
}
