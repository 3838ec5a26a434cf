import type { RouteKey } from '@ghanti/contract/routes.ts'
import type { AuditRow } from '@ghanti/contract/audit.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { FastifyInstance } from 'fastify'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { otherReads, personalReads } from '../personal-reads.ts'
import { policy, type Viewer } from '../policy.ts'
import { testApp } from '../testing/app.ts'
import { signedIn, testHttp } from '../testing/http.ts'
import { listedRoutes as allRoutes, send, type Fields, type ListedRoute } from '../testing/requests.ts'
import { plainFieldsOf, rows } from '../testing/routes/route-rows.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
/** A connection as the owner, for what the application's role may not change. */
const database = new Client({ connectionString: app.url })
let boss: Viewer
let reseller: Viewer
let user: Viewer
let stranger: Viewer
beforeAll(async () => {
  await database.connect()
  http = await testHttp(app)
  app.clock.set(new Date('2026-11-22T06:10:00Z'))
  boss = await newSuperAdmin(app, { username: 'Boss' })
  const planId = await newPlan(app)
  reseller = await newReseller(app, { parent: boss, username: 'Himal', planId, rupees: 1000 })
  user = await newUser(app, { parent: reseller, username: 'Gita', planId, rupees: 1000 })
  stranger = await newUser(app, { username: 'Stranger' })
})
afterAll(() => database.end())

const listedRoutes = allRoutes.filter(({ key }) => key in personalReads)
const actionOf = (key: RouteKey) => personalReads[key as keyof typeof personalReads]
const mayAsk = (key: RouteKey, role: Role) => (policy[key] as readonly Role[]).includes(role)

test('every route that answers something says whether it is personal', () => {
  const unmarked = allRoutes
    .filter(({ route: { method, kind } }) => method === 'GET' || kind === 'list' || kind === 'file')
    .filter(({ key }) => !(key in personalReads) && !otherReads.has(key))
  expect(unmarked.map(({ key }) => key)).toEqual([])
})

async function requestFor(line: ListedRoute, viewer: Viewer, owner: Viewer): Promise<Fields> {
  const { on, names = {} } = rows[line.key]
  const made = Object.entries({ ...names, ...(on ? { [on[0]]: on[1] } : {}) }).map(async ([field, fixture]) => [
    field,
    await fixture.make(app, owner, viewer),
  ])
  return { ...plainFieldsOf(line, viewer), ...Object.fromEntries(await Promise.all(made)) }
}
const readsOf = (viewer: Viewer, line: ListedRoute) =>
  app.db
    .selectFrom('audit_log')
    .select(['owner_id', 'target', 'action'])
    .where('actor_id', '=', viewer.userId)
    .where('action', '=', actionOf(line.key))
    .orderBy('id', 'desc')
    .execute()

/** Whose objects a viewer can open with a route: the viewer's own, and those of an account below where the route allows it. */
function* askers(line: ListedRoute): Generator<[viewer: Viewer, owner: Viewer]> {
  for (const viewer of [user, reseller, boss]) {
    if (!mayAsk(line.key, viewer.role)) continue
    const { on, except } = rows[line.key]
    const isOwner = !on?.[1].owners || on[1].owners.includes(viewer.role)
    if (isOwner) yield [viewer, viewer]
    if (on && viewer !== user && except?.[viewer.role]?.child === undefined) yield [viewer, user]
  }
}

test.each(listedRoutes)('$key leaves one line an hour of whoever opens it, the owner too', async (line) => {
  for (const [viewer, owner] of askers(line)) {
    const headers = await signedIn(app, viewer)
    const said = await requestFor(line, viewer, owner)
    const before = (await readsOf(viewer, line)).length
    const again = await Promise.all([1, 2, 3].map(() => send(http, line.route, said, headers)))
    for (const reply of again) expect(reply.statusCode, reply.body).toBe(200)
    const [read, ...others] = await readsOf(viewer, line)
    const why = `${viewer.username} of ${owner.username}`
    expect([others.length, read?.owner_id], why).toEqual([before, viewer === owner ? null : owner.userId])
    app.clock.advance(3600_000)
    await send(http, line.route, said, headers)
    expect(await readsOf(viewer, line), `${why}, an hour later`).toHaveLength(before + 2)
  }
})

test.each(listedRoutes)('$key answers nothing when the line cannot be written', async (line) => {
  await database.query('revoke insert on audit_log from ghanti_app')
  try {
    for (const [viewer, owner] of askers(line)) {
      const request = await requestFor(line, viewer, owner)
      app.clock.advance(3600_000)
      const reply = await send(http, line.route, request, await signedIn(app, viewer))
      const said = Object.keys(reply.json<object>()).filter((field) => field !== 'error') // beside a report's message
      expect([reply.statusCode, said], viewer.username).toEqual([500, ['message']])
    }
  } finally {
    await database.query('grant insert on audit_log to ghanti_app')
  }
})

const csvOf = { user: 'users.csv', campaign: 'campaign_summary.csv' }
const exported = async (viewer: Viewer, list: 'user' | 'campaign', search: string) =>
  http.inject({
    url: `/api/obd/${list}/${viewer.userId}/${csvOf[list]}?search=${encodeURIComponent(search)}`,
    headers: await signedIn(app, viewer),
  })

test('each different search of an export is logged, also within the hour', async () => {
  app.clock.advance(3600_000)
  const auditLines = () => app.db.selectFrom('audit_log').select('id').where('actor_id', '=', reseller.userId).execute()
  const before = await auditLines()
  for (const search of ['Everest', 'Annapurna', 'Everest', 'क'.repeat(100)])
    for (const list of ['campaign', 'user'] as const)
      expect((await exported(reseller, list, search)).statusCode, list).toBe(200)
  expect((await auditLines()).length - before.length).toBe(6)
})

test('the log of an export of a whole tree is read by every account in it, without the search', async () => {
  const [owner, outside] = [await newUser(app, { parent: reseller }), await newUser(app)]
  app.clock.advance(3600_000)
  await exported(reseller, 'user', 'Everest')
  await exported(boss, 'campaign', 'Sita')
  for (const query of ['', '?opened=others']) {
    const seen = await auditOf(owner, query)
    expect(seen.map(({ action, username, ip }) => [action, username, ip]).toSorted()).toEqual([
      ['campaign.export', 'Boss', ''],
      ['user.export', 'Himal', ''],
    ])
    expect(JSON.stringify(seen)).not.toMatch(/Everest|Sita/)
  }
  expect(await auditOf(owner, '?search=Everest'), 'nor is it found by it').toEqual([])
  expect((await auditOf(outside)).map(({ action }) => action)).toEqual(['campaign.export'])
  const late = await newUser(app, { parent: reseller })
  expect(await auditOf(late), 'what was before the account').toEqual([])
})

const auditOf = async (viewer: Viewer, query = '') =>
  (await http.inject({ url: `/api/obd/audit${query}`, headers: await signedIn(app, viewer) })).json<AuditRow[]>()

test('the owner reads who of those above opened what, once, with the role and without the address; strangers read nothing', async () => {
  const owner = await newUser(app, { parent: reseller, username: 'Sita' })
  const wanted = listedRoutes.filter(({ key }) =>
    (['recordings.listen', 'voiceCampaigns.attempts', 'reports.zip', 'previewCalls.ofCampaign'] as RouteKey[]).includes(
      key,
    ),
  )
  for (const line of wanted)
    for (const viewer of [reseller, boss]) {
      const said = await requestFor(line, viewer, owner)
      const headers = await signedIn(app, viewer)
      for (let n = 0; n < 2; n++) expect((await send(http, line.route, said, headers)).statusCode, line.key).toBe(200)
    }
  const expected = wanted
    .flatMap(({ key }) => [`${actionOf(key)} Himal reseller`, `${actionOf(key)} Boss superAdmin`])
    .toSorted()
  const seen = await auditOf(owner)
  const words = (rows: AuditRow[]) =>
    rows.map(({ action, username, role }) => `${action} ${username} ${role}`).toSorted()
  expect(words(seen)).toEqual(expected)
  expect(new Set(seen.map(({ ip }) => ip))).toEqual(new Set(['']))
  expect(words(await auditOf(owner, '?opened=others'))).toEqual(expected)
  const bosses = (row: AuditRow) => row.username === 'Boss' && row.action.endsWith('.export') // of all accounts, the stranger's too
  expect((await auditOf(stranger)).filter((row) => !bosses(row))).toEqual([])
  const byReseller = (await auditOf(reseller, '?actor=himal&pageSize=1000')).filter(({ detail }) =>
    detail.includes('owner: Sita'),
  )
  expect(byReseller, 'no line is in both lists').toHaveLength(wanted.length)
  expect(byReseller.every(({ ip }) => ip === '127.0.0.1')).toBe(true)
  const forReseller = (await auditOf(reseller, '?opened=others&pageSize=1000')).filter(({ detail }) =>
    detail.includes('owner: Sita'),
  )
  expect(words(forReseller), 'a reseller reads what the super admin opened below').toEqual(
    expected.filter((line) => line.includes('Boss')),
  )
  const csv = await http.inject({ url: '/api/obd/audit-log.csv?opened=others', headers: await signedIn(app, owner) })
  expect(csv.body.match(/,Super admin,/g)).toHaveLength(wanted.length)
  expect((await auditOf(boss, '?opened=others&pageSize=1000')).every(({ username }) => username === 'Himal')).toBe(true)
})
