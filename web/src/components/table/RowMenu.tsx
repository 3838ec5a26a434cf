import { IconChevronDown, IconDots } from '@tabler/icons-react'
import { Suspense, useState, type ComponentType } from 'react'
import classes from './RowMenu.module.css'
import { late } from '../ui/loading/late.tsx'

const OpenMenu = late(() => import('./rows/OpenMenu.tsx'))

export type MenuAction = {
  label: string
  disabledReason?: string | undefined
  onClick: () => void
  danger?: boolean
  /** The heading above it and those that follow with the same one. */
  group?: string
  /** The letter for this action where letters act on rows (Bulk.onFocused). */
  letter?: string
  /** What letters do after it, in what it opens: for the list of keys. */
  after?: readonly { letter: string; label: string }[]
  /** A frequent action: an icon button beside the menu, while it is possible. */
  icon?: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>
}

type RowMenuProps = {
  label: string
  subject: string
  actions: () => MenuAction[]
  /** `wide`: for a table of many columns, whose icons fit only into wide windows. */
  quick?: 'wide'
}

const quickMax = 2

/** Frequent actions appear as icons while the row has pointer or focus; the menu has all of them. On phones they have labels. */
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

/**
 * The menu alone. A plain button until its first click, because a hundred mounted menus cost a second. `actions` is called when it opens.
 */
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
