import type { ReactNode } from 'react'
import { useBranding } from '../../api/branding.ts'
import { Logo } from '../../components/ui/icons/Logo.tsx'
import { TabTitle } from '../../components/ui/Page.tsx'
import { LanguageSwitch } from '../../shell/LanguageSwitch.tsx'
import { SchemeSwitch } from '../../shell/SchemeSwitch.tsx'
import classes from './AuthCard.module.css'

type AuthCardProps = { title: string; aside?: ReactNode; children: ReactNode }

export function AuthCard({ title, aside, children }: AuthCardProps) {
  const { company, logoUrl } = useBranding()
  return (
    <div className={classes.sides} data-aside={aside !== undefined || undefined}>
      {aside}
      <div className={classes.page}>
        <TabTitle title={title} />
        <main className={classes.card}>
          <div className={classes.brand}>
            {logoUrl ? <img src={logoUrl} alt="" className={classes.logo} /> : <Logo size={32} />}
            <h1 className={classes.company}>{company}</h1>
          </div>
          {children}
        </main>
        <div className={classes.switches}>
          <LanguageSwitch />
          <SchemeSwitch />
        </div>
      </div>
    </div>
  )
}
