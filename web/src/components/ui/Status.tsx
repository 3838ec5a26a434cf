import type { ReactNode } from 'react'
import classes from './Status.module.css'

/** Colours in styles/tokens.css: waiting or over · running · done · on hold for something that passes · needs the reader. */
export type StatusKind = 'neutral' | 'running' | 'done' | 'held' | 'problem'

type StatusProps = {
  is: StatusKind
  /** On a coloured ground, for one or two words. */
  badge?: boolean
  children: ReactNode
}

/** A state's word with a coloured dot, so that colour is not the only sign. */
export function Status({ is, badge = false, children }: StatusProps) {
  return (
    <span className={classes.status} data-is={is} data-badge={badge || undefined}>
      {children}
    </span>
  )
}
