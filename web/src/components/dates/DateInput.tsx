import { TextInput } from '@mantine/core'
import { Suspense, type FocusEventHandler, type ReactNode } from 'react'
import { loadTexts } from '../../i18n/language.ts'
import { late } from '../ui/loading/late.tsx'

// Loaded when a form has a date, so that other screens do not carry two calendars.
const TypedDate = late(async () => {
  const [part] = await Promise.all([import('./TypedDate.tsx'), loadTexts('dates')])
  return part
})

export type DateInputProps = {
  label: string
  /** 'yyyy-MM-dd' (AD), '' for none, or the typed text when it could not be read. */
  value: string
  /**
   * Called on every keystroke with a day, '' or a text for which `isDay` is false. The form checks limits; the calendar offers only days within
   * them.
   */
  onChange: (day: string) => void
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
  /** Omits the button that opens a calendar, where one is beside the field. */
  bare?: boolean
}

/** One day, typed or picked, in the reader's calendar (AD or Bikram Sambat) with the other one beside it. */
export function DateInput(props: DateInputProps) {
  const { label, description, error, withAsterisk = false } = props
  return (
    <Suspense fallback={<TextInput {...{ label, description, error, withAsterisk }} disabled />}>
      <TypedDate {...props} />
    </Suspense>
  )
}
