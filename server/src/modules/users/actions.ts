import type { Db } from '../../db/db.ts'
import * as store from './store.ts'

/** Everybody knows their passwords, so the server keeps to this machine while one is there. */
export function demoAccountExists(db: Db): Promise<boolean> {
  return store.demoAccountExists(db)
}
