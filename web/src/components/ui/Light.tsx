import type { ReactNode } from 'react'
import classes from './Light.module.css'

export type LightIs = 'good' | 'going' | 'warn' | 'bad' | 'none'

/** A word of a state behind a light of its colour: seen at a glance, and said without it. */
export function Light({ is, children }: { is: LightIs; children: ReactNode }) {
  return (
    <span className={classes.light} data-is={is}>
      {children}
    </span>
  )
}
