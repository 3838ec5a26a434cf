import { Select, type SelectProps } from '@mantine/core'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/ScrollArea.css'

export default function LoadedSelect(props: SelectProps) {
  return <Select {...props} />
}
