import { Menu } from '@mantine/core'
import '@mantine/core/styles/Menu.css'
import '@mantine/core/styles/Popover.css'
import { cloneElement, type ReactElement, type Ref } from 'react'
import classes from './RowMenu.module.css'
import type { MenuAction } from './RowMenu.tsx'
import { useFocusBack } from './use-focus-back.ts'

type OpenMenuProps = { button: ReactElement<{ ref: Ref<HTMLButtonElement> }>; actions: () => MenuAction[] }

export default function OpenMenu({ button, actions }: OpenMenuProps) {
  const focusBack = useFocusBack()
  return (
    <Menu defaultOpened position="bottom-end" width={240} trapFocus onChange={focusBack.onChange}>
      <Menu.Target>{cloneElement(button, { ref: focusBack.button })}</Menu.Target>
      <Menu.Dropdown ref={focusBack.dropdown}>
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
