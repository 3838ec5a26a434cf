import type { ReactNode } from 'react'
import { showDialog } from '../../components/ui/dialogs.ts'
import classes from './ReasonButton.module.css'

type ReasonButtonProps = {
  /** What it does and to what, in full. */
  label: string
  /** Whose dialog tells the reason. */
  subject: string
  /** Set = it cannot be used now; a click says why. */
  disabledReason: string | undefined
  onClick: () => void
  busy?: boolean
  look?: 'button' | 'icon'
  children: ReactNode
}

/** A small button of a row. Disabled it can still be reached and asked why, by keyboard and on phones as well. */
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
