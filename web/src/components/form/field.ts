// The package's ES types import a file without its extension, which Node's resolution refuses; its CommonJS types are the same and resolve.
import type { UseFormReturnType } from '@mantine/form' with { 'resolution-mode': 'require' }
import type { ReactNode } from 'react'
import { useLanguage } from '../../i18n/language.ts'
import { fieldText } from '../ui/failures/failure-texts.ts'

export type Form<Values> = UseFormReturnType<Values>

/** The maximum length for whole numbers. It exceeds any valid one, because truncating a mistyped number would turn it into another number. */
export const wholeNumber = { inputMode: 'numeric', maxLength: 40, autoComplete: 'off' } as const

export type FieldProps<Values> = {
  form: Form<Values>
  /** 'campaignName', or a path: 'agentRows.1.agentNumber'. */
  name: keyof Values & string
  label: string
  description?: ReactNode
  required?: boolean
  disabled?: boolean
}

/** Errors are stored as the English text of wire or schema ('is required') and translated here, so they follow a change of language. */
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
    // For screen readers; `required` itself would make the browser validate the form.
    ...(required && { 'aria-required': true as const }),
    disabled: disabled ?? false,
    error: typeof error === 'string' ? fieldText(label, error) : error,
  }
  return { key: form.key(name), props }
}
