import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { newCall } from '../../testing/calls.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { busyMessages, lineOf, newTrace } from '../../testing/traces.ts'
import type { Viewer } from '../../policy.ts'
import { forgetDeleted } from '../retention/actions-delete.ts'
import { forgetOldTraces } from './actions.ts'
import { traceHandlers } from './routes.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let user: Viewer
let admin: { authorization: string }
beforeAll(async () => {
  http = await testHttp(app, { handlers: { traces: traceHandlers } })
  boss = await newSuperAdmin(app)
  user = await newUser(app)
  admin = await signedIn(app, boss)
})

const get = (url: string, headers = admin) => http.inject({ url: `/api/obd/${url}`, headers })
async function traced(status: 'running' | 'complete' = 'running') {
  const campaignId = await newCampaign(app, user, { status })
  const attemptId = await newCall(app, user, campaignId)
  const traceId = await newTrace(app, await lineOf(app, campaignId), { attemptId, campaignId })
  return { campaignId, attemptId, traceId }
}

test('the messages of a call are shown with their times since the first and the delay until it rang; the account sees who looked', async () => {
  const { attemptId, traceId } = await traced()
  const trace = (await get(`sip-trace/call/${attemptId}`)).json()
  expect(trace).toMatchObject({ traceId, startedAt: '2026-11-26 11:45:00', pddMs: 1500 })
  expect(trace.messages).toEqual(
    busyMessages.map(({ at, ...rest }) => ({ afterMs: at - (busyMessages[0]?.at ?? 0), ...rest })),
  )
  const log = await app.db
    .selectFrom('audit_log')
    .select(['actor_id', 'owner_id', 'action'])
    .where('target', '=', `attempt ${attemptId}`)
    .execute()
  expect(log).toEqual([{ actor_id: boss.userId, owner_id: user.userId, action: 'trace.open' }])
})

test('a call that went on over another trunk shows the messages of both, in one file, too', async () => {
  const { attemptId, campaignId, traceId } = await traced()
  const { dialerId } = await lineOf(app, campaignId)
  const { trunkId } = await newLine(app, { dialerId })
  await newTrace(app, { trunkId, dialerId }, { attemptId, campaignId }, 5000)
  const trace = (await get(`sip-trace/call/${attemptId}`)).json()
  expect(trace).toMatchObject({ traceId, pddMs: 1500, trunkName: expect.stringMatching(/^.+ → .+$/) })
  expect(trace.messages.map(({ afterMs }: { afterMs: number }) => afterMs)).toEqual([
    ...busyMessages.map(({ at }) => at - (busyMessages[0]?.at ?? 0)),
    ...busyMessages.map(({ at }) => 5000 + at - (busyMessages[0]?.at ?? 0)),
  ])
  const text = await get(`sip-trace/file/${traceId}?format=text`)
  expect(text.body.match(/486 Busy Here/g)).toHaveLength(2)
})

test('a call without kept messages has none, and only super admins may look at all', async () => {
  const campaignId = await newCampaign(app, user)
  expect((await get(`sip-trace/call/${await newCall(app, user, campaignId)}`)).statusCode).toBe(404)
  const { attemptId } = await traced()
  expect((await get(`sip-trace/call/${attemptId}`, await signedIn(app, user))).statusCode).toBe(403)
})

test('the messages can be downloaded as text and as a capture', async () => {
  const { traceId } = await traced()
  const text = await get(`sip-trace/file/${traceId}?format=text`)
  expect(text.headers['content-type']).toContain('text/plain')
  expect(text.body).toContain(
    '--- 2026-11-26T06:00:04.000Z UDP 10.0.0.2:5060 -> 10.0.0.1:5160\nSIP/2.0 486 Busy Here\n',
  )
  const pcap = await get(`sip-trace/file/${traceId}?format=pcap`)
  expect(pcap.rawPayload.readUInt32LE(0)).toBe(0xa1b2c3d4)
  expect((await get(`sip-trace/file/${traceId}?format=doc`)).statusCode).toBe(400)
})

test('messages go with their campaign when it is deleted, and after two weeks in any case', async () => {
  const [deleted, old, young] = [await traced('complete'), await traced(), await traced()]
  await app.db
    .insertInto('campaign_deleted')
    .values({ campaign_id: deleted.campaignId, asked_at: new Date(), by_user_id: user.userId })
    .execute()
  expect((await get(`sip-trace/call/${deleted.attemptId}`)).statusCode).toBe(404)
  await forgetDeleted(app)
  await app.db
    .updateTable('sip_trace')
    .set({ at: new Date(Date.now() - 15 * 24 * 3600_000) })
    .where('id', '=', old.traceId)
    .execute()
  await app.db.updateTable('sip_trace').set({ at: new Date() }).where('id', '=', young.traceId).execute()
  await forgetOldTraces(app.db)
  const left = await app.db
    .selectFrom('sip_trace')
    .select('id')
    .where('id', 'in', [deleted.traceId, old.traceId, young.traceId])
    .execute()
  expect(left).toEqual([{ id: young.traceId }])
})

test('a trunk’s quality adds up calls and samples of the last 24 hours, per operator', async () => {
  const { trunkId } = await newLine(app)
  const now = Math.floor((app.clock.now().getTime() / 1000 + 20_700) / 3600)
  const { rows } = await app.pool.query<{ id: number }>(`select id from account where kind = 'revenue'`)
  const counted = `insert into call_count select 'hour', $1, 'all', $2, 0, $3, $4, 0, 10, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 5000, 0, 0, 0, 0`
  const sampled = `insert into rtp_count values ($1, $2, $3, 2, 990, 10, 8000, 1, 500, 0, 3000)`
  for (const [operator, at] of [
    [1, now],
    [1, now - 20],
    [2, now],
    [2, now - 30],
  ] as const) {
    await app.pool.query(counted, [rows[0]?.id, at, trunkId, operator])
    await app.pool.query(sampled, [trunkId, operator, at])
  }
  const way = { calls: 4, lossPercent: 1, jitterMs: 4 }
  const quality = (await get(`trunk/quality/${trunkId}`)).json()
  expect(
    quality.operators.map(({ operator, calls }: { operator: string; calls: number }) => [operator, calls]),
  ).toEqual([
    ['ntc', 20],
    ['ncell', 10],
  ])
  expect(quality.operators[0]).toMatchObject({
    answered: 12,
    pddMs: 1000,
    received: way,
    sent: { calls: 2, lossPercent: 0, jitterMs: 3 },
  })
  expect(quality.all).toMatchObject({ calls: 30, answered: 18, received: { ...way, calls: 6 } })
  const idle = await newLine(app)
  expect((await get(`trunk/quality/${idle.trunkId}`)).json()).toEqual({
    trunkName: expect.any(String),
    all: { calls: 0, answered: 0, pddMs: null, received: null, sent: null },
    operators: [],
  })
})
