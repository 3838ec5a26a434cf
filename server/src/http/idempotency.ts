import { createHash } from 'node:crypto'
import type { Db } from '../db/db.ts'
import { AppError, badField, conflict, wireOf } from '../errors.ts'
import * as store from './store-idempotency.ts'

/**
 * Runs `work` once per key, user and body (DESIGN §4): the same again gets the first answer, refusals included, for 24 hours.
 * After a crash in the middle the key stays taken: what became of the first try is not known, so it is not tried again.
 */
export async function once(
  db: Db,
  request: { userId: number; key: string; method: string; path: string; said: unknown },
  work: () => Promise<unknown>,
): Promise<store.StoredAnswer> {
  if (request.key.length > 200) throw badField('Idempotency-Key', 'is longer than 200 characters')
  const bodyHash = createHash('sha256')
    .update(`${request.method} ${request.path} ${JSON.stringify(request.said)}`)
    .digest()
  const use = { userId: request.userId, key: request.key, bodyHash }
  const claimed = await store.claimKey(db, use)
  if (claimed.state === 'answered') return claimed
  if (claimed.state === 'in_flight')
    throw conflict('Idempotency-Key', 'belongs to a request that is under way', 'in_flight')
  if (claimed.state === 'other_body')
    throw new AppError('key_reused', [
      { field: 'Idempotency-Key', code: 'key_reused', text: 'was used with another request' },
    ])
  try {
    const answer = { status: 200, reply: await work() }
    await store.storeAnswer(db, use, answer)
    return answer
  } catch (error) {
    const status = error instanceof AppError ? wireOf[error.code].status : 500
    if (error instanceof AppError && status < 429)
      await store.storeAnswer(db, use, { status, reply: { message: error.message, errors: error.errors } })
    else await store.giveKeyBack(db, use)
    throw error
  }
}
