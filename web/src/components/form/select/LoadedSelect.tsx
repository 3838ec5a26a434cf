import { Select, type SelectProps } from '@mantine/core'
import '@mantine/core/styles/Popover.css'
import classes from './Options.module.css'
import { useHeld } from './use-held.ts'

/** Opens by a click, typing or an arrow, never by the focus alone: its list would cover what Tab comes to next, and its own error. */
export default function LoadedSelect({ data, ...props }: SelectProps) {
  const held = useHeld(data)
  return (
    <Select
      withScrollArea={false}
      openOnFocus={false}
      classNames={{ options: classes.options ?? '' }}
      data={held ?? []}
      {...props}
    />
  )
}
