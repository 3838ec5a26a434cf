import { expect, test } from 'vitest'
import { atEndOfFile } from '../../testing/cleanup.ts'
import { testDb } from '../../testing/db.ts'
import { testLog } from '../../testing/log.ts'
import { openPool } from '../pool.ts'
import { openJobs } from './jobs.ts'

const at = await testDb()
const owner = openPool({ connectionString: at.url, max: 1, name: 'queues-test', asOwner: true }, () => {})
atEndOfFile(() => owner.end())

/** By name; a row's version changes with every write. */
async function queues(): Promise<Map<string, { version: string; retries: number; notify: boolean }>> {
  const { rows } = await owner.query<{ name: string; version: string; retries: number; notify: boolean }>(
    'select name, xmin::text as version, retry_limit as retries, notify from pgboss.queue order by name',
  )
  return new Map(rows.map(({ name, ...rest }) => [name, rest]))
}

async function start(): Promise<void> {
  const jobs = await openJobs(at.loginUrl, testLog(), { supervise: false })
  await jobs.stop({ graceful: false })
}

test('a start makes the queue that is missing, changes the one that differs, and writes no other', async () => {
  const before = await queues()
  expect(before.get('export')).toMatchObject({ retries: 3, notify: true })
  await start()
  expect(await queues()).toEqual(before)
  await owner.query(`update pgboss.queue set retry_limit = 9, notify = false where name = 'export'`)
  await owner.query(`select pgboss.delete_queue('forget')`)
  await start()
  const after = await queues()
  expect([...after.keys()]).toEqual([...before.keys()])
  expect(after.get('export')).toMatchObject({ retries: 3, notify: true })
  const written = [...after].filter(([name, { version }]) => version !== before.get(name)?.version)
  expect(written.map(([name]) => name)).toEqual(['export', 'forget'])
})
