import { Button, Checkbox, Popover } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Popover.css'
import { cloneElement, type ReactElement, type Ref } from 'react'
import { useTexts } from '../../../i18n/language.ts'
import { isOptional } from './columns.ts'
import type { Choosable } from './ColumnsButton.tsx'
import classes from './ColumnsMenu.module.css'
import { useFocusBack } from '../filters/use-focus-back.ts'

type ColumnsMenuProps = { button: ReactElement<{ ref: Ref<HTMLButtonElement> }>; choice: Choosable<never> }

export default function ColumnsMenu({ button, choice }: ColumnsMenuProps) {
  const { button: target, dropdown, onChange } = useFocusBack()
  const { table } = useTexts('common')
  const { columns } = choice
  return (
    <Popover defaultOpened position="bottom-end" trapFocus shadow="md" onChange={onChange}>
      <Popover.Target>{cloneElement(button, { ref: target })}</Popover.Target>
      <Popover.Dropdown ref={dropdown} aria-label={table.columns}>
        <fieldset className={classes.columns}>
          <legend>{table.columns}</legend>
          {columns
            .filter((column) => isOptional(columns, column))
            .map((column) => (
              <Checkbox
                key={column.key}
                label={column.header}
                checked={choice.isShown(column)}
                onChange={(event) => choice.choose(column, event.currentTarget.checked)}
              />
            ))}
        </fieldset>
        <Button size="compact-sm" variant="subtle" disabled={!choice.isChanged} onClick={choice.reset}>
          {table.usualColumns}
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
