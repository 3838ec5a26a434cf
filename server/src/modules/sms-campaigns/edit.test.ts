import { randomUUID } from 'node:crypto'
import type { SmsPreview } from '@ghanti/contract/sms-compose.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { CampaignStatus } from '../../db/tables.ts'
import type { FieldError } from '../../errors.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newBase, newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newPlan, newReseller, newUser } from '../../testing/seed.ts'
import { newSender } from '../../testing/sms-campaigns.ts'

const app = await testApp()
let http: FastifyInstance
let user: Viewer
let headers: { authorization: string }
let baseId: number
let campaignId: number
const hourMs = 3600_000
const began = Date.now()
const inHours = (hours: number) => nepalTimeOf(new Date(began + hours * hourMs))

beforeAll(async () => {
  http = await testHttp(app)
  const planId = await newPlan(app)
  const reseller = await newReseller(app, { planId, rupees: 1000 })
  user = await newUser(app, { parent: reseller, planId, rupees: 1000 })
  headers = await signedIn(app, user)
  await newSender(app, user)
  baseId = await newBase(app, user)
})
beforeEach(async () => {
  campaignId = await compose({ scheduleTime: inHours(24) })
})

const post = (path: string, payload: object, as = headers) =>
  http.inject({ method: 'POST', url: `/app/sms/campaign${path}`, headers: as, payload })
const body = (fields: object) => ({
  campaignName: `Notice ${randomUUID()}`,
  templateId: 0,
  cli: 'GHANTI',
  smsText: 'Hello',
  baseId,
  ...fields,
})
async function compose(fields: object): Promise<number> {
  const reply = await post('', body(fields))
  expect(reply.body).toContain('Success')
  return reply.json<{ campaignId: number }>().campaignId
}
const edit = (fields: object, as = headers) => post('/edit', { campaignId, ...fields }, as)
const errorsOf = (reply: Awaited<ReturnType<typeof edit>>) =>
  Object.fromEntries(reply.json<{ errors: FieldError[] }>().errors.map(({ field, text }) => [field, text]))
async function refused(fields: object): Promise<Record<string, string>> {
  const before = await stored()
  const reply = await edit(fields)
  expect([400, 409]).toContain(reply.statusCode)
  expect(await stored(), 'nothing half done').toEqual(before)
  return errorsOf(reply)
}
const stored = () =>
  app.db
    .selectFrom('sms_campaign as c')
    .innerJoin('sms_campaign_detail as d', 'd.campaign_id', 'c.id')
    .innerJoin('sms_campaign_progress as p', 'p.campaign_id', 'c.id')
    .innerJoin('sms_campaign_name as n', 'n.campaign_id', 'c.id')
    .select(['c.status', 'c.start_at', 'c.send_until', 'c.not_after', 'd.name', 'd.composed'])
    .select(['p.name as shownName', 'p.start_at as shownStart', 'n.name_key'])
    .where('c.id', '=', campaignId)
    .executeTakeFirstOrThrow()
const moves = (status: CampaignStatus) =>
  app.db.updateTable('sms_campaign').set({ status }).where('id', '=', campaignId).execute()
/** The id of the campaign's stored contact file. */
async function storedBase(): Promise<number> {
  const detail = app.db.selectFrom('sms_campaign_detail').select('base_id').where('campaign_id', '=', campaignId)
  return Number((await detail.executeTakeFirstOrThrow()).base_id)
}
const shown = async () =>
  (await http.inject({ url: `/app/sms/campaign/summary/${campaignId}`, headers })).json<Record<string, unknown>>()

test('an SMS campaign that has not begun takes another time, end and name, with an audit line; lists show them', async () => {
  const [start, end] = [inHours(48), inHours(50)]
  const campaignName = `Moved ${randomUUID()}`
  expect((await edit({ campaignName, scheduleTime: start, notAfter: end })).json()).toEqual({ message: 'Success' })
  const row = await stored()
  expect(row).toMatchObject({
    not_after: true,
    name: campaignName,
    shownName: campaignName,
    name_key: campaignName.toLowerCase(),
    composed: { campaignName, smsText: 'Hello', baseId },
  })
  expect([row.start_at, row.shownStart, row.send_until].map(nepalTimeOf)).toEqual([start, start, end])
  expect(await shown()).toMatchObject({ notAfter: true, sendUntil: end, scheduleTime: start, campaignName })
  const line = await app.db
    .selectFrom('audit_log')
    .select(['actor_id', 'detail'])
    .where('action', '=', 'sms.edit')
    .where('target', '=', `sms campaign ${campaignId}`)
    .executeTakeFirstOrThrow()
  expect(line).toMatchObject({
    actor_id: user.userId,
    detail: { scheduleTime: start, notAfter: end, before: inHours(24) },
  })
})

test('an end of its own moves with the start, and goes with none', async () => {
  await edit({ scheduleTime: inHours(30), notAfter: inHours(33) })
  await edit({ scheduleTime: inHours(54) })
  expect(nepalTimeOf((await stored()).send_until)).toBe(inHours(57))
  await edit({ notAfter: 'none' })
  const row = await stored()
  expect(row.not_after).toBe(false)
  expect(row.send_until.getTime() - row.start_at.getTime()).toBeGreaterThan(24 * hourMs)
})

test('compose and its preview take an end, too', async () => {
  const ends = { scheduleTime: inHours(5), notAfter: inHours(6) }
  campaignId = await compose({ ...ends, baseId: undefined, contactList: '9841000001' })
  expect(await shown()).toMatchObject({ notAfter: true, sendUntil: ends.notAfter })
  const preview = (await post('/preview', body({ ...ends, baseId: await storedBase() }))).json<SmsPreview>()
  expect(preview.estimate?.sendUntil).toBe(ends.notAfter)
  const late = await post('', body({ ...ends, notAfter: ends.scheduleTime }))
  expect(errorsOf(late)).toEqual({ notAfter: 'must be after the start' })
})

test.each([
  {
    why: 'a time that is past',
    fields: { scheduleTime: inHours(-1) },
    is: { scheduleTime: 'must not be in the past' },
  },
  {
    why: '31 February',
    fields: { scheduleTime: '2027-02-31 10:00:00' },
    is: { scheduleTime: 'is not a time of the calendar' },
  },
  { why: 'an end before the start', fields: { notAfter: inHours(23) }, is: { notAfter: 'must be after the start' } },
  {
    why: 'an end after the last day',
    fields: { notAfter: inHours(24 * 300) },
    is: { notAfter: 'is after the last day on which the campaign may send' },
  },
])('refused, and nothing is changed: $why', async ({ fields, is }) => {
  expect(await refused(fields)).toEqual(is)
})

test('another campaign’s name is refused, its own in other letters is not', async () => {
  const campaignName = `Taken ${randomUUID()}`
  await compose({ campaignName })
  expect(Object.keys(await refused({ campaignName: campaignName.toUpperCase() }))).toEqual(['campaignName'])
  const { name } = await stored()
  expect((await edit({ campaignName: name.toUpperCase() })).statusCode).toBe(200)
})

test('the checks of compose are made again: a sender ID that was rejected since', async () => {
  const sender = () => app.db.updateTable('sms_sender').where('account_id', '=', user.userId)
  await sender().set({ status: 'rejected', reason: 'not yours', operators: [] }).execute()
  expect(Object.keys(await refused({ scheduleTime: inHours(30) }))).toEqual(['cli'])
  await sender()
    .set({ status: 'approved', reason: null, operators: [0, 1, 2, 3] })
    .execute()
})

test('strangers and administrators find nothing to change', async () => {
  for (const stranger of [await newUser(app), await newReseller(app)]) {
    const reply = await edit({ scheduleTime: inHours(30) }, await signedIn(app, stranger))
    expect([403, 404]).toContain(reply.statusCode)
  }
  expect(nepalTimeOf((await stored()).start_at)).toBe(inHours(24))
})

test.each(['running', 'pausing', 'paused', 'complete', 'cancelled'] as const)(
  'once %s it refuses, and says why',
  async (status) => {
    await moves(status)
    const { campaignId: why } = await refused({ scheduleTime: inHours(30) })
    expect(why).toMatch(/^is .+, only Processing, Ready can be changed$/)
  },
)

test('an edit that waits for the engine’s start refuses when the campaign has begun', async () => {
  await moves('ready')
  const engine = await app.db.startTransaction().execute()
  await engine.updateTable('sms_campaign').set({ status: 'running' }).where('id', '=', campaignId).execute()
  const asked = edit({ scheduleTime: inHours(30) })
  await new Promise((resolve) => setTimeout(resolve, 200))
  await engine.commit().execute()
  const reply = await asked
  expect([reply.statusCode, errorsOf(reply)]).toEqual([
    409,
    { campaignId: 'is Running, only Processing, Ready can be changed' },
  ])
  expect(nepalTimeOf((await stored()).start_at)).toBe(inHours(24))
})

test('messages after calls are changed with their calls, not by themselves', async () => {
  const call_campaign_id = await newCampaign(app, user, { status: 'ready' })
  await app.db.updateTable('sms_campaign').set({ call_campaign_id }).where('id', '=', campaignId).execute()
  expect(await refused({ scheduleTime: inHours(30) })).toEqual({
    campaignId: 'follows the calls of its campaign: change that one, and its messages move with it',
  })
})
