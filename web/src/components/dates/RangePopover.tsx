import { Popover } from '@mantine/core'
import '@mantine/core/styles/Popover.css'
import classes from './DateRangeField.module.css'
import type { DateRange } from './presets.ts'
import { RangePanel } from './RangePanel.tsx'

type RangePopoverProps = {
  label: string
  value: DateRange
  onChange: (range: DateRange) => void
  onClose: () => void
}

/** The panel below the button of a range field, loaded by DateRangeField. */
export default function RangePopover({ onClose, ...panel }: RangePopoverProps) {
  return (
    <Popover
      opened
      onChange={onClose}
      position="bottom-start"
      shadow="md"
      withRoles={false}
      trapFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <span className={classes.place} />
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <RangePanel {...panel} />
      </Popover.Dropdown>
    </Popover>
  )
}
