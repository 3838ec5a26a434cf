import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import type { ExportRow } from '@ghanti/contract/exports.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { parse } from 'csv-parse/sync'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../db/pool.ts'
import { countAll } from '../../modules/insight/actions-count.ts'
import { makeExport } from '../../modules/exports/actions-make.ts'
import { archiveOld } from '../../modules/retention/actions-archives.ts'
import { forgetDeleted } from '../../modules/retention/actions-delete.ts'
import { forgetUnnamedFiles } from '../../modules/files/actions.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { keepMonths, nextMonth, nightIn } from '../../testing/months.ts'
import { newUser } from '../../testing/seed.ts'
import { settleOutcomes } from '../settle/settle.sql.ts'
import { enginePoolOptions } from '../../dispatch/statement.ts'
import { claimed, expectSoundBooks, newCampaign, newFixtures, outcome, phones } from '../testing/fixtures.ts'

const app = await testApp()
const options = enginePoolOptions
const engine = openPool({ connectionString: app.loginUrl, max: 8, name: 'ghanti-engine-test', options }, () => {})
const owner = openPool({ connectionString: app.url, max: 2, name: 'owner', asOwner: true }, () => {})
const at = { db: app.db, pool: app.pool, url: app.url, engine }
afterAll(() => Promise.all([engine.end(), owner.end()]))
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
  await keepMonths(app, 3)
})

const fixtures = await newFixtures(at)
const { user, line, lease } = fixtures
const secret = 9779841666001
const agent = '9779801666137'

/** A finished campaign with this many calls, half of them answered. */
async function called(n: number, name: string): Promise<number> {
  const id = await newCampaign(at, { user, line, phones: [secret, ...phones(n - 1)], name })
  const calls = await claimed(at, fixtures, id, n)
  const answered = {
    disposition: 'ANSWER',
    billMs: 9000,
    answeredAt: new Date(),
    keys: '1',
    trail: 'menu1=1 >done',
    agent,
  } as const
  await settleOutcomes(
    engine,
    lease,
    0,
    calls.map((call, i) => outcome(call, i % 2 === 0 ? answered : { disposition: 'INVALID' })),
  )
  await app.db.updateTable('campaign').set({ status: 'complete' }).where('id', '=', id).execute()
  return id
}
const get = async (viewer: Viewer, url: string) => http.inject({ url, headers: await signedIn(app, viewer) })
const archives = () => app.db.selectFrom('archive').selectAll().execute()
const sums = async () => {
  const { rows } = await app.pool.query(
    `select (select json_agg(t) from (select * from transfer order by id) t) as transfers, (select json_agg(t) from (select * from credit_entry order by id) t) as entries,
       (select json_agg(t) from (select * from campaign_count order by campaign_id, slot) t) as counts, (select json_agg(t) from (select * from call_count order by account_id, slice, at, kind, key) t) as insight,
       (select json_agg(t) from (select * from answer_count order by account_id, at, kind, key) t) as answers`,
  )
  return rows[0]
}
const night = (months: number) => app.clock.set(nightIn(months))

await nextMonth(app, '2026-01-01')
const old = await called(40, 'Old calls')
const other = await called(7, 'Other old calls')
await nextMonth(app, '2026-02-01')
const recent = await called(5, 'Recent calls')

test('nothing is archived by day, before its months are over, or while something of it is under way', async () => {
  night(2)
  expect(await archiveOld(app)).toBe(0)
  night(5)
  await owner.query(
    `insert into recording (id, attempt_id, campaign_id, account_id, file_hash, duration_ms) select gen_random_uuid(), id, campaign_id, account_id, 'x', 1 from attempt where campaign_id = $1 limit 1`,
    [old],
  )
  await countAll(app.db)
  expect(await archiveOld(app)).toBe(0)
  await owner.query(
    'with gone as (delete from recording returning id, attempt_id) insert into recording_removed (id, attempt_id, at) select *, now() from gone',
  )
  await owner.query(
    'insert into recording_removed (id, attempt_id, at) select gen_random_uuid(), id, now() from attempt where campaign_id = $1 limit 1',
    [recent],
  )
  await app.db.updateTable('campaign').set({ status: 'running' }).where('id', '=', other).execute()
  expect(await archiveOld(app)).toBe(0)
  await app.db.updateTable('campaign').set({ status: 'complete' }).where('id', '=', other).execute()
  app.clock.advance(12 * 3600_000)
  expect(await archiveOld(app)).toBe(0)
  expect(await archives()).toEqual([])
})

test('killed while it writes, and held up by who reads, it loses nothing; then the partition leaves for a file of the same rows, calls go on, the books are exact', async () => {
  night(5)
  await expect(archiveOld(app, AbortSignal.abort(new Error('killed')))).rejects.toThrow('killed')
  const count = async () => (await app.pool.query<{ n: number }>('select count(*)::int as n from attempt')).rows[0]?.n
  expect(await count()).toBe(52)
  const before = await sums()
  const answers = await get(user, `/api/obd/campaign/answers/${old}`)
  expect(answers.json()).toMatchObject({ answered: 20 })
  const { rows: stored } = await app.pool.query<{ sum: string }>(
    `select count(*) || ' ' || sum(cost_paisa) || ' ' || sum(pulses) as sum from attempt where campaign_id in ($1, $2)`,
    [old, other],
  )
  // While somebody reads the whole history, calls continue: they wait for the lock no longer than permitted.
  const reader = await owner.connect()
  await reader.query('begin')
  await reader.query('select count(*) from attempt')
  const archiving = archiveOld(app)
  const id = await newCampaign(at, { user, line, phones: phones(20), name: 'Meanwhile' })
  let slowest = 0
  for (let i = 0; i < 20; i++) {
    const from = performance.now()
    const [call] = await claimed(at, fixtures, id, 1)
    if (call) await settleOutcomes(engine, lease, 0, [outcome(call, { disposition: 'BUSY' })])
    slowest = Math.max(slowest, performance.now() - from)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await reader.query('commit')
  reader.release()
  expect(await archiving).toBe(1)
  const { rows: removed } = await owner.query(
    'select a.campaign_id from recording_removed r left join attempt a on a.id = r.attempt_id',
  )
  expect(removed, 'what is said of recordings that went goes with their calls').toEqual([{ campaign_id: recent }])
  expect(slowest).toBeLessThan(2000)
  const [file] = await archives()
  expect(file).toMatchObject({ parent: 'attempt', rows: 47 })
  const content = await text((await app.files.read(file?.file_hash ?? '')).pipe(createGunzip()))
  const [header = '', ...lines] = content.trim().split('\n')
  expect(lines).toHaveLength(47)
  const cells = lines.map((row) => row.split(','))
  const sumOf = (name: string) => cells.reduce((sum, row) => sum + Number(row[header.split(',').indexOf(name)]), 0)
  expect(`${lines.length} ${sumOf('cost_paisa')} ${sumOf('pulses')}`).toBe(stored[0]?.sum)
  expect(await count()).toBe(5 + 20)
  expect(await archiveOld(app)).toBe(0)
  await app.db.updateTable('campaign').set({ status: 'complete' }).where('id', '=', id).execute()
  await expectSoundBooks(at)
  const after = await sums()
  expect(after?.transfers).toEqual(before?.transfers)
  expect(after?.entries).toEqual(before?.entries)
  const answersAfter = await get(user, `/api/obd/campaign/answers/${old}`)
  expect(answersAfter.json(), 'counters hold them: nothing is missing').toEqual(answers.json())
})

test('a campaign says how many of its calls are in files and its owner reads them; what would need them all is refused', async () => {
  const detail = await get(user, `/api/obd/campaign/detail/${old}`)
  expect(detail.json()).toMatchObject({ archivedCalls: { rows: 40 } })
  expect((await get(user, `/api/obd/campaign/detail/${recent}`)).json()).toMatchObject({ archivedCalls: null })
  const csv = await get(user, `/api/obd/campaign/archived/${old}/calls.csv`)
  const rows: Record<string, string>[] = parse(csv.body, { bom: true, columns: true })
  expect(rows).toHaveLength(40)
  expect(rows.map((row) => row['Customer Number'])).toContain(String(secret).slice(3))
  const answered = rows.filter((row) => row['Status'] === 'Success')
  expect(answered.length).toBeGreaterThan(0)
  for (const row of answered)
    expect(row).toMatchObject({ Campaign: 'Old calls', 'Cost (Rs)': expect.stringMatching(/^\d+\.\d\d$/) })
  expect(csv.body, 'trunks are for super admins').not.toContain('Trunk')
  expect((await get(await newUser(app), `/api/obd/campaign/archived/${old}/calls.csv`)).statusCode).toBe(404)
  expect((await get(user, `/api/obd/campaign/archived/${recent}/calls.csv`)).statusCode).toBe(404)
  const headers = await signedIn(app, user)
  const reply = await http.inject({
    method: 'POST',
    url: '/api/obd/report/generate',
    headers,
    payload: { campaignId: old },
  })
  expect(reply.json()).toMatchObject({
    errors: [{ text: 'has calls that were archived: download them from its page' }],
  })
})

test('lists, searches and exports of calls say which calls they no longer have, only to those whom it concerns', async () => {
  const [archive] = await archives()
  const to = nepalTimeOf(archive?.last_at ?? new Date(0))
  const report = `/api/obd/campaign/report/${user.userId}`
  const { headers: replyHeaders } = await get(user, `${report}?page=1`)
  expect(replyHeaders['x-archived-to']).toBe(to)
  const since = new Date((archive?.last_at.getTime() ?? 0) + 2000)
  const late = await get(user, `${report}?page=1&from=${encodeURIComponent(nepalTimeOf(since))}`)
  expect(late.headers['x-archived-to'], 'those of later days are all here').toBeUndefined()
  const stranger = await newUser(app)
  const none = await get(stranger, `/api/obd/campaign/report/${stranger.userId}`)
  expect(none.headers['x-archived-to']).toBeUndefined()
  const csv = await get(fixtures.reseller, `/api/obd/campaign/report/${fixtures.reseller.userId}/report.csv`)
  const line = `Not here: calls up to ${to}, which were archived; the page of each campaign gives them as a file`
  expect(csv.body.trim().split('\r\n').at(-1)).toBe(`"${line}"`)
  const number = `/api/obd/find/number/${String(secret).slice(3)}`
  expect((await get(user, number)).json()).toEqual({ campaigns: expect.any(Array), archivedTo: to })
  expect((await get(stranger, number)).json()).toEqual({ campaigns: [], archivedTo: null })
})

test('an export of calls says in the file and in the list what had been archived', async () => {
  const headers = await signedIn(app, user)
  const ask = async (format: string) => {
    const payload = { kind: 'calls', format }
    const reply = await http.inject({ method: 'POST', url: '/api/obd/export', headers, payload })
    const { exportId } = reply.json<{ exportId: number }>()
    await makeExport(app, exportId, new AbortController().signal)
    return exportId
  }
  const [csv, parquet] = [await ask('csv'), await ask('parquet')]
  const rows = (await get(user, `/api/obd/exports/${user.userId}`)).json<ExportRow[]>()
  const [archive] = await archives()
  const to = nepalTimeOf(archive?.last_at ?? new Date(0))
  for (const id of [csv, parquet])
    expect(rows.find(({ exportId }) => exportId === id)).toMatchObject({ exportStatus: '2', rows: 25, archivedTo: to })
  const row = rows.find(({ exportId }) => exportId === csv)
  const file = await get(user, `/exports/${csv}/${encodeURIComponent(row?.fileName ?? '')}`)
  expect(file.body).toContain(`Not here: calls up to ${to}`)
})

test('a campaign that is deleted loses its numbers in the files too, and no other campaign loses anything', async () => {
  const headers = await signedIn(app, user)
  const payload = { campaignId: old, campaignName: 'Old calls' }
  expect((await http.inject({ method: 'POST', url: '/api/obd/campaign/delete', headers, payload })).statusCode).toBe(
    200,
  )
  const csvOfOther = (await get(user, `/api/obd/campaign/archived/${other}/calls.csv`)).body
  const [before] = await archives()
  const ofAgent = async () =>
    (await app.db.selectFrom('call_count').select('key').where('kind', '=', 'agent').execute()).map(({ key }) => key)
  expect(await ofAgent()).toContain(Number(agent))
  await forgetDeleted(app)
  expect(await ofAgent(), 'nobody knows from the counters whom those calls were handed to').toEqual([])
  const [after] = await archives()
  expect(after?.file_hash).not.toBe(before?.file_hash)
  expect(after?.bytes).toBe(await app.files.sizeOf(after?.file_hash ?? ''))
  const csv = (await get(user, `/api/obd/campaign/archived/${old}/calls.csv`)).body
  expect(csv.trim().split('\r\n')).toHaveLength(41)
  expect(csv).not.toContain(String(secret).slice(3))
  expect(csv).not.toContain('menu1')
  expect(csv).not.toContain(agent.slice(-10))
  expect((await get(user, `/api/obd/campaign/archived/${other}/calls.csv`)).body).toBe(csvOfOther)
  await expect(app.files.sizeOf(before?.file_hash ?? '')).rejects.toThrow()
  app.clock.advance(30 * 24 * 3600_000)
  expect(await forgetUnnamedFiles(app)).toBe(0)
  await expectSoundBooks(at)
})

test('a partition of which something is under way cannot be dropped, whoever asks', async () => {
  await expect(owner.query('select drop_archived(4711)')).rejects.toThrow('query returned no rows')
})
