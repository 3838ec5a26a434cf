import type { RouteKey } from '@ghanti/contract/routes.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { csvOfLists } from '../../csv/lists.ts'
import { WorkLimits } from '../../modules/limits/actions.ts'
import { policy, type Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { listedRoutes, send, type Fields, type ListedRoute } from '../../testing/requests.ts'
import { plainFieldsOf, rows } from '../../testing/routes/route-rows.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let user: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  app.clock.set(new Date('2026-11-22T06:10:00Z'))
  boss = await newSuperAdmin(app, { username: 'Boss' })
  const planId = await newPlan(app)
  reseller = await newReseller(app, { parent: boss, username: 'Himal', planId, rupees: 1000 })
  user = await newUser(app, { parent: reseller, username: 'Gita', planId, rupees: 1000 })
})

const mayAsk = (key: RouteKey, role: Role) => (policy[key] as readonly Role[]).includes(role)
const lists = listedRoutes.filter(({ route }) => route.kind === 'list')
const lineOf = (wanted: RouteKey) => {
  const line = listedRoutes.find(({ key }) => key === wanted)
  if (!line) throw new Error(`no route ${wanted}`)
  return line
}

async function requestFor(line: ListedRoute, viewer: Viewer): Promise<Fields> {
  const { on, names = {} } = rows[line.key]
  const made = Object.entries({ ...names, ...(on ? { [on[0]]: on[1] } : {}) }).map(async ([field, fixture]) => [
    field,
    await fixture.make(app, viewer, viewer),
  ])
  const { page: _page, pageSize: _size, after: _after, ...plain } = plainFieldsOf(line, viewer)
  return { ...plain, ...Object.fromEntries(await Promise.all(made)), format: 'csv' }
}

async function asked(key: RouteKey, viewer: Viewer, fields: Fields) {
  app.clock.advance(60_000) // exports a minute are limited
  return send(http, lineOf(key).route, { ...fields, format: 'csv' }, await signedIn(app, viewer))
}
const linesOf = (body: string) => body.slice(1).split('\r\n').slice(0, -1)

test('every list is a CSV, or says which call has its rows as a file, or why nobody needs one', () => {
  expect(lists.map(({ key }) => key).filter((key) => !(key in csvOfLists))).toEqual([])
  const none = Object.entries(csvOfLists).flatMap(([key, csv]) => ('none' in csv ? [key] : []))
  expect(none).toEqual(['lines.available', 'lines.takers'])
  const files = Object.values(csvOfLists).flatMap((csv) => ('file' in csv ? [csv.file] : []))
  expect(files.filter((key) => lineOf(key).route.kind !== 'file')).toEqual([])
})

test.each(lists)('$key answers its rows as CSV to everybody who may read it', async (line) => {
  const csv = csvOfLists[line.key as keyof typeof csvOfLists]
  for (const viewer of [user, reseller, boss]) {
    if (!mayAsk(line.key, viewer.role)) continue
    const { on } = rows[line.key]
    if (on?.[1].owners && !on[1].owners.includes(viewer.role)) continue
    const reply = await asked(line.key, viewer, await requestFor(line, viewer))
    if ('none' in csv || 'file' in csv) {
      expect([reply.statusCode, reply.json()], viewer.username).toMatchObject([400, { errors: [{ field: 'format' }] }])
      continue
    }
    expect(reply.statusCode, reply.body).toBe(200)
    expect(reply.headers['content-disposition']).toContain(`filename="${csv.fileName}"`)
    expect(reply.headers['cache-control']).toBe('private, no-store')
    const [head] = linesOf(reply.body)
    expect(head).toBe(Object.keys(csv.columns(viewer)).join(','))
  }
})

test('it has every row that matches, in the order asked for, however many pages the list has', async () => {
  const numbers = Array.from({ length: 2345 }, (_, n) => 9779841000000 + n)
  await app.db
    .insertInto('blacklist')
    .values(numbers.map((phone) => ({ owner_id: user.userId, phone })))
    .execute()
  const { userId } = user
  const all = linesOf((await asked('blacklist.list', user, { userId })).body)
  expect(all[0]).toBe('Mobile,Date')
  const mobiles = all.slice(1).map((line) => line.split(',')[0])
  expect(mobiles).toEqual(numbers.map((phone) => String(phone).slice(3)).toReversed())
  const oldest = linesOf((await asked('blacklist.list', user, { userId, sort: 'blacklistId', order: 'asc' })).body)
  expect(oldest.slice(1).map((line) => line.split(',')[0])).toEqual(mobiles.toReversed())
  const found = linesOf((await asked('blacklist.list', user, { userId, search: '9841002344' })).body)
  expect(found).toHaveLength(2)
})

test('cells that a spreadsheet would run are harmless', async () => {
  const planId = await newPlan(app, { owner: reseller })
  await app.db.updateTable('plan').set({ name: '=HYPERLINK("http://bad")' }).where('id', '=', planId).execute()
  const { body } = await asked('plans.list', reseller, { userId: reseller.userId })
  expect(body).toContain(`"'=HYPERLINK(""http://bad"")"`)
})

test('each download leaves a line that says the file and what was searched for', async () => {
  const before = await app.db.selectFrom('audit_log').select('id').where('action', '=', 'list.export').execute()
  await asked('blacklist.list', user, { userId: user.userId, search: '9841' })
  const read = await app.db
    .selectFrom('audit_log')
    .select(['actor_id', 'target', 'detail'])
    .where('action', '=', 'list.export')
    .orderBy('id')
    .execute()
  expect(read.slice(before.length)).toEqual([
    { actor_id: user.userId, target: `user ${user.userId}`, detail: { fileName: 'blacklist.csv', search: '9841' } },
  ])
})

test.each([
  { why: 'a page', fields: { page: 2 }, field: 'page' },
  { why: 'a cursor', fields: { after: 'x' }, field: 'after' },
  { why: 'another format', fields: { format: 'xlsx' }, field: 'format' },
  { why: 'a filter that the list does not have', fields: { colour: 'red' }, field: 'colour' },
  { why: 'a sort key that it does not have', fields: { sort: 'colour' }, field: 'sort' },
])('$why is refused by its name, and nothing is sent', async ({ fields, field }) => {
  const reply = await asked('blacklist.list', user, { userId: user.userId, ...fields })
  const sent = 'format' in fields ? await refusedFormat(fields.format) : reply
  expect([sent.statusCode, sent.json()]).toMatchObject([400, { errors: [{ field }] }])
})
async function refusedFormat(format: string) {
  const { route } = lineOf('blacklist.list')
  return send(http, route, { userId: user.userId, format }, await signedIn(app, user))
}

test('it counts as an export: whoever asks for one after the other has to wait, and may still read the list', async () => {
  app.clock.advance(120_000)
  const { userId } = await newReseller(app)
  const headers = await signedIn(app, { ...reseller, userId })
  const limited = await testHttp({ ...app, workLimits: new WorkLimits() } as typeof app)
  const { route } = lineOf('plans.list')
  const statuses: number[] = []
  for (let n = 0; n < 40; n++)
    statuses.push((await send(limited, route, { userId, format: 'csv' }, headers)).statusCode)
  expect([statuses[29], statuses.at(-1)]).toEqual([200, 429])
  expect((await send(limited, route, { userId }, headers)).statusCode).toBe(200)
})
