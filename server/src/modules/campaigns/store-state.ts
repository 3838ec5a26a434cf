import { sql } from 'kysely'
import type { Tx } from '../../db/db.ts'

/** Names who changes statuses in this transaction; the database stores it with each change. */
export async function actAs(tx: Tx, userId: number): Promise<void> {
  await sql`select set_config('ghanti.user_id', ${String(userId)}, true)`.execute(tx)
}

/** Makes a concurrent deletion of the account wait; false when the account is deleted already. */
export async function lockOwner(tx: Tx, ownerId: number): Promise<boolean> {
  const owner = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return owner !== undefined
}
