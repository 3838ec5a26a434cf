import { spawn } from 'node:child_process'
import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import { consultancy } from '@ghanti/callflow/templates/consultancy.ts'
import { fullInput } from '@ghanti/callflow/testing.ts'
import { parse } from 'csv-parse/sync'
import type { FastifyInstance } from 'fastify'
import { Client } from 'pg'
import { beforeAll, expect, test, vi } from 'vitest'
import { fromBuffer } from 'yauzl'
import { startWorkers } from '../../jobs.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { voiceCampaignHandlers } from '../voice-campaigns/routes.ts'
import { makeReport } from './actions-make.ts'
import { reportHandlers } from './routes.ts'
import { polling } from '../../testing/timeouts.ts'

/** exports.test.ts has a file whose process ended; a job that is begun again is that of server/src/db/jobs/. */
const exhaustive = { tags: ['exhaustive'] }

const app = await testApp()
let http: FastifyInstance
let admin: Viewer
let reseller: Viewer
let user: Viewer
beforeAll(async () => {
  http = await testHttp(app, { handlers: { reports: reportHandlers, voiceCampaigns: voiceCampaignHandlers } })
  admin = await newSuperAdmin(app)
  reseller = await newReseller(app, { parent: admin })
  user = await newUser(app, { parent: reseller })
})

/** Far more than needed: the machine may be busy. */
vi.setConfig({ testTimeout: 90_000 })
const post = async (viewer: Viewer, action: 'generate' | 'download', payload: object) =>
  http.inject({ method: 'POST', url: `/api/obd/report/${action}`, headers: await signedIn(app, viewer), payload })
const zip = async (viewer: Viewer, campaignId: number, type = '') =>
  http.inject({ url: `/reports/${campaignId}.zip${type && `?type=${type}`}`, headers: await signedIn(app, viewer) })
const statusOf = async (campaignId: number) => {
  const report = await app.db.selectFrom('report').selectAll().where('campaign_id', '=', campaignId).executeTakeFirst()
  return report?.status
}
const ready = (campaignId: number) => vi.waitFor(async () => expect(await statusOf(campaignId)).toBe('ready'), polling)

function unzipped(bytes: Buffer): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, file) => {
      if (error) return reject(error)
      const texts: Record<string, string> = {}
      file.on('entry', (entry) => {
        file.openReadStream(entry, (error, stream) => {
          if (error) return reject(error)
          const chunks: Buffer[] = []
          stream.on('data', (chunk: Buffer) => chunks.push(chunk))
          stream.on('end', () => {
            texts[entry.fileName] = Buffer.concat(chunks).toString()
            file.readEntry()
          })
        })
      })
      file.on('end', () => resolve(texts)).on('error', reject)
      file.readEntry()
    })
  })
}
/** The files' names by what is in them. */
const namedIn = (texts: object): { cc?: string; dtmf?: string } =>
  Object.fromEntries(Object.keys(texts).map((name) => [/ (cc|dtmf) \S+$/.exec(name)?.[1], name]))
const rowsOf = (csv: string | undefined): string[][] => parse(csv ?? '', { bom: true })

type Call = {
  disposition: 'ANSWER' | 'BUSY'
  keys?: string
  trail?: string
  values?: Record<string, string>
  agent?: string
  agent_missed?: 'notFree'
}
let attemptId = 0
const start = new Date('2026-11-20T06:15:00Z')

async function calledCampaign(
  owner: Viewer,
  columns: string[],
  calls: Call[],
  at = app,
): Promise<{ campaignId: number; cli: string }> {
  const campaignId = await newCampaign(at, owner, { status: 'complete', rows: calls.length })
  const detail = at.db.selectFrom('campaign_detail').where('campaign_id', '=', campaignId)
  await at.db.updateTable('base').set({ columns }).where('id', '=', detail.select('base_id')).execute()
  for (const [
    no,
    { disposition, values, keys = null, trail = null, agent = null, agent_missed = null },
  ] of calls.entries()) {
    const row = { campaign_id: campaignId, no }
    if (values)
      await at.db
        .insertInto('contact_value')
        .values({ ...row, vars: JSON.stringify(values) })
        .execute()
    const answered = disposition === 'ANSWER'
    await at.db
      .insertInto('attempt')
      .values({
        ...row,
        id: ++attemptId,
        phone: 0,
        epoch: 1,
        attempt_no: 1,
        claimed_at: start,
        started_at: start,
        answered_at: answered ? new Date(start.getTime() + 5000) : null,
        ended_at: new Date(start.getTime() + 36_000),
        bill_ms: answered ? 31_000 : null,
        pulses: answered ? 2 : 0,
        cost_paisa: answered ? 120 : 0,
        uncollected_paisa: 0,
        disposition,
        keys,
        trail,
        agent,
        agent_missed,
      })
      .execute()
  }
  const line = at.db.selectFrom('campaign').innerJoin('cli', 'cli.id', 'campaign.cli_id').select('cli.number')
  const { number } = await line.where('campaign.id', '=', campaignId).executeTakeFirstOrThrow()
  return { campaignId, cli: number }
}

test('fifty ask at once: one begins it, and the others are answered that it is under way', async () => {
  const { campaignId } = await calledCampaign(user, ['mobile'], []) // no worker makes reports yet
  const replies = await Promise.all(Array.from({ length: 50 }, () => post(user, 'generate', { campaignId })))
  expect(replies.filter((reply) => reply.statusCode === 200)).toHaveLength(1)
  expect(replies.filter((reply) => reply.statusCode === 409)).toHaveLength(49)
  expect((await post(user, 'download', { campaignId })).json()).toMatchObject({ reportStatus: '0' })
})

test('reports hold exactly the answered rows and those with a key, with every column of the file', async () => {
  const { campaignId, cli } = await calledCampaign(
    user,
    ['नाम', 'mobile', 'Amount'],
    [
      { disposition: 'ANSWER', keys: '31', values: { नाम: 'राम, थापा', Amount: '=1+1' }, agent: '+9779801234567' },
      { disposition: 'BUSY', values: { नाम: 'busy', Amount: '1' } },
      { disposition: 'ANSWER', agent_missed: 'notFree' },
    ],
  )
  expect((await zip(user, campaignId)).statusCode).toBe(404)
  const asked = await post(user, 'download', { campaignId, reprtType: 'cc' })
  expect(asked.json()).toEqual({ message: 'Report is being made', reportStatus: '0' })
  await startWorkers(app)
  await ready(campaignId)
  expect((await post(user, 'download', { campaignId, reportType: 'dtmf' })).json()).toEqual({
    message: 'Success',
    reportStatus: '2',
  })

  const both = await zip(user, campaignId)
  const nameOf = (reply: typeof both) => String(reply.headers['content-disposition'])
  expect(nameOf(both)).toMatch(/filename="Campaign .* report \d{4}-\d\d-\d\d\.zip"/)
  expect(nameOf(await zip(user, campaignId, 'cc'))).toMatch(/filename="Campaign .* cc \d{4}-\d\d-\d\d\.zip"/)
  expect(both.headers['cache-control']).toBe('private, no-store')
  const texts = await unzipped(both.rawPayload)
  const call = ['2026-11-20 12:00:00', '2026-11-20 12:00:05', '2026-11-20 12:00:36', '31', '2', '1.20']
  const shownCli = `="${cli}"` // a landline
  const withKey = ['2', '9800000000', 'राम, थापा', "'=1+1", 'ANSWER', '31', ...call, '9801234567', shownCli]
  const { cc = '', dtmf = '' } = namedIn(texts)
  expect(cc).toMatch(/^Campaign .* cc \d{4}-\d\d-\d\d\.csv$/)
  expect(rowsOf(texts[cc])).toEqual([
    [
      'Row',
      'Mobile',
      'नाम',
      'Amount',
      'Disposition',
      'Keys',
      'Start',
      'Answer',
      'End',
      'Seconds',
      'Pulses',
      'Cost (Rs)',
      'Agent',
      'CLI',
    ],
    withKey,
    ['4', '9800000002', '', '', 'ANSWER', '', ...call, 'no agent was free', shownCli],
  ])
  expect(rowsOf(texts[dtmf]).slice(1)).toEqual([withKey])

  expect(Object.keys(await unzipped((await zip(user, campaignId, 'cc')).rawPayload))).toEqual([cc])
  expect(Object.keys(await unzipped((await zip(user, campaignId, 'dtmf')).rawPayload))).toEqual([dtmf])
  const log = app.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id'])
    .where('target', '=', `campaign ${campaignId}`)
  const read = { action: 'report.download', actor_id: user.userId } // once an hour, whichever types
  expect(await log.where('action', '=', 'report.download').execute()).toEqual([read])
})

test('for a flow with several menus the last columns say which menu each key answered', async () => {
  const { campaignId } = await calledCampaign(
    user,
    ['mobile'],
    [
      { disposition: 'ANSWER', keys: '2', trail: 'welcome menu1 menu2 menu1=wrong menu2=2 menu3=left >menu3' },
      { disposition: 'ANSWER', keys: '31121', trail: 'menu1=3 menu2=1 menu3=1 menu4=2 menu5=1 >end' },
      { disposition: 'ANSWER', keys: '1' }, // a call without a trail
    ],
  )
  const flow = JSON.stringify(consultancy.build(fullInput))
  await app.db.updateTable('campaign_detail').set({ flow }).where('campaign_id', '=', campaignId).execute()
  await post(user, 'generate', { campaignId })
  await ready(campaignId)
  const [csv] = Object.values(await unzipped((await zip(user, campaignId, 'dtmf')).rawPayload))
  expect(rowsOf(csv).map((cells) => [cells[3], ...cells.slice(-5)])).toEqual([
    ['Keys', 'Key of Menu 1', 'Key of Menu 2', 'Key of Menu 3', 'Key of Menu 4', 'Key of Menu 5'],
    ['2', '', '2', '', '', ''],
    ['31121', '3', '1', '1', '2', '1'],
    ['1', '', '', '', '', ''],
  ])
})

test('a new report replaces the old one, whose files go; the summary hears of each step', async () => {
  const { campaignId } = await calledCampaign(
    user,
    ['mobile', 'name'],
    [{ disposition: 'ANSWER', keys: '1', values: { name: 'Ram' } }],
  )
  expect((await post(user, 'generate', { campaignId })).json()).toEqual({ message: 'Success' })
  await ready(campaignId)
  const first = await app.db
    .selectFrom('report')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  const before = new Date()
  // Zip times have steps of 2 s, so the new files could equal the old ones.
  const vars = JSON.stringify({ name: 'Sita' })
  await app.db.updateTable('contact_value').set({ vars }).where('campaign_id', '=', campaignId).execute()
  expect((await post(user, 'generate', { campaignId })).statusCode).toBe(200)
  await vi.waitFor(async () => {
    const now = await app.db
      .selectFrom('report')
      .selectAll()
      .where('campaign_id', '=', campaignId)
      .executeTakeFirstOrThrow()
    expect(now.status).toBe('ready')
    expect(now.zip_hash).not.toBe(first.zip_hash)
    for (const hash of [first.zip_hash, first.cc_hash, first.dtmf_hash])
      if (hash && ![now.zip_hash, now.cc_hash, now.dtmf_hash].includes(hash))
        await expect(app.files.pathOf(hash)).rejects.toThrow()
  }, polling)
  const progress = app.db.selectFrom('campaign_progress').select('changed_at').where('campaign_id', '=', campaignId)
  expect((await progress.executeTakeFirstOrThrow()).changed_at.getTime()).toBeGreaterThanOrEqual(before.getTime())
  await vi.waitFor(
    async () => expect(await fs.readdir(path.join(app.config.dataFolder, 'reports'))).toEqual([]),
    polling,
  )
})

test('above the owner they may read it, strangers find nothing, of a campaign that is not there as well', async () => {
  const { campaignId } = await calledCampaign(user, ['mobile'], [{ disposition: 'ANSWER' }])
  await post(user, 'generate', { campaignId })
  await ready(campaignId)
  for (const viewer of [user, reseller, admin]) expect((await zip(viewer, campaignId)).statusCode).toBe(200)
  for (const stranger of [await newUser(app), await newReseller(app), await newUser(app, { parent: reseller })]) {
    expect((await zip(stranger, campaignId)).statusCode).toBe(404)
    expect((await zip(stranger, campaignId, 'cc')).statusCode).toBe(404)
    expect((await post(stranger, 'generate', { campaignId })).statusCode).toBe(404)
    expect((await post(stranger, 'download', { campaignId })).statusCode).toBe(404)
  }
  expect((await zip(user, 999_999)).statusCode).toBe(404)
  expect((await http.inject({ url: `/reports/${campaignId}.zip` })).statusCode).toBe(401)
})

test('a report whose process was killed while making it is made by another one', exhaustive, async () => {
  const killed = await testApp()
  const theirs = await newUser(killed)
  const { campaignId } = await calledCampaign(theirs, ['mobile'], [{ disposition: 'ANSWER' }], killed)
  const blocker = new Client({ connectionString: killed.url })
  await blocker.connect()
  await blocker.query('begin')
  await blocker.query('lock table attempt') // the thread waits here for its rows
  const child = spawn(process.execPath, [
    path.resolve(import.meta.dirname, '../../testing/processes/worker-process.ts'),
    killed.databaseUrl,
    killed.config.dataFolder,
  ])
  try {
    await killed.db.insertInto('report').values({ campaign_id: campaignId, status: 'queued' }).execute()
    await killed.jobs.send('report', { campaignId })
    const status = () => killed.db.selectFrom('report').select('status').executeTakeFirstOrThrow()
    await vi.waitFor(async () => expect(await status()).toEqual({ status: 'making' }), polling)
    child.kill('SIGKILL')
    await blocker.query('rollback')
    await killed.pool.query(
      `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`,
    )
    await killed.jobs.supervise('report')
    await startWorkers(killed)
    await vi.waitFor(async () => expect(await status()).toEqual({ status: 'ready' }), polling)
  } finally {
    child.kill('SIGKILL')
    await blocker.end()
  }
})

test('two processes that make one report at once leave its files in place', async () => {
  const { campaignId } = await calledCampaign(user, ['mobile'], [{ disposition: 'ANSWER' }])
  await app.db.insertInto('report').values({ campaign_id: campaignId, status: 'queued' }).execute()
  const made = () => makeReport(app, campaignId, new AbortController().signal)
  await Promise.all([made(), made()])
  for (const type of ['', 'cc', 'dtmf']) expect((await zip(user, campaignId, type)).statusCode).toBe(200)
})

test('a report that cannot be made is given up with a reason, and can be asked for again', async () => {
  const { campaignId } = await calledCampaign(user, ['mobile'], [])
  await app.db.insertInto('report').values({ campaign_id: campaignId, status: 'making' }).execute()
  await app.jobs.send('report-failed', { campaignId })
  await vi.waitFor(async () => expect(await statusOf(campaignId)).toBe('failed'), polling)
  const { reason } = await app.db
    .selectFrom('report')
    .select('reason')
    .where('campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  expect(reason).toBe('The report could not be made. Please try again.')
  expect((await zip(user, campaignId)).statusCode).toBe(404)
  expect((await post(user, 'download', { campaignId })).json()).toMatchObject({ message: 'Report is being made' })
  await ready(campaignId)
})

test('a report that somebody asked for whose reseller was disabled meanwhile is not made, with the reason; those above may ask for it', async () => {
  const stopped = await newReseller(app, { parent: reseller })
  const below = await newUser(app, { parent: stopped })
  const { campaignId } = await calledCampaign(below, ['mobile'], [{ disposition: 'ANSWER' }])
  await app.db
    .insertInto('report')
    .values({ campaign_id: campaignId, status: 'queued', requested_by: below.userId })
    .execute()
  await app.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', stopped.userId).execute()
  await makeReport(app, campaignId, new AbortController().signal)
  const report = await app.db.selectFrom('report').selectAll().where('campaign_id', '=', campaignId).executeTakeFirst()
  expect(report).toMatchObject({
    status: 'failed',
    reason: 'The account that asked for it is disabled.',
    zip_hash: null,
  })
  expect((await post(reseller, 'generate', { campaignId })).statusCode).toBe(200)
  await ready(campaignId)
  expect((await zip(reseller, campaignId)).statusCode).toBe(200)
})

test('a report that lacks calls counts as not made: the summary has none, the zip is not there, download makes it anew', async () => {
  const { campaignId } = await calledCampaign(user, ['mobile'], [{ disposition: 'ANSWER' }])
  await post(user, 'generate', { campaignId })
  await ready(campaignId)
  const row = async () => {
    const reply = await http.inject({
      url: `/api/obd/campaign/detail/${campaignId}`,
      headers: await signedIn(app, user),
    })
    return reply.json<{ reportStatus?: string }>().reportStatus
  }
  const progress = (set: { answered: number; finished_at: Date | null }) =>
    app.db.updateTable('campaign_progress').set(set).where('campaign_id', '=', campaignId).execute()
  expect(await row()).toBe('2')
  await progress({ answered: 1, finished_at: null })
  expect((await zip(user, campaignId)).statusCode, 'whoever waited for it gets it').toBe(200)
  expect(await row()).toBe('2')
  const aged = { made_at: new Date(Date.now() - 60_000) }
  await app.db.updateTable('report').set(aged).where('campaign_id', '=', campaignId).execute()
  expect((await zip(user, campaignId)).statusCode).toBe(404)
  await app.db.updateTable('report').set({ made_at: new Date() }).where('campaign_id', '=', campaignId).execute()
  await progress({ answered: 1, finished_at: new Date() })
  expect(await row()).toBeUndefined()
  expect((await zip(user, campaignId)).statusCode).toBe(404)
  const asked = await post(user, 'download', { campaignId })
  expect(asked.json()).toEqual({ message: 'Report is being made', reportStatus: '0' })
  await ready(campaignId)
  expect(await row()).toBe('2')
  expect((await zip(user, campaignId)).statusCode).toBe(200)
  expect((await post(user, 'download', { campaignId })).json()).toMatchObject({ reportStatus: '2' })
})
