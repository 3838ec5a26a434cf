import { MultiSelect } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { useSelect, type SelectFieldProps } from './select-props.tsx'

export function MultiSelectField<Values>(props: SelectFieldProps<Values>) {
  const { key, props: input } = useSelect(props)
  return <MultiSelect key={key} hidePickedOptions {...input} />
}
