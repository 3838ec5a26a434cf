import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { catalogueOf } from '../../testing/catalogue.ts'
import { testDb, type TestDb } from '../../testing/db.ts'
import { kyselyOver, openPool } from '../pool.ts'
import { migrate, migrationFiles, migrationsIn, requireSchema } from './migrate.ts'

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

test('four migrators at once make the schema once; afterwards there is nothing to do', async () => {
  const pool = openPool({ connectionString: url.href, max: 1, name: 'test', asOwner: true }, () => {})
  await expect(requireSchema(kyselyOver(pool))).rejects.toThrow('npm run migrate')
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url.href)))
  expect(applied.flat().sort()).toEqual(migrationFiles().map((file) => file.name))
  expect(await migrate(url.href)).toEqual([])
  await requireSchema(kyselyOver(pool))
  await pool.end()
})

/** Of `catalogueOf`, whatever the migrations in `server/migrations/` are. Change it only when migrations are folded in (scripts/schema.ts). */
const schemaDigest = '8b35c35ff584a1498010e7f0eececaf6e4361a1f79f360a3b0a1403ee3456775'

test('the files of the schema make what they made when they landed: what comes after is a migration', async () => {
  const made = await testDb({ isEmpty: true })
  await migrate(made.url, migrationFiles().slice(0, 1), [])
  const digest = createHash('sha256').update((await catalogueOf(made.url)).join('\n'))
  expect(digest.digest('hex')).toBe(schemaDigest)
})

/** Makes it look as the migrations left it that are folded into the schema, or only some of them. */
async function asBefore(upTo: number): Promise<TestDb> {
  const made = await testDb()
  const files = fs.readFileSync(path.join(import.meta.dirname, '../../testing/files/folded-migrations.txt'), 'utf8')
  const rows = files
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .slice(0, upTo)
  const client = new Client({ connectionString: made.url })
  await client.connect()
  await client.query("delete from schema_migration where name like '%_schema'")
  await client.query('insert into schema_migration (name, hash) select * from unnest($1::text[], $2::text[])', [
    rows.map(([name]) => name),
    rows.map(([, hash]) => hash),
  ])
  await client.end()
  return made
}

test('a database with all migrations that are folded into the schema goes on from there', async () => {
  const made = await asBefore(Infinity)
  await expect(requireSchema(made.db)).rejects.toThrow('run `npm run migrate`')
  expect(await migrate(made.url)).toEqual([migrationFiles()[0]?.name])
  await requireSchema(made.db)
  const { rows } = await made.pool.query('select name from schema_migration order by name collate "C"')
  expect(rows).toEqual(migrationFiles().map(({ name }) => ({ name })))
})

test('a database of a release before 0.3.0 is told so in one sentence, and left alone', async () => {
  const made = await asBefore(100)
  const read = async () => [
    await catalogueOf(made.url),
    (await made.pool.query('select * from schema_migration order by 1')).rows,
  ]
  const before = await read()
  const sentence =
    /^the database was made by a version of Ghanti before 0\.3\.0, which this one cannot upgrade: give [^.]+$/
  await expect(migrate(made.url)).rejects.toThrow(sentence)
  await expect(requireSchema(made.db)).rejects.toThrow(sentence)
  expect(await read()).toEqual(before)
})

describe('a migration', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-migrations-'))
  fs.mkdirSync(path.join(folder, 'before'))
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
  const name = '9000_column.sql'
  fs.writeFileSync(path.join(folder, name), 'alter table attempt_open add column more int;')
  const index = 'attempt_open_more'
  fs.writeFileSync(
    path.join(folder, 'before', name),
    `drop index concurrently if exists ${index};\ncreate index concurrently ${index} on attempt_open (phone);\n`,
  )

  test('gives way to calls while somebody reads their tables, and repeats what an interrupted one left half done', async () => {
    const made = await testDb()
    const owner = new Client({ connectionString: made.url })
    await owner.connect()
    await owner.query(`create index ${index} on attempt_open (id)`)
    const reader = new Client({ connectionString: made.url })
    await reader.connect()
    await reader.query('begin; lock table attempt_open in access share mode')
    const ended = sleep(6000).then(() => reader.end()) // the transaction ends with it
    const migrated = { done: false }
    const migrating = migrate(made.url, [...migrationFiles(), ...migrationsIn(folder)]).then((names) => {
      migrated.done = true
      return names
    })
    let longestMs = 0
    while (!migrated.done) {
      const began = performance.now()
      await owner.query('begin; lock table attempt_open in row exclusive mode; rollback')
      longestMs = Math.max(longestMs, performance.now() - began)
      await sleep(5)
    }
    expect(await migrating).toEqual([name])
    expect(longestMs).toBeLessThan(4000)
    const { rows } = await owner.query('select indexdef from pg_indexes where indexname = $1', [index])
    expect(rows).toEqual([{ indexdef: expect.stringContaining('(phone)') }])
    await ended
    await owner.end()
  }, 30_000)
})

test('a schema that was edited after it was made is refused, by migrator and process', async () => {
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query("update schema_migration set hash = 'other' where name like '%_schema'")
  await expect(migrate(url.href)).rejects.toThrow('_schema was edited')
  const pool = openPool({ connectionString: url.href, max: 1, name: 'test' }, () => {})
  await expect(requireSchema(kyselyOver(pool))).rejects.toThrow('_schema')
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
