import type { Db, Tx } from '../../db/db.ts'

export async function anyAccount(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Locked, the deepest first: a child's credits go back before its parent's. */
export function lockDemoAccounts(tx: Tx): Promise<{ id: number; username: string }[]> {
  return tx
    .selectFrom('users')
    .select(['id', 'username'])
    .where('is_demo', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy((e) => e.fn<number>('cardinality', ['path']), 'desc')
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function markDeleted(tx: Tx, userIds: readonly number[], at: Date): Promise<void> {
  await tx.updateTable('users').set({ deleted_at: at }).where('id', 'in', userIds).execute()
}
