// The package's ES types name a file without its ending, which Node's resolution refuses; its CommonJS types are the same and resolve.
import type { UseFormReturnType } from '@mantine/form' with { 'resolution-mode': 'require' }
import type { ReactNode } from 'react'
import { useLanguage } from '../../i18n/language.ts'
import { fieldText } from '../ui/failure-texts.ts'

/** What `useForm<Values>({ mode: 'uncontrolled', ... })` gives, whatever validates it. */
export type Form<Values> = UseFormReturnType<Values>

/** For a field of a whole number. Longer than any: a limit at the number's own length would cut a slip of the hand to another number that is taken. */
export const wholeNumber = { inputMode: 'numeric', maxLength: 40, autoComplete: 'off' } as const

/** What every field component takes: the form (`mode: 'uncontrolled'`), the field's name in it, and its label. */
export type FieldProps<Values> = {
  form: Form<Values>
  /** 'campaignName', or a path: 'agentRows.1.agentNumber'. */
  name: keyof Values & string
  label: string
  description?: ReactNode
  required?: boolean
  disabled?: boolean
}

/**
 * The props of a Mantine input for a field of an uncontrolled form. An error is kept as the English text of wire or schema ('is required')
 * and becomes a sentence in the reader's language here, so it also follows a change of language.
 */
export function useField<Values>(
  { form, name, label, description, required, disabled }: FieldProps<Values>,
  type: 'input' | 'checkbox' = 'input',
) {
  useLanguage()
  const { error, ...input } = form.getInputProps(name, { type })
  const props = {
    ...input,
    name,
    label,
    description,
    withAsterisk: required ?? false,
    // Those who do not see the mark are told; `required` itself would have the browser judge the form.
    ...(required && { 'aria-required': true as const }),
    disabled: disabled ?? false,
    error: typeof error === 'string' ? fieldText(label, error) : error,
  }
  return { key: form.key(name), props }
}
