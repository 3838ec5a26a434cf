import { Button, Checkbox, Popover } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Popover.css'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import { cloneElement, useState } from 'react'
import { loadTexts, useTexts } from '../../../i18n/language.ts'
import { late } from '../../ui/loading/late.tsx'
import { isOptional } from './columns.ts'
import type { Choosable, OpenedListMenu } from './ListMenu.tsx'
import classes from './OpenListMenu.module.css'
import { useFocusBack } from '../filters/use-focus-back.ts'

function OpenListMenu({ button, csvHref, list, choice }: OpenedListMenu) {
  const { button: target, dropdown, onChange } = useFocusBack()
  const { table } = useTexts('common')
  const [opened, setOpened] = useState(true)
  const change = (open: boolean) => {
    onChange(open)
    setOpened(open)
  }
  return (
    <Popover opened={opened} position="bottom-end" trapFocus shadow="md" onChange={change}>
      <Popover.Target>{cloneElement(button, { ref: target, onClick: () => change(!opened) })}</Popover.Target>
      <Popover.Dropdown ref={dropdown} aria-label={table.listMenu} className={classes.menu ?? ''}>
        {csvHref !== undefined && (
          <a href={csvHref} download className={classes.item} onClick={() => change(false)}>
            <IconDownload size={16} stroke={1.7} aria-hidden />
            {table.exportCsv}
          </a>
        )}
        <button
          type="button"
          className={classes.item}
          onClick={() => {
            change(false)
            list.refetch()
          }}
        >
          <IconRefresh size={16} stroke={1.7} aria-hidden />
          {table.refresh}
        </button>
        {choice && <Columns choice={choice} />}
      </Popover.Dropdown>
    </Popover>
  )
}

/** With its texts, which are read here and not where every list begins. */
export default late(async () => {
  await loadTexts('filters')
  return { default: OpenListMenu }
})

export function Columns({ choice }: { choice: Choosable<never> }) {
  const { columns: t } = useTexts('filters')
  const { columns } = choice
  return (
    <>
      <fieldset className={classes.columns}>
        <legend>{t.title}</legend>
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
        {t.usual}
      </Button>
    </>
  )
}
