import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../testing/app.ts'
import { inTime } from './in-time.ts'

const { db } = await testApp()

test('work in time returns its result, slower work is ended and returns nothing; other errors pass through', async () => {
  const one = sql<{ one: number }>`select 1 as one`
  expect(await inTime(db, 60_000, async (tx) => (await one.execute(tx)).rows)).toEqual([{ one: 1 }])
  expect(await inTime(db, 50, (tx) => sql`select pg_sleep(600)`.execute(tx))).toBeNull()
  await expect(inTime(db, 60_000, (tx) => sql`select 1 / 0`.execute(tx))).rejects.toThrow('division by zero')
  expect((await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db)).rows).toEqual([
    { statement_timeout: expect.not.stringMatching(/^50ms$/) },
  ])
})
