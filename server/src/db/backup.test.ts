import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { localFiles } from '../drivers/files/local.ts'
import { testApp } from '../testing/app.ts'
import { testDb, type TestDb } from '../testing/db.ts'
import { newLine, newReseller, newUser, sumOfBalances } from '../testing/seed.ts'
import { backup } from './backup.ts'
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
