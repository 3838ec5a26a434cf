import { overviewRoutes, type FirstStep, type StartOverview } from '@ghanti/contract/overview.ts'
import { jsonQuery } from '../../api/query.ts'

const keyOf = (userId: number) => `ghanti.first-steps.${userId}`

/** False when they were hidden in this browser, or were all done once, so that the server need not be asked. */
export function wantsFirstSteps(userId: number): boolean {
  try {
    return localStorage.getItem(keyOf(userId)) === null
  } catch {
    return true // storage may be forbidden
  }
}

export function endFirstSteps(userId: number): void {
  try {
    localStorage.setItem(keyOf(userId), 'over')
  } catch {
    // Storage may be forbidden; then they are shown again.
  }
}

export const firstStepsQuery = () => jsonQuery(overviewRoutes.start, {})

/** A path of three: what has to be there, what calls cost and show, and the calls. */
const stageOf: Record<FirstStep, 1 | 2 | 3> = {
  voiceFile: 1,
  approval: 1,
  callerId: 2,
  balance: 2,
  contacts: 3,
  testCall: 3,
  campaign: 3,
  dialer: 1,
  trunk: 1,
  trunkTest: 1,
  cli: 1,
  plan: 2,
  customer: 2,
  allocation: 3,
  recharge: 3,
  customerCampaign: 3,
}

type Steps = StartOverview['steps']

/** In their order, without empty ones. */
export function stagesOf(steps: Steps): Steps[] {
  return [1, 2, 3]
    .map((stage) => steps.filter(({ step }) => stageOf[step] === stage))
    .filter(({ length }) => length > 0)
}
