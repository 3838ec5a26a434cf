import { mintId } from '../../db/platform-accounts.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { noSuchAccount, scopeOfPath, type Viewer } from '../../policy.ts'
import type { HistoryView } from './store-search.ts'
import * as store from './store-history.ts'

type AccountView = Extract<HistoryView, { kind: 'account' }>

/**
 * The entries of one account: the viewer's own, or one that the viewer may see. A super admin's own are the platform's. A reseller sees
 * direct children only (docs/api.md#the-userid-in-a-path).
 */
export async function accountView(db: Db, viewer: Viewer, userId: number): Promise<AccountView> {
  if (userId === viewer.userId)
    return { kind: 'account', accountId: viewer.role === 'superAdmin' ? await mintId(db) : userId }
  await scopeOfPath(db, viewer, userId)
  if (viewer.role !== 'superAdmin' && !(await store.isChild(db, viewer.userId, userId))) throw new AppError('not_found')
  return { kind: 'account', accountId: userId }
}

/** The entries of all accounts whose history the viewer may see, but not the viewer's own. */
export async function belowView(db: Db, viewer: Viewer): Promise<HistoryView> {
  return viewer.role === 'superAdmin'
    ? { kind: 'all', mintId: await mintId(db) }
    : { kind: 'children', parentId: viewer.userId }
}

/** Narrows the history to one account; one out of sight is refused as if it did not exist. */
export async function customerView(db: Db, viewer: Viewer, userId: number): Promise<AccountView> {
  return await accountView(db, viewer, userId).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? noSuchAccount('customer') : error
  })
}
