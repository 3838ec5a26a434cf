import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { kyselyOver, openPool } from '../pool.ts'
import { migrate, requireSchema } from './migrate.ts'

const name = `test_migrate_${process.pid}`
const url = new URL(inject('templateUrl'))
url.pathname = `/${name}`
const admin = new Client({ connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href })
beforeAll(async () => {
  await admin.connect()
  await admin.query(`create database ${name}`)
})
afterAll(async () => {
  await admin.query(`drop database if exists ${name} with (force)`)
  await admin.query('drop role if exists ghanti_login')
  await admin.end()
})

test('four migrators at once apply each file once; afterwards there is nothing to do', async () => {
  const pool = openPool({ connectionString: url.href, max: 1, name: 'test', asOwner: true }, () => {})
  await expect(requireSchema(kyselyOver(pool))).rejects.toThrow('npm run migrate')
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url.href)))
  const files = applied.flat()
  expect(files.length).toBeGreaterThan(4)
  expect(new Set(files).size).toBe(files.length)
  expect(await migrate(url.href)).toEqual([])
  await requireSchema(kyselyOver(pool))
  await pool.end()
})

test('a migration that was edited after it was applied is refused, by migrator and process', async () => {
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query("update schema_migration set hash = 'other' where name like '0001%'")
  await expect(migrate(url.href)).rejects.toThrow('0001_accounts.sql was edited')
  const pool = openPool({ connectionString: url.href, max: 1, name: 'test' }, () => {})
  await expect(requireSchema(kyselyOver(pool))).rejects.toThrow('0001_accounts.sql')
  await pool.end()
  await client.query('delete from schema_migration')
  await client.end()
})

test('a login that owns nothing works through the application’s role, and cannot change the past', async () => {
  await admin.query("create role ghanti_login login password 'x'")
  const login = Object.assign(new URL(url), { username: 'ghanti_login', password: 'x' }).href
  const refused = openPool({ connectionString: login, max: 1, name: 'test' }, () => {})
  await expect(refused.query('select 1')).rejects.toThrow('permission denied')
  await refused.end()
  await admin.query('grant ghanti_app to ghanti_login')
  const pool = openPool({ connectionString: login, max: 1, name: 'test' }, () => {})
  await pool.query("insert into audit_log (action, ip) values ('x', '::1')")
  await expect(pool.query('delete from audit_log')).rejects.toThrow('permission denied')
  await expect(pool.query('update transfer set amount_paisa = 1')).rejects.toThrow('permission denied')
  await expect(pool.query('drop table users')).rejects.toThrow('must be owner')
  await pool.end()
})

test('whole numbers come as numbers while they can be counted exactly, and throw beyond', async () => {
  const pool = openPool({ connectionString: url.href, max: 1, name: 'test' }, () => {})
  const { rows } = await pool.query(
    "select 9007199254740991::int8 as a, sum(x) as b, array[1, 2]::int8[] as c, '2026-11-20'::date as d from (values (1::int8), (2)) t(x)",
  )
  expect(rows).toEqual([{ a: Number.MAX_SAFE_INTEGER, b: 3, c: [1, 2], d: '2026-11-20' }])
  await expect(pool.query('select 9007199254740993::int8')).rejects.toThrow('counted exactly')
  await pool.end()
})
