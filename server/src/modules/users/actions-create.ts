import type { Tx } from '../../db/db.ts'
import { badField, conflict } from '../../errors.ts'
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
  const earnerId = parent.role === 'superAdmin' ? await store.revenueAccount(tx) : parent.id
  const id = await insert(tx, account, parent.path, earnerId)
  if (account.planId) await priceChain(tx, id)
  return id
}

async function insert(
  tx: Tx,
  account: NewAccount,
  parentPath: readonly number[],
  earnerId: number | null,
): Promise<number> {
  try {
    return await store.insertAccount(tx, account, parentPath, earnerId)
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'users_username')
      throw conflict('username', `'${account.username}' is taken`, 'taken')
    throw error
  }
}
