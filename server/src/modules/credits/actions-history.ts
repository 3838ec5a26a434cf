import { mintId } from '../../db/platform-accounts.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { noSuchAccount, scopeOfPath, type Viewer } from '../../policy.ts'
import type { HistoryView } from './store-search.ts'
import * as store from './store-history.ts'

/** The entries of one account: the viewer's own, or one that the viewer may see. A super admin's own are the platform's. */
export async function accountView(db: Db, viewer: Viewer, userId: number): Promise<HistoryView> {
  const view = await historyView(db, viewer, userId)
  return { kind: 'account', accountId: userId === viewer.userId ? view.fundingId : userId, fundingId: view.fundingId }
}

/** Narrows the history to one account; one out of sight is refused as if it did not exist. */
export async function customerView(db: Db, viewer: Viewer, userId: number): Promise<HistoryView> {
  return await accountView(db, viewer, userId).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? noSuchAccount('customer') : error
  })
}

/**
 * What a path's `userId` shows: the viewer's own id all that the role may see, another id that account alone. A reseller sees direct
 * children only (docs/api.md#the-userid-in-a-path).
 */
export async function historyView(db: Db, viewer: Viewer, userId: number): Promise<HistoryView> {
  const fundingId = viewer.role === 'superAdmin' ? await mintId(db) : viewer.userId
  if (userId === viewer.userId) {
    if (viewer.role === 'superAdmin') return { kind: 'all', fundingId }
    return viewer.role === 'reseller'
      ? { kind: 'withChildren', fundingId }
      : { kind: 'account', accountId: userId, fundingId }
  }
  await scopeOfPath(db, viewer, userId)
  if (viewer.role !== 'superAdmin' && !(await store.isChild(db, viewer.userId, userId))) throw new AppError('not_found')
  return { kind: 'account', accountId: userId, fundingId }
}
