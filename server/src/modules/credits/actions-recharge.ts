import { mintId } from '../../db/platform-accounts.ts'
import type { CreditAccount, creditRoutes } from '@ghanti/contract/credits.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { scopeOf, type Viewer } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { notifyAccountBetween } from '../notices/actions.ts'
import { moveCredits, type Movement } from './actions-move.ts'
import { balanceOf } from './actions.ts'
import { added, takenBack } from './rules.ts'
import * as store from './store-recharge.ts'

type Recharge = InputOf<typeof creditRoutes.add>

/**
 * Gives credits to a direct child, or takes back what is free. A super admin issues credits to any account below, or destroys them; accounts
 * in between keep their balance, and the parent is notified.
 */
export async function recharge(
  ctx: Ctx,
  input: Recharge,
  action: Movement['action'],
): Promise<Pick<CreditAccount, 'credits' | 'free'>> {
  return ctx.app.db.transaction().execute(async (tx) => {
    const child = await chargeable(tx, ctx.viewer, input.userId, 'share')
    await move(tx, ctx, child.id, input, action)
    const { credits: paisa } = input
    await notifyAccountBetween(tx, ctx.viewer, child, action === 'credit_add' ? added(paisa) : takenBack(paisa))
    const { paisa: balance, reservedPaisa } = await balanceOf(tx, child.id)
    return { credits: rupeesOf(balance), free: rupeesOf(balance - reservedPaisa) }
  })
}

/** The first credits of an account that this transaction has created below the viewer. */
export async function giveFirstCredits(tx: Tx, ctx: Ctx, childId: number, paisa: number): Promise<void> {
  await move(tx, ctx, childId, { credits: paisa }, 'credit_add')
}

/** Between the viewer, or the platform, and an account that the viewer may recharge. */
async function move(
  tx: Tx,
  ctx: Ctx,
  childId: number,
  { credits: paisa, reference, paymentMode, note }: Omit<Recharge, 'userId'>,
  action: Movement['action'],
): Promise<void> {
  const fundingId = await fundingAccountOf(tx, ctx.viewer)
  const [payerId, payeeId] = action === 'credit_add' ? [fundingId, childId] : [childId, fundingId]
  const words = { ...(reference && { reference }), ...(paymentMode && { paymentMode }), ...(note && { note }) }
  await moveCredits(tx, { payerId, payeeId, paisa, action, byUserId: ctx.viewer.userId, ...words })
  const done = action === 'credit_add' ? 'credits.add' : 'credits.remove'
  await audit(tx, ctx, done, `user ${childId}`, { credits: rupeesOf(paisa), ...words })
}

export async function creditAccount(ctx: Ctx, userId: number): Promise<CreditAccount> {
  const { app, viewer } = ctx
  const child = await chargeable(app.db, viewer, userId, null)
  const balance = await balanceOf(app.db, child.id)
  const own = viewer.role === 'superAdmin' ? null : await balanceOf(app.db, viewer.userId)
  const last = await store.lastRecharge(app.db, child.id, await fundingAccountOf(app.db, viewer))
  return {
    userId: child.id,
    username: child.username,
    credits: rupeesOf(balance.paisa),
    reserved: rupeesOf(balance.reservedPaisa),
    free: rupeesOf(balance.paisa - balance.reservedPaisa),
    ownFree: own && rupeesOf(own.paisa - own.reservedPaisa),
    last: last && { action: last.action, credits: rupeesOf(last.paisa), secondsAgo: last.secondsAgo },
  }
}

function fundingAccountOf(db: Db, viewer: Viewer): Promise<number> {
  return viewer.role === 'superAdmin' ? mintId(db) : Promise.resolve(viewer.userId)
}

/**
 * A direct child; for super admins any account below. A reseller is refused for deeper accounts, which are recharged by their own parent. An
 * account outside the viewer's tree does not exist for them.
 */
async function chargeable(db: Db, viewer: Viewer, userId: number, lock: 'share' | null): Promise<store.Child> {
  const child = await store.findChild(db, scopeOf(viewer), userId, lock)
  if (!child) throw new AppError('not_found')
  if (child.parentId === viewer.userId || (viewer.role === 'superAdmin' && child.parentId !== null)) return child
  const text = child.parentName ? `belongs to ${child.parentName}, who recharges it` : 'cannot be recharged by itself'
  throw new AppError('not_allowed', [{ field: 'userId', code: 'not_direct', text }])
}
