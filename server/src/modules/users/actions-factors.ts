import { conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { removeFactorsOf } from '../factors/actions.ts'
import { notifyAccountBetween } from '../notices/actions.ts'
import { tellOfSecurity } from '../security/actions.ts'
import { lockVisible, refused } from './actions-children.ts'
import { factorsRemoved, isChildOf, noFactors } from './rules.ts'

/**
 * For an owner who has lost them all: the password alone opens the account again. A reseller does it for direct children, a super admin for
 * anybody else, other super admins included, after whatever makes them sure of whom they talk to.
 */
export async function removeFactors(ctx: Ctx, { userId, reason }: { userId: number; reason: string }): Promise<void> {
  const { app, viewer } = ctx
  await app.db.transaction().execute(async (tx) => {
    const account = await lockVisible(tx, viewer, userId)
    const mayAct = viewer.role === 'superAdmin' ? account.id !== viewer.userId : isChildOf(viewer, account)
    if (!mayAct) throw refused(viewer, account)
    if (!(await removeFactorsOf(tx, userId))) throw conflict('userId', noFactors, 'state')
    await tellOfSecurity(app, tx, { kind: 'factorChanged', userId, from: null })
    await audit(tx, ctx, 'user.removeFactors', `user ${userId}`, { username: account.username, reason })
    await notifyAccountBetween(tx, viewer, account, factorsRemoved)
  })
}
