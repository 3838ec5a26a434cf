import { Menu } from '@mantine/core'
import '@mantine/core/styles/Menu.css'
import '@mantine/core/styles/Popover.css'
import { cloneElement, Fragment, useId, type ReactElement, type Ref } from 'react'
import classes from '../RowMenu.module.css'
import type { MenuAction } from '../RowMenu.tsx'
import { afterPaint } from './use-after-paint.ts'
import { useFocusBack } from '../filters/use-focus-back.ts'

type OpenMenuProps = { button: ReactElement<{ ref: Ref<HTMLButtonElement> }>; actions: () => MenuAction[] }

// As high as fits, apart from the window's edge; the rest scrolls.
const fitting = { flip: true, shift: { padding: 8 }, size: { padding: 8 } }

/** Runs the action after the frame in which the menu closes. Opening a dialog in the same frame would delay the response to the click. */
export default function OpenMenu({ button, actions }: OpenMenuProps) {
  const { button: target, dropdown, onChange } = useFocusBack()
  const shown = actions()
  const shared = sharedReason(shown)
  const sharedId = useId()
  const first = shown.find(({ disabledReason }) => disabledReason === undefined)
  return (
    <Menu
      defaultOpened
      position="bottom-end"
      width={240}
      trapFocus
      middlewares={fitting}
      withInitialFocusPlaceholder={first === undefined}
      onChange={onChange}
    >
      <Menu.Target>{cloneElement(button, { ref: target })}</Menu.Target>
      <Menu.Dropdown ref={dropdown} className={classes.dropdown ?? ''}>
        {shared !== undefined && (
          <Menu.Label id={sharedId} className={classes.shared ?? ''}>
            {shared}
          </Menu.Label>
        )}
        {shown.map((action, at) => (
          <Fragment key={action.label}>
            {action.group !== undefined && action.group !== shown[at - 1]?.group && (
              <Menu.Label className={classes.group ?? ''}>{action.group}</Menu.Label>
            )}
            {itemOf(action)}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )

  function itemOf(action: MenuAction) {
    const { label, disabledReason, onClick, danger } = action
    return disabledReason === undefined ? (
      <Menu.Item
        data-autofocus={action === first || undefined}
        {...(danger ? { className: classes.danger ?? '' } : {})}
        onClick={() => afterPaint(onClick)}
      >
        {label}
      </Menu.Item>
    ) : (
      <Menu.Item
        aria-disabled
        closeMenuOnClick={false}
        className={classes.disabled ?? ''}
        {...(disabledReason === shared && { 'aria-describedby': sharedId })}
      >
        {label}
        {disabledReason !== shared && <span className={classes.reason}>{disabledReason}</span>}
      </Menu.Item>
    )
  }
}

function sharedReason(actions: readonly MenuAction[]): string | undefined {
  const reasons = actions.flatMap(({ disabledReason }) => disabledReason ?? [])
  return reasons.find((reason, at) => reasons.indexOf(reason) !== at)
}
