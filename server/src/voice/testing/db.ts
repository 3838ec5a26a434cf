import { openPool } from '../../db/pool.ts'
import { testDb } from '../../testing/db.ts'
import { enginePoolOptions } from '../../dispatch/statement.ts'
import type { EngineDb } from './fixtures.ts'
import { atEndOfFile } from '../../testing/cleanup.ts'

/** A database of this test file's own. */
export async function engineDb(max = 8): Promise<EngineDb> {
  const { db, pool, url, loginUrl } = await testDb()
  const options = enginePoolOptions
  const engine = openPool({ connectionString: loginUrl, max, name: 'ghanti-engine-test', options }, () => {})
  atEndOfFile(() => engine.end())
  return { db, pool, url, engine }
}
