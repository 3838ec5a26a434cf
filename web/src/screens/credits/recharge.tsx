import { Suspense } from 'react'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { loadTexts } from '../../i18n/language.ts'
import classes from './Recharge.module.css'
import { late } from '../../components/ui/loading/late.tsx'

const RechargeForm = late(async () => {
  const [part] = await Promise.all([import('./RechargeForm.tsx'), loadTexts('credits')])
  return part
})

export type Recharged = { userId: number; username: string }
export type RechargeKind = 'add' | 'remove'

/** Adds credits to a direct child or takes them back; the title is the chosen action: 'Add Recharge'. */
export function showRecharge(child: Recharged, kind: RechargeKind, chosen: string): void {
  showDialog({
    title: `${chosen}: ${child.username}`,
    render: (close) => (
      <Suspense fallback={<div className={classes.loading} aria-busy />}>
        <RechargeForm child={child} kind={kind} close={close} />
      </Suspense>
    ),
  })
}
