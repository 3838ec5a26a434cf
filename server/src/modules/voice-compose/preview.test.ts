import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import type { ContactPreview } from '@ghanti/contract/contacts.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newBase, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { changeSetting } from '../platform/actions.ts'
import { defaultCallingHours } from '../platform/rules-hours.ts'
import { voiceCampaignHandlers } from '../voice-campaigns/routes.ts'

const app = await testApp()
let http: FastifyInstance
let user: Viewer
let baseId: number
let cli: string
beforeAll(async () => {
  http = await testHttp(app, { handlers: { voiceCampaigns: voiceCampaignHandlers } })
  const planId = await newPlan(app, { pulseSeconds: 30, pulsePaisa: 50 })
  const reseller = await newReseller(app, { planId, channels: 60 })
  user = await newUser(app, { parent: reseller, planId, rupees: 12 })
  cli = (await newLine(app, { holders: [user], cps: 5 })).cli
  const file = path.join(app.config.dataFolder, 'contacts.csv')
  const rows = Array.from({ length: 100 }, (_, n) => `98000000${String(n).padStart(2, '0')},Ram`)
  await fs.writeFile(file, ['mobile,name', ...rows, '9800000000,again', '123,bad'].join('\r\n'))
  baseId = await newBase(app, user, ['mobile', 'name'])
  await app.db
    .updateTable('base')
    .set({ file_hash: await app.files.put(file) })
    .where('id', '=', baseId)
    .execute()
  await app.db.insertInto('blacklist').values({ phone: 9_779_800_000_001, owner_id: user.userId }).execute()
  const off = { ...defaultCallingHours, enabled: false }
  await app.db.transaction().execute((tx) => changeSetting(tx, 'callingHours', off, null))
})

async function preview(fields: object) {
  const headers = await signedIn(app, user)
  return http.inject({ method: 'POST', url: '/api/obd/campaign/preview', headers, payload: fields })
}

test('the base alone says what it would give, without an estimate', async () => {
  expect((await preview({ baseId })).json<ContactPreview>()).toMatchObject({
    rows: 102,
    accepted: 99,
    blacklisted: 1,
    invalid: 1,
    duplicate: 1,
    columns: ['mobile', 'name'],
    estimate: null,
  })
})

test('with prompts and CLI it says what it costs at most and when it is done', async () => {
  const welcomePId = await newPrompt(app, user, { durationMs: 45_000 })
  app.clock.set(new Date('2026-11-20T06:15:00Z'))
  const fields = { baseId, cli, templateId: 0, welcomePId, scheduleTime: '2026-11-20 23:00:00' }
  const reply = await preview(fields)
  expect(reply.statusCode, reply.body).toBe(200)
  const { estimate } = reply.json<ContactPreview>()
  expect(estimate).toEqual({
    atMost: 99,
    perAgentMinute: null,
    perSegment: 1.5,
    messages: null,
    oneCallAtMost: 1,
    balance: 12,
    seconds: 20,
    start: { at: '2026-11-20 23:00:00', opensAt: null, reasons: [] },
    doneAbout: '2026-11-20 23:00:20',
    dialUntil: '2026-11-27 23:00:00',
  })
  expect(await app.db.selectFrom('campaign').select('id').execute(), 'nothing is stored').toEqual([])
})

test('with a route it counts on all of its trunks that are neither on hold nor stopped', async () => {
  const welcomePId = await newPrompt(app, user, { durationMs: 45_000 })
  app.clock.set(new Date('2026-11-20T06:15:00Z'))
  const routed = await newLine(app, { holders: [user], cps: 100 })
  await app.db.updateTable('trunk').set({ cps: 5 }).where('id', '=', routed.trunkId).execute()
  const another = async () => (await newLine(app, { dialerId: routed.dialerId, cps: 5 })).trunkId
  const [second, third] = [await another(), await another()]
  const route = { name: 'Two orders' }
  const { id } = await app.db.insertInto('call_route').values(route).returning('id').executeTakeFirstOrThrow()
  const steps = [routed.trunkId, second, third].map((trunk_id, n) => ({
    route_id: id,
    trunk_id,
    priority: n + 1,
    weight: 1,
  }))
  await app.db.insertInto('call_route_step').values(steps).execute()
  await app.db.updateTable('cli').set({ route_id: id }).where('id', '=', routed.cliId).execute()
  await app.db
    .insertInto('trunk_health')
    .values({ trunk_id: third, held_since: new Date(), hold_reason: 'SIP 503' })
    .execute()
  const ask = async () =>
    (await preview({ baseId, cli: routed.cli, templateId: 0, welcomePId, channels: 1000 })).json<ContactPreview>()
      .estimate
  expect(await ask()).toMatchObject({ seconds: 10, start: { reasons: [] } })
  const { userId } = await newSuperAdmin(app)
  const stop = (trunkId: number) => ({
    kind: 'trunk' as const,
    target_id: trunkId,
    reason: 'works',
    by_user_id: userId,
  })
  await app.db.insertInto('dial_block').values(stop(routed.trunkId)).execute()
  expect(await ask()).toMatchObject({ seconds: 20, start: { reasons: [] } })
  await app.db
    .insertInto('dial_block')
    .values([stop(second), stop(third)])
    .execute()
  expect(await ask()).toMatchObject({ start: { at: null, reasons: [{ cause: 'stopped' }] } })
  await app.db.deleteFrom('dial_block').where('by_user_id', '=', userId).execute()
})

test('out of hours and while dialling is stopped it says so, when calls begin and until when they rest', async () => {
  const welcomePId = await newPrompt(app, user, { durationMs: 45_000 })
  const reseller = user.parentId ?? 0
  app.clock.set(new Date('2026-11-20T16:15:00Z')) // 22:00
  const ask = async () => {
    const reply = await preview({ baseId, cli, templateId: 0, welcomePId })
    return reply.json<ContactPreview>().estimate
  }
  const hours = { ...defaultCallingHours, holidays: [{ date: '2026-11-21', name: '' }] }
  await app.db.transaction().execute((tx) => changeSetting(tx, 'callingHours', hours, null))
  expect(await ask()).toMatchObject({
    start: {
      at: '2026-11-22 07:00:00',
      opensAt: '2026-11-22 07:00:00',
      reasons: [{ cause: 'hours', text: 'outside calling hours, dials from 2026-11-22 07:00' }],
    },
    doneAbout: '2026-11-22 07:00:20',
  })
  const own = { ...defaultCallingHours, from: '23:00', to: '23:10' }
  const admin = await newSuperAdmin(app)
  const { userId: byUserId } = admin
  const except = { hours: JSON.stringify(own), reason: 'nights', changed_by: byUserId }
  await app.db
    .insertInto('account_calling_hours')
    .values({ account_id: reseller, ...except })
    .execute()
  expect(await ask()).toMatchObject({ start: { at: '2026-11-20 23:00:00' }, doneAbout: '2026-11-20 23:00:20' })
  const stop = { kind: 'account', target_id: reseller, reason: 'unpaid', by_user_id: byUserId } as const
  await app.db.insertInto('dial_block').values(stop).execute()
  expect(await ask()).toMatchObject({
    start: {
      at: null,
      opensAt: '2026-11-20 23:00:00',
      reasons: [
        { cause: 'stopped', text: 'all dialling of the account is stopped by the administrator: unpaid' },
        { cause: 'hours', text: 'outside calling hours, dials from 23:00' },
      ],
    },
    doneAbout: null,
  })
  await app.db.deleteFrom('dial_block').execute()
  await app.db.deleteFrom('account_calling_hours').execute()
  const off = { ...defaultCallingHours, enabled: false }
  await app.db.transaction().execute((tx) => changeSetting(tx, 'callingHours', off, null))
})

test('a line that is out of order is the reason why nothing starts', async () => {
  const welcomePId = await newPrompt(app, user, { durationMs: 45_000 })
  const line = await newLine(app, { holders: [user] })
  const ask = async () => {
    const reply = await preview({ baseId, cli: line.cli, templateId: 0, welcomePId })
    return reply.json<ContactPreview>().estimate?.start
  }
  expect(await ask()).toMatchObject({ reasons: [] })
  const { trunkId, dialerId } = line
  const probe = new Date('2026-11-20T06:20:00Z')
  app.clock.set(new Date('2026-11-20T06:15:00Z'))
  await app.db
    .insertInto('trunk_health')
    .values({ trunk_id: trunkId, held_since: probe, hold_reason: 'SIP 503', next_probe_at: probe })
    .execute()
  expect(await ask()).toMatchObject({
    at: null,
    reasons: [
      { cause: 'line', text: expect.stringMatching(/^trunk .+ is on hold: SIP 503; it will be tried again at 12:05$/) },
    ],
  })
  await app.db.deleteFrom('trunk_health').execute()
  await app.db.updateTable('dialer').set({ channel_reduction: 0 }).where('id', '=', dialerId).execute()
  expect(await ask()).toMatchObject({
    at: null,
    reasons: [{ cause: 'line', text: expect.stringMatching(/^dialer .+ is set to no calls$/) }],
  })
})

test('somebody else’s objects are refused by field; missing ones are left out of the estimate', async () => {
  const foreign = await newPrompt(app, await newUser(app))
  const reply = await preview({ baseId, cli: '0190000', templateId: 0, welcomePId: foreign })
  expect(reply.statusCode).toBe(400)
  expect(reply.json<{ errors: { field: string }[] }>().errors.map(({ field }) => field)).toEqual(['welcomePId', 'cli'])
  expect((await preview({ baseId, cli, templateId: 1 })).json()).toMatchObject({ estimate: null })
  expect((await preview({ cli })).json()).toMatchObject({ errors: [{ field: 'baseId' }] })
  expect((await preview({ baseId: 999_999 })).json()).toMatchObject({ errors: [{ field: 'baseId' }] })
})
