import { randomUUID } from 'node:crypto'
import { Flow } from '@ghanti/callflow/flow.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newUser } from '../../testing/seed.ts'
import { newBase, newPrompt } from '../../testing/campaigns.ts'
import { unseal } from '../../lib/secrets.ts'
import { addressPurpose, words } from '../after-call/rules.ts'
import { changeSetting } from '../platform/actions.ts'
import { voiceCampaignHandlers } from '../voice-campaigns/routes.ts'
import { testCallHandlers } from '../test-calls/routes.ts'

const app = await testApp()
let http: FastifyInstance
let reseller: Viewer
let user: Viewer
let headers: { authorization: string }
let body: Record<string, unknown>
const welcomeMs = 31_000
const dayMs = 24 * 3600_000

beforeAll(async () => {
  http = await testHttp(app, { handlers: { voiceCampaigns: voiceCampaignHandlers, testCalls: testCallHandlers } })
  const planId = await newPlan(app, { pulseSeconds: 30, pulsePaisa: 40 })
  reseller = await newReseller(app, { planId })
  const ownPlan = await newPlan(app, { owner: reseller, pulseSeconds: 30, pulsePaisa: 50 })
  user = await newUser(app, { parent: reseller, planId: ownPlan })
  headers = await signedIn(app, user)
  const line = await newLine(app, { holders: [user] })
  body = {
    campaignName: 'x',
    templateId: 0,
    cli: line.cli,
    baseId: await newBase(app, user),
    welcomePId: await newPrompt(app, user, { durationMs: welcomeMs }),
  }
})
beforeEach(() => {
  body = { ...body, campaignName: `Campaign ${randomUUID()}` }
})

const compose = (fields: object, more: object = {}) =>
  http.inject({
    method: 'POST',
    url: '/api/obd/campaign/compose',
    headers: { ...headers, ...more },
    payload: { ...body, ...fields },
  })

async function refused(fields: object): Promise<Record<string, string>> {
  const before = await counts()
  const reply = await compose(fields)
  expect([400, 409]).toContain(reply.statusCode)
  expect(await counts(), 'nothing half made').toEqual(before)
  const { errors } = reply.json<{ errors: FieldError[] }>()
  return Object.fromEntries(errors.map(({ field, text }) => [field, text]))
}

async function counts(): Promise<number[]> {
  const tables = [
    'campaign',
    'campaign_detail',
    'campaign_name',
    'campaign_level',
    'campaign_count',
    'campaign_progress',
  ] as const
  return Promise.all(
    tables.map(async (table) => {
      const rows = app.db.selectFrom(table).select((count) => count.fn.countAll<number>().as('n'))
      return (await rows.executeTakeFirstOrThrow()).n
    }),
  )
}

test('a composed campaign is there with all its parts, processing, its prices frozen', async () => {
  const startAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 30 * dayMs)
  const reply = await compose({
    scheduleTime: nepalTimeOf(startAt),
    retries: 1,
    retryInterval: '15',
    ringSeconds: '30',
  })
  expect(reply.statusCode, reply.body).toBe(200)
  const { campaignId } = reply.json<{ campaignId: number }>()
  const row = (table: 'campaign_detail' | 'campaign_progress' | 'campaign_count') =>
    app.db.selectFrom(table).selectAll().where('campaign_id', '=', campaignId).executeTakeFirstOrThrow()
  const campaign = await app.db
    .selectFrom('campaign')
    .selectAll()
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow()
  expect(campaign).toMatchObject({
    status: 'processing',
    account_id: user.userId,
    retries: 1,
    retry_ms: 900_000,
    ring_seconds: 30,
  })
  expect(campaign.start_at).toEqual(startAt)
  expect(campaign.dial_until).toEqual(new Date(startAt.getTime() + 7 * dayMs))
  expect(campaign.reserve_paisa, 'two pulses of the welcome file').toBe(2 * 50)
  const levels = await app.db
    .selectFrom('campaign_level')
    .select(['level', 'payer_id', 'pulse_paisa'])
    .where('campaign_id', '=', campaignId)
    .orderBy('level')
    .execute()
  expect(levels).toEqual([
    { level: 0, payer_id: user.userId, pulse_paisa: 50 },
    { level: 1, payer_id: reseller.userId, pulse_paisa: 40 },
  ])
  const detail = await row('campaign_detail')
  expect(Flow.parse('flow' in detail && detail.flow)).toMatchObject({
    templateId: 0,
    opening: [{ promptId: body['welcomePId'], durationMs: welcomeMs }],
  })
  expect(await row('campaign_progress')).toMatchObject({ status: 'processing', name: body['campaignName'] })
  expect(await row('campaign_count')).toMatchObject({ slot: 0, attempts: 0 })
  const shown = await http.inject({ url: `/api/obd/campaign/detail/${campaignId}`, headers })
  expect(shown.json()).toMatchObject({
    campaignStatus: 21,
    scheduleTime: nepalTimeOf(startAt),
    composed: { ...body, retries: 1, retryInterval: 15 },
    prompts: [{ role: 'welcome', promptId: body['welcomePId'] }],
  })
})

test('without a time it starts now; no balance is needed', async () => {
  const now = new Date('2026-11-20T06:15:30Z')
  app.clock.set(now)
  const { campaignId } = (await compose({ scheduleTime: '' })).json<{ campaignId: number }>()
  const list = await http.inject({
    url: `/api/obd/campaign/${user.userId}?page=1&pageSize=10&search=${encodeURIComponent(String(body['campaignName']).toUpperCase())}`,
    headers,
  })
  expect(list.json()).toMatchObject([
    { campaignId, scheduleTime: '2026-11-20 12:00:30', campaignStatus: 21, isRetry: 0 },
  ])
})

test('call patch reserves both legs; its agents are stored as they are dialled', async () => {
  const menuPId = await newPrompt(app, user, { durationMs: 4000 })
  const agentRows = [{ agentNumber: '9801-234567', agentDtmf: '1' }]
  const reply = await compose({ templateId: 2, menuPId, menuWaitTime: 5, rePrompt: 0, agentRows, welcomePId: '' })
  const { campaignId } = reply.json<{ campaignId: number }>()
  const { flow, reserve_paisa } = await app.db
    .selectFrom('campaign_detail')
    .innerJoin('campaign', 'campaign.id', 'campaign_id')
    .select(['flow', 'reserve_paisa'])
    .where('campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  expect(Flow.parse(flow).menus[0]?.keys).toEqual([{ digit: '1', action: { type: 'agent', number: '+9779801234567' } }])
  expect(reserve_paisa, 'a menu of 4 s, 5 s of silence, 25 s of ringing: two pulses a leg').toBe(2 * 2 * 50)
})

const menusOf = (promptIds: readonly unknown[]) =>
  promptIds.map((promptId, index) => ({ promptId, dtmf: index % 2 === 0 && index < 4 ? '1|2|3' : '2|1' }))

test('consultancy is composed of five menus; what was sent is kept for Duplicate', async () => {
  const promptIds = await Promise.all(Array.from({ length: 5 }, () => newPrompt(app, user, { durationMs: 4000 })))
  const sent = { menuWaitTime: 4, rePrompt: 0, prompts: { menus: menusOf(promptIds) } }
  const reply = await compose({
    templateId: 8,
    templateName: 'consultancy',
    ...sent,
    prompts: JSON.stringify(sent.prompts),
  })
  expect(reply.statusCode, reply.body).toBe(200)
  const { campaignId } = reply.json<{ campaignId: number }>()
  const { flow } = await app.db
    .selectFrom('campaign_detail')
    .select('flow')
    .where('campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  const { menus } = Flow.parse(flow)
  expect(menus.map(({ name, ask }) => [name, ask])).toMatchObject(
    promptIds.map((promptId, index) => [`menu${index + 1}`, [{ name: `menu${index + 1}`, promptId }]]),
  )
  expect(menus.map(({ keys }) => keys.map(({ digit }) => digit).join(''))).toEqual(['123', '12', '123', '12', '12'])
  const shown = await http.inject({ url: `/api/obd/campaign/detail/${campaignId}`, headers })
  expect(shown.json()).toMatchObject({
    composed: { templateId: 8, ...sent },
    prompts: ['welcome', 'menu1', 'menu2', 'menu3', 'menu4', 'menu5'].map((role) => ({ role })),
  })
})

test('each wrong prompt of several is named by its place', async () => {
  const own = await newPrompt(app, user)
  const foreign = await newPrompt(app, await newUser(app))
  const pending = await newPrompt(app, user, { status: 'pending' })
  const menus = menusOf([own, foreign, pending, 2_000_000_000, own])
  const fields = { templateId: 8, templateName: 'auto1', menuWaitTime: 4, rePrompt: 0, prompts: { menus } }
  expect(await refused(fields)).toMatchObject({
    templateName: 'is not the name of template 8',
    'prompts.menus.1.promptId': 'is not one of your voice files',
    'prompts.menus.2.promptId': expect.stringContaining('only approved files'),
    'prompts.menus.3.promptId': 'is not one of your voice files',
  })
})

test('an agent on a blacklist is refused with its row, whoever keeps the list, when everything else is right', async () => {
  const menuPId = await newPrompt(app, user)
  const row = (agentNumber: string, agentDtmf: string) => ({ agentNumber, agentDtmf })
  const patch = { templateId: 2, menuPId, menuWaitTime: 5, rePrompt: 0, welcomePId: '' }
  const platform = await app.db.selectFrom('account').select('id').where('kind', '=', 'mint').executeTakeFirstOrThrow()
  const list = (owner_id: number, phone: number) => app.db.insertInto('blacklist').values({ owner_id, phone }).execute()
  await list(user.userId, 9779801230001)
  await list(reseller.userId, 9779801230002)
  await list(platform.id, 9779801230003)
  const stranger = await newUser(app, { parent: reseller })
  await list(stranger.userId, 9779801230004)
  const listed = [row('9801230001', '1'), row('', ''), row('+977 9801230002', '2'), row('9801230003', '3')]
  const agentRows = [...listed, row('9801230004', '4')]
  const named = {
    'agentRows.0.agentNumber': "'9801230001' is on a blacklist",
    'agentRows.2.agentNumber': "'9801230002' is on a blacklist",
    'agentRows.3.agentNumber': "'9801230003' is on a blacklist",
  }
  expect(await refused({ ...patch, agentRows })).toEqual(named)
  expect(await refused({ ...patch, agentRows, campaignName: '' }), 'nothing is learnt for nothing').toEqual({
    campaignName: 'is required',
  })
  const test = { ...body, ...patch, agentRows, numbers: ['9841000001'] }
  const tested = await http.inject({ method: 'POST', url: '/api/obd/campaign/test-call', headers, payload: test })
  expect(tested.json<{ errors: FieldError[] }>().errors.map(({ field }) => field)).toEqual(Object.keys(named))
  const other = { ...patch, agentRows: [row('9801230004', '4')], campaignName: `Campaign ${randomUUID()}` }
  expect((await compose(other)).statusCode, 'a stranger’s list').toBe(200)
  expect(await refused({ ...patch, agentRows }), 'asked about within the minute').toEqual(named)
})

test('each new agent counts as a check, listed or not, twenty a minute; the account’s usual agents do not', async () => {
  const planId = await newPlan(app, { owner: reseller, pulseSeconds: 30, pulsePaisa: 50 })
  const asking = await newUser(app, { parent: reseller, planId })
  const { cli } = await newLine(app, { holders: [asking] })
  const [baseId, menuPId] = [await newBase(app, asking), await newPrompt(app, asking)]
  const patch = { cli, baseId, menuPId, welcomePId: '', templateId: 2, menuWaitTime: 5, rePrompt: 0 }
  const rows = (from: number, n: number) =>
    Array.from('0123456789*'.slice(0, n), (agentDtmf, i) => ({ agentNumber: `${9802200000 + from + i}`, agentDtmf }))
  const composing = async (agentRows: unknown) =>
    (await compose({ ...patch, agentRows, campaignName: randomUUID() }, await signedIn(app, asking))).statusCode
  for (let n = 0; n < 5; n++) expect(await composing(rows(0, 11)), 'eleven at once, again and again').toBe(200)
  expect([await composing(rows(20, 9)), await composing(rows(40, 1))]).toEqual([200, 429])
})

test.each([
  [3, 'must have the columns date, token'],
  [4, 'must have the column date'],
  [5, 'must have the columns date1, date2, date3'],
  [6, 'must have the columns amount, date'],
  [7, 'must have the columns client_name, service_name, amount, month'],
])('template %i refuses a file that has the number alone, and no prompts', async (templateId, lacks) => {
  expect(await refused({ templateId })).toMatchObject({ baseId: lacks, prompts: 'is required' })
})

const place = 'must have {PHONE} in the place of the number, behind its host'
const secretAddress = 'https://sms.example.com/send?key=s3cret&to={PHONE}'

test.each([
  [{ smsSuccessApi: 'https://sms.example.com/send' }, { smsSuccessApi: place }],
  [{ smsFailApi: 'sms.example.com/{PHONE}' }, { smsFailApi: 'must begin with http:// or https://' }],
  [{ callDurationSMS: 61 }, { callDurationSMS: 'must be a whole number from 0 to 60' }],
  [
    { smsSuccessApi: secretAddress, smsDtmfApi: secretAddress },
    { smsSuccessApi: words.demo, smsDtmfApi: words.noKeys },
  ],
  [{ smsFailApi: secretAddress, smsFailText: 'We called you.' }, { smsFailApi: words.both }],
])('an option of messages after the call that cannot be used is refused by name: %j', async (asked, errors) => {
  expect(await refused(asked)).toMatchObject(errors)
})

test('the addresses of a campaign are sealed, and everybody, its owner too, sees their hosts alone', async () => {
  await app.db.transaction().execute((tx) => changeSetting(tx, 'smsAddressHosts', ['127.0.0.1:8080'], null))
  const smsSuccessApi = 'http://127.0.0.1:8080/send?key=s3cret&to={PHONE}'
  const reply = await compose({ smsSuccessApi, smsFailApi: smsSuccessApi, callDurationSMS: '50' })
  expect(reply.statusCode, reply.body).toBe(200)
  const { campaignId } = reply.json<{ campaignId: number }>()
  const options = await app.db
    .selectFrom('after_call_option')
    .select(['occasion', 'host', 'answered_ms', 'address_sealed'])
    .where('campaign_id', '=', campaignId)
    .orderBy('occasion')
    .execute()
  expect(options).toMatchObject([
    { occasion: 'success', host: '127.0.0.1:8080', answered_ms: 50_000 },
    { occasion: 'fail', host: '127.0.0.1:8080', answered_ms: 0 },
  ])
  for (const { address_sealed: sealed } of options)
    expect(unseal(app.config.secret, addressPurpose, sealed ?? '')).toBe(smsSuccessApi)
  const shown = await http.inject({ url: `/api/obd/campaign/detail/${campaignId}`, headers })
  expect(shown.json()).toMatchObject({
    composed: { smsSuccessApi: '127.0.0.1:8080/…', smsFailApi: '127.0.0.1:8080/…', callDurationSMS: 50 },
    sms: [
      { occasion: 'success', host: '127.0.0.1:8080', waiting: 0, sent: 0 },
      { occasion: 'fail', host: '127.0.0.1:8080' },
    ],
  })
  const { rows } = await sql<{ all: string }>`
    select (select jsonb_agg(d) from campaign_detail d)::text || (select jsonb_agg(l) from audit_log l)::text as all`.execute(
    app.db,
  )
  expect(shown.body + rows[0]?.all).not.toContain('s3cret')
})

test('options of messages that ask for none are taken: empty, absent, 0', async () => {
  const none = { smsSuccessApi: '', smsFailApi: '', smsDtmfApi: null }
  for (const callDurationSMS of [0, '0', '', null])
    expect((await compose({ ...none, callDurationSMS, campaignName: randomUUID() })).statusCode).toBe(200)
})

test('a campaign that was composed before messages were sent shows the hosts of its addresses, and sends nothing', async () => {
  const { campaignId } = (await compose({})).json<{ campaignId: number }>()
  const sms = { successSeconds: 5, success: { host: 'sms.example.com', address: 'sealed' } }
  await app.db
    .updateTable('campaign_detail')
    .set({ sms: JSON.stringify(sms) })
    .where('campaign_id', '=', campaignId)
    .execute()
  const shown = await http.inject({ url: `/api/obd/campaign/detail/${campaignId}`, headers })
  expect(shown.json()).toMatchObject({ composed: { smsSuccessApi: 'sms.example.com/…' }, sms: [] })
  expect(shown.body).not.toContain('sealed')
})

test('everything that is wrong is named at once', async () => {
  const other = await newUser(app)
  const foreignBase = await newBase(app, other)
  const foreignCli = (await newLine(app, { holders: [other] })).cli
  const pending = await newPrompt(app, user, { status: 'pending' })
  const errors = await refused({
    cli: foreignCli,
    baseId: foreignBase,
    welcomePId: pending,
    scheduleTime: '2020-01-01 10:00:00',
  })
  expect(errors).toMatchObject({
    cli: 'is not a caller ID of yours',
    baseId: 'is not a contact file of yours',
    welcomePId: expect.stringContaining('only approved files'),
    scheduleTime: 'must not be in the past',
  })
})

test.each([
  [{ campaignName: '' }, { campaignName: 'is required' }],
  [{ templateId: null }, { templateId: 'is required' }],
  [{ cli: '' }, { cli: 'is required' }],
  [{ welcomePId: '' }, { welcomePId: 'is required' }],
  [{ retries: 6 }, { retries: 'must be a whole number from 0 to 5' }],
  [{ retryInterval: 0 }, { retryInterval: 'must be a whole number from 1 to 1440' }],
  [{ channels: 1001 }, { channels: 'must be a whole number from 1 to 1000' }],
  [{ scheduleTime: '2026-02-30 10:00:00' }, { scheduleTime: 'is not a time of the calendar' }],
  [
    { templateId: 2, agentRows: [] },
    { agentRows: 'Please add Agent Row', menuPId: 'is required' },
  ],
])('refused: %j', async (fields, errors) => expect(await refused(fields)).toMatchObject(errors))

test('an inactive CLI, another’s prompt, a user without a plan: refused with the field', async () => {
  const line = await newLine(app, { holders: [user] })
  await app.db.updateTable('cli').set({ trunk_id: null }).where('id', '=', line.cliId).execute()
  const foreign = await newPrompt(app, await newUser(app))
  expect(await refused({ cli: line.cli, welcomePId: foreign })).toMatchObject({
    cli: 'is inactive: it has no trunk',
    welcomePId: 'is not one of your voice files',
  })
  const planless = await newUser(app, { parent: reseller })
  const reply = await http.inject({
    method: 'POST',
    url: '/api/obd/campaign/compose',
    headers: await signedIn(app, planless),
    payload: body,
  })
  expect(reply.json<{ errors: FieldError[] }>().errors.map(({ field }) => field)).toContain('plan')
})

test('twenty campaigns of one name are composed at once, and one is made, whatever the case of its letters', async () => {
  const name = `Dashain ${randomUUID()}`
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => compose({ campaignName: n % 2 ? name : name.toUpperCase() })),
  )
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
  expect(replies.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
    message: 'Request Failed!! Please try again',
    errors: [{ field: 'campaignName', code: 'taken' }],
  })
})

test('the same key composes once', async () => {
  const key = { 'idempotency-key': randomUUID() }
  const first = await compose({}, key)
  const again = await compose({}, key)
  expect(again.json()).toEqual(first.json())
  expect((await compose({ retries: 0 }, key)).statusCode).toBe(422)
})
