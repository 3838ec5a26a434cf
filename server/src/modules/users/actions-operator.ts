import { randomBytes } from 'node:crypto'
import type { Db, Tx } from '../../db/db.ts'
import { AppError, conflict } from '../../errors.ts'
import { audit, type Actor } from '../audit/actions.ts'
import { endAllSessions, endSessions } from '../auth/actions.ts'
import { hashPassword, requireStrong } from '../auth/actions-passwords.ts'
import { forgiveTries } from '../auth/actions-throttle.ts'
import { removeFactorsOf } from '../factors/actions.ts'
import { workingKeys } from '../keys/actions-revoke.ts'
import { giveNotice } from '../notices/actions.ts'
import { keysOutlasting } from '../security/rules.ts'
import { changeSetting } from '../platform/actions.ts'
import { disable, enable } from './actions-disable.ts'
import { noFactors } from './rules.ts'
import * as store from './store-account.ts'
import * as operator from './store-operator.ts'

/** The operator on the server is not signed in; the audit log names the command instead. */
const actor: Actor = { viewer: null, origin: { ip: 'admin command' } }
const platform = { userId: null, isPlatform: true }

export async function superAdminLines(db: Db, now: Date): Promise<string[]> {
  const superAdmins = await operator.superAdmins(db)
  return superAdmins.map(({ username, name, emailid, disabledAt, disabledReason, expiresAt, sessions }) => {
    const expired = expiresAt !== null && expiresAt <= now
    const state = disabledAt ? `disabled: ${disabledReason ?? ''}` : expired ? 'expired' : 'live'
    return [username, name, emailid, state, `${sessions} ${sessions === 1 ? 'session' : 'sessions'}`].join('  ')
  })
}

/** An installation begins with its first super admin: from then on super admins must have a second factor. Returns whether this was the first. */
export async function beginWithFactors(tx: Tx, userId: number): Promise<boolean> {
  if (await operator.hasOtherSuperAdmin(tx, userId)) return false
  await changeSetting(tx, 'secondFactor', { superAdmins: 'required', resellers: 'off', users: 'off' }, userId)
  return true
}

/** Applies to any account by name and to all below it. Throws an Error with a readable message. */
export function setDisabledByName(
  db: Db,
  username: string,
  { disabled, reason, at }: { disabled: boolean; reason: string; at: Date },
): Promise<string> {
  return withAccount(db, username, async (tx, account) => {
    if (disabled) await disable(tx, account, platform, { reason, at })
    else await enable(tx, account, platform)
    const detail = { username: account.username, reason }
    await audit(tx, actor, disabled ? 'user.disable' : 'user.enable', `user ${account.id}`, detail)
    return `${account.username} is ${disabled ? 'disabled, its sessions are ended' : 'enabled'}`
  })
}

/** `password` null: a random one. Returns the password, which is stored nowhere else. Ends sessions and clears failed attempts. */
export async function resetPasswordByName(db: Db, username: string, password: string | null): Promise<string> {
  const fresh = password ?? randomBytes(15).toString('base64url')
  const passwordHash = await hashPassword(fresh, 'operator')
  return withAccount(db, username, async (tx, account) => {
    if (password !== null) await requireStrong(tx, account.id, password, { account: 'operator' }).catch(inWords)
    await store.update(tx, account.id, { password_hash: passwordHash, password_given: false })
    await endSessions(tx, account.id)
    await forgiveTries(tx, account.username)
    const reason = keysOutlasting(await workingKeys(tx, account.id, new Date()))
    // On screen: the command sends no mail.
    await giveNotice(tx, { userId: account.id, kind: 'passwordChanged', subjectId: account.id, about: '', reason })
    await audit(tx, actor, 'user.resetPassword', `user ${account.id}`, { username: account.username })
    return password === null
      ? `new password of ${account.username}: ${fresh}`
      : `${account.username} has the new password`
  })
}

function inWords(error: unknown): never {
  if (!(error instanceof AppError)) throw error
  throw new Error(`the password ${error.errors.map(({ text }) => text).join(', ')}`, { cause: error })
}

/** For an owner who has lost them all. */
export function removeFactorsByName(db: Db, username: string): Promise<string> {
  return withAccount(db, username, async (tx, account) => {
    if (!(await removeFactorsOf(tx, account.id))) throw conflict('userId', noFactors, 'state')
    // On screen: the command sends no mail.
    await giveNotice(tx, { userId: account.id, kind: 'factorChanged', subjectId: account.id, about: '', reason: null })
    await audit(tx, actor, 'user.removeFactors', `user ${account.id}`, { username: account.username })
    return `${account.username} has no second factor any more: the password alone opens the account`
  })
}

export function signOutByName(db: Db, username: string): Promise<string> {
  return withAccount(db, username, async (tx, account) => {
    const sessions = await endSessions(tx, account.id)
    await audit(tx, actor, 'user.signOut', `user ${account.id}`, { username: account.username, sessions })
    return ended(sessions, account.username)
  })
}

export function signOutAll(db: Db): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const sessions = await endAllSessions(tx)
    await audit(tx, actor, 'user.signOutAll', null, { sessions })
    return ended(sessions, 'everybody')
  })
}

const ended = (sessions: number, whose: string) =>
  `${whose}: ${sessions === 0 ? 'no session was open' : `ended ${sessions} ${sessions === 1 ? 'session' : 'sessions'}`}`

async function withAccount(
  db: Db,
  username: string,
  work: (tx: Tx, account: store.Account) => Promise<string>,
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const account = await store.lockByName(tx, username)
    if (!account) throw new Error(`there is no account '${username}'`)
    try {
      return await work(tx, account)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw new Error(`${account.username} ${error.errors.map(({ text }) => text).join(', ')}`, { cause: error })
    }
  })
}
