import { createHash, randomBytes } from 'node:crypto'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Origin } from '../../http/types.ts'
import type { Viewer } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { verifyPassword } from './actions-passwords.ts'
import { deviceCookie, deviceOf } from './actions-device.ts'
import { countTry } from './actions-throttle.ts'
import * as rules from './rules.ts'
import { networkOf } from './rules-throttle.ts'
import * as limits from './store-limits.ts'
import * as resetStore from './store-reset.ts'
import * as store from './store.ts'

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

type AuthApp = Pick<App, 'db' | 'clock'>

/** Who a token belongs to. 401 'Token Not Valid.' for an unknown one, 'Token Expired' for one whose time is over. */
export async function viewerOfToken(app: AuthApp, token: string | null): Promise<Viewer> {
  if (token === null) throw new AppError('token_not_valid')
  const tokenHash = hashOf(token)
  const session = await store.findSession(app.db, tokenHash)
  if (!session) throw new AppError('token_not_valid')
  const now = app.clock.now()
  if (rules.sessionEnded(session, now)) throw new AppError('token_expired') // its row stays, so that every request of a page reads so
  if (now.getTime() - session.lastSeenAt.getTime() >= rules.touchEveryMs)
    await store.touchSession(app.db, tokenHash, now)
  return { userId: session.userId, username: session.username, role: session.role, parentId: session.parentId }
}

/**
 * A fresh token for somebody who proved who they are. `deviceKey`: of the account when its password was read; null when that was replaced meanwhile,
 * as all that ends sessions does, so that no session outlives the password that opened it.
 */
export async function openSession(
  app: AuthApp,
  { userId, deviceKey }: Pick<store.Login, 'userId' | 'deviceKey'>,
  origin: Origin,
): Promise<string | null> {
  const token = randomBytes(32).toString('base64url')
  const now = app.clock.now()
  const isOpen = await store.insertSession(app.db, {
    tokenHash: hashOf(token),
    userId,
    deviceKey,
    now,
    ip: origin.ip,
    userAgent: origin.userAgent,
  })
  return isOpen ? token : null
}

export async function closeSession(app: AuthApp, token: string): Promise<void> {
  await store.deleteSession(app.db, hashOf(token))
}

/** The account and all below it were disabled, or may sign in again: nothing that was signed in before stays. */
export async function endSessionsBelow(tx: Tx, userId: number): Promise<void> {
  await store.deleteSessionsBelow(tx, userId)
}

/** Password change, deletion, a super admin disabled: nothing that was signed in stays. Answers how many sessions there were. */
export async function endSessions(db: Db, userId: number): Promise<number> {
  return store.deleteSessions(db, userId)
}

export async function endAllSessions(tx: Tx): Promise<number> {
  return store.deleteAllSessions(tx)
}

/** What a caller gave to sign in. `cookie`: what their browser keeps from earlier sign-ins. */
type Credentials = { username: string; password: string; cookie: string | null }

/** Answers the session's token, and what the browser keeps from now on. */
export async function signIn(
  app: AuthApp & Pick<App, 'config'>,
  { username, password, cookie }: Credentials,
  origin: Origin,
): Promise<{ viewer: Viewer; token: string; device: string }> {
  const login = await store.findLogin(app.db, username)
  const counted = await countTry(app.db, {
    username: login?.username ?? username, // what the database takes for one name is counted as one
    origin,
    device: login ? deviceOf(app, cookie, login) : null,
    deviceKey: login?.deviceKey ?? null,
  })
  const right = await verifyPassword(login?.passwordHash ?? null, password, networkOf(origin.ip))
  if (!login || !right) {
    // A name that is nobody's may be a password, typed into the wrong field.
    await audit(app.db, { viewer: null, origin }, 'login.failed', null, login ? { username: login.username } : {})
    throw new AppError('bad_credentials')
  }
  await counted.wasRight()
  const viewer = { userId: login.userId, username: login.username, role: login.role, parentId: login.parentId }
  if (login.stoppedBy) throw disabled(login.userId, login.stoppedBy)
  if (rules.accountExpired(login.expiresAt, app.clock.now())) throw new AppError('account_expired')
  const token = await openSession(app, login, origin)
  if (token === null) throw new AppError('bad_credentials')
  await audit(app.db, { viewer, origin }, 'login', `user ${viewer.userId}`)
  return { viewer, token, device: deviceCookie(app, cookie, login) }
}

/** Why an account above was disabled is not for those below it. */
function disabled(userId: number, { userId: stopperId, reason }: NonNullable<store.Login['stoppedBy']>): AppError {
  const why = stopperId === userId ? reason : rules.disabledAbove
  return new AppError('not_allowed', [
    { field: 'username', code: 'disabled', text: `is disabled${why ? `: ${why}` : ''}` },
  ])
}

/** What nobody needs any more. Called now and then by one process of any role. */
export async function tidySignIns(app: AuthApp): Promise<void> {
  const now = app.clock.now()
  await limits.deleteExpired(app.db)
  await resetStore.deleteOld(app.db, now)
  await store.deleteOldSessions(app.db, new Date(now.getTime() - rules.sessionKeptMs))
}

/** Everybody knows their passwords, so the server keeps to this machine while one is there. */
export function demoAccountExists(db: Db): Promise<boolean> {
  return store.demoAccountExists(db)
}
