import { Menu } from '@mantine/core'
import '@mantine/core/styles/Menu.css'
import '@mantine/core/styles/Popover.css'
import { cloneElement, type ReactElement, type Ref } from 'react'
import classes from './RowMenu.module.css'
import type { MenuAction } from './RowMenu.tsx'
import { useFocusBack } from './use-focus-back.ts'

type OpenMenuProps = { button: ReactElement<{ ref: Ref<HTMLButtonElement> }>; actions: () => MenuAction[] }

export default function OpenMenu({ button, actions }: OpenMenuProps) {
  const { button: target, dropdown, onChange } = useFocusBack()
  const shown = actions()
  const first = shown.find(({ disabledReason }) => disabledReason === undefined)
  return (
    <Menu
      defaultOpened
      position="bottom-end"
      width={240}
      trapFocus
      withInitialFocusPlaceholder={first === undefined}
      onChange={onChange}
    >
      <Menu.Target>{cloneElement(button, { ref: target })}</Menu.Target>
      <Menu.Dropdown ref={dropdown}>
        {shown.map((action) => {
          const { label, disabledReason, onClick, danger } = action
          return disabledReason === undefined ? (
            <Menu.Item
              key={label}
              data-autofocus={action === first || undefined}
              {...(danger ? { className: classes.danger ?? '' } : {})}
              onClick={onClick}
            >
              {label}
            </Menu.Item>
          ) : (
            <Menu.Item key={label} aria-disabled closeMenuOnClick={false} className={classes.disabled ?? ''}>
              {label}
              <span className={classes.reason}>{disabledReason}</span>
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
