import * as path from 'node:path'
import type { TestCall } from '@ghanti/contract/test-calls.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../db/pool.ts'
import { createSimulator } from '../../drivers/telephony/simulator/simulator.ts'
import { startEngine } from '../../voice/engine.ts'
import { faultsOf } from '../../dispatch/faults.ts'
import { checkInvariants } from '../../voice/invariants/invariants.sql.ts'
import { enginePoolOptions } from '../../dispatch/statement.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newBase, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newUser } from '../../testing/seed.ts'
import { toneFile } from '../../testing/files/sound.ts'
import { changeSetting } from '../platform/actions.ts'
import { defaultCallingHours } from '../platform/rules-hours.ts'
import { polling } from '../../testing/timeouts.ts'

const app = await testApp()
const options = { connectionString: app.url, max: 6, name: 'ghanti-engine', options: enginePoolOptions }
const pool = openPool(options, () => {})
/** Set by the test that starts an engine: a hook that a test registers itself never runs. */
let stopDialling = async (): Promise<void> => undefined
afterAll(async () => {
  await stopDialling()
  await pool.end()
})
let http: FastifyInstance
let reseller: Viewer
let user: Viewer
let body: Record<string, unknown>

beforeAll(async () => {
  http = await testHttp(app)
  reseller = await newReseller(app, { planId: await newPlan(app, { pulseSeconds: 15, pulsePaisa: 40 }) })
  const planId = await newPlan(app, { owner: reseller, pulseSeconds: 15, pulsePaisa: 50 })
  user = await newUser(app, { parent: reseller, planId, rupees: 100 })
  const wav = await app.files.putBytes(Buffer.from(await (await toneFile('menu.wav', 2)).arrayBuffer()))
  const menuPId = await newPrompt(app, user, { name: 'Menu', category: 'menu', durationMs: 9000 })
  await app.db.updateTable('prompt').set({ wav_hash: wav }).where('id', '=', menuPId).execute()
  const baseId = await newBase(app, user, ['mobile', 'name'])
  const file_hash = await app.files.putBytes(Buffer.from('mobile,name\n9841000001,Ram\n12,Sita\n'))
  await app.db.updateTable('base').set({ file_hash }).where('id', '=', baseId).execute()
  const { cli } = await newLine(app, { holders: [user] })
  body = { campaignName: 'Dashain', templateId: 1, cli, baseId, menuPId, dtmf: '1', menuWaitTime: 1, rePrompt: 0 }
  await app.db
    .transaction()
    .execute((tx) => changeSetting(tx, 'callingHours', { ...defaultCallingHours, enabled: false }, null))
})

async function send(url: string, payload: object, as: Viewer = user) {
  return http.inject({
    method: 'POST',
    url: `/api/obd/campaign/test-call${url}`,
    headers: await signedIn(app, as),
    payload,
  })
}
async function get<Reply>(url: string, as: Viewer = user): Promise<Reply> {
  return (await http.inject({ url: `/api/obd/${url}`, headers: await signedIn(app, as) })).json<Reply>()
}
const begin = async (payload: object, url = '') =>
  (await send(url, { ...body, ...payload })).json<{ testId: number; errors?: { field: string; text: string }[] }>()
const seen = (testId: number) => get<TestCall>(`campaign/test-call/${testId}`)
const stop = async (testId: number) => {
  await send(`/stop/${testId}`, {})
  await app.db.updateTable('campaign').set({ status: 'cancelled' }).where('id', '=', testId).execute()
}

test('numbers, row and what compose refuses are refused by field; nothing is called', async () => {
  const refused = async (fields: object) => (await begin(fields)).errors?.map(({ field, text }) => `${field} ${text}`)
  expect(await refused({ numbers: ['9841000001', '12', 'x'] })).toEqual([
    'numbers.1 is too short',
    'numbers.2 has letters',
  ])
  expect(await refused({ numbers: [] })).toEqual(['numbers is required'])
  expect(await refused({ numbers: Array(6).fill('9841000001') })).toEqual(['numbers has more than 5 numbers'])
  expect(await refused({ numbers: ['9841000001'], menuPId: '', cli: '' })).toEqual([
    'menuPId is required',
    'cli is required',
  ])
  expect(await refused({ numbers: ['9841000001'], cli: '015999999' })).toEqual(['cli is not a caller ID of yours'])
  expect((await refused({ numbers: ['9841000001'], row: 3 }))?.[0]).toMatch(/^row cannot be called: the number/)
  expect(await app.db.selectFrom('campaign').select('id').execute()).toEqual([])
})

test('the same request twice calls once; a third test waits until one is over; nobody else sees or stops it', async () => {
  const headers = { ...(await signedIn(app, user)), 'idempotency-key': 'once' }
  const twice = () =>
    http.inject({
      method: 'POST',
      url: '/api/obd/campaign/test-call',
      headers,
      payload: { ...body, numbers: ['9841000001'] },
    })
  const { testId } = (await twice()).json<{ testId: number }>()
  expect((await twice()).json()).toMatchObject({ testId })
  const { testId: second } = await begin({ numbers: ['9841000001'] })
  const third = await send('', { ...body, numbers: ['9841000001'] })
  expect(third.statusCode).toBe(409)
  for (const viewer of [reseller, await newUser(app, { parent: reseller })]) {
    const status = viewer.role === 'user' ? 404 : 403
    expect((await send(`/stop/${testId}`, {}, viewer)).statusCode).toBe(status)
    expect(await get(`campaign/test-call/${testId}`, viewer)).not.toHaveProperty('calls')
  }
  for (const id of [testId, second]) await stop(id)
})

test('own numbers hear the flow of the campaign that is being composed, are told live and charged, and no list, count, report or notice knows of it', async () => {
  const simulator = createSimulator({ recordFolder: path.join(app.config.dataFolder, 'record'), speed: 20 })
  const dialerSettings = { secret: app.config.secret, mediaFolder: path.join(app.config.dataFolder, 'media') }
  const { files, clock, log } = app
  const common = {
    pool,
    telephony: [simulator],
    files,
    speech: app,
    dialerSettings,
    clock,
    log,
    engineId: 'test',
    timeScale: 0.01,
  }
  const engine = startEngine(common)
  stopDialling = async () => {
    await engine.stop({ drainMs: 0 })
    simulator.close()
  }
  await app.db.insertInto('blacklist').values({ phone: 9_779_841_000_005, owner_id: reseller.userId }).execute()
  // 11 presses 1, 02 does not answer and is not retried, 05 is blacklisted
  const { testId } = await begin({ numbers: ['9841000011', '984-1000002', '9841000005'], row: 2 })
  await expect.poll(async () => (await seen(testId)).isOver, polling).toBe(true)
  const { calls, cost, name } = await seen(testId)
  expect(name).toBe('Test call: Dashain')
  expect(calls.map(({ mobile, disposition, keys }) => `${mobile} ${disposition} ${keys}`)).toEqual([
    '9841000011 ANSWER 1',
    '9841000002 NO ANSWER ',
    '9841000005 DND ',
  ])
  expect(calls[0]?.events.map(({ what }) => what)).toEqual([
    { type: 'dialled' },
    { type: 'ringing' },
    { type: 'answered' },
    { type: 'plays', parts: [{ name: 'menu', says: 'Menu.wav' }] },
    { type: 'key', key: '1', valid: true },
    { type: 'weHangUp' },
    { type: 'ended', byThem: false },
  ])
  expect(cost).toBe(0.5)
  expect(faultsOf(await checkInvariants(pool))).toEqual([])
  expect(await get(`credits/history/${user.userId}`)).toMatchObject([{ credits: -0.5 }, {}])
  expect(JSON.stringify(await get(`credits/history/${user.userId}`))).toContain('Test call: Dashain')
  expect(await get(`campaign/${user.userId}`)).toEqual([])
  for (const what of ['detail', 'attempts', 'answers', 'preview-call'])
    expect(await get(`campaign/${what}/${testId}`), what).toMatchObject({ message: 'No data found' })
  for (const action of ['pause', 'stop', 'retry'])
    expect(
      (
        await http.inject({
          method: 'POST',
          url: `/api/obd/campaign/${action}`,
          headers: await signedIn(app, user),
          payload: { campaignId: testId },
        })
      ).statusCode,
    ).toBe(404)
  expect(await app.db.selectFrom('notice').select('kind').where('subject_id', '=', testId).execute()).toEqual([])
  expect(await app.db.selectFrom('campaign_progress').select('campaign_id').execute()).toEqual([])
})
