import type { RouteKey } from '@ghanti/contract/routes.ts'
import type { Lacking } from '@ghanti/contract/sessions.ts'
import { AppError } from './errors.ts'

/** What a session reaches without a password that its owner chose: who it is, and the call that gives it one. */
const reachedWithoutPassword: ReadonlySet<RouteKey> = new Set(['auth.session', 'sessions.changePassword'])
const needsPassword = 'needs a password that only you know: choose one first'

/** Throws 403 while the session lacks something that this route does not give. */
export function requireComplete(must: Lacking | undefined, route: RouteKey): void {
  if (must === undefined || reachedWithoutPassword.has(route)) return
  throw new AppError('not_allowed', [{ field: 'account', code: 'password_required', text: needsPassword }])
}
