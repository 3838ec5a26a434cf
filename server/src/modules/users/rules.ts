import type { Role } from '@ghanti/contract/roles.ts'
import type { UserType } from '@ghanti/contract/users.ts'

type Viewer = { userId: number; role: Role }
type HasParent = { parentId: number | null; parentRole: Role | null }

/** The super admins are the platform together: the children of one are those of each. */
export function isChildOf(viewer: Viewer, account: HasParent): boolean {
  if (viewer.role === 'superAdmin') return account.parentRole === 'superAdmin'
  return account.parentId === viewer.userId
}

export function userTypeOf(role: Role): UserType {
  if (role === 'superAdmin') throw new Error('a super admin is nobody’s user')
  return role
}

/** What a super admin disabled no reseller enables; what cannot be told is taken for his. */
export function isDisabledByPlatform(disabledByRole: Role | null): boolean {
  return disabledByRole === null || disabledByRole === 'superAdmin'
}

/** What parents may do to their children alone. */
export function notYourChild(viewer: Viewer, account: { id: number; parentUser: string | null }): string {
  if (account.id === viewer.userId) return 'is your own account'
  return account.parentUser === null ? 'is a super admin' : `belongs to '${account.parentUser}': only he can do this`
}

/** "'A', 'B' and 3 more", so that a long list stays a sentence. `total`: how many there are, when `names` are only the first. */
function namesOf(names: readonly string[], total = names.length): string {
  const shown = names.slice(0, 5).map((name) => `'${name}'`)
  const more = total - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

export const hasChildren = (names: readonly string[], total: number) =>
  `has the accounts ${namesOf(names, total)}: delete them first`
export const hasCampaigns = (names: readonly string[], total: number) =>
  `has the unfinished campaigns ${namesOf(names, total)}: stop them first`
export const hasReserved = (rupees: string) => `has Rs ${rupees} reserved by calls: wait until they are settled`
