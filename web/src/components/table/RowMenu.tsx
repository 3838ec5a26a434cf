import { IconChevronDown } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import classes from './RowMenu.module.css'
import { late } from '../ui/late.tsx'

const OpenMenu = late(() => import('./OpenMenu.tsx'))

export type MenuAction = {
  label: string
  /** Set = the action is shown disabled, with this reason under it. */
  disabledReason?: string | undefined
  onClick: () => void
  danger?: boolean
}

/** A row's actions. A plain button until its first click: a menu for each of a hundred rows costs a second. `actions` is asked when it opens. */
export function RowMenu({ label, subject, actions }: { label: string; subject: string; actions: () => MenuAction[] }) {
  const [mounted, setMounted] = useState(false)
  const button = (
    <button
      type="button"
      className={classes.button}
      aria-haspopup="menu"
      aria-label={`${label}: ${subject}`}
      onClick={() => setMounted(true)}
    >
      {label}
      <IconChevronDown size={14} aria-hidden />
    </button>
  )
  if (!mounted) return button
  return (
    <Suspense fallback={button}>
      <OpenMenu button={button} actions={actions} />
    </Suspense>
  )
}
