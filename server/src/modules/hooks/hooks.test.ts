import type { DeliveryRow, HookRow } from '@ghanti/contract/hooks.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { hashOf } from '../../lib/secrets.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { newApiKey } from '../../testing/keys.ts'
import { newUser } from '../../testing/seed.ts'
import { stopStranger } from '../auth/actions-reset.ts'
import { resumeKeys } from '../keys/actions-revoke.ts'
import { strangerReported } from '../keys/rules.ts'
import { newReceiver } from './testing.ts'
import { words } from './rules.ts'

const app = await testApp({ embedded: false })
let http: FastifyInstance
let user: Viewer
let url: string
beforeAll(async () => {
  http = await testHttp(app)
  user = await newUser(app)
  url = (await newReceiver(app)).url
})

type Method = 'GET' | 'POST' | 'DELETE'
async function ask<R>(viewer: Viewer, method: Method, path: string, payload?: object) {
  const headers = await signedIn(app, viewer)
  const reply = await http.inject({ method, url: `/api/v1/${path}`, headers, ...(payload && { payload }) })
  const body = reply.json<R & { errors?: { field: string; code: string; text: string }[] }>()
  return { status: reply.statusCode, body, text: body.errors?.[0]?.text }
}
type Made = { hookId: number; secret: string | null }
const make = (viewer: Viewer, payload: object) => ask<Made>(viewer, 'POST', 'hooks', payload)
const listed = async (viewer: Viewer) => (await ask<HookRow[]>(viewer, 'GET', 'hooks')).body
const deliveries = async (viewer: Viewer, hookId: number) =>
  (await ask<DeliveryRow[]>(viewer, 'GET', `hooks/${hookId}/deliveries`)).body
const events = ['balance.low', 'balance.low']

test('a webhook shows its secret once, keeps it and its address sealed, and waits for its test', async () => {
  const headers = { ...(await signedIn(app, user)), 'idempotency-key': 'the same' }
  const secretUrl = `${url}?token=hush`
  const reply = await http.inject({
    method: 'POST',
    url: '/api/v1/hooks',
    headers,
    payload: { url: secretUrl, events },
  })
  expect(reply.statusCode, reply.body).toBe(200)
  const { hookId, secret } = reply.json<Made>()
  expect(Buffer.from(String(secret).replace('whsec_', ''), 'base64')).toHaveLength(32)
  const host = new URL(url).host
  expect(await listed(user)).toMatchObject([{ hookId, host, state: 'unverified', events: ['balance.low'] }])
  expect(await deliveries(user, hookId)).toMatchObject([{ type: 'hook.test', state: 'waiting', tries: 0 }])
  for (const table of ['hook', 'audit_log', 'idempotency_key'] as const) {
    const stored = JSON.stringify(await app.db.selectFrom(table).selectAll().execute())
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain('hush')
  }
})

test.each([
  { why: 'http', url: 'http://example.com/hook', text: words.plain },
  { why: 'a private address', url: 'https://10.0.0.7/hook', text: /^leads to a private address/ },
  { why: 'our own host', url: 'https://{own}/hook', text: /^leads to a private address, or to this server itself/ },
  { why: 'another port', url: 'https://example.com:8443/hook', text: /^must use port 80 or 443/ },
  { why: 'a password', url: 'https://me:secret@example.com/', text: /^must not hold a user name/ },
  { why: 'no address', url: 'https://', text: 'is not an address' },
])('a webhook with $why is refused in words', async ({ url: asked, text }) => {
  const own = new URL(app.config.publicUrl).hostname
  const reply = await make(user, { url: asked.replace('{own}', own), events })
  expect([reply.status, reply.body.errors?.[0]?.field]).toEqual([400, 'url'])
  expect(reply.text).toEqual(typeof text === 'string' ? text : expect.stringMatching(text))
})

test('no account has more than ten, also when many are made at once', async () => {
  const many = await newUser(app)
  const replies = await Promise.all(Array.from({ length: 12 }, () => make(many, { events })))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array<number>(10).fill(200), 409, 409])
  expect(await listed(many)).toHaveLength(10)
})

test('another address is unknown until its test arrives, and another secret signs beside the one before for a day', async () => {
  const owner = await newUser(app)
  const { hookId, secret } = (await make(owner, { url, events })).body
  await app.db.updateTable('hook').set({ state: 'active' }).where('id', '=', hookId).execute()
  expect((await ask(owner, 'POST', 'hooks/update', { hookId, events: ['calls.ended'] })).status).toBe(200)
  expect(await listed(owner)).toMatchObject([{ state: 'active', events: ['calls.ended'] }])
  expect((await ask(owner, 'POST', 'hooks/update', { hookId, url: `${url}/other` })).status).toBe(200)
  expect(await listed(owner)).toMatchObject([{ state: 'unverified', rotatesUntil: null }])
  expect(await deliveries(owner, hookId)).toHaveLength(2)
  const rotated = (await ask<Made>(owner, 'POST', 'hooks/rotate', { hookId })).body
  expect(rotated.secret).not.toBe(secret)
  expect(await listed(owner)).toMatchObject([{ rotatesUntil: expect.any(String) }])
})

test('without an address its events are read by a program, with a key of that scope, each once and in their order', async () => {
  const owner = await newUser(app)
  const { hookId, secret } = (await make(owner, { events })).body
  expect(secret).toBeNull()
  expect(await listed(owner)).toMatchObject([{ host: null, state: 'active' }])
  expect(await ask(owner, 'POST', 'hooks/test', { hookId })).toMatchObject({ status: 409, text: words.noAddress })
  const happened = { user_id: owner.userId, type: 'balance.low', at: new Date(), of_messages: false, ids: [] }
  await app.db
    .insertInto('hook_event')
    .values(Array.from({ length: 21 }, () => happened))
    .execute()
  const { headers } = await newApiKey(app, owner, { scopes: ['hooks:read'] })
  const read = async (after: number) => {
    const reply = await http.inject({ url: `/api/v1/events?after=${after}`, headers })
    return reply.json<{ events: { eventId: string; type: string; data: unknown }[]; next: number }>()
  }
  const first = await read(0)
  const second = await read(first.next)
  expect([first.events.length, second.events.length]).toEqual([20, 1])
  expect(new Set([...first.events, ...second.events].map(({ eventId }) => eventId)).size).toBe(21)
  expect(first.events[0]).toMatchObject({ type: 'balance.low', data: { balance: 0 } })
  expect(await read(second.next)).toEqual({ events: [], next: second.next })
  const made = await http.inject({ method: 'POST', url: '/api/v1/hooks', headers, payload: { events } })
  expect(made.statusCode).toBe(403)
})

test('what failed is sent again, one delivery or all since a time, but nothing of a deleted campaign', async () => {
  const owner = await newUser(app)
  const { hookId } = (await make(owner, { url, events })).body
  const deleted = await newCampaign(app, owner, { rows: 1 })
  const event = { user_id: owner.userId, type: 'balance.low', at: new Date(), of_messages: false, ids: [] }
  const ofDeleted = { ...event, type: 'calls.ended', campaign_id: deleted }
  const made = app.db.insertInto('hook_event').values([event, ofDeleted, event])
  const ids = await made.returning('id').execute()
  const failed = ids.map(({ id }) => ({ hook_id: hookId, event_id: id, state: 'failed' as const, tries: 10 }))
  const rows = await app.db.insertInto('hook_delivery').values(failed).returning('id as deliveryId').execute()
  const mark = { campaign_id: deleted, asked_at: new Date(), by_user_id: owner.userId }
  await app.db.insertInto('campaign_deleted').values(mark).execute()
  expect(await ask(owner, 'POST', 'hooks/replay', rows[1])).toMatchObject({ status: 409, text: words.deleted })
  expect(await ask(owner, 'POST', 'hooks/replay', rows[0])).toMatchObject({ status: 200, body: { deliveries: 1 } })
  const failedSince = '2026-01-01 00:00:00'
  const all = await ask(owner, 'POST', 'hooks/replay', { failedSince, hookId })
  expect(all).toMatchObject({ status: 200, body: { deliveries: 1 } })
  const states = (await deliveries(owner, hookId)).map(({ state, tries }) => [state, tries])
  expect(states.slice(0, 3)).toEqual([
    ['waiting', 0],
    ['failed', 10],
    ['waiting', 0],
  ])
  expect(await ask(owner, 'POST', 'hooks/replay', {})).toMatchObject({ status: 400, text: words.oneOf })
  expect((await ask(user, 'POST', 'hooks/replay', rows[0])).status).toBe(404)
  expect((await ask(owner, 'DELETE', `hooks/${hookId}`)).status).toBe(200)
  expect(await listed(owner)).toEqual([])
})

test('all are paused by a restore until somebody resumes them', async () => {
  await app.db.updateTable('hook').set({ is_paused: true }).execute()
  expect((await listed(user)).map(({ state }) => state)).toEqual(['paused'])
  expect((await resumeKeys(app.db)).hooks).toBeGreaterThan(0)
  expect((await listed(user)).map(({ state }) => state)).toEqual(['unverified'])
})

test('all are switched off when their owner says that somebody else was there', async () => {
  const owner = await newUser(app)
  await make(owner, { url, events })
  const token = 'not me'
  const link = { token_hash: hashOf(token), user_id: owner.userId, expires_at: new Date(Date.now() + 600_000) }
  await app.db.insertInto('not_me_link').values(link).execute()
  await stopStranger(app, token, { ip: '127.0.0.1', host: 'localhost', userAgent: '' })
  const hooks = app.db.selectFrom('hook').select(['state', 'reason']).where('user_id', '=', owner.userId)
  expect(await hooks.execute()).toEqual([{ state: 'off', reason: strangerReported }])
})
