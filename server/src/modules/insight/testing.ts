import type { Db } from '../../db/db.ts'
import { countAll } from './actions-count.ts'
import * as store from './store-agree.ts'

const everyDay = { from: 0, to: 100_000 }

/**
 * Where summary, report, insight, statement and ledger say different things of the calls and messages of a database, to the row and the paisa, in words. Nothing may
 * be under way.
 */
export async function disagreements(db: Db): Promise<string[]> {
  await countAll(db)
  return [
    ...(await store.countFaults(db, null)),
    ...(await store.sumFaults(db, null, everyDay)),
    ...(await store.moneyFaults(db)),
    ...(await store.messageFaults(db)),
  ]
}
