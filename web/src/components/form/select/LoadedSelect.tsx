import { Select, type SelectProps } from '@mantine/core'
import '@mantine/core/styles/Popover.css'
import classes from './Options.module.css'

export default function LoadedSelect(props: SelectProps) {
  return <Select withScrollArea={false} classNames={{ options: classes.options ?? '' }} {...props} />
}
