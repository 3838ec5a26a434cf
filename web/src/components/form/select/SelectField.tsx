import { Select } from './Select.tsx'
import { useSelect, type SelectFieldProps } from './select-props.tsx'

export function SelectField<Values>(props: SelectFieldProps<Values>) {
  const { key, props: input } = useSelect(props)
  return <Select key={key} allowDeselect={props.clearable ?? false} {...input} />
}
