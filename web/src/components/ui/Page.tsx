import type { ReactNode } from 'react'
import { useBranding } from '../../api/branding.ts'
import classes from './Page.module.css'

type PageProps = {
  title: string
  subtitle?: ReactNode
  actions?: ReactNode
  /** Precedes the title in the tab: a campaign's progress. */
  tabPrefix?: string
  children: ReactNode
}

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
