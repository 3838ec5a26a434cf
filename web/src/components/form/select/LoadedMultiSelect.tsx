import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import '@mantine/core/styles/Popover.css'
import classes from './Options.module.css'

export default function LoadedMultiSelect(props: MultiSelectProps) {
  return (
    <MultiSelect
      withScrollArea={false}
      openOnFocus={false}
      classNames={{ options: classes.options ?? '' }}
      {...props}
    />
  )
}
