import type { Db } from '../../db/db.ts'
import { countHeldWith } from './store-held-with.ts'

/** How many campaigns of an account and of those below it the engine holds while it is disabled, and lifts when it is not. */
export function campaignsHeldWith(db: Db, userId: number): Promise<number> {
  return countHeldWith(db, userId)
}
