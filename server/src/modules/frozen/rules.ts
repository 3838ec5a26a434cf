import type { FaultCode } from '@ghanti/contract/error-codes.ts'
import type { Role } from '@ghanti/contract/roles.ts'

/** Who froze an account. Null: the operator on the server. */
export type Freezer = { id: number; role: Role; path: readonly number[] } | null

type Lifter = { userId: number; role: Role }

/** Nobody else lifts what the platform froze. */
export function isFrozenByPlatform(by: Freezer): boolean {
  return by === null || by.role === 'superAdmin'
}

/**
 * Why this account above must not lift; null: it may. A super admin lifts everything. Of the others whoever froze it or is above that account; what the account
 * itself froze ('It was not me'), everybody above.
 */
export function whyNotLift(viewer: Lifter, frozenId: number, by: Freezer): { code: FaultCode; text: string } | null {
  if (viewer.role === 'superAdmin') return null
  if (by === null || isFrozenByPlatform(by))
    return { code: 'by_platform', text: 'was frozen by the platform: only a super admin can lift it' }
  if (by.id === frozenId || by.path.includes(viewer.userId)) return null
  return { code: 'by_above', text: 'was frozen by an account above you: only that account can lift it' }
}

type FrozenWith = { userId: number; username: string; by: Freezer }
type FrozenTo = { userId: number; username: string; mayLift: boolean; byPlatform: boolean }

/** The same for whoever looks at a campaign of it. */
export function frozenTo(viewer: Lifter, frozen: FrozenWith | null): FrozenTo | null {
  if (!frozen) return null
  const { userId, username, by } = frozen
  return { userId, username, mayLift: whyNotLift(viewer, userId, by) === null, byPlatform: isFrozenByPlatform(by) }
}

export const wasFrozen = 'It was frozen'
export const wasLifted = 'Its freeze was lifted'
