import { cheaperThanParent, type Price } from '@ghanti/contract/money.ts'

/** A plan as an account holds it; null: the account has none. */
export type HeldPlan = { username: string; plan: (Price & { name: string }) | null }

/**
 * Why calls cannot be priced along a chain of accounts, from the user up to the last reseller; null when they can (DESIGN §6). Names plans and
 * accounts, never what an account above pays.
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
