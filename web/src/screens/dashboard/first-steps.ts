import { overviewRoutes } from '@ghanti/contract/overview.ts'
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
