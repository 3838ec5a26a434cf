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
import { newCampaign } from '../testing/campaigns.ts'
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
    await send(http, line.route, said, await signedIn(app, viewer)) // a file asks an old session for a proof
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
  const ofAll = ['campaign.export', 'user.export', 'calls.export', 'sms.export', 'insight.agents'] // the stranger's too
  const bosses = (row: AuditRow) => row.username === 'Boss' && ofAll.includes(row.action)
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

const [customersNumber, agentsNumber, unknownNumber] = ['9841234567', '9801112223', '9841234599']
/** A call to the customer's number that an agent took, and a message that came from it. */
async function calledAndWritten(owner: Viewer): Promise<void> {
  const at = app.clock.now()
  const phone = Number(`977${customersNumber}`)
  const of = { id: 1, campaign_id: await newCampaign(app, owner), no: 1, phone, agent: `+977${agentsNumber}` }
  const call = { attempt_no: 1, epoch: 1, started_at: at, ended_at: at, claimed_at: at, pulses: 0, cost_paisa: 0 }
  const end = { uncollected_paisa: 0, disposition: 'BUSY', ended_by: 'network' } as const
  await app.db
    .insertInto('attempt')
    .values({ ...of, ...call, ...end, account_id: owner.userId })
    .execute()
  const message = { gateway_id: 1, key: 'k', from_number: String(phone), to_number: '31001', text: 'hello', at, phone }
  await app.db
    .insertInto('sms_inbox')
    .values({ ...message, action: 'kept', account_id: owner.userId })
    .execute()
}

test('an empty page, whose total tells that an account called a number or heard of it, leaves that account its line', async () => {
  const owner = await newUser(app, { parent: reseller, username: 'Called' })
  await calledAndWritten(owner)
  const asked = [
    ['campaign/report', 'calls.open', `search=${customersNumber}&page=99`],
    ['campaign/report', 'calls.open', `search=${customersNumber.slice(-4)}&key=7`],
    ['campaign/report', 'calls.open', `agentNo=${agentsNumber}&page=99`],
    ['recordings', 'calls.open', `search=${customersNumber}`],
    ['campaign/report', 'calls.open', `search=${unknownNumber}&customer=${owner.userId}`],
    ['campaign/report', 'calls.open', `search=${unknownNumber}&username=${owner.username}`],
    ['inbox', 'inbox.open', `search=${customersNumber}&page=99`],
    ['inbox', 'inbox.open', `search=${customersNumber}&action=optOut`],
    ['inbox', 'inbox.open', `search=${unknownNumber}&customer=${owner.userId}`],
    ['inbox', 'inbox.open', ''],
  ]
  let before = 0
  for (const viewer of [reseller, boss])
    for (const [list, action, query] of asked) {
      app.clock.advance(3600_000)
      const path = list === 'inbox' ? '/app/sms/inbox' : `/api/obd/${list}`
      const url = `${path}/${viewer.userId}?${query}`
      const reply = await http.inject({ url, headers: await signedIn(app, viewer) })
      expect(reply.statusCode, reply.body).toBe(200)
      const lines = await auditOf(owner, '?opened=others&pageSize=1000')
      const newest = lines.slice(0, lines.length - before).map((line) => `${line.action} ${line.username}`)
      expect(newest, `${viewer.username}: ${url}`).toEqual([`${action} ${viewer.username}`])
      before = lines.length
    }
})

test('what a reader of a whole tree downloads of messages or counts by agent, every account in it reads', async () => {
  const owner = await newUser(app, { parent: reseller })
  app.clock.advance(3600_000)
  const headers = await signedIn(app, reseller)
  const { userId } = reseller
  for (const url of [`/app/sms/campaigns/${userId}/sms_campaign_summary.csv`, `/api/obd/insight/${userId}?of=agent`])
    expect((await http.inject({ url, headers })).statusCode, url).toBe(200)
  expect((await auditOf(owner, '?opened=others')).map(({ action }) => action).toSorted()).toEqual([
    'insight.agents',
    'sms.export',
  ])
})
