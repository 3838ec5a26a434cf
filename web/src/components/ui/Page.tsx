import type { ReactNode } from 'react'
import { useBranding } from '../../api/branding.ts'
import classes from './Page.module.css'

type PageProps = {
  title: string
  /** Small words under the title. */
  subtitle?: ReactNode
  /** Buttons at the right end of the heading; the one that the screen is for is filled. */
  actions?: ReactNode
  /** What the tab says before the title: the progress of a campaign. */
  tabPrefix?: string
  children: ReactNode
}

/** A screen's heading, its content under it, and the title of the tab. */
export function Page({ title, subtitle, actions, tabPrefix, children }: PageProps) {
  return (
    <section className={classes.page} aria-labelledby="page-title">
      <TabTitle title={title} {...(tabPrefix ? { prefix: tabPrefix } : {})} />
      <div className={classes.head}>
        <div>
          <h1 id="page-title" className={classes.title}>
            {title}
          </h1>
          {subtitle && <p className={classes.subtitle}>{subtitle}</p>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      <div className={classes.body}>{children}</div>
    </section>
  )
}

/** 'Voice Files · Company'. For screens that are not one Page. */
export function TabTitle({ title, prefix }: { title: string; prefix?: string }) {
  const { company } = useBranding()
  return <title>{`${prefix ? `${prefix} ` : ''}${title} · ${company}`}</title>
}
