import { expect, test } from 'vitest'
import { findSession } from '../modules/auth/store.ts'
import { kyselyOver, openPool } from './pool.ts'
import { testDb } from '../testing/db.ts'
import { atEndOfFile } from '../testing/cleanup.ts'

test('a session is found by a statement that a connection prepares once', async () => {
  const { loginUrl } = await testDb()
  const pool = openPool({ connectionString: loginUrl, max: 1, name: 'ghanti-test-prepared' }, () => {})
  atEndOfFile(() => pool.end())
  for (let n = 0; n < 3; n += 1) expect(await findSession(kyselyOver(pool), Buffer.from('nobody'))).toBeUndefined()
  const { rows } = await pool.query(
    'select name, (generic_plans + custom_plans)::int as times from pg_prepared_statements',
  )
  expect(rows).toEqual([{ name: 'find_session', times: 3 }])
})
