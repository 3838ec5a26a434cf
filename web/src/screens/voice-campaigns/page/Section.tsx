import { useId, type ReactNode } from 'react'
import classes from '../CampaignDetail.module.css'

export function Section({ title, wide = false, children }: { title: string; wide?: boolean; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.card} data-wide={wide || undefined} aria-labelledby={id}>
      <h2 id={id} className={classes.heading}>
        {title}
      </h2>
      {children}
    </section>
  )
}
