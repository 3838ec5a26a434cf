import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Checkbox.css'
import { useField, type FieldProps } from './field.ts'

export function CheckboxField<Values>(props: FieldProps<Values>) {
  const { key, props: input } = useField(props, 'checkbox')
  const { withAsterisk: _, ...rest } = input
  return <Checkbox key={key} {...rest} />
}
