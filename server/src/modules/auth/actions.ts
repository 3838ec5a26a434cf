import { createHash, randomBytes } from 'node:crypto'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Origin } from '../../http/types.ts'
import type { Viewer } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { verifyPassword } from './actions-passwords.ts'
import { countTry, hashOfName } from './actions-throttle.ts'
import * as rules from './rules.ts'
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

/** A fresh token for somebody who proved who he is. */
export async function openSession(app: AuthApp, userId: number, origin: Origin): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = app.clock.now()
  await store.insertSession(app.db, {
    tokenHash: hashOf(token),
    userId,
    now,
    ip: origin.ip,
    userAgent: origin.userAgent,
  })
  return token
}

export async function closeSession(app: AuthApp, token: string): Promise<void> {
  await store.deleteSession(app.db, hashOf(token))
}

/** Password change, deletion, disabling: nothing that was signed in stays. */
export async function endSessions(db: Db, userId: number): Promise<void> {
  await store.deleteSessions(db, userId)
}

export async function signIn(
  app: AuthApp,
  username: string,
  password: string,
  origin: Origin,
): Promise<{ viewer: Viewer; token: string }> {
  const counted = await countAttempt(app, username, origin.ip)
  const login = await store.findLogin(app.db, username)
  const right = await verifyPassword(login?.passwordHash ?? null, password)
  if (!login || !right) {
    await audit(app.db, { viewer: null, origin }, 'login.failed', null, { username })
    throw new AppError('bad_credentials')
  }
  await counted.takeBack()
  const viewer = { userId: login.userId, username: login.username, role: login.role, parentId: login.parentId }
  if (login.disabledAt)
    throw new AppError('not_allowed', [
      {
        field: 'username',
        code: 'disabled',
        text: `is disabled${login.disabledReason ? `: ${login.disabledReason}` : ''}`,
      },
    ])
  if (rules.accountExpired(login.expiresAt, app.clock.now())) throw new AppError('account_expired')
  const token = await openSession(app, login.userId, origin)
  await audit(app.db, { viewer, origin }, 'login', `user ${viewer.userId}`)
  return { viewer, token }
}

/** Counted before the password is looked at; a right one is taken back. */
async function countAttempt(app: AuthApp, username: string, ip: string): Promise<{ takeBack(): Promise<void> }> {
  const { windowMs, perName, perAddress } = rules.loginThrottle
  const address = { key: `login address ${ip}`, max: perAddress }
  const name = { key: loginNameKey(username), max: perName }
  await countTry(app, [address, name], { windowMs, field: 'username', what: 'has failed' })
  return {
    async takeBack() {
      await store.forget(app.db, name.key)
      await store.countBack(app.db, address.key)
    },
  }
}

const loginNameKey = (username: string): string => `login name ${hashOfName(username)}`

/** Who proved in another way who he is may sign in at once. */
export async function forgiveAttempts(tx: Tx, username: string): Promise<void> {
  await store.forget(tx, loginNameKey(username))
}

/** What nobody needs any more. Called now and then by one process of any role. */
export async function tidySignIns(app: AuthApp): Promise<void> {
  const now = app.clock.now()
  await store.deleteOldThrottles(app.db, now)
  await resetStore.deleteOld(app.db, now)
  await store.deleteOldSessions(app.db, new Date(now.getTime() - rules.sessionKeptMs))
}

/** Everybody knows their passwords, so the server keeps to this machine while one is there. */
export function demoAccountExists(db: Db): Promise<boolean> {
  return store.demoAccountExists(db)
}
