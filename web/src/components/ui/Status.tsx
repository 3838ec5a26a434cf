import type { ReactNode } from 'react'
import classes from './Status.module.css'

/** The palette of styles/tokens.css: waits or is over · runs · is done · is held by something that passes · needs the reader. */
export type StatusKind = 'neutral' | 'running' | 'done' | 'held' | 'problem'

type StatusProps = {
  is: StatusKind
  /** On a ground of its colour; for one or two words. */
  badge?: boolean
  children: ReactNode
}

/** A word of a state behind a dot of its colour: seen at a glance, and said without it. */
export function Status({ is, badge = false, children }: StatusProps) {
  return (
    <span className={classes.status} data-is={is} data-badge={badge || undefined}>
      {children}
    </span>
  )
}
