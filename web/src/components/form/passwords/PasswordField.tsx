import { PasswordInput } from '@mantine/core'
import { useTexts } from '../../../i18n/language.ts'
import { useField, type FieldProps } from '../field.ts'

type PasswordFieldProps<Values> = FieldProps<Values> & {
  autoComplete: 'current-password' | 'new-password' | 'off'
  autoFocus?: boolean
  /** Not hidden at first: one that whoever reads it has to tell somebody else. */
  isShown?: boolean
}

export function PasswordField<Values>(props: PasswordFieldProps<Values>) {
  const { form: words } = useTexts('common')
  const { key, props: input } = useField(props)
  const { autoComplete, autoFocus = false, isShown = false } = props
  const toggle = { 'aria-label': words.showPassword, tabIndex: 0 }
  return (
    <PasswordInput
      key={key}
      {...input}
      // Mantine marks its other inputs by itself.
      aria-invalid={Boolean(input.error)}
      autoComplete={autoComplete}
      autoFocus={autoFocus}
      defaultVisible={isShown}
      visibilityToggleButtonProps={toggle}
    />
  )
}
