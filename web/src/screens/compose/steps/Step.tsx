import type { ReactNode } from 'react'
import { useTexts } from '../../../i18n/language.ts'
import { idOfStep, type StepName } from './steps.ts'
import classes from './Steps.module.css'

type StepProps = { name: Exclude<StepName, 'check'>; children: ReactNode }

export function Step({ name, children }: StepProps) {
  const { steps: t } = useTexts('compose')
  return (
    <section id={idOfStep(name)} className={classes.step} aria-labelledby={`${idOfStep(name)}-title`}>
      <h2 id={`${idOfStep(name)}-title`} tabIndex={-1}>
        {t.names[name]}
      </h2>
      {children}
    </section>
  )
}

/** The last step. `label` says what it is about to those who do not see it. */
export function CheckStep({ label, children }: { label: string; children: ReactNode }) {
  const { steps: t } = useTexts('compose')
  return (
    <aside id={idOfStep('check')} className={classes.step} aria-label={label}>
      <h2 tabIndex={-1}>{t.names.check}</h2>
      {children}
    </aside>
  )
}

/** Fields that few people change. */
export function More({ children }: { children: ReactNode }) {
  const { steps: t } = useTexts('compose')
  return (
    <details className={classes.more}>
      <summary>{t.more}</summary>
      <div>{children}</div>
    </details>
  )
}
