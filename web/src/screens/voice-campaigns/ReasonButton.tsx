import type { ReactNode } from 'react'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import classes from './ReasonButton.module.css'

type ReasonButtonProps = {
  label: string
  subject: string
  /** Why it cannot be used now; a click shows it. */
  disabledReason: string | undefined
  onClick: () => void
  busy?: boolean
  look?: 'button' | 'icon'
  children: ReactNode
}

/** A row's small button. Disabled, it can still be focused and asked why, on phones too. */
export function ReasonButton(props: ReasonButtonProps) {
  const { label, subject, disabledReason, onClick, busy = false, look = 'button', children } = props
  const act = () => {
    if (busy) return
    if (disabledReason === undefined) onClick()
    else showDialog({ title: subject, render: () => <p className={classes.reason}>{disabledReason}</p> })
  }
  return (
    <button
      type="button"
      className={classes[look]}
      aria-label={label}
      title={disabledReason ?? label}
      aria-disabled={disabledReason !== undefined || undefined}
      aria-busy={busy || undefined}
      onClick={act}
    >
      {children}
    </button>
  )
}
