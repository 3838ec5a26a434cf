import { revenueId } from '../../db/platform-accounts.ts'
import type { Tx } from '../../db/db.ts'
import { refuseTaken } from '../../db/unique-conflict.ts'
import { badField } from '../../errors.ts'
import { priceChain } from '../credits/actions.ts'
import * as store from './store-create.ts'
import type { NewAccount } from './store-create.ts'

/**
 * Creates an account of any role below its parent and returns its id. The plan must not be cheaper than the parent's
 * (docs/design.md#who-pays-whom).
 */
export async function createAccount(tx: Tx, account: NewAccount): Promise<number> {
  if (account.role === 'superAdmin') return insert(tx, account, [], null)
  const parent = account.parentId === null ? undefined : await store.lockParent(tx, account.parentId)
  if (!parent || parent.role === 'user') throw badField('parent', 'must be a reseller or the super admin')
  const earnerId = parent.role === 'superAdmin' ? await revenueId(tx) : parent.id
  const id = await insert(tx, account, parent.path, earnerId)
  if (account.planId) await priceChain(tx, id)
  return id
}

function insert(tx: Tx, account: NewAccount, parentPath: readonly number[], earnerId: number | null): Promise<number> {
  const taken = { constraint: 'users_username', field: 'username', value: account.username }
  return refuseTaken(taken, () => store.insertAccount(tx, account, parentPath, earnerId))
}
