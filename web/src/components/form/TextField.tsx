import { Textarea, TextInput, type TextInputProps } from '@mantine/core'
import { useField, type FieldProps } from './field.ts'

type TextFieldProps<Values> = FieldProps<Values> &
  Pick<
    TextInputProps,
    'placeholder' | 'maxLength' | 'autoComplete' | 'inputMode' | 'type' | 'min' | 'rightSection' | 'autoFocus'
  >

export function TextField<Values>(props: TextFieldProps<Values>) {
  const { key, props: input } = useField(props)
  return <TextInput key={key} {...looks(props)} {...input} />
}

/** Grows with its text by CSS (`field-sizing`), up to `rowsMax`. */
export function TextAreaField<Values>(props: TextFieldProps<Values> & { rows?: number; rowsMax?: number }) {
  const { key, props: input } = useField(props)
  const { rows = 3, rowsMax = 12 } = props
  return (
    <Textarea
      key={key}
      {...looks(props)}
      {...input}
      styles={{ input: { minHeight: `${rows * 1.55 + 1}em`, maxHeight: `${rowsMax * 1.55 + 1}em` } }}
    />
  )
}

function looks<Values>({
  placeholder,
  maxLength,
  autoComplete,
  inputMode,
  type,
  min,
  rightSection,
  autoFocus,
}: TextFieldProps<Values>) {
  const given = { placeholder, maxLength, autoComplete, inputMode, type, min, rightSection, autoFocus }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
