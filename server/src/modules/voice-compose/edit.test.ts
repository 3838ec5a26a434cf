import { randomUUID } from 'node:crypto'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { CampaignStatus } from '../../db/tables.ts'
import type { FieldError } from '../../errors.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newBase, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newUser } from '../../testing/seed.ts'
import { voiceCampaignHandlers } from '../voice-campaigns/routes.ts'

const app = await testApp()
let http: FastifyInstance
let user: Viewer
let headers: { authorization: string }
let body: Record<string, unknown>
let welcomePId: number
let campaignId: number
const hourMs = 3600_000
const began = Date.now()
const inHours = (hours: number) => nepalTimeOf(new Date(began + hours * hourMs))

beforeAll(async () => {
  http = await testHttp(app, { handlers: { voiceCampaigns: voiceCampaignHandlers } })
  const reseller = await newReseller(app, { planId: await newPlan(app, { pulseSeconds: 30, pulsePaisa: 40 }) })
  user = await newUser(app, { parent: reseller, planId: await newPlan(app, { owner: reseller }) })
  headers = await signedIn(app, user)
  const { cli } = await newLine(app, { holders: [user] })
  body = { templateId: 0, cli, baseId: await newBase(app, user) }
})
beforeEach(async () => {
  welcomePId = await newPrompt(app, user)
  campaignId = await compose({ scheduleTime: inHours(24) })
})

const post = (action: string, payload: object, as = headers) =>
  http.inject({ method: 'POST', url: `/api/obd/campaign/${action}`, headers: as, payload })
async function compose(fields: object): Promise<number> {
  const reply = await post('compose', { ...body, welcomePId, campaignName: `Campaign ${randomUUID()}`, ...fields })
  expect(reply.body).toContain('Success')
  return reply.json<{ campaignId: number }>().campaignId
}
const edit = (fields: object, as = headers) => post('edit', { campaignId, ...fields }, as)
async function refused(fields: object): Promise<Record<string, string>> {
  const before = await stored()
  const reply = await edit(fields)
  expect([400, 409]).toContain(reply.statusCode)
  expect(await stored(), 'nothing half done').toEqual(before)
  return Object.fromEntries(reply.json<{ errors: FieldError[] }>().errors.map(({ field, text }) => [field, text]))
}
const stored = () =>
  app.db
    .selectFrom('campaign as c')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'c.id')
    .innerJoin('campaign_progress as p', 'p.campaign_id', 'c.id')
    .innerJoin('campaign_name as n', 'n.campaign_id', 'c.id')
    .select(['c.status', 'c.start_at', 'c.dial_until', 'c.not_after', 'c.retries', 'c.retry_ms', 'c.channels'])
    .select(['c.ring_seconds', 'd.name', 'd.composed', 'p.name as shownName', 'p.start_at as shownStart', 'n.name_key'])
    .where('c.id', '=', campaignId)
    .executeTakeFirstOrThrow()
const moves = (status: CampaignStatus) =>
  app.db.updateTable('campaign').set({ status }).where('id', '=', campaignId).execute()
const shown = async () => {
  const reply = await http.inject({ method: 'GET', url: `/api/obd/campaign/detail/${campaignId}`, headers })
  return reply.json<{ dialUntil: string; notAfter: boolean }>()
}

test('a campaign that has not begun takes another time, end, name and retries, with an audit line; lists show them', async () => {
  const [start, end] = [inHours(48), inHours(50)]
  const reply = await edit({
    campaignName: 'Moved',
    scheduleTime: start,
    notAfter: end,
    retries: 1,
    retryInterval: 20,
    channels: 7,
    ringSeconds: 25,
  })
  expect(reply.statusCode).toBe(200)
  expect(reply.json()).toMatchObject({
    message: 'Success',
    start: expect.objectContaining({ reasons: expect.anything() }),
  })
  const row = await stored()
  expect(row).toMatchObject({
    not_after: true,
    retries: 1,
    retry_ms: 20 * 60_000,
    channels: 7,
    ring_seconds: 25,
    name: 'Moved',
    shownName: 'Moved',
    name_key: 'moved',
    composed: expect.objectContaining({ campaignName: 'Moved', retries: 1, ringSeconds: 25, welcomePId }),
  })
  expect([row.start_at, row.shownStart, row.dial_until].map(nepalTimeOf)).toEqual([start, start, end])
  expect(await shown()).toMatchObject({ notAfter: true, dialUntil: end })
  const line = await app.db
    .selectFrom('audit_log')
    .select(['actor_id', 'detail'])
    .where('action', '=', 'campaign.edit')
    .where('target', '=', `campaign ${campaignId}`)
    .executeTakeFirstOrThrow()
  expect(line).toMatchObject({
    actor_id: user.userId,
    detail: expect.objectContaining({ scheduleTime: start, notAfter: end }),
  })
})

test('an end of its own moves with the start, and goes with none', async () => {
  await edit({ scheduleTime: inHours(30), notAfter: inHours(33) })
  await edit({ scheduleTime: inHours(54) })
  expect(nepalTimeOf((await stored()).dial_until)).toBe(inHours(57))
  await edit({ notAfter: 'none' })
  const row = await stored()
  expect(row.not_after).toBe(false)
  expect(row.dial_until.getTime() - row.start_at.getTime()).toBeGreaterThan(24 * hourMs)
})

test('compose takes an end, too', async () => {
  campaignId = await compose({ scheduleTime: inHours(5), notAfter: inHours(6) })
  expect(await stored()).toMatchObject({ not_after: true })
  const reply = await post('compose', {
    ...body,
    welcomePId,
    campaignName: 'Never',
    scheduleTime: inHours(5),
    notAfter: inHours(5),
  })
  expect(reply.json()).toMatchObject({ errors: [{ field: 'notAfter', text: 'must be after the start' }] })
})

test.each([
  {
    why: 'a time that is past',
    fields: { scheduleTime: inHours(-1) },
    is: { scheduleTime: 'must not be in the past' },
  },
  {
    why: 'a time of more than a year ahead',
    fields: { scheduleTime: inHours(24 * 367) },
    is: { scheduleTime: 'is more than 366 days ahead' },
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
    is: { notAfter: 'is after the last day on which the campaign may call' },
  },
  { why: 'six retries', fields: { retries: 6 }, is: { retries: 'must be a whole number from 0 to 5' } },
])('refused, and nothing is changed: $why', async ({ fields, is }) => {
  expect(await refused(fields)).toEqual(is)
})

test('another campaign’s name is refused, its own in other letters is not', async () => {
  const campaignName = `Taken ${randomUUID()}`
  await compose({ campaignName })
  expect(await refused({ campaignName: campaignName.toUpperCase() })).toEqual({
    campaignName: 'is the name of another of your campaigns',
  })
  const { name } = await stored()
  expect((await edit({ campaignName: name.toUpperCase() })).statusCode).toBe(200)
})

test('the checks of compose are made again: a caller ID that went, a voice file that was rejected', async () => {
  await app.db.updateTable('prompt').set({ status: 'rejected' }).where('id', '=', welcomePId).execute()
  expect(Object.keys(await refused({ scheduleTime: inHours(30) }))).toEqual(['welcomePId'])
  await app.db.updateTable('prompt').set({ status: 'approved' }).where('id', '=', welcomePId).execute()
  const holder = ['cli_id', 'account_id', 'given_by'] as const
  const held = await app.db.deleteFrom('cli_holder').where('account_id', '=', user.userId).returning(holder).execute()
  expect(await refused({ scheduleTime: inHours(30) })).toEqual({ cli: 'is not a caller ID of yours' })
  await app.db.insertInto('cli_holder').values(held).execute()
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
    expect((await refused({ scheduleTime: inHours(30) })).campaignId).toMatch(
      /^is \w+, only Processing, Ready can be changed$/,
    )
  },
)

test('an edit that waits for the engine’s start refuses when the campaign has begun', async () => {
  await moves('ready')
  const engine = await app.db.startTransaction().execute()
  await engine.updateTable('campaign').set({ status: 'running' }).where('id', '=', campaignId).execute()
  const asked = edit({ scheduleTime: inHours(30) })
  await new Promise((resolve) => setTimeout(resolve, 200))
  await engine.commit().execute()
  const reply = await asked
  expect(reply.statusCode).toBe(409)
  expect(reply.json()).toMatchObject({ errors: [{ text: 'is Running, only Processing, Ready can be changed' }] })
  expect(nepalTimeOf((await stored()).start_at)).toBe(inHours(24))
})

test('twenty edits at once leave what one of them asked for', async () => {
  const asked = Array.from({ length: 20 }, (_, n) => ({ scheduleTime: inHours(30 + n), channels: 100 + n }))
  const replies = await Promise.all(asked.map((fields) => edit(fields)))
  expect(replies.every(({ statusCode }) => statusCode === 200)).toBe(true)
  const { start_at, shownStart, channels } = await stored()
  expect(asked).toContainEqual({ scheduleTime: nepalTimeOf(start_at), channels })
  expect(shownStart).toEqual(start_at)
})
