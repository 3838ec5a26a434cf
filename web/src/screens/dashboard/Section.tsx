import { useId, type ReactNode } from 'react'
import classes from './Overview.module.css'

type SectionProps = {
  title: string
  hint?: string
  links?: ReactNode
  /** A function gets the heading's id. */
  children: ReactNode | ((headingId: string) => ReactNode)
}

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
