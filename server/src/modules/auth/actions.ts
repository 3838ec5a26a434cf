import { createHash, randomBytes } from 'node:crypto'
import { sessionsMax, type Lacking } from '@ghanti/contract/sessions.ts'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../db/db.ts'
import { isFrozenText } from '../../db/frozen.ts'
import { AppError } from '../../errors.ts'
import type { Origin } from '../../http/types.ts'
import type { Viewer } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { forgetOldNotMeLinks, tellOfSecurity } from '../security/actions.ts'
import { settingOf } from '../platform/actions.ts'
import { verifyPassword, type Lane } from './actions-passwords.ts'
import { deviceCookie, deviceOf } from './actions-device.ts'
import { fromOf, isNewBrowser } from './actions-new-browser.ts'
import { countSignIn, countTry, isFailureLogged } from './actions-throttle.ts'
import { inTurn } from './actions-turns.ts'
import * as rules from './rules.ts'
import * as limits from './store-limits.ts'
import * as resetStore from './store-reset.ts'
import * as store from './store.ts'

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

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
  const { sessionId, userId, username, role, parentId, must } = session
  return { sessionId, userId, username, role, parentId, ...(must && { must }) }
}

/**
 * Creates a token for somebody who proved their identity. `deviceKey` is the one read with the password. Null when it has changed since:
 * what ends sessions replaces it, so no session outlives the password that opened it.
 */
async function openSession(
  app: AuthApp,
  { userId, deviceKey }: Pick<store.Login, 'userId' | 'deviceKey'>,
  origin: Origin,
  must: Lacking | null = null,
): Promise<{ token: string; sessionId: number } | null> {
  const token = randomBytes(32).toString('base64url')
  const now = app.clock.now()
  const session = { tokenHash: hashOf(token), userId, deviceKey, must, now, ip: origin.ip, userAgent: origin.userAgent }
  const sessionId = await app.db.transaction().execute(async (tx) => {
    const id = await store.insertSession(tx, session)
    if (id !== undefined) await store.deleteSessionsBeyond(tx, session, sessionsMax)
    return id
  })
  return sessionId === undefined ? null : { token, sessionId }
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

/** The session has what it lacked. */
export async function completeSession(tx: Tx, { sessionId }: Viewer): Promise<void> {
  if (sessionId !== undefined) await store.completeSession(tx, sessionId)
}

export async function endAllSessions(tx: Tx): Promise<number> {
  return store.deleteAllSessions(tx)
}

type Credentials = { username: string; password: string; cookie: string | null }

type SignedIn = { viewer: Viewer; token: string; device: string }

export function signIn(
  app: AuthApp & Pick<App, 'config' | 'jobs' | 'mail'>,
  credentials: Credentials,
  origin: Origin,
): Promise<SignedIn> {
  return inTurn(app, credentials, origin, (lane) => trySignIn(app, credentials, origin, lane))
}

async function trySignIn(
  app: AuthApp & Pick<App, 'config' | 'jobs' | 'mail'>,
  { username, password, cookie }: Credentials,
  origin: Origin,
  lane: Lane,
): Promise<SignedIn> {
  const login = await store.findLogin(app.db, username)
  const counted = await countTry(app.db, {
    username: login?.username ?? username, // names that the database considers equal count as one
    origin,
    device: login ? deviceOf(app, cookie, login) : null,
    deviceKey: login?.deviceKey ?? null,
  })
  const right = await verifyPassword(login?.passwordHash ?? null, password, lane)
  if (!login || !right) {
    // An unknown name may be a password typed into the wrong field, so it is not logged.
    const [target, detail] = login ? [`user ${login.userId}`, { username: login.username }] : [null, {}]
    if (await isFailureLogged(app.db, login?.userId ?? null, origin))
      await audit(app.db, { viewer: null, origin }, 'login.failed', target, detail)
    throw new AppError('bad_credentials')
  }
  await counted.wasRight()
  await countSignIn(app.db, login.userId)
  const viewer = { userId: login.userId, username: login.username, role: login.role, parentId: login.parentId }
  if (login.stoppedBy) throw disabled(login.userId, login.stoppedBy)
  if (rules.accountExpired(login.expiresAt, app.clock.now())) throw new AppError('account_expired')
  const must = login.isPasswordGiven && (await settingOf(app.db, 'firstPassword')) ? 'password' : null
  const opened = await openSession(app, login, origin, must)
  if (opened === null) throw new AppError('bad_credentials')
  const { token, sessionId } = opened
  const isNew = await isNewBrowser(app, { userId: login.userId, cookie }, origin)
  await app.db.transaction().execute(async (tx) => {
    await audit(tx, { viewer, origin }, 'login', `user ${viewer.userId}`)
    const told = { kind: 'newBrowser', userId: viewer.userId, subjectId: sessionId, from: fromOf(origin) } as const
    if (isNew) await tellOfSecurity(app, tx, told)
  })
  return { viewer, token, device: deviceCookie(app, cookie, login) }
}

/** Accounts below do not learn why an account above was disabled, and nobody here why one was frozen: the password may be the thief's. */
function disabled(userId: number, stoppedBy: NonNullable<store.Login['stoppedBy']>): AppError {
  const { userId: stopperId, reason, isFrozen } = stoppedBy
  if (isFrozen) return new AppError('not_allowed', [{ field: 'username', code: 'frozen', text: isFrozenText }])
  const why = stopperId === userId ? reason : rules.disabledAbove
  return new AppError('not_allowed', [
    { field: 'username', code: 'disabled', text: `is disabled${why ? `: ${why}` : ''}` },
  ])
}

/** Deletes expired sessions and counters. One process of any role calls it now and then. */
export async function tidySignIns(app: AuthApp): Promise<void> {
  const now = app.clock.now()
  await limits.deleteExpired(app.db)
  await resetStore.deleteOld(app.db, now)
  await forgetOldNotMeLinks(app)
  await store.deleteOldSessions(app.db, new Date(now.getTime() - rules.sessionKeptMs))
}

/** The demo's passwords are public, so the server listens only on this machine while a demo account exists. */
export function demoAccountExists(db: Db): Promise<boolean> {
  return store.demoAccountExists(db)
}
