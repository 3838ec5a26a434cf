import type { SentMessage } from '@ghanti/contract/sends.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { kyselyOver, openPool } from '../../db/pool.ts'
import type { Viewer } from '../../policy.ts'
import { expectSoundBooks } from '../../sms/testing/fixtures.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newApiKey } from '../../testing/keys.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { newSender } from '../../testing/sms-campaigns.ts'
import { changeSetting } from '../platform/actions.ts'
import { sendMessage } from './actions.ts'

const app = await testApp()
const at = { db: app.db, pool: app.pool, url: app.url, engine: app.pool }
let http: FastifyInstance
let boss: Viewer, reseller: Viewer, user: Viewer
let planId: number
let key: { authorization: string }
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  planId = await newPlan(app)
  await app.db.transaction().execute((tx) => changeSetting(tx, 'smsPricePaisa', 150, null))
  reseller = await newReseller(app, { parent: boss, planId, rupees: 1000 })
})
beforeEach(async () => {
  user = await newUser(app, { parent: reseller, planId, rupees: 1000 })
  await transactional()
  await newSender(app, user)
  key = (await newApiKey(app, user)).headers
})

const transactional = () =>
  app.db.updateTable('users').set({ account_type: 'transactional' }).where('id', '=', user.userId).execute()
const send = (more: object = {}, headers: Record<string, string> = key) =>
  http.inject({
    method: 'POST',
    url: '/api/v1/messages',
    headers,
    payload: { to: '9841000001', from: 'GHANTI', text: 'Your code is 4711', ...more },
  })
type Sent = Pick<SentMessage, 'messageId' | 'state' | 'segments' | 'cost'>
const sent = async (more: object = {}) => {
  const reply = await send(more)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<Sent>()
}
const refusal = async (more: object = {}) => {
  const reply = await send(more)
  const { errors } = reply.json<{ errors: { field: string; text: string }[] }>()
  return `${reply.statusCode} ${errors.map(({ field, text }) => `${field} ${text}`).join(' · ')}`
}
const read = async (messageId: string, headers: Record<string, string> = key) => {
  const reply = await http.inject({ url: `/api/v1/messages/${messageId}`, headers })
  return { status: reply.statusCode, said: reply.json<SentMessage>() }
}
const feeds = () =>
  app.db
    .selectFrom('sms_campaign as c')
    .innerJoin('sms_campaign_progress as p', 'p.campaign_id', 'c.id')
    .select(['c.id', 'p.name', 'c.status', 'c.price_paisa', 'c.feed'])
    .where('c.account_id', '=', user.userId)
    .orderBy('c.id')
    .execute()
const messages = () =>
  app.db
    .selectFrom('sms_message as m')
    .innerJoin('sms_campaign as c', 'c.id', 'm.campaign_id')
    .select(['m.no', 'm.phone', 'm.state'])
    .where('c.account_id', '=', user.userId)
    .orderBy('m.no')
    .execute()
const account = () =>
  app.db
    .selectFrom('account')
    .select(['balance_paisa', 'reserved_paisa'])
    .where('id', '=', user.userId)
    .executeTakeFirstOrThrow()
const setFeed = (set: object) =>
  app.db.updateTable('sms_campaign').set(set).where('account_id', '=', user.userId).execute()

test('one call puts a message with its money into the feed of the day, and says by its id what became of it', async () => {
  const one = await sent({ reference: 'invoice 12' })
  expect(one).toMatchObject({ state: 'waiting', segments: 1, cost: 1.5 })
  expect(await sent({ text: 'a'.repeat(161) })).toMatchObject({ segments: 2, cost: 3 })
  const [feed, ...others] = await feeds()
  expect(others).toEqual([])
  expect(feed?.status).toBe('running')
  expect(feed?.name).toMatch(/^API \d{4}-\d{2}-\d{2} · GHANTI$/)
  expect(one.messageId).toBe(`${feed?.id}-1`)
  expect(await account()).toEqual({ balance_paisa: 100_000, reserved_paisa: 450 })
  await expectSoundBooks(at)
  expect(await read(one.messageId)).toMatchObject({
    status: 200,
    said: { ...one, to: '9841000001', from: 'GHANTI', reference: 'invoice 12', submittedAt: null, endedAt: null },
  })
  const found = await http.inject({ url: '/api/v1/messages?reference=invoice%2012', headers: key })
  expect(found.json<SentMessage[]>().map(({ messageId }) => messageId)).toEqual([one.messageId])
})

test('an account sees its own messages alone, and reading leaves one line of audit a feed and hour', async () => {
  const { messageId } = await sent({ reference: 'r' })
  const stranger = await newUser(app, { parent: reseller, planId })
  const theirs = (await newApiKey(app, stranger)).headers
  expect((await read(messageId, theirs)).status).toBe(404)
  expect((await http.inject({ url: '/api/v1/messages?reference=r', headers: theirs })).json()).toEqual([])
  for (const id of [messageId, messageId]) await read(id)
  await http.inject({ url: '/api/v1/messages?reference=r', headers: key })
  const lines = app.db.selectFrom('audit_log').select('action').where('actor_id', '=', user.userId)
  expect((await lines.execute()).map(({ action }) => action).filter((action) => action.startsWith('sms.'))).toEqual([
    'sms.report',
    'sms.find',
  ])
  expect((await read('999999999-1')).status).toBe(404)
  expect((await read('9999999999-9999999999')).status).toBe(404)
})

test('fifty equal sends at once are one', async () => {
  const headers = { ...(await signedIn(app, user)), 'idempotency-key': 'invoice 12' }
  const replies = await Promise.all(Array.from({ length: 50 }, () => send({}, headers)))
  expect(await messages()).toHaveLength(1)
  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]))
  expect((await send({}, headers)).json()).toEqual(replies.find(({ statusCode }) => statusCode === 200)?.json())
  expect((await account()).reserved_paisa).toBe(150)
  await expectSoundBooks(at)
})

test('with the connections to the database cut while messages are accepted, each is there once or not at all, and what was answered is there', async () => {
  const headers = await signedIn(app, user)
  const owner = openPool({ connectionString: app.url, max: 1, name: 'ghanti-test-owner', asOwner: true }, () => {})
  const answered: string[] = []
  const asked: string[] = []
  try {
    for (let round = 0; round < 4; round++) {
      const sends = Array.from({ length: 20 }, (_, n) => {
        const reference = `cut ${round}-${n}`
        asked.push(reference)
        const own = { ...headers, 'idempotency-key': reference }
        return send({ to: `98410${1000 * round + n + 10_000}`, reference }, own).then((reply) => {
          if (reply.statusCode === 200) answered.push(reference)
        })
      })
      await new Promise((resolve) => setTimeout(resolve, 5 + 25 * round))
      await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ghanti-test' and datname = current_database()`,
      )
      await Promise.all(sends)
    }
  } finally {
    await owner.end()
  }
  const stored = app.db.selectFrom('api_send').select('reference').where('account_id', '=', user.userId)
  const references = (await stored.execute()).map(({ reference }) => String(reference))
  expect(new Set(references).size, 'each once').toBe(references.length)
  expect(asked).toEqual(expect.arrayContaining(references))
  expect(references).toEqual(expect.arrayContaining(answered))
  expect((await account()).reserved_paisa).toBe(150 * references.length)
  await expectSoundBooks(at)
})

test('ten processes that send the first messages of a day make one feed', async () => {
  const pools = Array.from({ length: 10 }, (_, i) =>
    openPool({ connectionString: app.loginUrl, max: 1, name: `ghanti-test-${i}` }, () => {}),
  )
  try {
    const made = await Promise.all(
      pools.map((pool, i) => {
        const ctx = { app: { ...app, db: kyselyOver(pool) }, viewer: user, origin: { ip: '', host: '', userAgent: '' } }
        return sendMessage(ctx, { to: `984100000${i}`, from: 'ghanti', text: 'Hello' })
      }),
    )
    expect(new Set(made.map(({ messageId }) => messageId)).size).toBe(10)
  } finally {
    await Promise.all(pools.map((pool) => pool.end()))
  }
  expect(await feeds()).toHaveLength(1)
  expect((await messages()).map(({ no }) => no)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect((await account()).reserved_paisa).toBe(1500)
  await expectSoundBooks(at)
})

test('prices are those of the day’s first message, until the day is over', async () => {
  await sent()
  await app.db.transaction().execute((tx) => changeSetting(tx, 'smsPricePaisa', 200, null))
  expect(await sent()).toMatchObject({ cost: 1.5 })
  await setFeed({ feed: new Date('2026-11-20') })
  expect(await sent()).toMatchObject({ cost: 2 })
  expect((await feeds()).map(({ price_paisa }) => price_paisa)).toEqual([150, 200])
  await app.db.transaction().execute((tx) => changeSetting(tx, 'smsPricePaisa', 150, null))
})

test('a template is filled in, with a value for each of its columns', async () => {
  const saved = await http.inject({
    method: 'POST',
    url: '/app/sms/text',
    headers: await signedIn(app, user),
    payload: { textName: 'Code', smsText: 'Dear {name}, your code is {code}' },
  })
  const { textId: template } = saved.json<{ textId: number }>()
  const { messageId } = await sent({ text: undefined, template, values: { name: 'Sita', code: 4711 } })
  const text = app.db.selectFrom('api_send').select('text').where('account_id', '=', user.userId)
  expect(await text.execute()).toEqual([{ text: 'Dear Sita, your code is 4711' }])
  expect((await read(messageId)).said.segments).toBe(1)
  expect(await refusal({ text: undefined, template, values: { name: 'Sita' } })).toBe(
    '400 template has no value for {code}',
  )
  expect(await refusal({ template })).toBe('400 template cannot be sent together with text: name one of them')
  expect(await refusal({ text: undefined, template: 2_000_000_000 })).toBe('400 template is not one of your texts')
  expect(await refusal({ text: undefined })).toBe('400 text is required, or a template')
  expect(await refusal({ values: { code: 1 } })).toBe('400 values belong to a template')
})

test.each([
  [{ to: '015970001' }, '400 to is not a mobile number: a message would not reach it'],
  [{ validSeconds: 5 }, '400 validSeconds must be a whole number from 30 to 86400'],
  [{ from: 'Nobody' }, '400 from is not one of your sender IDs'],
  [{ to: undefined, text: undefined }, '400 to is required · text is required, or a template'],
  [{ reference: 'a\nb' }, '400 reference has line breaks or control characters'],
])('what is wrong with %j is said in words', async (more, said) => {
  const found = await refusal(more)
  expect(found.split(' · ')[0]).toBe(said.split(' · ')[0])
  expect(await feeds()).toEqual([])
})

test('a text that needs approval is refused until it is approved, and so are values that nobody approved', async () => {
  await app.db.updateTable('users').set({ account_type: 'promotional' }).where('id', '=', user.userId).execute()
  const rule = { promotional: true, words: [] }
  await app.db.transaction().execute((tx) => changeSetting(tx, 'textApproval', rule, null))
  expect(await refusal()).toBe('400 text needs approval: use an approved template')
  const [{ id: template = 0 } = {}] = await app.db
    .insertInto('sms_text')
    .values({ account_id: user.userId, name: 'Sale', text: 'Sale at {place}', status: 'pending' })
    .returning('id')
    .execute()
  const saleAt = (place: string) => ({ text: undefined, template, values: { place } })
  expect(await refusal(saleAt('Pokhara'))).toBe("400 template waits for approval: it is your text 'Sale'")
  await app.db
    .updateTable('sms_text')
    .set({ status: 'approved', decided_by: boss.userId, decided_at: new Date() })
    .where('id', '=', template)
    .execute()
  expect(await sent(saleAt('Pokhara'))).toMatchObject({ state: 'waiting' })
  expect(await refusal(saleAt('bad.example.com'))).toBe(
    '400 template has a value for {place} that needs approval: it looks like an address',
  )
})

test('what is not paid for is not accepted, and leaves no feed behind', async () => {
  await app.db.updateTable('account').set({ balance_paisa: 170 }).where('id', '=', user.userId).execute()
  expect(await refusal({ text: 'a'.repeat(161) })).toBe('409 message costs Rs 3.00, and Rs 1.70 are free')
  expect(await feeds()).toEqual([])
  await sent()
  expect(await refusal()).toBe('409 message costs Rs 1.50, and Rs 0.20 are free')
  await app.db.updateTable('account').set({ balance_paisa: 100_000 }).where('id', '=', user.userId).execute()
  await expectSoundBooks(at)
})

test('a feed that is paused, held or stopped refuses in words, as a stop of the administrator and a full number do', async () => {
  await sent()
  await setFeed({ status: 'paused' })
  expect(await refusal()).toBe('409 from sends nothing: its messages of today are paused')
  await setFeed({ status: 'onHold', hold_cause: 'administrator', reason: 'paused by the administrator: complaints' })
  expect(await refusal()).toBe('409 from sends nothing: paused by the administrator: complaints')
  await setFeed({ status: 'running', hold_cause: null, reason: null })
  const [block] = await app.db
    .insertInto('dial_block')
    .values({ kind: 'account', what: 'messages', target_id: reseller.userId, reason: 'audit', by_user_id: boss.userId })
    .returning('id')
    .execute()
  expect(await refusal()).toBe('409 from sends nothing: all messages are stopped by the administrator: audit')
  await app.db
    .updateTable('dial_block')
    .set({ lifted_at: new Date() })
    .where('id', '=', block?.id ?? 0)
    .execute()
  await app.pool.query(
    'insert into sms_number_day (phone, account_id, day, sent) values (9779841000001, $1, nepal_day(now()), 5)',
    [user.userId],
  )
  expect(await refusal()).toBe('409 to had 5 messages today: it may have more from 00:00')
  expect(await sent({ to: '9841000002' })).toMatchObject({ state: 'waiting' })
  await setFeed({ status: 'cancelled' })
  expect(await refusal({ to: '9841000002' })).toBe('409 from sends nothing: its messages of today were stopped')
  await setFeed({ status: 'running' })
})

test('a key needs the scope of messages', async () => {
  const { headers } = await newApiKey(app, user, { scopes: ['messages:read'] })
  const reply = await send({}, headers)
  expect([reply.statusCode, reply.json<{ errors: { text: string }[] }>().errors[0]?.text]).toEqual([
    403,
    'needs the scope messages:write',
  ])
})

test('a feed counts in no quota', async () => {
  const quotas = async () =>
    (await http.inject({ url: `/api/obd/quota/${user.userId}`, headers: await signedIn(app, user) })).json<object>()
  const before = await quotas()
  await sent()
  await setFeed({ feed: new Date('2026-11-20') })
  await sent()
  expect(await quotas()).toEqual(before)
})
