import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Client } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import * as yauzl from 'yauzl'
import { ZipFile } from 'yazl'
import { testFiles } from '../../testing/files/test-files.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { testDb, type TestDb } from '../../testing/db.ts'
import { signedIn } from '../../testing/http.ts'
import { newLine, newReseller, newUser, sumOfBalances } from '../../testing/seed.ts'
import { backup } from './backup.ts'
import { isKept } from './backup-tables.ts'
import { restore } from './restore.ts'

const app = await testApp()
const other = await testDb()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-backup-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const file = path.join(folder, 'ghanti.zip')
const files = testFiles(path.join(folder, 'files'))

async function contentOf({ db }: Pick<TestDb, 'db'>): Promise<unknown[]> {
  return [
    (await db.selectFrom('users').selectAll().where('username', '<>', 'afterwards').orderBy('id').execute()).map(
      (user) => ({ ...user, device_key: null }),
    ),
    await db.selectFrom('account').selectAll().where('balance_paisa', '<>', 0).orderBy('id').execute(),
    await db.selectFrom('transfer').selectAll().orderBy('id').execute(),
    await db.selectFrom('credit_entry').selectAll().orderBy('id').execute(),
    await db.selectFrom('cli_holder').selectAll().orderBy('account_id').execute(),
    await db.selectFrom('audit_log').selectAll().orderBy('id').execute(),
    await db.selectFrom('notice').selectAll().orderBy('id').execute(),
  ]
}

test('a backup put into an empty database is the same platform, with an installation id of its own', async () => {
  const reseller = await newReseller(app, { rupees: 100, username: 'राम, "x"\t\\N' })
  const user = await newUser(app, { parent: reseller, rupees: 12.34 })
  const { trunkId } = await newLine(app, { holders: [reseller, user] })
  const down = { held_since: new Date(), hold_reason: 'it is silent' }
  await app.db
    .insertInto('trunk_health')
    .values({ trunk_id: trunkId, ...down })
    .execute()
  await app.db
    .insertInto('audit_log')
    .values({ action: 'test', ip: '::1', detail: JSON.stringify({ a: ['\n'] }) })
    .execute()
  await app.jobs.createQueue('reports')
  await app.jobs.send('reports', { campaignId: 7 })
  const hash = await app.files.putBytes(Buffer.from('a recording'))

  await backup(app.loginUrl, app.files, file)
  await newUser(app, { username: 'afterwards', parent: reseller })
  expect(fs.statSync(file).mode & 0o077).toBe(0)
  const before = await app.db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  await restore(other.url, files, file)

  expect(await contentOf(other)).toEqual(await contentOf(app))
  expect(await other.db.selectFrom('users').select('id').where('username', '=', 'afterwards').execute()).toEqual([])
  expect(await sumOfBalances(other)).toBe(0)
  expect((await other.db.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id).not.toBe(before.id)
  expect(fs.readFileSync(await files.pathOf(hash), 'utf8')).toBe('a recording')
  const jobs = await other.pool.query<{ data: unknown }>('select data from pgboss.job')
  expect(jobs.rows).toEqual([{ data: { campaignId: 7 } }])
  const next = await newUser(other, { username: 'goes on' })
  expect(next.userId).toBeGreaterThan(user.userId)
})

describe('sessions and links', () => {
  async function leaveTraces(to: TestApp): Promise<void> {
    const user = await newUser(to)
    await signedIn(to, user)
    const link = { token_hash: randomBytes(32), user_id: user.userId, expires_at: new Date(Date.now() + 60_000) }
    await to.db.insertInto('password_reset').values(link).execute()
  }
  const traces = async ({ pool }: Pick<TestDb, 'pool'>) =>
    Promise.all(
      ['session', 'password_reset'].map(async (table) => (await pool.query(`select from ${table}`)).rowCount ?? 0),
    )

  test('are in no backup', async () => {
    await leaveTraces(app)
    const made = path.join(folder, 'traces.zip')
    const { tables } = await backup(app.loginUrl, app.files, made)
    const names = tables.map(({ name }) => name)
    expect(names).toContain('users')
    for (const table of ['session', 'password_reset', 'not_me_link', 'ceremony']) expect(names).not.toContain(table)
    for (const kept of ['totp', 'recovery_code'])
      expect(names, 'without its factor an account would be open').toContain(kept)
    const restored = await testDb()
    await restore(restored.url, files, made)
    expect(await traces(restored)).toEqual([0, 0])
  })

  test('in a backup of an older version are not restored', async () => {
    await leaveTraces(app)
    const { rows } = await app.pool.query<{ line: string }>(
      "select array_to_string(array[token_hash::text, user_id::text, expires_at::text], e'\\t') as line from password_reset",
    )
    const made = path.join(folder, 'traces.zip')
    const manifest = await backup(app.loginUrl, app.files, made)
    const table = { schema: 'public', name: 'password_reset', columns: ['token_hash', 'user_id', 'expires_at'] }
    const old = await rewritten(made, {
      'manifest.json': JSON.stringify({ ...manifest, tables: [...manifest.tables, table] }),
      'tables/public.password_reset.copy': `\\${rows[0]?.line}\n`,
    })
    const restored = await testDb()
    await restore(restored.url, files, old)
    expect(await traces(restored)).toEqual([0, 0])
    expect((await restored.pool.query('select from users')).rowCount).toBeGreaterThan(0)
  })

  test('have no table that is forgotten here: whatever keeps the hash of a token is left out', async () => {
    const { rows } = await app.pool.query<{ name: string }>(
      "select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid where a.attname = 'token_hash' and c.relkind = 'r' order by 1",
    )
    expect(rows.length).toBeGreaterThan(1)
    for (const { name } of rows) expect(isKept({ schema: 'public', name }), name).toBe(false)
  })
})

async function rewritten(from: string, entries: Record<string, string>): Promise<string> {
  const zip = await yauzl.openPromise(from, { autoClose: false })
  const copy = new ZipFile()
  for await (const entry of zip.eachEntry())
    if (!(entry.fileName in entries))
      copy.addBuffer(await buffer(await zip.openReadStreamPromise(entry)), entry.fileName)
  for (const [name, text] of Object.entries(entries)) copy.addBuffer(Buffer.from(text), name)
  copy.end()
  zip.close()
  const to = `${from}.rewritten`
  fs.writeFileSync(to, await buffer(copy.outputStream))
  return to
}

describe('an encrypted backup', () => {
  const passphrase = 'correct horse battery'
  const encrypted = path.join(folder, 'encrypted.backup')
  const damaged = (name: string, change: (bytes: Buffer) => Buffer): string => {
    const target = path.join(folder, name)
    fs.writeFileSync(target, change(fs.readFileSync(encrypted)))
    return target
  }

  test('is the same platform with its passphrase, holds nothing in the clear, and leaves no copy in the clear', async () => {
    await newUser(app, { username: 'readable-in-the-clear' })
    const hash = await app.files.putBytes(Buffer.from('another recording'))
    await backup(app.url, app.files, encrypted, passphrase)
    expect(fs.statSync(encrypted).mode & 0o077).toBe(0)
    const bytes = fs.readFileSync(encrypted)
    for (const text of ['manifest.json', 'users.copy', hash]) expect(bytes.includes(text), text).toBe(false)
    const restored = await testDb()
    const into = testFiles(path.join(folder, 'decrypted'))
    const before = fs.readdirSync(folder)
    await restore(restored.url, into, encrypted, async () => passphrase)
    expect(fs.readdirSync(folder).filter((name) => !before.includes(name))).toEqual(['decrypted'])
    expect(await names(restored)).toEqual(await names(app))
    expect(fs.readFileSync(await into.pathOf(hash), 'utf8')).toBe('another recording')
  })

  const refused = '%s is refused, and nothing was done'
  type Damage = [name: string, change: (bytes: Buffer) => Buffer, word: string, why: string]
  test.each<Damage>([
    ['with another passphrase', (bytes) => bytes, 'correct horse batterz', 'the passphrase is not that of'],
    ['cut off', (bytes) => bytes.subarray(0, -20), passphrase, 'is not as it was written: its end'],
    ['changed in its middle', flipped(0.5), passphrase, 'is not as it was written'],
  ])(refused, expectRefused)
  test.each<Damage>([['changed near its end', flipped(0.999), passphrase, 'is not as it was written']])(
    refused,
    { tags: ['exhaustive'] },
    expectRefused,
  )
  async function expectRefused(...[name, change, word, why]: Damage): Promise<void> {
    const empty = await untouchedDatabase()
    const into = path.join(folder, `nothing ${name}`)
    const from = damaged(`${name}.backup`, change)
    await expect(restore(empty.url, testFiles(into), from, async () => word)).rejects.toThrow(why)
    expect(await empty.tables()).toBe(0)
    expect(fs.existsSync(into) ? fs.readdirSync(into, { recursive: true }) : []).toEqual([])
  }
})

function flipped(share: number) {
  return (bytes: Buffer): Buffer => {
    const at = Math.floor(bytes.length * share)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    return bytes
  }
}

const names = async ({ db }: Pick<TestDb, 'db'>) =>
  (await db.selectFrom('users').select('username').orderBy('id').execute()).map(({ username }) => username)

async function untouchedDatabase(): Promise<{ url: string; tables(): Promise<number> }> {
  const name = `untouched_${randomBytes(6).toString('hex')}`
  const admin = new Client({ connectionString: app.url })
  await admin.connect()
  await admin.query(`create database ${name} template template0`)
  await admin.end()
  const url = new URL(app.url)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async tables() {
      const client = new Client({ connectionString: url.href })
      await client.connect()
      const { rowCount } = await client.query(
        "select from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
      )
      await client.end()
      return rowCount ?? -1
    },
  }
}

test('browsers that signed in before a restore are strangers to it', async () => {
  const keys = async ({ db }: Pick<TestDb, 'db'>) =>
    (await db.selectFrom('users').select('device_key').execute()).map((row) => row.device_key)
  const before = await keys(app)
  const restored = await testDb()
  await backup(app.url, app.files, path.join(folder, 'devices.zip'))
  await restore(restored.url, files, path.join(folder, 'devices.zip'))
  const after = await keys(restored)
  expect(after).toHaveLength(before.length)
  expect(after.filter((key) => before.includes(key))).toEqual([])
})

test('a database with accounts is left alone', async () => {
  await expect(restore(app.url, files, file)).rejects.toThrow('has accounts')
})

test('a file that is no backup is refused before anything is written', async () => {
  const wrong = path.join(folder, 'wrong.zip')
  fs.writeFileSync(wrong, 'not a zip')
  const empty = await testDb()
  await expect(restore(empty.url, files, wrong)).rejects.toThrow()
  expect(fs.readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
})
