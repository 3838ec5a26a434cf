import { MultiSelect } from './Select.tsx'
import { useSelect, type SelectFieldProps } from './select-props.tsx'

export function MultiSelectField<Values>(props: SelectFieldProps<Values>) {
  const { key, props: input } = useSelect(props)
  return <MultiSelect key={key} hidePickedOptions {...input} />
}
