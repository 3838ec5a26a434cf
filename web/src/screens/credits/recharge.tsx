import { Suspense } from 'react'
import { showDialog } from '../../components/ui/dialogs.ts'
import { textsOf } from '../../i18n/language.ts'
import classes from './Recharge.module.css'
import { late } from '../../components/ui/late.tsx'

// Fetched when somebody recharges.
const RechargeForm = late(() => import('./RechargeForm.tsx'))

export type Recharged = { userId: number; username: string }
export type RechargeKind = 'add' | 'remove'

/** The dialog that adds credits to a direct child or takes them back. The screen names the texts 'credits' in src/paths.ts. */
export function showRecharge(child: Recharged, kind: RechargeKind): void {
  showDialog({
    title: textsOf('credits').recharge[kind].title(child.username),
    render: (close) => (
      <Suspense fallback={<div className={classes.loading} aria-busy />}>
        <RechargeForm child={child} kind={kind} close={close} />
      </Suspense>
    ),
  })
}
