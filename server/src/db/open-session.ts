import { AppError } from '../errors.ts'
import type { Tx } from './db.ts'

/**
 * Locks the viewer's own account until the transaction ends, and throws 401 when the session that asks has ended since it was admitted: what outlives a
 * session (a factor, a key) is not made by one that was just stopped, since whoever stops an account's sessions locks it first. Without a session it is
 * the operator who asks.
 */
export async function lockOwn(tx: Tx, viewer: { userId: number; sessionId?: number }): Promise<void> {
  const { userId, sessionId } = viewer
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  if (sessionId === undefined) return
  const open = await tx.selectFrom('session').select('id').where('id', '=', sessionId).executeTakeFirst()
  if (!open) throw new AppError('token_not_valid')
}
