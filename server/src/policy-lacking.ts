import type { RouteKey } from '@ghanti/contract/routes.ts'
import type { Lacking } from '@ghanti/contract/sessions.ts'
import { AppError } from './errors.ts'

/** What a session reaches until it has what it lacks: who it is, and the calls that give it. */
const reached: Record<Lacking, ReadonlySet<RouteKey>> = {
  password: new Set(['auth.session', 'sessions.changePassword']),
  factor: new Set([
    'auth.session',
    'factors.list',
    'factors.beginTotp',
    'factors.addTotp',
    'factors.passkeyOptions',
    'factors.addPasskey',
    'factors.prove',
  ]),
}
const needs: Record<Lacking, string> = {
  password: 'needs a password that only you know: choose one first',
  factor: 'needs a second factor: add one first',
}

/** Throws 403 while the session lacks something that this route does not give. Null: a page outside of the contract, which gives nothing. */
export function requireComplete(must: Lacking | undefined, route: RouteKey | null): void {
  if (must === undefined || (route !== null && reached[must].has(route))) return
  throw new AppError('not_allowed', [{ field: 'account', code: `${must}_required`, text: needs[must] }])
}
