import { randomUUID } from 'node:crypto'
import { repeatsMax, type Repeat } from '@ghanti/contract/repeats.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newUser } from '../../testing/seed.ts'
import { giveUpRepeat, queueDueRepeats, runRepeat } from './actions-run.ts'
import { words } from './rules.ts'
import * as store from './store.ts'

const app = await testApp()
const never = new AbortController().signal
const thursday = new Date('2026-11-26T12:00:00+05:45')
const everyDay = {
  rule: 'weekly',
  weekdays: [0, 1, 2, 3, 4, 5, 6],
  time: '10:00',
  fromDay: '2026-11-26',
  untilDay: '2026-12-31',
}
const people =
  'mobile,name,due\n9841000001,Sita,2026-11-30\n9841000002,Ram,2083-08-14\n9841000003,Gita,\n9841000001,Sita,2 Dec 2026\n9841000004,Hari,soon\n'
let http: FastifyInstance
let user: Viewer
let cli: string
let welcomePId: number
let setupId: number
let baseId: number

beforeAll(async () => {
  http = await testHttp(app)
})
beforeEach(async () => {
  app.clock.set(thursday)
  const reseller = await newReseller(app, { planId: await newPlan(app, { pulseSeconds: 30, pulsePaisa: 40 }) })
  user = await newUser(app, { parent: reseller, planId: await newPlan(app, { owner: reseller }) })
  ;({ cli } = await newLine(app, { holders: [user] }))
  welcomePId = await newPrompt(app, user)
  setupId = (await ok(await post('/setups', { setupName: 'Dues', templateId: 0, cli, welcomePId })))[
    'setupId'
  ] as number
  baseId = await upload(people)
})

type Reply = Awaited<ReturnType<FastifyInstance['inject']>>
async function post(path: string, payload: object, viewer = user): Promise<Reply> {
  return await http.inject({ method: 'POST', url: `/api/obd${path}`, headers: await signedIn(app, viewer), payload })
}
async function get<T>(path: string, viewer = user): Promise<T> {
  const reply = await http.inject({ url: `/api/obd/repeats${path}`, headers: await signedIn(app, viewer) })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<T>()
}
async function ok(reply: Reply): Promise<Record<string, unknown>> {
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<Record<string, unknown>>()
}
async function upload(text: string): Promise<number> {
  const form = new FormData()
  form.append('baseName', `People ${randomUUID()}`)
  form.append('baseFile', new File([text], 'people.csv', { type: 'text/csv' }))
  const body = new Response(form)
  const headers = { ...(await signedIn(app, user)), 'content-type': body.headers.get('content-type') ?? '' }
  const payload = Buffer.from(await body.arrayBuffer())
  const reply = await http.inject({ method: 'POST', url: '/api/obd/baseupload', headers, payload })
  return (await ok(reply))['baseId'] as number
}
const asked = (of: object = {}) => ({ repeatName: 'Dues', setupId, baseId, ...everyDay, ...of })
async function made(of: object = {}): Promise<number> {
  return (await ok(await post('/repeats', asked(of))))['repeatId'] as number
}
const refused = (reply: Reply) => [
  reply.statusCode,
  ...reply.json<{ errors: FieldError[] }>().errors.map(({ field, text }) => `${field} ${text}`),
]
const campaigns = async () =>
  await app.db
    .selectFrom('campaign as c')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'c.id')
    .innerJoin('base as b', 'b.id', 'd.base_id')
    .select(['d.name', 'c.start_at', 'b.pasted', 'b.rows', 'b.id as baseId'])
    .where('c.account_id', '=', user.userId)
    .orderBy('c.id')
    .execute()
const days = (repeatId: number) => get<Record<string, unknown>[]>(`/${repeatId}/days`)
const notices = async () =>
  await app.db.selectFrom('notice').select(['kind', 'about']).where('user_id', '=', user.userId).execute()
const run = (repeatId: number, day: string) => runRepeat(app, { repeatId, day }, never)
const before = (day: string) => app.clock.set(new Date(`${day}T09:30:00+05:45`))

test('a repeating campaign composes each of its days, half an hour before it begins, over the same contact file', async () => {
  const repeatId = await made({ untilDay: '2026-11-28' })
  expect(await get<Repeat>(`/${repeatId}`)).toMatchObject({
    repeatName: 'Dues',
    repeatState: 'active',
    templateId: 0,
    cli,
    time: '10:00',
    nextDay: '2026-11-27',
    lastDay: null,
    nextDays: [
      { day: '2026-11-27', rows: null },
      { day: '2026-11-28', rows: null },
    ],
  })
  for (const day of ['2026-11-27', '2026-11-28']) {
    before(day)
    await run(repeatId, day)
    const { nextDays } = await get<{ nextDays: unknown[] }>(`/${repeatId}`)
    expect(nextDays, 'the day that is composed is no next one').toHaveLength(day === '2026-11-27' ? 1 : 0)
  }
  expect(await campaigns()).toEqual([
    { name: 'Dues 2026-11-27', start_at: new Date('2026-11-27T10:00:00+05:45'), pasted: false, rows: 5, baseId },
    { name: 'Dues 2026-11-28', start_at: new Date('2026-11-28T10:00:00+05:45'), pasted: false, rows: 5, baseId },
  ])
  expect(await days(repeatId)).toMatchObject([
    { day: '2026-11-28', outcome: 'composed', campaignName: 'Dues 2026-11-28', campaignStatus: 21, reasons: [] },
    { day: '2026-11-27', outcome: 'composed', campaignName: 'Dues 2026-11-27' },
  ])
  expect(await get<Repeat>(`/${repeatId}`)).toMatchObject({
    repeatState: 'ended',
    nextDay: null,
    lastDay: { outcome: 'composed' },
  })
  expect(await notices()).toEqual([])
})

test('by a column, only those are called whose date is due that day, read as spoken dates are', async () => {
  const rule = { rule: 'column', weekdays: undefined, column: 'due', offsetDays: -3 }
  const next = await ok(await post('/repeats/next', { ...everyDay, ...rule, baseId }))
  // 14 Mangsir 2083 is 30 November 2026.
  expect(next).toEqual({
    days: [
      { day: '2026-11-27', rows: 2 },
      { day: '2026-11-29', rows: 1 },
    ],
    unreadable: 2,
  })
  const repeatId = await made(rule)
  for (const day of ['2026-11-27', '2026-11-28', '2026-11-29']) {
    before(day)
    await run(repeatId, day)
  }
  expect(await campaigns()).toMatchObject([
    { name: 'Dues 2026-11-27', pasted: true, rows: 2 },
    { name: 'Dues 2026-11-29', pasted: true, rows: 1 },
  ])
  expect((await days(repeatId)).map(({ outcome, rows }) => [outcome, rows])).toEqual([
    ['composed', 1],
    ['nobody', 0],
    ['composed', 2],
  ])
  expect(await notices()).toEqual([])
})

test('a column whose dates can be two days each is refused before it is saved, until somebody says the order; its days keep it', async () => {
  baseId = await upload('mobile,due\n9841000001,11/12/2026\n9841000002,12/11/2026\n9841000003,\n')
  const rule = { rule: 'column', weekdays: undefined, column: 'due', offsetDays: 0 }
  const mustSay =
    'has dates in the column due that can be two days: say whether the day or the month stands first there'
  expect(refused(await post('/repeats/next', { ...everyDay, ...rule, baseId }))).toEqual([400, `column ${mustSay}`])
  expect(refused(await post('/repeats', asked(rule)))).toEqual([400, `column ${mustSay}`])
  await ok(await post('/base/update', { baseId, dateOrders: { due: 'mdy' } }))
  expect(await ok(await post('/repeats/next', { ...everyDay, ...rule, baseId }))).toEqual({
    days: [{ day: '2026-12-11', rows: 1 }],
    unreadable: 1,
  })
  const repeatId = await made(rule)
  await app.db.updateTable('repeating').set({ next_day: '2026-12-11' }).where('id', '=', repeatId).execute()
  before('2026-12-11')
  await run(repeatId, '2026-12-11')
  const [composed] = await campaigns()
  expect(composed).toMatchObject({ name: 'Dues 2026-12-11', rows: 1 })
  const { date_orders: orders } = await app.db
    .selectFrom('base')
    .select('date_orders')
    .where('id', '=', composed?.baseId ?? 0)
    .executeTakeFirstOrThrow()
  expect(orders).toEqual({ due: 'mdy' })
})

test('of a file whose order became unknown, a day is not composed and says why', async () => {
  baseId = await upload('mobile,due\n9841000001,11/12/2026\n')
  await ok(await post('/base/update', { baseId, dateOrders: { due: 'mdy' } }))
  const repeatId = await made({ rule: 'column', weekdays: undefined, column: 'due', offsetDays: 0 })
  await app.db.updateTable('base').set({ date_orders: null }).where('id', '=', baseId).execute()
  const [day] = (await get<{ nextDays: { day: string }[] }>(`/${repeatId}`)).nextDays
  before(day?.day ?? '')
  await run(repeatId, day?.day ?? '')
  expect(await days(repeatId)).toMatchObject([
    { outcome: 'failed', reasons: [{ field: 'column', text: expect.stringContaining('can be two days') }] },
  ])
})

test('a day is composed once, whoever runs it and however often', async () => {
  const repeatId = await made()
  before('2026-11-27')
  await Promise.all(Array.from({ length: 8 }, () => run(repeatId, '2026-11-27')))
  await run(repeatId, '2026-11-27')
  expect(await campaigns()).toHaveLength(1)
  expect(await days(repeatId)).toHaveLength(1)
  expect(await get<Repeat>(`/${repeatId}`)).toMatchObject({ nextDay: '2026-11-28' })
})

test('a day that is due is queued by one process, and again after an hour if its job was lost', async () => {
  const repeatId = await made()
  const take = () => app.db.transaction().execute((tx) => store.takeDue(tx, app.clock.now(), 100))
  const mine = async () => (await take()).filter((due) => due.repeatId === repeatId)
  expect(await mine()).toEqual([])
  before('2026-11-27')
  const taken = await Promise.all([mine(), mine(), mine()])
  expect(taken.flat()).toEqual([{ repeatId, accountId: user.userId, day: '2026-11-27' }])
  app.clock.advance(61 * 60_000)
  expect(await mine()).toHaveLength(1)
  app.clock.advance(61 * 60_000)
  await queueDueRepeats(app)
  const { rows } = await app.pool.query(
    `select data from pgboss.job where name = 'repeat' and data ->> 'repeatId' = $1`,
    [repeatId],
  )
  expect(rows).toEqual([{ data: { repeatId, day: '2026-11-27' } }])
})

test('a day that could not be composed says why, its owner is told, and the next day is tried', async () => {
  const repeatId = await made()
  await app.db.deleteFrom('cli_holder').where('account_id', '=', user.userId).execute()
  await app.db.updateTable('prompt').set({ deleted_at: new Date() }).where('id', '=', welcomePId).execute()
  before('2026-11-27')
  await run(repeatId, '2026-11-27')
  expect(await days(repeatId)).toMatchObject([
    {
      outcome: 'failed',
      campaignId: null,
      reasons: [
        { field: 'welcomePId', text: 'is not one of your voice files' },
        { field: 'cli', text: 'is not a caller ID of yours' },
      ],
    },
  ])
  expect(await campaigns()).toEqual([])
  expect(await notices()).toEqual([{ kind: 'repeatFailed', about: 'Dues 2026-11-27' }])
  expect(await get<Repeat>(`/${repeatId}`)).toMatchObject({ repeatState: 'active', nextDay: '2026-11-28' })
  before('2026-11-28')
  await app.db
    .updateTable('users')
    .set({ disabled_at: new Date(), disabled_reason: 'x' })
    .where('id', '=', user.userId)
    .execute()
  await run(repeatId, '2026-11-28')
  await app.db
    .updateTable('users')
    .set({ disabled_at: null, disabled_reason: null })
    .where('id', '=', user.userId)
    .execute()
  expect((await days(repeatId))[0]).toMatchObject({ outcome: 'failed', reasons: [{ text: words.disabled }] })
  await giveUpRepeat(app, { repeatId, day: '2026-11-29' })
  expect((await days(repeatId))[0]).toMatchObject({ outcome: 'failed', reasons: [{ text: words.broken }] })
})

test('a day that the server slept through begins late within two hours, and is missed after them', async () => {
  const repeatId = await made()
  app.clock.set(new Date('2026-11-27T11:30:00+05:45'))
  await run(repeatId, '2026-11-27')
  expect(await campaigns()).toMatchObject([{ start_at: new Date('2026-11-27T11:30:00+05:45') }])
  app.clock.set(new Date('2026-11-28T12:01:00+05:45'))
  await run(repeatId, '2026-11-28')
  expect((await days(repeatId))[0]).toMatchObject({ day: '2026-11-28', outcome: 'missed' })
  expect(await campaigns()).toHaveLength(1)
  expect(await notices()).toHaveLength(1)
})

test('what is paused composes nothing and goes on with the next day to come; what has ended stays so, and can be deleted', async () => {
  const repeatId = await made()
  const act = (action: string, viewer = user) => post(`/repeats/${action}`, { repeatId }, viewer)
  expect((await act('pause', await newUser(app))).statusCode).toBe(404)
  await ok(await act('pause'))
  before('2026-11-27')
  await run(repeatId, '2026-11-27')
  expect(await campaigns()).toEqual([])
  expect(refused(await act('pause'))).toEqual([409, 'repeatId is paused and cannot be paused'])
  app.clock.set(new Date('2026-11-29T11:00:00+05:45'))
  await ok(await act('resume'))
  expect(await get<Repeat>(`/${repeatId}`)).toMatchObject({ repeatState: 'active', nextDay: '2026-11-30' })
  before('2026-11-30')
  await run(repeatId, '2026-11-30')
  await ok(await act('pause'))
  await ok(await act('resume'))
  expect(await get<Repeat>(`/${repeatId}`), 'its day is over already').toMatchObject({ nextDay: '2026-12-01' })
  const remove = async () =>
    await http.inject({ method: 'DELETE', url: `/api/obd/repeats/${repeatId}`, headers: await signedIn(app, user) })
  expect(refused(await remove())).toEqual([409, `repeatId ${words.notEnded}`])
  await ok(await act('end'))
  expect(refused(await act('resume'))).toEqual([409, 'repeatId is ended and cannot be resumed'])
  expect((await remove()).statusCode).toBe(200)
  expect(await campaigns(), 'campaigns stay').toHaveLength(1)
})

test('a contact file that a repeating campaign calls again is kept, and cannot be deleted before it has ended', async () => {
  const repeatId = await made()
  const remove = async () =>
    await http.inject({ method: 'DELETE', url: `/api/obd/base/${baseId}`, headers: await signedIn(app, user) })
  expect(refused(await remove())).toEqual([409, "baseId is called again by 'Dues': end the repeating campaign first"])
  const [file] = (await http.inject({ url: `/api/obd/base/${user.userId}`, headers: await signedIn(app, user) })).json<
    { keptUntil: unknown }[]
  >()
  expect(file?.keptUntil).toBeNull()
  await ok(await post('/repeats/end', { repeatId }))
  expect((await remove()).statusCode).toBe(200)
})

test('what could never be composed is refused at once, each at its field', async () => {
  const bare = (await ok(await post('/setups', { setupName: 'Bare', templateId: 0 })))['setupId']
  expect(refused(await post('/repeats', asked({ setupId: bare, weekdays: undefined })))).toEqual([
    400,
    'cli is required',
    'weekdays is required',
  ])
  expect(refused(await post('/repeats', asked({ setupId: 999_999 })))).toEqual([400, `setupId ${words.noSetup}`])
  await app.db.deleteFrom('cli_holder').where('account_id', '=', user.userId).execute()
  expect(refused(await post('/repeats', asked()))).toEqual([400, 'cli is not a caller ID of yours'])
  expect(await get('')).toEqual([])
})

test('what cannot be read any more of one stored set-up is a fault of its row, and the others are shown', async () => {
  const [broken, sound] = [await made(), await made({ repeatName: 'Sound' })]
  await app.db
    .updateTable('repeating')
    .set({ fields: sql`fields || '{"templateId": "gone", "channels": 5000}'` })
    .where('id', '=', broken)
    .execute()
  const rows = await get<Repeat[]>('')
  const faults = [
    { field: 'templateId', text: 'must be a whole number from 0 to 8' },
    { field: 'channels', text: 'must be a whole number from 1 to 1000' },
  ]
  expect(rows.map(({ repeatId, templateId, faults }) => [repeatId, templateId, faults])).toEqual([
    [broken, null, expect.arrayContaining(faults)],
    [sound, 0, []],
  ])
  expect((await get<Repeat>(`/${broken}`)).faults, 'its own page says so, too').toHaveLength(2)
  before('2026-11-27')
  await run(broken, '2026-11-27')
  expect((await days(broken))[0]).toMatchObject({ outcome: 'failed', reasons: expect.arrayContaining(faults) })
})

test('a name is there once, and an account has at most a hundred', async () => {
  await made()
  expect(refused(await post('/repeats', asked({ repeatName: 'DUES' })))).toEqual([409, `repeatName ${words.taken}`])
  const rows = Array.from({ length: repeatsMax - 2 }, (_, n) => ({
    account_id: user.userId,
    name: `R ${n}`,
    fields: JSON.stringify({ templateId: 0, cli }),
    base_id: baseId,
    rule: 'weekly',
    weekdays: [0],
    at_minute: 600,
    from_day: '2026-01-01',
    until_day: '2026-01-02',
    state: 'ended',
  }))
  await app.db.insertInto('repeating').values(rows).execute()
  const replies = await Promise.all([1, 2, 3].map((n) => post('/repeats', asked({ repeatName: `At once ${n}` }))))
  expect(replies.filter(({ statusCode }) => statusCode !== 200).map(refused)).toEqual([
    [409, `repeatName ${words.tooMany}`],
    [409, `repeatName ${words.tooMany}`],
  ])
})
