import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDb } from '../../testing/db.ts'
import { defineLogin, excessOf } from './login.ts'
import { migrate } from './migrate.ts'
import { kyselyOver, openPool } from '../pool.ts'

const at = await testDb()
const names = ['ghanti_login_a', 'ghanti_login_b', 'ghanti_login_c'].map((name) => `${name}_${process.pid}`)
const [first = '', second = '', third = ''] = names
const owner = new Client({ connectionString: at.url })
beforeAll(() => owner.connect())
afterAll(async () => {
  for (const name of names) await owner.query(`drop role if exists ${name}`)
  await owner.end()
})

const urlOf = (username: string, password: string): string =>
  Object.assign(new URL(at.url), { username, password: encodeURIComponent(password) }).href

async function ask(connectionString: string, statement: string): Promise<unknown> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

test('a login gets the password, and another one when it is asked for again', async () => {
  await defineLogin(at.url, { name: first, password: 'p@ss:/word' })
  expect(await ask(urlOf(first, 'p@ss:/word'), 'select session_user::text')).toEqual([[first]])
  await defineLogin(at.url, { name: first, password: 'other' })
  await expect(ask(urlOf(first, 'p@ss:/word'), 'select 1')).rejects.toThrow('password authentication failed')
  expect(await ask(urlOf(first, 'other'), 'select 1')).toEqual([[1]])
})

test('a login has no more than its role when it was given more before', async () => {
  await owner.query(`create role ${third} login inherit createdb`)
  await owner.query(`grant ghanti_app to ${third}`)
  await defineLogin(at.url, { name: third, password: 'x' })
  const { rows } = await owner.query(
    `select rolcreatedb, rolinherit, inherit_option, admin_option from pg_roles r join pg_auth_members m on m.member = r.oid where rolname = $1`,
    [third],
  )
  expect(rows).toEqual([{ rolcreatedb: false, rolinherit: false, inherit_option: false, admin_option: false }])
})

test.each([
  'create table mine (id int)',
  'create table pgboss.mine (id int)',
  'create schema mine',
  'alter table users add column mine int',
  'alter table pgboss.job add column mine int',
  'drop table users',
  'drop table pgboss.job',
  'truncate audit_log',
  'drop function make_partitions',
  "create function mine() returns int language sql as 'select 1'",
  "update audit_log set action = 'nothing'",
  'delete from audit_log',
  'delete from transfer',
  'update attempt set id = 0',
  'delete from schema_migration',
  'alter role ghanti_app superuser',
  'create role mine',
  "copy users to program 'cat'",
])('neither the login nor the role that it takes on may: %s', async (statement) => {
  await defineLogin(at.url, { name: first, password: 'other' })
  const refused = /^(must be owner|permission denied|only roles with)/
  await expect(ask(urlOf(first, 'other'), statement)).rejects.toThrow(refused)
  const asRole = `${urlOf(first, 'other')}?options=${encodeURIComponent('-c role=ghanti_app')}`
  await expect(ask(asRole, statement)).rejects.toThrow(refused)
  await expect(ask(asRole, `reset role; ${statement}`)).rejects.toThrow(refused)
})

test('without taking on the role the login reads nothing', async () => {
  await expect(ask(urlOf(first, 'other'), 'select * from users')).rejects.toThrow('permission denied')
})

test('the login is refused for what only the owner may, before anything is done', async () => {
  const login = urlOf(first, 'other')
  const clear = `the login ${first} may not change the database’s tables: give DATABASE_URL of the database’s owner`
  await expect(migrate(login)).rejects.toThrow(clear)
  await expect(defineLogin(login, { name: second, password: 'x' })).rejects.toThrow(clear)
  const { rows } = await owner.query('select from pg_roles where rolname = $1', [second])
  expect(rows).toEqual([])
})

test.each([
  { name: 'postgres; drop', why: 'is no name for a login' },
  { name: 'ghanti_app', why: 'is no name for a login' },
  { name: '', why: 'is no name for a login' },
])('$name is refused: $why', async ({ name, why }) => {
  await expect(defineLogin(at.url, { name, password: 'x' })).rejects.toThrow(why)
})

test('a superuser or an owner is not made the login of the processes', async () => {
  const name = new URL(at.url).username
  await expect(defineLogin(at.url, { name, password: 'x' })).rejects.toThrow('is an owner or an administrator')
})

test('a login that can change settled rows is distinguished from one that cannot', async () => {
  await owner.query(`grant ${new URL(at.url).username} to ${third}`)
  for (const [url, excess] of [
    [at.url, { login: new URL(at.url).username, excess: 'is a superuser' }],
    [urlOf(third, 'x'), { login: third, excess: 'owns the tables' }],
    [urlOf(first, 'other'), null],
  ] as const) {
    const pool = openPool({ connectionString: url, max: 1, name: 'ghanti-test' }, () => {})
    expect(await excessOf(kyselyOver(pool))).toEqual(excess)
    await pool.end()
  }
})
