import { Menu } from '@mantine/core'
import '@mantine/core/styles/Menu.css'
import '@mantine/core/styles/Popover.css'
import type { ReactElement } from 'react'
import classes from './RowMenu.module.css'
import type { MenuAction } from './RowMenu.tsx'

export default function OpenMenu({ button, actions }: { button: ReactElement; actions: () => MenuAction[] }) {
  return (
    <Menu defaultOpened position="bottom-end" width={240} trapFocus>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {actions().map(({ label, disabledReason, onClick, danger }) =>
          disabledReason === undefined ? (
            <Menu.Item key={label} {...(danger ? { className: classes.danger ?? '' } : {})} onClick={onClick}>
              {label}
            </Menu.Item>
          ) : (
            <Menu.Item key={label} aria-disabled closeMenuOnClick={false} className={classes.disabled ?? ''}>
              {label}
              <span className={classes.reason}>{disabledReason}</span>
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
