import { afterAll, expect, test } from 'vitest'
import { testDb } from '../testing/db.ts'
import { makePartitions } from './partitions.ts'
import { openPool } from './pool.ts'

const { db, pool, url } = await testDb()
const owner = openPool({ connectionString: url, max: 1, name: 'owner', asOwner: true }, () => {})
afterAll(() => owner.end())
const partitions = async (): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'attempt'::regclass order by 1`,
  )
  return rows.map((row) => row.name)
}

test('two empty partitions are ahead of the one in use, made by the role that the application has, and only once', async () => {
  await makePartitions(db)
  expect(await partitions()).toEqual(['attempt_0', 'attempt_1', 'attempt_2'])
  await owner.query(`select setval('attempt_open_id_seq', 10000005)`)
  await makePartitions(db)
  await makePartitions(db)
  expect(await partitions()).toEqual(['attempt_0', 'attempt_1', 'attempt_2', 'attempt_3'])
})
