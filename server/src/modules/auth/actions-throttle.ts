import { createHash } from 'node:crypto'
import type { App } from '../../app.ts'
import { AppError } from '../../errors.ts'
import * as store from './store.ts'

type Limit = { key: string; max: number }

/** Counts one more of each key before anything else is done, so that parallel tries count too. 429 naming `field` when one is beyond its limit. */
export async function countTry(
  app: Pick<App, 'db' | 'clock'>,
  limits: readonly Limit[],
  { windowMs, field, what }: { windowMs: number; field: string; what: string },
): Promise<void> {
  const now = app.clock.now()
  let resetsAtMs = 0
  for (const { key, max } of limits) {
    const { points, resetsAt } = await store.count(app.db, key, now, windowMs)
    if (points > max) resetsAtMs = Math.max(resetsAtMs, resetsAt.getTime())
  }
  if (resetsAtMs === 0) return
  const retryAfterSeconds = Math.ceil((resetsAtMs - now.getTime()) / 1000)
  const text = `${what} too often, try again in ${Math.ceil(retryAfterSeconds / 60)} min`
  throw new AppError('throttled', [{ field, code: 'throttled', text }], { retryAfterSeconds })
}

/** A name in a key: of any length, in any case of letters. */
export function hashOfName(username: string): string {
  return createHash('sha256').update(username.toLowerCase()).digest('base64url')
}
