import type { CallsOfFrozen, freezingRoutes } from '@ghanti/contract/freezing.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { scopeOfPath, type Viewer } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { endSessionsBelow } from '../auth/actions.ts'
import { openSessionTimes } from '../auth/rules.ts'
import { freezeAccount, frozenOf, liftAccount } from '../frozen/actions.ts'
import { wasFrozen, wasLifted, whyNotLift } from '../frozen/rules.ts'
import { notifyAccountBetween } from '../notices/actions.ts'
import { lockVisible } from '../users/actions-children.ts'
import { campaignsHeldWith } from '../voice-campaigns/actions-of-accounts.ts'
import * as store from './store.ts'

type Asked = { userId: number; frozen: boolean; reason: string; calls: CallsOfFrozen }

/** By any account above, at any depth: whoever is told of a stolen account may be the only one awake. */
export async function freezeUser(ctx: Ctx, { userId, frozen, reason, calls }: Asked): Promise<void> {
  const { app, viewer } = ctx
  await app.db.transaction().execute(async (tx) => {
    const account = await lockVisible(tx, viewer, userId)
    if (userId === viewer.userId) throw conflict('userId', 'is your own account: only one above freezes it', 'own')
    if (account.role === 'superAdmin') throw conflict('userId', 'is a super admin: disable it instead', 'super_admin')
    if (frozen) {
      const isPlatform = viewer.role === 'superAdmin'
      const at = app.clock.now()
      await freezeAccount(tx, userId, { isPlatform, at, by: viewer.userId, reason, endsCalls: calls === 'end' })
    } else await lift(tx, viewer, userId)
    await endSessionsBelow(tx, userId) // when lifting, too: somebody may have signed in at the very moment of freezing
    const { username } = account
    const detail = frozen ? { username, reason, calls } : { username, reason }
    await audit(tx, ctx, frozen ? 'user.freeze' : 'user.lift', `user ${userId}`, detail)
    await notifyAccountBetween(tx, viewer, account, frozen ? wasFrozen : wasLifted)
  })
}

async function lift(tx: Tx, viewer: Viewer, userId: number): Promise<void> {
  const freeze = await frozenOf(tx, userId)
  if (!freeze) throw conflict('userId', 'is not frozen', 'state')
  const refusal = whyNotLift(viewer, userId, freeze.by)
  if (refusal) throw new AppError('not_allowed', [{ field: 'userId', ...refusal }])
  await liftAccount(tx, userId)
}

export async function reachOfFreezing(
  { app, viewer }: Ctx,
  userId: number,
): Promise<ReplyOf<typeof freezingRoutes.reach>> {
  await scopeOfPath(app.db, viewer, userId)
  const [found, ofCalls] = await Promise.all([
    store.underWay(app.db, userId, openSessionTimes(app.clock.now())),
    campaignsHeldWith(app.db, userId),
  ])
  const { smsCampaigns, ...rest } = found
  return { ...rest, campaigns: ofCalls + smsCampaigns }
}
