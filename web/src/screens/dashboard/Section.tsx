import { useId, type ReactNode } from 'react'
import classes from './Overview.module.css'

type SectionProps = {
  title: string
  hint?: string
  /** What stands under it: where the rest is. */
  links?: ReactNode
  /** Its content is told the id of the heading. */
  children: ReactNode | ((headingId: string) => ReactNode)
}

/** A part of a dashboard under its heading. */
export function Section({ title, hint, links, children }: SectionProps) {
  const id = useId()
  return (
    <section className={classes.part} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint && <p className={classes.hint}>{hint}</p>}
      {typeof children === 'function' ? children(id) : children}
      {links && <p className={classes.links}>{links}</p>}
    </section>
  )
}
