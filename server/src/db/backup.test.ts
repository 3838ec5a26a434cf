import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import * as yauzl from 'yauzl'
import { ZipFile } from 'yazl'
import { localFiles } from '../drivers/files/local.ts'
import { testApp, type TestApp } from '../testing/app.ts'
import { testDb, type TestDb } from '../testing/db.ts'
import { signedIn } from '../testing/http.ts'
import { newLine, newReseller, newUser, sumOfBalances } from '../testing/seed.ts'
import { backup } from './backup.ts'
import { isKept } from './backup-tables.ts'
import { restore } from './restore.ts'

const app = await testApp()
const other = await testDb()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-backup-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const file = path.join(folder, 'ghanti.zip')
const files = localFiles(path.join(folder, 'files'))

/** Every row that was there before somebody went on working. */
async function contentOf({ db }: Pick<TestDb, 'db'>): Promise<unknown[]> {
  return [
    await db.selectFrom('users').selectAll().where('username', '<>', 'afterwards').orderBy('id').execute(),
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

  await backup(app.url, app.files, file)
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
  /** Of a person who is signed in and asked for a new password. */
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
    const { tables } = await backup(app.url, app.files, made)
    const names = tables.map(({ name }) => name)
    expect(names).toContain('users')
    for (const table of ['session', 'password_reset']) expect(names).not.toContain(table)
    const restored = await testDb()
    await restore(restored.url, files, made)
    expect(await traces(restored)).toEqual([0, 0])
  })

  test('of a backup that an older version made, which has them, are not put back', async () => {
    await leaveTraces(app)
    const { rows } = await app.pool.query<{ line: string }>(
      "select array_to_string(array[token_hash::text, user_id::text, expires_at::text], e'\\t') as line from password_reset",
    )
    const made = path.join(folder, 'traces.zip')
    const manifest = await backup(app.url, app.files, made)
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

/** The zip with some of its entries put in place of others, or beside them. */
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
