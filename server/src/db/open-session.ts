import { AppError } from '../errors.ts'
import type { Tx } from './db.ts'

/**
 * Throws 401 when the session that asks has ended since it was admitted: what outlives a session (a factor, a key) is not made by one that was just
 * stopped. The caller has locked the account, as whoever stops its sessions does first. Without a session it is the operator who asks.
 */
export async function requireOpenSession(tx: Tx, { sessionId }: { sessionId?: number }): Promise<void> {
  if (sessionId === undefined) return
  const open = await tx.selectFrom('session').select('id').where('id', '=', sessionId).executeTakeFirst()
  if (!open) throw new AppError('token_not_valid')
}
