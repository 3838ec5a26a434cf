import { randomBytes } from 'node:crypto'
import { Client, type Pool } from 'pg'
import { inject } from 'vitest'
import type { Db } from '../db/db.ts'
import { cloneDatabase } from '../db/embedded/pg-local.ts'
import { kyselyOver, openPool } from '../db/pool.ts'
import { testLogin } from './postgres.ts'
import { atEndOfFile } from './cleanup.ts'

export type TestDb = {
  db: Db
  pool: Pool
  /** Connects as the owner: for migrations, or to see what ghanti_app may not. */
  url: string
  /** Connects as the processes do in production, with a login that is neither owner nor superuser. So does the pool. */
  loginUrl: string
}

/** A migrated database of this test file's own, dropped after its last test. `isEmpty`: without a table. */
export async function testDb({ isEmpty = false } = {}): Promise<TestDb> {
  const templateUrl = new URL(inject('templateUrl'))
  const template = isEmpty ? 'template0' : decodeURIComponent(templateUrl.pathname.slice(1))
  const name = `test_${randomBytes(6).toString('hex')}`
  const at = (database: string): string => {
    const url = new URL(templateUrl)
    url.pathname = `/${database}`
    return url.href
  }
  await cloneDatabase(at('postgres'), template, name)
  const loginUrl = Object.assign(new URL(at(name)), { username: testLogin }).href
  const pool = openPool({ connectionString: loginUrl, max: 5, name: 'ghanti-test' }, () => {})
  atEndOfFile(async () => {
    await pool.end()
    const client = new Client({ connectionString: at('postgres') })
    await client.connect()
    await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`)
    await client.end()
  })
  return { db: kyselyOver(pool), pool, url: at(name), loginUrl }
}
