import { overviewRoutes } from '@ghanti/contract/overview.ts'
import { jsonQuery } from '../../api/query.ts'

/** The choice stays in the browser, as language and scheme do. */
const keyOf = (userId: number) => `ghanti.first-steps.${userId}`

/** False when they were hidden here, or were all done once: the server need not be asked. */
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
    // They are shown again the next time.
  }
}

export const firstStepsQuery = () => jsonQuery(overviewRoutes.start, {})
