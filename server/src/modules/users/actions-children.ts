import { mintId } from '../../db/platform-accounts.ts'
import { rupeesText } from '@ghanti/contract/money.ts'
import { messages } from '@ghanti/contract/messages.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { scopeOf, type Viewer } from '../../policy.ts'
import { requireKeyScope } from '../../policy-keys.ts'
import { audit } from '../audit/actions.ts'
import { workingKeys } from '../keys/actions-revoke.ts'
import { endSessions } from '../auth/actions.ts'
import { hashPassword, requireStrong } from '../auth/actions-passwords.ts'
import { forgiveTries } from '../auth/actions-throttle.ts'
import { removeLogo } from '../branding/actions.ts'
import { balanceOf } from '../credits/actions.ts'
import { freeCredits, lockAccounts, moveCredits } from '../credits/actions-move.ts'
import { removeFactorsOf } from '../factors/actions.ts'
import { withFiles } from '../files/actions.ts'
import { giveBackClis } from '../lines/actions-holders.ts'
import { tellOfSecurity } from '../security/actions.ts'
import { notifyAccountBetween } from '../notices/actions.ts'
import {
  hasCampaigns,
  hasChildren,
  hasReserved,
  isChildOf,
  mayChange,
  notYourChild,
  passwordWasReset,
} from './rules.ts'
import * as store from './store-account.ts'

/**
 * A direct child, locked until the transaction ends. Throws 404 for an account the viewer cannot see, 403 for another parent's. All super
 * admins share their children.
 */
async function lockChild(tx: Tx, viewer: Viewer, userId: number): Promise<store.Account> {
  const account = await lockVisible(tx, viewer, userId)
  if (!isChildOf(viewer, account)) throw refused(viewer, account)
  return account
}

/** The same, but a super admin may lock any account below. */
export async function lockBelow(tx: Tx, viewer: Viewer, userId: number): Promise<store.Account> {
  const account = await lockVisible(tx, viewer, userId)
  if (!mayChange(viewer, account)) throw refused(viewer, account)
  return account
}

/** Locked until the transaction ends; throws 404 for an account that the viewer cannot see. */
export async function lockVisible(tx: Tx, viewer: Viewer, userId: number): Promise<store.Account> {
  const account = await store.lock(tx, scopeOf(viewer), userId)
  if (!account) throw new AppError('not_found')
  return account
}

export function refused(viewer: Viewer, account: store.Account): AppError {
  return new AppError('not_allowed', [{ field: 'userId', code: 'not_child', text: notYourChild(viewer, account) }])
}

/** By the parent or a super admin, without the old password. Ends all sessions. */
export async function resetPassword(ctx: Ctx, userId: number, password: string): Promise<void> {
  const { app, viewer } = ctx
  await app.db.transaction().execute((tx) => lockBelow(tx, viewer, userId)) // checked first, because the strength check would reveal a stranger's names
  await requireStrong(app.db, userId, password, { account: viewer.userId })
  const passwordHash = await hashPassword(password, viewer.userId)
  await app.db.transaction().execute(async (tx) => {
    const account = await lockBelow(tx, viewer, userId)
    const { username } = account
    await store.update(tx, userId, { password_hash: passwordHash, password_given: true })
    await endSessions(tx, userId)
    await forgiveTries(tx, username)
    const keys = await workingKeys(tx, userId, app.clock.now())
    await tellOfSecurity(app, tx, { kind: 'passwordChanged', userId, from: null, keys })
    await audit(tx, ctx, 'user.resetPassword', `user ${userId}`, { username })
    await notifyAccountBetween(tx, viewer, account, passwordWasReset)
  })
}

/**
 * Soft delete: campaigns, money and files stay, except the logo, which may count against the account above. Refused while there are accounts below or unfinished campaigns. Caller IDs are returned
 * first, so that no campaign can be composed meanwhile, then the balance goes to the parent.
 */
export async function deleteUser(ctx: Ctx, userId: number): Promise<void> {
  const { app, viewer } = ctx
  await withFiles(app, async (tx) => {
    const account = await lockChild(tx, viewer, userId)
    const children = await store.childrenOf(tx, userId)
    if (children.total > 0) throw inUse(hasChildren(children.names, children.total))
    const clis = await giveBackClis(tx, userId)
    const campaigns = await store.unfinishedCampaignsOf(tx, userId)
    if (campaigns.total > 0) throw inUse(hasCampaigns(campaigns.names, campaigns.total))
    const returnedPaisa = await returnBalance(tx, viewer, account)
    await store.update(tx, userId, { deleted_at: app.clock.now() })
    await removeLogo(tx, ctx, userId)
    await removeFactorsOf(tx, userId)
    await endSessions(tx, userId)
    await audit(tx, ctx, 'user.delete', `user ${userId}`, { username: account.username, returnedPaisa, clis })
  })
}

function inUse(text: string): AppError {
  return conflict('userId', text, 'in_use')
}

/** Returns the whole balance, income included, to the account that Remove Recharge would pay. */
async function returnBalance(tx: Tx, viewer: Viewer, account: store.Account): Promise<number> {
  const payeeId = account.parentRole === 'superAdmin' ? await mintId(tx) : account.parentId
  if (payeeId === null) throw new Error(`account ${account.id} has no parent`)
  await lockAccounts(tx, [account.id, payeeId])
  const paisa = await freeCredits(tx, account.id)
  const { reservedPaisa } = await balanceOf(tx, account.id)
  if (reservedPaisa > 0) throw inUse(hasReserved(rupeesText(reservedPaisa)))
  if (paisa > 0) {
    requireKeyScope(viewer.key, 'credits:write') // with which a key is bound to its networks
    await moveCredits(tx, {
      payerId: account.id,
      payeeId,
      paisa,
      action: 'credit_remove',
      byUserId: viewer.userId,
      note: `Balance of the deleted account ${account.username}`,
    })
  }
  return paisa
}

/** Passwords are hashed and cannot be read; this is the reply instead. */
export async function readPassword({ app, viewer }: Ctx, userId: number): Promise<{ password: null; message: string }> {
  const account = await store.find(app.db, scopeOf(viewer), userId)
  if (!account) throw new AppError('not_found')
  if (!mayChange(viewer, account)) throw refused(viewer, account)
  return { password: null, message: messages.passwordUnreadable }
}
