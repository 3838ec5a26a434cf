import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { UserType } from '@ghanti/contract/users.ts'
import { namesOf } from '../../lib/list-of-names.ts'

type Viewer = { userId: number; role: Role }
type HasParent = { parentId: number | null; parentRole: Role | null }

/** All super admins together are the platform and share their children. */
export function isChildOf(viewer: Viewer, account: HasParent): boolean {
  if (viewer.role === 'superAdmin') return account.parentRole === 'superAdmin'
  return account.parentId === viewer.userId
}

/** Parents change their children, a super admin any account below; nobody changes super admins here. */
export function mayChange(viewer: Viewer, account: HasParent): boolean {
  return isChildOf(viewer, account) || (viewer.role === 'superAdmin' && account.parentId !== null)
}

export function userTypeOf(role: Role): UserType {
  if (role === 'superAdmin') throw new Error('a super admin is nobody’s user')
  return role
}

/** A reseller cannot enable what a super admin disabled. An unknown role counts as super admin. */
export function isDisabledByPlatform(disabledByRole: Role | null): boolean {
  return disabledByRole === null || disabledByRole === 'superAdmin'
}

/** Why only somebody else may change this account. */
export function notYourChild(viewer: Viewer, account: { id: number; parentUser: string | null }): string {
  if (account.id === viewer.userId) return 'is your own account'
  return account.parentUser === null
    ? 'is a super admin'
    : `belongs to '${account.parentUser}': only that account can do this`
}

/** The end of a day in Nepal, or why no account may expire then. */
export function expiryOf(text: string, now: Date): { at: Date } | { wrong: string } {
  const at = instantOfNepalTime(`${text.slice(0, 10)} 23:59:59`)
  if (!at || (text.length > 10 && !instantOfNepalTime(text))) return { wrong: 'is not a day of the calendar' }
  return at.getTime() < now.getTime() ? { wrong: 'is before today' } : { at }
}

export const lastSuperAdmin = 'is the last super admin who can sign in'
export const tooManyChannels = (free: number) => `are more than the ${free} that are free`
export const tooFewChannels = (used: number) => `are fewer than the ${used} that the accounts below have`
export const typeHasChildren = (names: readonly string[], total: number) =>
  `cannot change: there are the accounts ${namesOf(names, total)}`
export const typeHasCampaigns = 'cannot change: there are campaigns'

export const passwordWasReset = 'Its password was reset'
export const factorsRemoved = 'Its second factor was removed'
export const noFactors = 'has no second factor'
export const channelsChanged = (before: number, after: number) => `It has ${after} channels, before ${before}`
export const changeable = [
  'personal details',
  'user type',
  'account type',
  'voice plan',
  'channels',
  'expiry date',
  'days that recordings are kept',
  'domain',
  'logo',
] as const
/** Null when nothing changed. */
export function changesInWords(what: Readonly<Record<(typeof changeable)[number], boolean>>): string | null {
  const changed = changeable.filter((word) => what[word])
  return changed.length > 0 ? `Changed: ${changed.join(', ')}` : null
}

export const hasChildren = (names: readonly string[], total: number) =>
  `has the accounts ${namesOf(names, total)}: delete them first`
export const hasCampaigns = (names: readonly string[], total: number) =>
  `has the unfinished campaigns ${namesOf(names, total)}: stop them first`
export const hasReserved = (rupees: string) =>
  `has Rs ${rupees} reserved by calls or messages: wait until they are settled`
