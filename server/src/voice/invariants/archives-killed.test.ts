import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { openPool } from '../../db/pool.ts'
import { countAll } from '../../modules/insight/actions-count.ts'
import { forgetUnnamedFiles } from '../../modules/files/actions.ts'
import { archiveOld } from '../../modules/retention/actions-archives.ts'
import { forgetDeleted } from '../../modules/retention/actions-delete.ts'
import { testApp } from '../../testing/app.ts'
import type { ArchiveOrder } from '../../testing/processes/archive-process.ts'
import { keepMonths, nextMonth, nightIn } from '../../testing/months.ts'
import { polling } from '../../testing/timeouts.ts'
import { settleOutcomes } from '../settle/settle.sql.ts'
import { enginePoolOptions } from '../../dispatch/statement.ts'
import { spawnEngine, type EngineProcess } from '../testing/crash/crash.ts'
import { claimed, expectSoundBooks, newCampaign, newFixtures, outcome, phones } from '../testing/fixtures.ts'

const app = await testApp()
const options = enginePoolOptions
const engine = openPool({ connectionString: app.loginUrl, max: 4, name: 'ghanti-engine-test', options }, () => {})
const at = { db: app.db, pool: app.pool, url: app.url, engine }
const processes: EngineProcess<ArchiveOrder>[] = []
afterAll(async () => {
  for (const one of processes) await one.kill()
  await engine.end()
})

const fixtures = await newFixtures(at)
const { user, line, lease } = fixtures
const secrets = [9779841777001, 9779841777002]
const now = nightIn(5)
app.clock.set(now)
await keepMonths(app, 3)

/** A campaign with two calls, made before the others, whose people are to be found. */
async function called(n: number, name: string): Promise<number> {
  const id = await newCampaign(at, { user, line, phones: [...secrets, ...phones(n - 2)], name })
  const calls = await claimed(at, fixtures, id, n)
  const answered = { disposition: 'ANSWER', billMs: 9000, answeredAt: new Date(), keys: '1', trail: 'menu1=1 >done' }
  const ended = { ...answered, disposition: 'ANSWER' } as const
  await settleOutcomes(
    engine,
    lease,
    0,
    calls.map((call) => outcome(call, ended)),
  )
  await app.db.updateTable('campaign').set({ status: 'complete' }).where('id', '=', id).execute()
  return id
}
await nextMonth(app, '2026-01-01')
const old = await called(30, 'Old calls')
const other = await called(12, 'Other old calls')
await nextMonth(app, '2026-02-01')
await called(5, 'Recent calls')
await countAll(app.db)

async function killedAt(work: ArchiveOrder['work'], killAt: ArchiveOrder['killAt']): Promise<void> {
  const one = await spawnEngine<ArchiveOrder>('archive-process.ts')
  processes.push(one)
  const { dataFolder } = app.config
  one.begin({ databaseUrl: app.loginUrl, dataFolder, work, now: now.toISOString(), killAt })
  await expect.poll(() => one.died, { ...polling, message: JSON.stringify(killAt) }).toBe('SIGKILL')
}

const archives = () => app.db.selectFrom('archive').selectAll().execute()
const stored = async () => {
  const { rows } = await app.pool.query<{ rows: number; cost: number; partition: boolean }>(
    `select count(*)::int as rows, coalesce(sum(cost_paisa), 0)::int as cost, to_regclass('attempt_0') is not null as partition from attempt`,
  )
  return rows[0]
}
async function linesOf(hash: string): Promise<string[]> {
  const content = await text((await app.files.read(hash)).pipe(createGunzip()))
  return content.trim().split('\n').slice(1)
}

async function ofCampaign(id: number, lines: readonly string[]): Promise<string[]> {
  const at = (await archives())[0]?.columns.split(',').indexOf('campaign_id') ?? -1
  return lines.filter((row) => row.split(',')[at] === String(id))
}

const all = await stored()

/** Asserts that each call is either in the database or in the file. */
async function expectNothingLost(): Promise<'partition' | 'file'> {
  const [file, left] = [(await archives())[0], await stored()]
  const lines = file ? await linesOf(file.file_hash) : []
  expect((left?.rows ?? 0) + lines.length).toBe(all?.rows)
  expect((left?.cost ?? 0) + (file?.cost_paisa ?? 0)).toBe(all?.cost)
  expect(left?.partition).toBe(file === undefined)
  await expectSoundBooks(at)
  return file ? 'file' : 'partition'
}

test('killed while it writes, with the whole file stored, and between dropping and commit, an archive leaves every call in its partition; after the commit in its file', async () => {
  for (const killAt of [
    { what: 'part', nth: 2 },
    { what: 'stored', nth: 1 },
    { what: 'part', nth: 3 },
    { what: `hashtext('file '`, nth: 1 },
    { what: 'drop_archived', nth: 1 },
  ]) {
    await killedAt('archive', killAt)
    expect(await expectNothingLost(), JSON.stringify(killAt)).toBe('partition')
  }
  await killedAt('archive', { what: 'commit', nth: 1 })
  expect(await expectNothingLost()).toBe('file')
  expect(await archiveOld(app)).toBe(0)
  expect(await archives()).toMatchObject([{ rows: 42 }])
}, 240_000)

test('killed at any moment of a deletion, it is finished by the next process: no number is left, no other call is touched, and the books are exact', async () => {
  const [before] = await archives()
  const kept = await ofCampaign(other, await linesOf(before?.file_hash ?? ''))
  expect(kept).toHaveLength(12)
  await app.db
    .insertInto('campaign_deleted')
    .values({ campaign_id: old, asked_at: now, by_user_id: user.userId })
    .execute()
  const ofContacts = { what: 'with gone as', nth: 1 }
  for (const killAt of [
    { what: 'forget_calls', nth: 1 },
    ofContacts,
    { what: 'stored', nth: 1 },
    { what: 'update archive set file_hash', nth: 1 },
    { what: 'commit', nth: 1 },
    { what: 'set done_at', nth: 1 },
  ]) {
    await killedAt('forget', killAt)
    const [file] = await archives()
    expect((await linesOf(file?.file_hash ?? '')).length, JSON.stringify(killAt)).toBe(42)
    expect(file?.bytes).toBe(await app.files.sizeOf(file?.file_hash ?? ''))
  }
  await forgetDeleted(app)
  const [after] = await archives()
  const lines = await linesOf(after?.file_hash ?? '')
  expect(await ofCampaign(other, lines)).toEqual(kept)
  const ofOld = await ofCampaign(old, lines)
  expect(ofOld).toHaveLength(30)
  expect(ofOld.join()).not.toMatch(/97798|menu1/)
  const deletion = await app.db.selectFrom('campaign_deleted').select('done_at').executeTakeFirstOrThrow()
  expect(deletion.done_at).not.toBeNull()
  await expectNothingLost()
  // Removes what the killed process left; the file in use stays.
  app.clock.set(new Date(Date.now() + 2 * 24 * 3600_000))
  await forgetUnnamedFiles(app)
  const files = await Array.fromAsync(app.files.all())
  expect(files).toEqual([after?.file_hash])
}, 240_000)

test('a file is copied while no transaction is open, and what another process put in its place meanwhile is not lost', async () => {
  const [before] = await archives()
  const kept = await ofCampaign(old, await linesOf(before?.file_hash ?? ''))
  await app.db
    .insertInto('campaign_deleted')
    .values({ campaign_id: other, asked_at: now, by_user_id: user.userId })
    .execute()
  app.clock.set(new Date()) // now no work folder counts as left over
  const open: number[] = []
  const put = async (file: string) => {
    const { rows } = await app.pool.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    )
    open.push(rows[0]?.n ?? 0)
    await forgetDeleted(app)
    return await app.files.put(file)
  }
  await forgetDeleted({ ...app, files: { ...app.files, put } })
  expect(open).toEqual([0])
  const [after] = await archives()
  const lines = await linesOf(after?.file_hash ?? '')
  expect(lines).toHaveLength(42)
  expect(await ofCampaign(old, lines)).toEqual(kept)
  expect(lines.join()).not.toMatch(/97798|menu1/)
  expect(await Array.fromAsync(app.files.all())).toEqual([after?.file_hash])
})
