import { randomBytes } from 'node:crypto'
import type { Factor } from '@ghanti/contract/factors.ts'
import { sessionsMax, type Lacking } from '@ghanti/contract/sessions.ts'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Origin } from '../../http/types.ts'
import type { Viewer } from '../../policy.ts'
import { hashOf } from '../../lib/secrets.ts'
import { settingIn } from '../platform/actions.ts'
import { mustHaveFactor } from '../platform/rules.ts'
import { forgetOldCeremonies } from '../factors/actions-ticket.ts'
import { forgetOldKeys } from '../keys/actions.ts'
import { forgetOldNotMeLinks } from '../security/actions.ts'
import * as rules from './rules.ts'
import * as limits from './store-limits.ts'
import * as resetStore from './store-reset.ts'
import * as store from './store.ts'

type AuthApp = Pick<App, 'db' | 'clock'>

/** Throws 401: 'Token Not Valid.' for an unknown token, 'Token Expired' for an ended session. */
export async function viewerOfToken(app: AuthApp, token: string | null): Promise<Viewer> {
  if (token === null) throw new AppError('token_not_valid')
  const tokenHash = hashOf(token)
  const session = await store.findSession(app.db, tokenHash)
  if (!session) throw new AppError('token_not_valid')
  const now = app.clock.now()
  if (rules.sessionEnded(session, now)) throw new AppError('token_expired') // the row stays, so every request of a page gets this answer
  if (now.getTime() - session.lastSeenAt.getTime() >= rules.touchEveryMs)
    await store.touchSession(app.db, tokenHash, now)
  const { sessionId, userId, username, role, parentId, must, provedAt } = session
  return { sessionId, userId, username, role, parentId, ...(must && { must }), provedAt }
}

/**
 * Creates a token for somebody who proved their identity, and locks the account. `deviceKey` is the one read with the password. Null when it has
 * changed since: what ends sessions replaces it, so no session outlives the password that opened it.
 */
export async function openSession(
  { clock }: Pick<App, 'clock'>,
  tx: Tx,
  { userId, deviceKey }: Pick<store.Login, 'userId' | 'deviceKey'>,
  { ip, userAgent }: Origin,
  { must = null, factor = null }: { must?: Lacking | null; factor?: Factor | null },
): Promise<{ token: string; sessionId: number } | null> {
  const token = randomBytes(32).toString('base64url')
  const session = { tokenHash: hashOf(token), userId, deviceKey, must, factor, now: clock.now(), ip, userAgent }
  const sessionId = await store.insertSession(tx, session)
  if (sessionId === undefined) return null
  await store.deleteSessionsBeyond(tx, session, sessionsMax)
  return { token, sessionId }
}

export async function closeSession(app: AuthApp, token: string): Promise<void> {
  await store.deleteSession(app.db, hashOf(token))
}

export async function endSessionsBelow(tx: Tx, userId: number): Promise<void> {
  await store.deleteSessionsBelow(tx, userId)
}

/** Ends all sessions after a password change, a deletion, or when a super admin is disabled. Returns how many there were. */
export async function endSessions(db: Db, userId: number): Promise<number> {
  return store.deleteSessions(db, userId)
}

/** Those that a request would still find, the one used last first. */
export function openSessionsOf({ db, clock }: AuthApp, userId: number): Promise<store.OpenSession[]> {
  return store.openSessions(db, userId, rules.openSessionTimes(clock.now()))
}

/** Ends one session of the viewer's account; 0 when it has none with that id. */
export async function endSession(tx: Tx, { userId }: Viewer, sessionId: number): Promise<number> {
  return store.deleteSessionOf(tx, userId, sessionId)
}

/** Ends every session of the viewer's account but the viewer's own. Returns how many there were. */
export async function endOtherSessions(tx: Tx, { userId, sessionId }: Viewer): Promise<number> {
  return store.deleteSessions(tx, userId, sessionId)
}

/** The session has what it lacked. `must`: what it lacks next. */
export async function completeSession(tx: Tx, { sessionId }: Viewer, must: Lacking | null = null): Promise<void> {
  if (sessionId !== undefined) await store.completeSession(tx, sessionId, must)
}

export const hasFactor = ({ passkeyHosts, hasTotp }: store.Login): boolean => hasTotp || passkeyHosts.length > 0

/** Whether the account must have a second factor and has none. */
export function lacksFactor(login: store.Login): boolean {
  const { factorRule, role } = login
  return !hasFactor(login) && mustHaveFactor(settingIn('secondFactor', factorRule), role)
}

export async function endAllSessions(tx: Tx): Promise<number> {
  return store.deleteAllSessions(tx)
}

/** Deletes expired sessions and counters. One process of any role calls it now and then. */
export async function tidySignIns(app: AuthApp): Promise<void> {
  const now = app.clock.now()
  await limits.deleteExpired(app.db)
  await resetStore.deleteOld(app.db, now)
  await forgetOldNotMeLinks(app)
  await forgetOldCeremonies(app)
  await forgetOldKeys(app)
  await store.deleteOldSessions(app.db, new Date(now.getTime() - rules.sessionKeptMs))
}

/** The demo's passwords are public, so the server listens only on this machine while a demo account exists. */
export function demoAccountExists(db: Db): Promise<boolean> {
  return store.demoAccountExists(db)
}
