import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/ScrollArea.css'

export default function LoadedMultiSelect(props: MultiSelectProps) {
  return <MultiSelect {...props} />
}
