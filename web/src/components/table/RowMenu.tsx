import { IconChevronDown, IconDots } from '@tabler/icons-react'
import { Suspense, useState, type ComponentType } from 'react'
import classes from './RowMenu.module.css'
import { late } from '../ui/late.tsx'

const OpenMenu = late(() => import('./OpenMenu.tsx'))

export type MenuAction = {
  label: string
  /** Set = the action is shown disabled, with this reason under it. */
  disabledReason?: string | undefined
  onClick: () => void
  danger?: boolean
  /** With an icon it is one of the row's frequent actions: a button of its own beside the menu, while it can be done. */
  icon?: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>
}

type RowMenuProps = {
  label: string
  subject: string
  actions: () => MenuAction[]
  /** `wide`: in a table of many columns, where the icons have a place of their own in wide windows only. */
  quick?: 'wide'
}

const quickMax = 2

/** A row's actions: the frequent ones as icons while the pointer or the keyboard is in the row, and the menu of all. On phones their words. */
export function RowMenu({ label, subject, actions, quick }: RowMenuProps) {
  const frequent = actions().filter(({ icon, disabledReason }) => icon && disabledReason === undefined)
  return (
    <div className={classes.actions} data-quick={quick}>
      {frequent.length > 0 && (
        <div className={classes.often}>
          {frequent.slice(0, quickMax).map(({ label: name, icon: Icon, danger, onClick }) => (
            <button
              key={name}
              type="button"
              className={classes.quick}
              data-danger={danger || undefined}
              aria-label={`${name}: ${subject}`}
              title={name}
              onClick={onClick}
            >
              {Icon && <Icon size={16} stroke={1.7} aria-hidden />}
              <span className={classes.quickWord}>{name}</span>
            </button>
          ))}
        </div>
      )}
      <ActionMenu label={label} subject={subject} actions={actions} />
    </div>
  )
}

/** The menu alone. A plain button until its first click: a menu for each of a hundred rows costs a second. `actions` is asked when it opens. */
export function ActionMenu({ label, subject, actions }: Omit<RowMenuProps, 'quick'>) {
  const [mounted, setMounted] = useState(false)
  const button = (
    <button
      type="button"
      className={classes.button}
      aria-haspopup="menu"
      aria-label={`${label}: ${subject}`}
      title={label}
      onClick={() => setMounted(true)}
    >
      <IconDots className={classes.dots} size={18} stroke={1.7} aria-hidden />
      <span className={classes.word}>{label}</span>
      <IconChevronDown className={classes.word} size={14} aria-hidden />
    </button>
  )
  if (!mounted) return button
  return (
    <Suspense fallback={button}>
      <OpenMenu button={button} actions={actions} />
    </Suspense>
  )
}
