import type { Tx } from '../../db/db.ts'
import { isFrozenText } from '../../db/frozen.ts'
import { AppError, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { scopeOf, type Viewer } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { endSessions, endSessionsBelow } from '../auth/actions.ts'
import { campaignsHeldWith } from '../voice-campaigns/actions-of-accounts.ts'
import { lockVisible, refused } from './actions-children.ts'
import { isChildOf, isDisabledByPlatform, lastSuperAdmin } from './rules.ts'
import * as store from './store-account.ts'
import * as disabling from './store-disable.ts'

type Disabling = { userId: number; disabled: boolean; reason: string }

/**
 * A reseller disables direct children, a super admin anybody else, other super admins included. It affects all accounts below: sessions end
 * now, and at its next tick the engine holds their campaigns with the reason; it releases exactly these once the account is live again. No
 * reseller can lift what a super admin disabled, even if a reseller had disabled it too.
 */
export async function disableUser(ctx: Ctx, { userId, disabled, reason }: Disabling): Promise<void> {
  const { app, viewer } = ctx
  await app.db.transaction().execute(async (tx) => {
    const account = await lockVisible(tx, viewer, userId)
    const mayAct = viewer.role === 'superAdmin' ? account.id !== viewer.userId : isChildOf(viewer, account)
    if (!mayAct) throw refused(viewer, account)
    if (account.role === 'superAdmin') await requireLiveViewer(tx, viewer)
    const by = { userId: viewer.userId, isPlatform: viewer.role === 'superAdmin' }
    if (disabled) await disable(tx, account, by, { reason, at: app.clock.now() })
    else await enable(tx, account, by)
    await audit(tx, ctx, disabled ? 'user.disable' : 'user.enable', `user ${userId}`, {
      username: account.username,
      reason,
    })
  })
}

/** When two super admins disable each other at once, the second is no longer entitled to. */
async function requireLiveViewer(tx: Tx, viewer: Viewer): Promise<void> {
  await disabling.lockSuperAdmins(tx)
  if (!(await disabling.isLiveAccount(tx, viewer.userId))) throw new AppError('token_not_valid')
}

/** `userId` null: the operator on the server. */
type By = { userId: number | null; isPlatform: boolean }

/** The caller has locked the account. */
export async function disable(
  tx: Tx,
  account: store.Account,
  by: By,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  if (account.isFrozen) throw frozen()
  const takesOver = by.isPlatform && !isDisabledByPlatform(account.disabledByRole)
  if (account.disabledAt && !takesOver) throw conflict('userId', 'is disabled already', 'state')
  if (account.role === 'superAdmin') await requireAnother(tx, account.id, at)
  await store.update(tx, account.id, { disabled_at: at, disabled_reason: reason, disabled_by: by.userId })
  await endAll(tx, account)
}

/** The caller has locked the account. */
export async function enable(tx: Tx, account: store.Account, by: By): Promise<void> {
  if (account.isFrozen) throw frozen()
  if (!account.disabledAt) throw conflict('userId', 'is not disabled', 'state')
  if (!by.isPlatform && isDisabledByPlatform(account.disabledByRole))
    throw new AppError('not_allowed', [
      { field: 'userId', code: 'by_platform', text: 'was disabled by the platform: only a super admin can enable it' },
    ])
  await store.update(tx, account.id, { disabled_at: null, disabled_reason: null, disabled_by: null })
  await endAll(tx, account)
}

/** Disabling and enabling are no way around a freeze. */
const frozen = (): AppError => conflict('userId', isFrozenText, 'frozen')

/** When enabling too: somebody may have signed in at the very moment of disabling. */
async function endAll(tx: Tx, { id, role }: store.Account): Promise<void> {
  if (role === 'superAdmin') await endSessions(tx, id)
  else await endSessionsBelow(tx, id)
}

async function requireAnother(tx: Tx, userId: number, now: Date): Promise<void> {
  await disabling.lockSuperAdmins(tx)
  if (!(await disabling.anotherSuperAdmin(tx, userId, now))) throw conflict('userId', lastSuperAdmin, 'last')
}

/**
 * How many accounts below stop with this one and how many campaigns go on hold; for a disabled account, what continues once it is enabled.
 * Leaves out what is stopped for another reason too.
 */
export async function reachOfDisabling(
  { app, viewer }: Ctx,
  userId: number,
): Promise<{ accounts: number; campaigns: number }> {
  const account = await store.find(app.db, scopeOf(viewer), userId)
  if (!account) throw new AppError('not_found')
  if (account.role === 'superAdmin') return { accounts: 0, campaigns: 0 }
  const [accounts, campaigns] = await Promise.all([
    disabling.countStoppedWith(app.db, userId),
    campaignsHeldWith(app.db, userId),
  ])
  return { accounts, campaigns }
}
