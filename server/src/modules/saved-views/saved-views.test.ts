import { viewsMax, type SavedView } from '@ghanti/contract/saved-views.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import { tooMany, viewQuery } from './rules.ts'

const app = await testApp()
const campaigns = '/api/obd/campaign/:userId'
const notices = '/api/obd/notices'
let http: FastifyInstance
let user: Viewer

beforeAll(async () => {
  http = await testHttp(app)
})
beforeEach(async () => {
  user = await newUser(app)
})

async function post(path: string, body: object, viewer = user) {
  const headers = await signedIn(app, viewer)
  return await http.inject({ method: 'POST', url: `/api/obd/views${path}`, headers, payload: body })
}

async function saved(view: Partial<SavedView> & { list?: string }, viewer = user): Promise<number> {
  const reply = await post('', { list: campaigns, name: 'Paused', query: 'status=paused', ...view }, viewer)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ viewId: number }>().viewId
}

async function views(list = campaigns, viewer = user): Promise<SavedView[]> {
  const reply = await http.inject({ url: '/api/obd/views', query: { list }, headers: await signedIn(app, viewer) })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<SavedView[]>()
}

const refused = (reply: Awaited<ReturnType<typeof post>>) => [
  reply.statusCode,
  ...reply.json<{ errors: { field: string; text: string }[] }>().errors.map(({ field, text }) => `${field} ${text}`),
]

test('a view is saved, renamed and deleted; each list and each account has its own', async () => {
  const viewId = await saved({ query: 'status=paused%2Crunning&search=Tihar&sort=-campaignName&created=' })
  await saved({ list: notices, query: 'state=unread' })
  const other = await newUser(app)
  await saved({ name: 'Paused' }, other)
  const query = 'status=paused%2Crunning&search=Tihar&sort=-campaignName'
  expect(await views()).toEqual([{ viewId, name: 'Paused', query, isDefault: false }])
  expect((await post('/rename', { viewId, name: 'Mine of Tihar' })).statusCode).toBe(200)
  expect((await views()).map(({ name }) => name)).toEqual(['Mine of Tihar'])
  const gone = { method: 'DELETE', url: `/api/obd/views/${viewId}` } as const
  expect((await http.inject({ ...gone, headers: await signedIn(app, other) })).statusCode).toBe(404)
  expect((await http.inject({ ...gone, headers: await signedIn(app, user) })).statusCode).toBe(200)
  expect(await views()).toEqual([])
  expect(await views(notices)).toHaveLength(1)
  expect(await views(campaigns, other)).toHaveLength(1)
})

test('one view of a list at most is its default', async () => {
  const first = await saved({ isDefault: true })
  const second = await saved({ name: 'Running', query: 'status=running' })
  await saved({ list: notices, query: 'state=unread', isDefault: true })
  const defaults = async (list = campaigns) => (await views(list)).filter((view) => view.isDefault).map((v) => v.viewId)
  expect(await defaults()).toEqual([first])
  await post('/default', { viewId: second, isDefault: true })
  expect(await defaults()).toEqual([second])
  await post('/default', { viewId: second, isDefault: false })
  expect(await defaults()).toEqual([])
  expect(await defaults(notices)).toHaveLength(1)
  await Promise.all([first, second, first].map((viewId) => post('/default', { viewId, isDefault: true })))
  expect(await defaults()).toHaveLength(1)
})

test('a name is there once in a list, however its letters are written', async () => {
  const viewId = await saved({})
  const running = await saved({ name: 'Running' })
  expect(refused(await post('', { list: campaigns, name: 'PAUSED', query: 'status=paused' }))).toEqual([
    409,
    "name 'PAUSED' is taken",
  ])
  expect(refused(await post('/rename', { viewId: running, name: 'paused' }))).toEqual([409, "name 'paused' is taken"])
  expect((await post('/rename', { viewId, name: 'paused' })).statusCode).toBe(200)
})

test('an account has at most fifty views, also of requests that come at once', async () => {
  const asked = Array.from({ length: viewsMax + 4 }, (_, at) => ({
    list: at % 2 ? campaigns : notices,
    name: `V ${at}`,
  }))
  const replies = await Promise.all(asked.map((view) => post('', { ...view, query: 'search=x' })))
  const over = replies.filter(({ statusCode }) => statusCode !== 200)
  expect(over).toHaveLength(4)
  for (const reply of over) expect(refused(reply)).toEqual([409, `name ${tooMany}`])
  expect((await views()).length + (await views(notices)).length).toBe(viewsMax)
})

test('an invalid view of the list is refused, naming the field', async () => {
  const asked = async (view: object, viewer = user) =>
    refused(await post('', { list: campaigns, name: 'A', query: 'status=paused', ...view }, viewer))
  expect(await asked({ query: 'colour=red' })).toEqual([400, 'query has a filter that this list does not have: colour'])
  expect(await asked({ query: 'status=ajar' })).toEqual([400, 'query has a filter status that cannot be ajar'])
  expect(await asked({ query: 'toString=1' })).toEqual([
    400,
    'query has a filter that this list does not have: toString',
  ])
  expect(await asked({ query: 'page=2&status=paused' })).toEqual([
    400,
    'query has a filter that this list does not have: page',
  ])
  expect(await asked({ query: 'sort=-colour' })).toEqual([
    400,
    'query sorts by a column that this list does not have: -colour',
  ])
  expect(await asked({ query: 'status=paused&status=running' })).toEqual([400, 'query has status twice'])
  expect(await asked({ query: `search=${'x'.repeat(1000)}` })).toEqual([400, 'query is longer than 1000 characters'])
  expect(await asked({ query: 'status=' })).toEqual([400, 'query is required'])
  expect(await asked({ name: 'x'.repeat(41) })).toEqual([400, 'name is longer than 40 characters'])
  expect(await asked({ name: '  ' })).toEqual([400, 'name is required'])
  expect(await asked({ list: '/api/obd/nothing' })).toEqual([400, 'list is not a list that you may see'])
  const admins = { list: '/api/obd/alerts', query: 'search=x' }
  expect(await asked(admins, await newReseller(app))).toEqual([400, 'list is not a list that you may see'])
  expect(await views()).toEqual([])
})

test('a filter of another list is none of this one', () => {
  expect(viewQuery({ filters: {}, sort: ['-at'] }, 'status=paused')).toHaveProperty('fault')
  expect(viewQuery({ filters: {}, sort: ['-at'] }, 'sort=at')).toEqual({ query: 'sort=at' })
})
