import { spawn } from 'node:child_process'
import * as fs from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { startWorkers } from '../../jobs.ts'
import type { Viewer } from '../../policy.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { newCalls } from '../../testing/calls.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { polling } from '../../testing/timeouts.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import { newArchive } from '../../testing/routes/route-fixtures-archives.ts'
import { forgetDeleted } from '../retention/actions-delete.ts'
import { makeExport } from './actions-make.ts'
import { exportHandlers } from './routes.ts'

/** exports.test.ts beside this has an export whose process ended. */
const exhaustive = { tags: ['exhaustive'] }

const app = await testApp()
const http = await testHttp(app, { handlers: { exports: exportHandlers } })
const never = new AbortController().signal
const many = 40_000

/** An account with so many calls that their file is written in several pieces. */
async function caller(of: TestApp = app): Promise<{ user: Viewer; campaignId: number }> {
  const user = await newUser(of)
  const campaignId = await newCampaign(of, user, { status: 'complete' })
  await newCalls(of, user, campaignId, many)
  return { user, campaignId }
}

async function send(of: TestApp, viewer: Viewer, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  const server = of === app ? http : await testHttp(of, { handlers: { exports: exportHandlers } })
  return await server.inject({ method, url, headers: await signedIn(of, viewer), ...(payload && { payload }) })
}

async function asked(of: TestApp, viewer: Viewer, what: object): Promise<number> {
  const reply = await send(of, viewer, 'POST', '/api/obd/export', what)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ exportId: number }>().exportId
}
const lineOf = (of: TestApp, id: number) =>
  of.db.selectFrom('export').selectAll().where('id', '=', id).executeTakeFirst()
const isStatus = (of: TestApp, id: number, status: string) =>
  vi.waitFor(async () => expect((await lineOf(of, id))?.status).toBe(status), polling)
const calls = { kind: 'calls', format: 'csv' }

/** Locks what the writing thread needs for its next piece once the first one is written, so that the test acts in the middle of an export. */
async function whileWriting(of: TestApp, exportId: number, meanwhile: () => Promise<unknown>): Promise<void> {
  const blocker = new Client({ connectionString: of.url })
  await blocker.connect()
  try {
    await vi.waitFor(async () => expect((await lineOf(of, exportId))?.rows).toBeGreaterThan(0), {
      ...polling,
      interval: 5,
    })
    await blocker.query('begin')
    await blocker.query('lock table cli')
    expect(await lineOf(of, exportId)).toMatchObject({ status: 'making', file_hash: null })
    await meanwhile()
  } finally {
    await blocker.end()
  }
}

const filesIn = async (of: TestApp, name: string) =>
  (
    await fs.readdir(path.join(of.config.dataFolder, name), { recursive: true, withFileTypes: true }).catch(() => [])
  ).filter((one) => one.isFile())
const threadsOf = async (of: TestApp) =>
  (
    await of.pool.query(
      `select from pg_stat_activity where application_name = 'ghanti-export' and datname = current_database()`,
    )
  ).rowCount

test('an export that is cancelled while it is written is given up, and leaves no file, no line and no notice', async () => {
  const { user } = await caller()
  const id = await asked(app, user, calls)
  const made = makeExport(app, id, never)
  await whileWriting(app, id, async () => {
    expect((await send(app, user, 'DELETE', `/api/obd/export/${id}`)).statusCode).toBe(200)
  })
  await made
  expect(await lineOf(app, id)).toBeUndefined()
  expect([await filesIn(app, 'exports'), await filesIn(app, 'files')]).toEqual([[], []])
  await vi.waitFor(async () => expect(await threadsOf(app)).toBe(0), polling)
  expect(await app.db.selectFrom('notice').select('kind').where('user_id', '=', user.userId).execute()).toEqual([])
})

test(
  'an export whose process is killed in the middle serves nothing, and another process makes it anew and whole',
  exhaustive,
  async () => {
    const killed = await testApp()
    const { user } = await caller(killed)
    const child = spawn(process.execPath, [
      path.resolve(import.meta.dirname, '../../testing/processes/worker-process.ts'),
      killed.databaseUrl,
      killed.config.dataFolder,
    ])
    try {
      const id = await asked(killed, user, calls)
      const { file_name: name = '' } = (await lineOf(killed, id)) ?? {}
      const download = () => send(killed, user, 'GET', `/exports/${id}/${name}`)
      await whileWriting(killed, id, async () => {
        child.kill('SIGKILL')
        expect((await filesIn(killed, 'exports')).length, 'half a file').toBe(1)
        expect((await download()).statusCode).toBe(404)
      })
      await killed.pool.query(
        `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`,
      )
      await killed.jobs.supervise('export')
      await startWorkers(killed)
      await isStatus(killed, id, 'ready')
      const lines = (await download()).body.trimEnd().split('\r\n')
      expect([lines.length, (await lineOf(killed, id))?.rows]).toEqual([many + 1, many])
      const notices = await killed.db.selectFrom('notice').select('kind').where('subject_id', '=', id).execute()
      expect(notices).toEqual([{ kind: 'exportReady' }])
    } finally {
      child.kill('SIGKILL')
    }
  },
)

test('a campaign that is deleted before its file is made is said, and nothing is made, whether its job or the deletion comes first', async () => {
  const user = await newUser(app)
  const gone = await newCampaign(app, user, { status: 'complete', rows: 3 })
  const id = await asked(app, user, { kind: 'rows', format: 'xlsx', filter: { campaignId: gone } })
  const later = await asked(app, user, { ...calls, filter: { campaignId: gone, search: '9841000001' } })
  await app.db
    .insertInto('campaign_deleted')
    .values({ campaign_id: gone, asked_at: new Date(), by_user_id: user.userId })
    .execute()
  await makeExport(app, id, never)
  expect(await lineOf(app, id)).toMatchObject({
    status: 'failed',
    file_hash: null,
    reason: 'was not made: its campaign was deleted meanwhile',
  })
  await forgetDeleted(app)
  await makeExport(app, later, never)
  for (const one of [id, later])
    expect(await lineOf(app, one)).toMatchObject({
      status: 'failed',
      file_hash: null,
      ended_at: expect.any(Date),
      reason: 'was not made: its campaign was deleted meanwhile',
    })
})

const held = 'held calls of a campaign that was deleted, so its file is gone too: ask for it again'
const deleteSoon = (campaignId: number, by: Viewer) =>
  app.db
    .insertInto('campaign_deleted')
    .values({ campaign_id: campaignId, asked_at: app.clock.now(), by_user_id: by.userId })
    .execute()

// The next test has the file that is complete; the test of one that is given up has what is left of it.
test(
  'an export of several campaigns, of which one is deleted while it is written, says so and leaves no file and no notice',
  { tags: ['exhaustive'] },
  async () => {
    const { user, campaignId } = await caller()
    const id = await asked(app, user, calls)
    const before = await filesIn(app, 'files')
    const made = makeExport(app, id, never)
    await whileWriting(app, id, () => deleteSoon(campaignId, user))
    await made
    expect(await lineOf(app, id)).toMatchObject({ status: 'failed', file_hash: null, reason: held })
    expect(await filesIn(app, 'files')).toEqual(before)
    expect(await app.db.selectFrom('notice').select('kind').where('user_id', '=', user.userId).execute()).toEqual([])
    await forgetDeleted(app)
  },
)

test('a file with calls of several campaigns goes when one of them is deleted, also that of an account above; others stay', async () => {
  const reseller = await newReseller(app)
  const [one, other] = [await newUser(app, { parent: reseller }), await newUser(app, { parent: reseller })]
  const campaigns: number[] = []
  for (const user of [one, other]) {
    const campaignId = await newCampaign(app, user, { status: 'complete' })
    await newCalls(app, user, campaignId, 2)
    campaigns.push(campaignId)
  }
  const files = [
    { viewer: reseller, id: await asked(app, reseller, calls) },
    { viewer: one, id: await asked(app, one, calls) },
    { viewer: other, id: await asked(app, other, calls) },
  ]
  for (const { id } of files) await makeExport(app, id, never)
  await deleteSoon(campaigns[0] ?? 0, one)
  await forgetDeleted(app)
  const now = await Promise.all(files.map(({ id }) => lineOf(app, id)))
  expect(now.map((line) => line?.status)).toEqual(['failed', 'failed', 'ready'])
  expect(now.map((line) => line?.reason)).toEqual([held, held, null])
  for (const { viewer, id } of files) {
    const url = `/exports/${id}/${now.find((line) => line?.id === id)?.file_name ?? ''}`
    expect((await send(app, viewer, 'GET', url)).statusCode).toBe(viewer === other ? 200 : 404)
  }
})

test('a campaign of which calls are archived before its file is made is said, and nothing is made of the others', async () => {
  const user = await newUser(app)
  const campaignId = await newCampaign(app, user, { status: 'complete', rows: 3 })
  const id = await asked(app, user, { kind: 'rows', format: 'csv', filter: { campaignId } })
  await newArchive(app, 'attempt', campaignId, user)
  await makeExport(app, id, never)
  expect(await lineOf(app, id)).toMatchObject({
    status: 'failed',
    file_hash: null,
    reason: 'was not made: calls of its campaign were archived meanwhile, download them from its page',
  })
})

test('a reseller exports the campaign of a customer, and nobody that of a stranger', async () => {
  const reseller = await newReseller(app)
  const below = await newUser(app, { parent: await newReseller(app, { parent: reseller }) })
  const theirs = await newCampaign(app, below, { status: 'complete', rows: 2, name: 'Below' })
  const stranger = await newReseller(app)
  for (const kind of ['rows', 'calls']) {
    const what = { kind, format: 'csv', filter: { campaignId: theirs } }
    const id = await asked(app, reseller, what)
    await makeExport(app, id, never)
    expect(await lineOf(app, id)).toMatchObject({ status: 'ready', owner_id: reseller.userId })
    const refused = await send(app, stranger, 'POST', '/api/obd/export', what)
    expect([refused.statusCode, refused.json()]).toMatchObject([400, { errors: [{ field: 'filter.campaignId' }] }])
  }
})

test('a download breaks off when its reader’s session ends', async () => {
  const user = await newUser(app)
  const file_hash = await app.files.putBytes(Buffer.alloc(48_000_000, 'x'))
  const { id } = await app.db
    .insertInto('export')
    .values({
      owner_id: user.userId,
      kind: 'calls',
      format: 'csv',
      filter: '{}',
      file_name: 'calls.csv',
      status: 'ready',
      bytes: 48_000_000,
      file_hash,
      ended_at: new Date(),
      expires_at: new Date(Date.now() + 3600_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo
  const reply = await fetch(`http://127.0.0.1:${port}/exports/${id}/calls.csv`, { headers: await signedIn(app, user) })
  expect(reply.status).toBe(200)
  const reader = reply.body?.getReader()
  await reader?.read()
  await app.db.deleteFrom('session').where('user_id', '=', user.userId).execute()
  await sleep(1100) // it looks once a second
  const rest = async () => {
    while (!(await reader?.read())?.done);
  }
  await expect(rest()).rejects.toThrow()
})
