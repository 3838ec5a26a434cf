import { TextInput } from '@mantine/core'
import { Suspense, type FocusEventHandler, type ReactNode } from 'react'
import { loadTexts } from '../../i18n/language.ts'
import { late } from '../ui/late.tsx'

// Loaded when a form has a date, so that lists and other forms do not carry two calendars.
const TypedDate = late(async () => {
  const [part] = await Promise.all([import('./TypedDate.tsx'), loadTexts('dates')])
  return part
})

export type DateInputProps = {
  label: string
  /** 'yyyy-MM-dd' (AD), '' for none; what is no date was typed and could not be read. */
  value: string
  /** Told at every key: a day, '' or what `isDay` says no to. Limits are for the form to check; the calendar only offers what is within them, and the field says of another day that it is not. */
  onChange: (day: string) => void
  /** The first and the last day that can be chosen. */
  min?: string | undefined
  max?: string | undefined
  description?: ReactNode
  error?: ReactNode
  withAsterisk?: boolean
  disabled?: boolean
  name?: string
  'data-path'?: string
  onBlur?: FocusEventHandler<HTMLInputElement>
  onFocus?: FocusEventHandler<HTMLInputElement>
  /** Without the button that opens a calendar: there is one beside it. */
  bare?: boolean
}

/** One day, typed or chosen, in the reader's calendar (AD or Bikram Sambat) with the other one beside it. */
export function DateInput(props: DateInputProps) {
  const { label, description, error, withAsterisk = false } = props
  return (
    <Suspense fallback={<TextInput {...{ label, description, error, withAsterisk }} disabled />}>
      <TypedDate {...props} />
    </Suspense>
  )
}
