import { afterAll, expect, test } from 'vitest'
import { testDb } from '../../testing/db.ts'
import { beginMonth, makePartitions, missingPartitions } from './partitions.ts'
import { openPool } from '../pool.ts'

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

const nextId = async (): Promise<number> => {
  const { rows } = await pool.query<{ id: number }>(`select nextval('attempt_open_id_seq') as id`)
  return rows[0]?.id ?? 0
}

test('a new month goes on in the next partition, begun once however many ask at once; the first of all, and one after an idle month, stay where they are', async () => {
  await owner.query(`select setval('attempt_open_id_seq', 10000005)`)
  await beginMonth(db, '2026-11-01')
  expect(await nextId()).toBe(10_000_006)
  await Promise.all(Array.from({ length: 5 }, () => beginMonth(db, '2026-12-01')))
  expect(await nextId()).toBe(20_000_000)
  await makePartitions(db)
  expect(await partitions()).toContain('attempt_4')
  await owner.query(`select setval('attempt_open_id_seq', 30000000, false)`)
  await beginMonth(db, '2027-01-01')
  expect(await nextId()).toBe(30_000_000)
  await beginMonth(db, '2026-12-01')
  expect(await nextId()).toBe(30_000_001)
  const { rows } = await pool.query(`select month, first_id from partition_month where parent = 'attempt' order by 1`)
  expect(rows).toEqual([
    { month: '2026-11-01', first_id: 10_000_000 },
    { month: '2026-12-01', first_id: 20_000_000 },
    { month: '2027-01-01', first_id: 30_000_000 },
  ])
})

test('a table without a partition after the one in use is named', async () => {
  await makePartitions(db)
  expect(await missingPartitions(db)).toEqual([])
  await owner.query(`select setval('sms_open_id_seq', 30000000)`)
  expect(await missingPartitions(db)).toEqual([{ what: 'messages', endsAt: 40_000_000 }])
  await expect(
    owner.query(`select begin_month('sms_sent', 'sms_open_id_seq', '2031-01-01', 10000000)`),
  ).resolves.toBeDefined()
  await owner.query(`select setval('sms_open_id_seq', 30000001)`)
  await expect(
    owner.query(`select begin_month('sms_sent', 'sms_open_id_seq', '2031-02-01', 10000000)`),
  ).rejects.toThrow('missing')
})
