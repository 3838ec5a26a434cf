import { randomUUID } from 'node:crypto'
import { setupsMax, type SetupRow } from '@ghanti/contract/setups.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newBase, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newUser } from '../../testing/seed.ts'
import { taken, tooMany } from './rules.ts'

const app = await testApp()
let http: FastifyInstance
let user: Viewer
let fields: Record<string, unknown>
let promptId: number
let baseId: number
let cli: string

beforeAll(async () => {
  http = await testHttp(app)
})
beforeEach(async () => {
  const reseller = await newReseller(app, { planId: await newPlan(app, { pulseSeconds: 30, pulsePaisa: 40 }) })
  user = await newUser(app, { parent: reseller, planId: await newPlan(app, { owner: reseller }) })
  ;({ cli } = await newLine(app, { holders: [user] }))
  promptId = await newPrompt(app, user)
  baseId = await newBase(app, user)
  fields = { templateId: 0, cli, welcomePId: promptId, retries: 3 }
})

async function post(path: string, payload: object, viewer = user) {
  return await http.inject({ method: 'POST', url: `/api/obd${path}`, headers: await signedIn(app, viewer), payload })
}
async function saved(payload: object = {}): Promise<number> {
  const reply = await post('/setups', { setupName: `Set-up ${randomUUID()}`, ...fields, ...payload })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ setupId: number }>().setupId
}
async function get(path = '', viewer = user) {
  return await http.inject({ url: `/api/obd/setups${path}`, headers: await signedIn(app, viewer) })
}
const names = async () => (await get()).json<SetupRow[]>().map(({ setupName }) => setupName)
const refused = (reply: Awaited<ReturnType<typeof post>>) => [
  reply.statusCode,
  ...reply.json<{ errors: FieldError[] }>().errors.map(({ field, text }) => `${field} ${text}`),
]

test('a set-up holds what compose holds, and is listed, renamed and deleted by its owner alone', async () => {
  const setupId = await saved({ setupName: 'Dues', baseId, smsCli: undefined, dtmf: '', templateName: undefined })
  expect((await get()).json()).toMatchObject([
    { setupId, setupName: 'Dues', templateId: 0, cli, baseName: expect.any(String) },
  ])
  const composed = { templateId: 0, cli, welcomePId: promptId, retries: 3, baseId }
  expect((await get(`/${setupId}`)).json()).toMatchObject({ setupId, setupName: 'Dues', composed, gone: [] })
  const other = await newUser(app)
  expect((await get(`/${setupId}`, other)).statusCode).toBe(404)
  expect((await post('/setups/rename', { setupId, setupName: 'Mine' }, other)).statusCode).toBe(404)
  expect((await post('/setups/rename', { setupId, setupName: 'Monthly dues' })).statusCode).toBe(200)
  expect(await names()).toEqual(['Monthly dues'])
  const gone = { method: 'DELETE', url: `/api/obd/setups/${setupId}` } as const
  expect((await http.inject({ ...gone, headers: await signedIn(app, other) })).statusCode).toBe(404)
  expect((await http.inject({ ...gone, headers: await signedIn(app, user) })).statusCode).toBe(200)
  expect(await names()).toEqual([])
  const lines = await app.db
    .selectFrom('audit_log')
    .select('action')
    .where('actor_id', '=', user.userId)
    .orderBy('id')
    .execute()
  expect(lines.map(({ action }) => action)).toEqual(['setup.save', 'setup.rename', 'setup.delete'])
})

test('an incomplete form can be saved, and neither a name nor a time nor an address with its password is kept', async () => {
  const secret = { smsSuccessApi: 'https://sms.example.com/?password=green', callDurationSMS: 5 }
  const setupId = await saved({
    templateId: '',
    cli: '',
    welcomePId: '',
    campaignName: 'x',
    scheduleTime: '2030-01-01 10:00:00',
    ...secret,
  })
  const { composed } = (await get(`/${setupId}`)).json<{ composed: object }>()
  expect(composed).not.toHaveProperty('campaignName')
  expect(composed).not.toHaveProperty('scheduleTime')
  const stored = await app.db.selectFrom('setup').select('fields').where('id', '=', setupId).executeTakeFirstOrThrow()
  expect(JSON.stringify(stored.fields)).not.toContain('green')
})

test('a campaign’s set-up has what it was composed of, with its stored contact file when that is asked for', async () => {
  const reply = await post('/campaign/compose', { ...fields, baseId, campaignName: 'Of June' })
  const { campaignId } = reply.json<{ campaignId: number }>()
  const from = async (payload: object) => {
    const answer = await post('/setups/from', { campaignId, setupName: `Set-up ${randomUUID()}`, ...payload })
    expect(answer.statusCode, answer.body).toBe(200)
    const { setupId } = answer.json<{ setupId: number }>()
    return (await get(`/${setupId}`)).json<{ composed: Record<string, unknown> }>().composed
  }
  const bare = await from({})
  expect(bare).toMatchObject({ templateId: 0, cli, welcomePId: promptId, retries: 3 })
  expect(bare).not.toHaveProperty('baseId')
  expect(await from({ withContacts: true })).toMatchObject({ baseId })
  expect((await post('/setups/from', { campaignId, setupName: 'x' }, await newUser(app))).statusCode).toBe(404)
})

test('what is gone since is said by name', async () => {
  const setupId = await saved({ baseId })
  const { name: prompt } = await app.db
    .selectFrom('prompt')
    .select('name')
    .where('id', '=', promptId)
    .executeTakeFirstOrThrow()
  const { name: base } = await app.db
    .selectFrom('base')
    .select('name')
    .where('id', '=', baseId)
    .executeTakeFirstOrThrow()
  await app.db.updateTable('prompt').set({ deleted_at: new Date() }).where('id', '=', promptId).execute()
  await app.db.updateTable('base').set({ deleted_at: new Date() }).where('id', '=', baseId).execute()
  await app.db.deleteFrom('cli_holder').where('account_id', '=', user.userId).execute()
  const { composed, gone } = (await get(`/${setupId}`)).json<{ composed: object; gone: unknown }>()
  expect(gone).toEqual([
    { what: 'voiceFile', name: prompt },
    { what: 'cli', name: cli },
    { what: 'contacts', name: base },
  ])
  expect(composed).not.toHaveProperty('cli')
  expect(composed).not.toHaveProperty('baseId')
  expect((await get()).json()).toMatchObject([{ baseName: null }])
})

test('what cannot be read any more of one set-up is left out and said by field, and the list shows them all', async () => {
  const setupId = await saved({ setupName: 'Broken', baseId })
  await saved({ setupName: 'Sound' })
  await app.db
    .updateTable('setup')
    .set({ fields: sql`fields || '{"templateId": "gone", "baseId": "9e99", "channels": 5000}'` })
    .where('id', '=', setupId)
    .execute()
  const rows = (await get()).json<SetupRow[]>()
  expect(rows.map(({ setupName, templateId, baseName }) => [setupName, templateId, baseName])).toEqual([
    ['Broken', null, null],
    ['Sound', 0, null],
  ])
  const reply = await get(`/${setupId}`)
  expect(reply.statusCode, reply.body).toBe(200)
  const { composed, faults } = reply.json<{ composed: object; faults: { field: string; text: string }[] }>()
  expect(composed).toMatchObject({ cli, welcomePId: promptId, retries: 3 })
  for (const field of ['templateId', 'baseId']) expect(composed).not.toHaveProperty(field)
  expect(faults.map(({ field, text }) => `${field} ${text}`).toSorted()).toEqual([
    'baseId must be a number',
    'channels must be a whole number from 1 to 1000',
    'templateId must be a whole number from 0 to 8',
  ])
})

test('other people’s voice files, caller IDs and contact files are refused, each at its field', async () => {
  const stranger = await newUser(app)
  const { cli: strange } = await newLine(app, { holders: [stranger] })
  const theirs = { cli: strange, baseId: await newBase(app, stranger), welcomePId: await newPrompt(app, stranger) }
  expect(refused(await post('/setups', { setupName: 'x', templateId: 0, ...theirs }))).toEqual([
    400,
    'welcomePId is not one of your voice files',
    'cli is not a caller ID of yours',
    'baseId is not a contact file of yours',
  ])
  expect(await names()).toEqual([])
})

test('a name is there once, however its letters are written', async () => {
  const setupId = await saved({ setupName: 'Dues' })
  const other = await saved({ setupName: 'Other' })
  expect(refused(await post('/setups', { ...fields, setupName: 'DUES' }))).toEqual([409, `setupName ${taken}`])
  expect(refused(await post('/setups/rename', { setupId: other, setupName: 'dues' }))).toEqual([
    409,
    `setupName ${taken}`,
  ])
  expect((await post('/setups/rename', { setupId, setupName: 'dues' })).statusCode).toBe(200)
})

test('an account has at most a hundred set-ups, also of requests that come at once', async () => {
  const rows = Array.from({ length: setupsMax - 2 }, (_, n) => ({
    account_id: user.userId,
    name: `S ${n}`,
    fields: '{}',
  }))
  await app.db.insertInto('setup').values(rows).execute()
  const replies = await Promise.all([1, 2, 3, 4, 5].map((n) => post('/setups', { setupName: `At once ${n}` })))
  const over = replies.filter(({ statusCode }) => statusCode !== 200)
  expect(over).toHaveLength(3)
  for (const reply of over) expect(refused(reply)).toEqual([409, `setupName ${tooMany}`])
  expect(await names()).toHaveLength(setupsMax)
})
