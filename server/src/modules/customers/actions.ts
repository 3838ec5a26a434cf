import { signInsShown, type Customer } from '@ghanti/contract/customers.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Ctx } from '../../http/types.ts'
import { auditRead } from '../audit/actions.ts'
import { balanceOf } from '../credits/actions.ts'
import { lasting, monthsOfCustomer } from '../insight/actions-money.ts'
import { settingOf } from '../platform/actions.ts'
import { storedOf } from '../quotas/actions.ts'
import { listedUser } from '../users/actions-list.ts'
import * as store from './store.ts'

/** The page of an account below the viewer. Audited before it is read. */
export async function customerPage(ctx: Ctx, userId: number): Promise<Customer> {
  const { db, clock } = ctx.app
  const account = await listedUser(ctx, userId)
  await auditRead(ctx, { action: 'user.open', target: `user ${userId}`, ownerId: userId })
  const now = clock.now()
  const standing = await store.standing(db, userId, now)
  const { aboveId } = standing
  const [usualPaisa, months, stored, signIns, lasts] = await Promise.all([
    settingOf(db, 'smsPricePaisa'),
    monthsOfCustomer(db, { userId, aboveId }, now),
    storedOf(db, userId),
    store.signIns(db, userId, signInsShown),
    account.userType === 'user' ? lastingOf(ctx, userId, now) : null,
  ])
  return {
    account,
    createdAt: nepalTimeOf(standing.createdAt),
    lowBalanceLimit: rupeesOf(standing.lowBalancePaisa),
    lasts,
    plan: planOf(standing.plan, usualPaisa),
    planAbove: planOf(standing.planAbove, usualPaisa),
    channels: { inUse: standing.inUse, given: standing.given },
    months,
    ...stored,
    sessions: standing.sessions,
    hasSecondFactor: standing.hasSecondFactor,
    signIns: signIns.map(({ at, ...signIn }) => ({ at: nepalTimeOf(at), ...signIn })),
  }
}

async function lastingOf({ app }: Ctx, userId: number, now: Date) {
  const { paisa, reservedPaisa } = await balanceOf(app.db, userId)
  return lasting(app.db, userId, paisa - reservedPaisa, now)
}

function planOf(plan: store.PlanHeld | null, usualPaisa: number): Customer['plan'] {
  if (!plan) return null
  return {
    planName: plan.name,
    pulseDuration: plan.pulseMs / 1000,
    pulsePrice: plan.pulsePaisa,
    smsPrice: plan.smsPaisa ?? usualPaisa,
  }
}
