import { cheaperThanParent, costOf, greatestPulsePaisa, rupeesText, type Price } from '@ghanti/contract/money.ts'
import { whyTooCheap } from '@ghanti/contract/plans.ts'

/** Nobody names more prices, and whoever creates an account chooses among all of them. */
export const plansMax = 500
export const tooManyPlans = `is one too many: an account has at most ${plansMax} plans, delete one that you do not need`

type NamedPlan = Price & { name: string }
/** `plan` is null when the account has none. */
export type HeldPlan = { username: string; plan: NamedPlan | null }

/**
 * Why calls cannot be priced along a chain from the user to the last reseller; null when they can (docs/design.md#who-pays-whom). Names
 * plans and accounts, but never what an account above pays.
 */
export function chainFault(chain: readonly HeldPlan[]): { code: 'no_plan' | 'plan_cheaper'; text: string } | null {
  for (const [level, { username, plan }] of chain.entries()) {
    if (!plan)
      return {
        code: 'no_plan',
        text: level === 0 ? 'is missing: your account has none' : `is missing: ${username} has none`,
      }
    const above = chain[level + 1]
    if (!above?.plan || !cheaperThanParent(plan, above.plan)) continue
    const text = `'${plan.name}' of ${username} is cheaper for some calls than '${above.plan.name}' of ${above.username}: it has to be changed`
    return { code: 'plan_cheaper', text }
  }
  return null
}

type EffectivePrice = Price & { segmentPaisa: number }

export type PlanFault = { code: 'not_found' | 'disabled' | 'no_plan' | 'plan_cheaper' | 'plan_dearer'; text: string }

export type Giving = {
  /** Undefined when it does not exist or is somebody else's. */
  plan: (EffectivePrice & { name: string; enabled: boolean }) | undefined
  /** The account is on it already, so a disabled plan may stay. */
  held: boolean
  /** The giver's own plan: 'none' for a reseller without one, null for the platform, which pays nobody. */
  own: EffectivePrice | 'none' | null
  below: readonly { username: string; plan: EffectivePrice & { name: string } }[]
}

/**
 * Null when the account can be put on the plan. A plan is never cheaper than the giver's own, nor dearer than one that the account gave.
 */
export function givingFault({ plan, held, own, below }: Giving): PlanFault | null {
  if (!plan) return { code: 'not_found', text: 'is not one of your plans' }
  if (!plan.enabled && !held) return { code: 'disabled', text: 'is disabled' }
  if (own === 'none') return { code: 'no_plan', text: 'cannot be given: you have no plan yourself' }
  const tooCheap = own && whyTooCheap(plan, own)
  if (tooCheap) return { code: 'plan_cheaper', text: `is too cheap: ${tooCheap}` }
  if (own && plan.segmentPaisa < own.segmentPaisa)
    return { code: 'plan_cheaper', text: `is too cheap: you pay ${own.segmentPaisa} paisa a segment yourself` }
  for (const { username, plan: theirs } of below) {
    if (theirs.segmentPaisa < plan.segmentPaisa) {
      const text = `is too expensive: a segment costs ${username} ${theirs.segmentPaisa} paisa by '${theirs.name}', this account ${plan.segmentPaisa} paisa`
      return { code: 'plan_dearer', text }
    }
    const fault = cheaperThanParent(theirs, plan)
    if (!fault) continue
    const seconds = Math.ceil(fault.ms / 1000)
    const costs = `a call of ${seconds} s costs ${username} Rs ${rupeesText(costOf(seconds * 1000, theirs))} by '${theirs.name}', this account Rs ${rupeesText(costOf(seconds * 1000, plan))}`
    const would = `at most ${greatestPulsePaisa(plan.pulseMs, theirs)} paisa per ${plan.pulseMs / 1000} s would do`
    return { code: 'plan_dearer', text: `is too expensive: ${costs}; ${would}` }
  }
  return null
}

export function holdersOf(names: readonly string[], others: number): string {
  const shown = names.map((name) => `'${name}'`).join(', ')
  return others > 0 ? `${shown} and ${others} more` : shown
}
