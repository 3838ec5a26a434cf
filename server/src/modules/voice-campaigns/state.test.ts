import { campaignActions, campaignTransitions, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import type { FieldError } from '../../errors.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { voiceCampaignHandlers } from './routes.ts'
import { polling } from '../../testing/timeouts.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let lower: Viewer
let user: Viewer
let other: Viewer

beforeAll(async () => {
  http = await testHttp(app, { handlers: { voiceCampaigns: voiceCampaignHandlers } })
  boss = await newSuperAdmin(app)
  reseller = await newReseller(app, { parent: boss })
  lower = await newReseller(app, { parent: reseller })
  user = await newUser(app, { parent: lower })
  other = await newUser(app)
})

const tokens = new Map<Viewer, { authorization: string }>()
async function ask(viewer: Viewer, action: string, campaignId: number, more: object = {}) {
  const headers = tokens.get(viewer) ?? (await signedIn(app, viewer))
  tokens.set(viewer, headers)
  const url = `/api/obd/campaign/${action}`
  const reply = await http.inject({ method: 'POST', url, headers, payload: { campaignId, ...more } })
  const { message, errors = [] } = reply.json<{ message: string; errors?: FieldError[] }>()
  return { status: reply.statusCode, message, text: errors[0]?.text, field: errors[0]?.field }
}
const stateOf = (campaignId: number) =>
  app.db.selectFrom('campaign').selectAll().where('id', '=', campaignId).executeTakeFirstOrThrow()
const engineMoves = (campaignId: number, status: CampaignStatus) =>
  app.db.updateTable('campaign').set({ status }).where('id', '=', campaignId).execute()
const eventsOf = (campaignId: number) =>
  app.db
    .selectFrom('campaign_event')
    .select(['from_status', 'to_status', 'reason', 'by_user_id'])
    .where('campaign_id', '=', campaignId)
    .orderBy('id')
    .execute()

test('fifty equal requests at once: one succeeds and forty-nine get 409', async () => {
  const campaignId = await newCampaign(app, user)
  const replies = await Promise.all(Array.from({ length: 50 }, () => ask(user, 'pause', campaignId)))
  expect(replies.filter(({ status }) => status === 200)).toEqual([expect.objectContaining({ message: 'Success' })])
  const refused = replies.filter(({ status }) => status === 409)
  expect(refused).toHaveLength(49)
  expect(refused[0]).toMatchObject({
    message: 'Request Failed!! Please try again',
    field: 'campaignId',
    text: 'is Pausing, only Ready, Running can be paused',
  })
  expect(await eventsOf(campaignId)).toEqual([
    { from_status: 'running', to_status: 'pausing', reason: null, by_user_id: user.userId },
  ])
})

test('a mixture of pause, resume and stop leaves a log that is a legal path through the table', async () => {
  const campaignIds = await Promise.all(Array.from({ length: 4 }, () => newCampaign(app, user)))
  const engine: [CampaignStatus, CampaignStatus][] = [
    ['pausing', 'paused'],
    ['resuming', 'running'],
  ]
  const acts = ['pause', 'resume', 'pause', 'resume', 'pause', 'stop']
  for (let round = 0; round < 6; round++) {
    await Promise.all(
      campaignIds.flatMap((campaignId) => [
        ...acts.slice(0, round < 4 ? 5 : 6).map((action) => ask(user, action, campaignId)),
        ...engine.map(([from, status]) =>
          app.db
            .updateTable('campaign')
            .set({ status })
            .where('id', '=', campaignId)
            .where('status', '=', from)
            .execute(),
        ),
      ]),
    )
  }
  for (const campaignId of campaignIds) {
    const events = await eventsOf(campaignId)
    let at: CampaignStatus = 'running'
    for (const event of events) {
      expect(event.from_status).toBe(at)
      expect(campaignTransitions[at]).toContain(event.to_status)
      at = event.to_status
    }
    expect(at).toBe((await stateOf(campaignId)).status)
    expect(at).toBe('cancelling')
    expect(events.length).toBeGreaterThan(2)
  }
})

test('the owner pauses, resumes and stops; each change shows who and is audited', async () => {
  const campaignId = await newCampaign(app, user)
  await ask(user, 'pause', campaignId)
  await engineMoves(campaignId, 'paused')
  expect((await ask(user, 'resume', campaignId)).status).toBe(200)
  await engineMoves(campaignId, 'running')
  expect((await ask(user, 'stop', campaignId, { now: true })).status).toBe(200)
  expect(await stateOf(campaignId)).toMatchObject({ status: 'cancelling', end_now: true })
  const detail = await http.inject({
    url: `/api/obd/campaign/detail/${campaignId}`,
    headers: await signedIn(app, user),
  })
  expect(detail.json<{ history: object[] }>().history).toMatchObject([
    { from: 1, to: 6, by: user.username },
    { from: 10, to: 1, by: null },
    { from: 9, to: 10, by: user.username },
    { from: 8, to: 9, by: null },
    { from: 1, to: 8, by: user.username },
  ])
  const log = await app.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id'])
    .where('target', '=', `campaign ${campaignId}`)
    .orderBy('id')
    .execute()
  expect(log).toEqual(
    ['campaign.pause', 'campaign.resume', 'campaign.stop'].map((action) => ({ action, actor_id: user.userId })),
  )
})

test('an administrator must say why; the pause is lifted by the same one or somebody above only', async () => {
  const campaignId = await newCampaign(app, user)
  expect(await ask(reseller, 'pause', campaignId)).toMatchObject({ status: 400, field: 'reason' })
  expect(await ask(reseller, 'pause', campaignId, { reason: 'complaints' })).toMatchObject({ status: 200 })
  expect(await stateOf(campaignId)).toMatchObject({
    status: 'onHold',
    hold_cause: 'administrator',
    held_by: reseller.userId,
    reason: 'Paused by an administrator: complaints',
  })
  const held = await http.inject({ url: `/api/obd/campaign/detail/${campaignId}`, headers: await signedIn(app, user) })
  expect(held.json()).toMatchObject({ campaignStatus: 22, heldBy: reseller.username })
  const text = 'was paused by an administrator: only that administrator or an account above can resume it'
  expect(await ask(user, 'resume', campaignId)).toMatchObject({ status: 409, text })
  expect(await ask(lower, 'resume', campaignId)).toMatchObject({ status: 409, text })
  expect(await ask(boss, 'resume', campaignId)).toMatchObject({ status: 200 })
  expect(await stateOf(campaignId)).toMatchObject({ status: 'resuming', hold_cause: null, held_by: null, reason: null })
})

test('the one who paused lifts the pause; what others stopped is for the owner to resume', async () => {
  const held = await newCampaign(app, user)
  await ask(lower, 'pause', held, { reason: 'x' })
  expect((await ask(lower, 'resume', held)).status).toBe(200)
  const paused = await newCampaign(app, user, { status: 'paused' })
  expect(await ask(boss, 'resume', paused)).toMatchObject({
    status: 409,
    text: 'was not paused by an administrator: only its owner can resume it',
  })
  const expired = await newCampaign(app, user, { status: 'onHold' })
  expect((await ask(user, 'resume', expired)).status).toBe(200)
})

test('an administrator stops with a reason which the owner reads', async () => {
  const campaignId = await newCampaign(app, user, { status: 'processing' })
  expect(await ask(boss, 'stop', campaignId)).toMatchObject({ status: 400, field: 'reason' })
  expect((await ask(boss, 'stop', campaignId, { reason: 'fraud' })).status).toBe(200)
  const list = await http.inject({ url: `/api/obd/campaign/${user.userId}`, headers: await signedIn(app, user) })
  const row = list.json<{ campaignId: number }[]>().find((one) => one.campaignId === campaignId)
  expect(row).toMatchObject({ campaignStatus: 6, reason: 'Stopped by an administrator: fraud' })
})

test('somebody else’s campaign looks as if it did not exist; a role that may not gets 403', async () => {
  const campaignId = await newCampaign(app, user)
  const stranger = await newUser(app)
  const otherReseller = await newReseller(app)
  expect(await ask(stranger, 'pause', campaignId)).toMatchObject({ status: 404, message: 'No data found' })
  expect(await ask(otherReseller, 'stop', campaignId, { reason: 'x' })).toMatchObject({ status: 404 })
  expect(await ask(stranger, 'pause', 999_999)).toMatchObject({ status: 404 })
  expect(await ask(reseller, 'retry', campaignId)).toMatchObject({ status: 403 })
  expect((await stateOf(campaignId)).status).toBe('running')
})

test('retry asks the engine for one more attempt, once, and only when somebody can be called again', async () => {
  const campaignId = await newCampaign(app, user, { status: 'complete', rows: 3 })
  const settle = (no: number, disposition: 'ANSWER' | 'INVALID' | 'LOST') =>
    app.db
      .updateTable('campaign_contact')
      .set({ state: 'done', disposition })
      .where('campaign_id', '=', campaignId)
      .where('no', '=', no)
      .execute()
  await settle(0, 'ANSWER')
  await settle(1, 'INVALID')
  await app.db.updateTable('campaign_contact').set({ state: 'dnd' }).where('no', '=', 2).execute()
  expect(await ask(user, 'retry', campaignId)).toMatchObject({ status: 409, text: 'has nobody left to call again' })
  await settle(2, 'LOST')
  const replies = await Promise.all(Array.from({ length: 10 }, () => ask(user, 'retry', campaignId)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await stateOf(campaignId)).toMatchObject({ status: 'running', is_retry: true, retry_requested: true })
  const queuing = async () =>
    (await http.inject({ url: `/api/obd/campaign/${user.userId}`, headers: await signedIn(app, user) }))
      .json<{ campaignId: number; retryQueuing?: boolean }[]>()
      .find((row) => row.campaignId === campaignId)?.retryQueuing
  expect(await queuing()).toBe(true)
  await engineMoves(campaignId, 'complete')
  expect(await ask(user, 'retry', campaignId)).toMatchObject({ status: 409, text: 'has already been retried' })
})

test('retry calls numbers that the operator did not know only on request', async () => {
  const campaignId = await newCampaign(app, user, { status: 'complete', rows: 1 })
  const done = { state: 'done', disposition: 'INVALID' } as const
  await app.db.updateTable('campaign_contact').set(done).where('campaign_id', '=', campaignId).execute()
  expect(await ask(user, 'retry', campaignId)).toMatchObject({ status: 409, text: 'has nobody left to call again' })
  expect(await ask(user, 'retry', campaignId, { invalidToo: 'yes' })).toMatchObject({
    status: 400,
    field: 'invalidToo',
    text: 'must be true or false',
  })
  expect(await ask(user, 'retry', campaignId, { invalidToo: true })).toMatchObject({ status: 200 })
  expect(await stateOf(campaignId)).toMatchObject({ status: 'running', is_retry: true, retry_invalid: true })
})

test('a retry that meets the deletion of its owner waits for it and then starts nothing', async () => {
  const gone = await newUser(app, { parent: lower })
  const campaignId = await newCampaign(app, gone, { status: 'complete', rows: 1 })
  const missed = { state: 'done', disposition: 'NO ANSWER' } as const
  await app.db.updateTable('campaign_contact').set(missed).where('campaign_id', '=', campaignId).execute()
  tokens.set(gone, await signedIn(app, gone))
  const deletion = await app.db.startTransaction().execute()
  await deletion.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', gone.userId).execute()
  const retried = ask(gone, 'retry', campaignId)
  const first = await Promise.race([retried, someoneWaits()])
  await deletion.commit().execute()
  expect([first, await retried]).toMatchObject(['waits', { status: 404 }])
  expect(await stateOf(campaignId)).toMatchObject({ status: 'complete', is_retry: false })
})

const someoneWaits = () =>
  vi.waitFor(
    async () => {
      const { rows } = await sql`select from pg_locks join pg_stat_activity using (pid)
        where datname = current_database() and not granted`.execute(app.db)
      expect(rows).not.toHaveLength(0)
      return 'waits'
    },
    { ...polling, interval: 5 },
  )

test('retry is refused, naming them, when voice files of the flow are deleted; nobody is dialled', async () => {
  const campaignId = await newCampaign(app, user, { status: 'complete', rows: 1 })
  await app.db
    .updateTable('campaign_contact')
    .set({ state: 'done', disposition: 'BUSY' })
    .where('campaign_id', '=', campaignId)
    .execute()
  const promptId = await newPrompt(app, user, { name: 'tihar_menu' })
  const part = { kind: 'prompt', promptId, durationMs: 1000, hash: 'x' }
  const flow = JSON.stringify({ templateId: 0, opening: [], menus: [{ ask: [part] }], closing: [part] })
  await app.db.updateTable('campaign_detail').set({ flow }).where('campaign_id', '=', campaignId).execute()
  const deleted = (deleted_at: Date | null) =>
    app.db.updateTable('prompt').set({ deleted_at }).where('id', '=', promptId).execute()
  await deleted(new Date())
  const text = "plays the voice file 'tihar_menu', which is deleted"
  expect(await ask(user, 'retry', campaignId)).toMatchObject({ status: 409, field: 'campaignId', text })
  const listed = await http.inject({ url: `/api/obd/campaign/${user.userId}`, headers: await signedIn(app, user) })
  const faults = listed.json<{ campaignId: number; retryFault?: string }[]>().filter((row) => row.retryFault)
  expect(faults.map((row) => [row.campaignId, row.retryFault])).toEqual([[campaignId, text]])
  expect(await stateOf(campaignId)).toMatchObject({ status: 'complete', is_retry: false, retry_requested: false })
  expect(await ask(other, 'retry', campaignId)).toMatchObject({ status: 404 })
  await deleted(null)
  expect(await ask(user, 'retry', campaignId)).toMatchObject({ status: 200 })
  await deleted(new Date())
  expect(await ask(user, 'retry', campaignId)).toMatchObject({
    status: 409,
    text: expect.stringContaining('is Running'),
  })
})

test.each(campaignActions.hold.from)(
  'an administrator pauses what is %s: on hold with that reason, in the history',
  async (status) => {
    const campaignId = await newCampaign(app, user, { status })
    expect(await ask(reseller, 'pause', campaignId, { reason: 'complaints' })).toMatchObject({ status: 200 })
    const reason = 'Paused by an administrator: complaints'
    expect(await stateOf(campaignId)).toMatchObject({ status: 'onHold', hold_cause: 'administrator', reason })
    expect(await eventsOf(campaignId)).toEqual([
      { from_status: status, to_status: 'onHold', reason, by_user_id: reseller.userId },
    ])
    expect(campaignTransitions[status]).toContain('onHold')
    await app.db.updateTable('campaign_progress').set({ in_call: 12 }).where('campaign_id', '=', campaignId).execute()
    const detail = () =>
      http.inject({ url: `/api/obd/campaign/detail/${campaignId}`, headers: tokens.get(reseller) ?? {} })
    expect((await detail()).json()).toMatchObject({ campaignStatus: 22, reason: `${reason} (12 calls are still up)` })
  },
)

test.each(['complete', 'cancelled', 'cancelling', 'processing', 'failed'] as const)(
  'what is %s an administrator cannot pause',
  async (status) => {
    const campaignId = await newCampaign(app, user, { status })
    const refused = await ask(boss, 'pause', campaignId, { reason: 'x' })
    expect(refused).toMatchObject({
      status: 409,
      text: expect.stringMatching(/^is .*, only Ready, Running, .* can be paused$/),
    })
    expect((await stateOf(campaignId)).status).toBe(status)
  },
)

test('the pause of somebody above goes over one of somebody below, not the other way round', async () => {
  const campaignId = await newCampaign(app, user)
  await ask(lower, 'pause', campaignId, { reason: 'mine' })
  const text = 'has already been paused by an administrator'
  expect(await ask(lower, 'pause', campaignId, { reason: 'again' })).toMatchObject({ status: 409, text })
  expect(await ask(boss, 'pause', campaignId, { reason: 'fraud' })).toMatchObject({ status: 200 })
  expect(await ask(reseller, 'pause', campaignId, { reason: 'no' })).toMatchObject({ status: 409, text })
  expect(await ask(reseller, 'resume', campaignId)).toMatchObject({ status: 409 })
  expect(await stateOf(campaignId)).toMatchObject({ held_by: boss.userId })
  expect((await eventsOf(campaignId)).map((event) => event.reason)).toEqual([
    'Paused by an administrator: mine',
    'Paused by an administrator: fraud',
  ])
})

test.each([
  { was: 'paused', next: 'pausing' },
  { was: 'pausing', next: 'pausing' },
  { was: 'running', next: 'resuming' },
  { was: 'ready', next: 'resuming' },
] as const)('lifted, an administrator’s pause of what was $was leaves it $next', async ({ was, next }) => {
  const campaignId = await newCampaign(app, user, { status: was })
  await ask(lower, 'pause', campaignId, { reason: 'x' })
  await ask(boss, 'pause', campaignId, { reason: 'y' })
  expect(await ask(boss, 'resume', campaignId)).toMatchObject({ status: 200 })
  expect(await stateOf(campaignId)).toMatchObject({ status: next, reason: null, hold_cause: null, held_by: null })
})

test('the page of a campaign by operator says whose numbers are left, how many are in call, and why they wait; others say nothing of it', async () => {
  const campaignId = await newCampaign(app, user, { rows: 5, status: 'running' })
  const detail = async () =>
    (await http.inject({ url: `/api/obd/campaign/detail/${campaignId}`, headers: await signedIn(app, user) })).json<{
      byOperator: unknown
    }>().byOperator
  expect(await detail()).toBeNull()
  await app.db.updateTable('campaign').set({ by_operator: true, fresh_next: 5 }).where('id', '=', campaignId).execute()
  const of = { campaign_id: campaignId, fresh_from: 0, fresh_next: 0, fresh_end: 0 }
  await app.db
    .insertInto('campaign_stream')
    .values([
      { ...of, stream: 0 },
      { ...of, stream: 2, fresh_next: 2, fresh_end: 5, reason: 'trunk A is on hold: SIP 503' },
    ])
    .execute()
  const due = { campaign_id: campaignId, stream: 2, due_at: new Date() }
  await app.db
    .insertInto('contact_retry')
    .values([
      { ...due, no: 0 },
      { ...due, no: 1 },
    ])
    .execute()
  expect(await detail()).toEqual([
    { operator: 'ncell', waiting: 5, inCall: 0, reason: 'trunk A is on hold: SIP 503' },
    { operator: 'other', waiting: 0, inCall: 0, reason: null },
  ])
})
