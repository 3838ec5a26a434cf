import type { App } from '../../app.ts'
import { AppError } from '../../errors.ts'
import { hashOf } from '../../lib/secrets.ts'
import type { Viewer } from '../../policy.ts'
import { isWhole } from './actions-secret.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

type KeyApp = Pick<App, 'db' | 'clock'>

/** Throws 401: 'Token Not Valid.' for an unknown key, 'Token Expired' for one that works no more. */
export async function viewerOfKey({ db, clock }: KeyApp, key: string): Promise<Viewer> {
  const owner = isWhole(key) ? await store.findOwner(db, hashOf(key)) : undefined
  if (!owner) throw new AppError('token_not_valid')
  const now = clock.now()
  const isOver = owner.userExpiresAt !== null && owner.userExpiresAt <= now
  if (isOver || !['active', 'ending'].includes(rules.stateOf(owner, now))) throw new AppError('token_expired')
  const { keyId, name, scopes, networks, usedAt, userId, username, role, parentId } = owner
  return { userId, username, role, parentId, key: { keyId, name, scopes: new Set(scopes), networks, usedAt } }
}

/** Throws 403 outside the key's networks. */
export function requireOwnNetwork({ key }: Viewer, ip: string): void {
  if (key?.networks && !rules.isWithin(ip, key.networks))
    throw new AppError('not_allowed', [{ field: 'key', code: 'network', text: `may not be used from ${ip}` }])
}

/** Notes when a key was used last and from where, to the minute. */
export async function noteUse({ db, clock }: KeyApp, { keyId, usedAt }: NonNullable<Viewer['key']>, ip: string) {
  const now = clock.now()
  if (!usedAt || now.getTime() - usedAt.getTime() >= rules.usedEveryMs) await store.touch(db, keyId, ip, now)
}
