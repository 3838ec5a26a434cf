import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { audit } from './actions.ts'
import { auditHandlers } from './routes.ts'
import { detailsOf, idsIn, targetWordsOf, wordsOf } from './rules.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let user: Viewer
let other: Viewer
const by = (viewer: Viewer | null) => ({ viewer, origin: { ip: '10.1.2.3' } })
beforeAll(async () => {
  http = await testHttp(app, { handlers: { audit: auditHandlers } })
  boss = await newSuperAdmin(app, { username: 'Boss' })
  reseller = await newReseller(app, { parent: boss, username: 'Himal' })
  user = await newUser(app, { parent: await newReseller(app, { parent: reseller }), username: 'Gita' })
  other = await newUser(app, { username: 'Other' })
  await audit(app.db, by(user), 'campaign.stop', 'campaign 12', { name: 'Dashain offer', reason: 'a typo', now: true })
  await audit(app.db, by(reseller), 'user.update', `user ${user.userId}`, { channels: 5 })
  await audit(app.db, by(boss), 'dialling.stop', 'platform', { reason: 'complaints' })
  await audit(app.db, by(other), 'campaign.compose', 'campaign 13', { name: '=2+3' })
  await audit(app.db, by(null), 'login.failed', null, { username: 'gita' })
})
type Row = { action: string; username: string | null; targetName: string | null; detail: string; auditId: number }
const ask = async (viewer: Viewer, query: Record<string, string> = {}) =>
  http.inject({ url: `/api/obd/audit?${new URLSearchParams(query)}`, headers: await signedIn(app, viewer) })
const actionsOf = async (viewer: Viewer, query?: Record<string, string>) =>
  (await ask(viewer, query)).json<Row[]>().map(({ action }) => action)

test('each sees what they did and what was done to their account, a reseller what the subtree did, the super admin all; the newest first', async () => {
  expect(await actionsOf(user)).toEqual(['user.update', 'campaign.stop'])
  expect(await actionsOf(reseller)).toEqual(['user.update', 'campaign.stop'])
  expect(await actionsOf(other)).toEqual(['campaign.compose'])
  const all = ['login.failed', 'campaign.compose', 'dialling.stop', 'user.update', 'campaign.stop']
  expect(await actionsOf(boss)).toEqual(all)
})

test('a line says who did what to whom, from where, and what changed', async () => {
  const [update, stop] = (await ask(reseller)).json<Row[]>()
  expect(update).toMatchObject({
    username: 'Himal',
    target: `user ${user.userId}`,
    targetName: 'Gita',
    detail: 'channels: 5',
  })
  expect(stop).toMatchObject({
    username: 'Gita',
    target: 'campaign 12',
    targetName: 'Dashain offer',
    ip: '10.1.2.3',
    detail: 'name: Dashain offer; answered calls ended: yes; reason: a typo',
  })
})

const everything = 5
test.each([
  ['by whom, however it is written', { actor: 'GITA' }, ['campaign.stop']],
  ['by nobody of that name', { actor: 'gi%' }, []],
  ['by action', { action: 'campaign.stop' }, ['campaign.stop']],
  ['by kind of action', { action: 'campaign' }, ['campaign.compose', 'campaign.stop']],
  ['by target', { target: 'campaign 12' }, ['campaign.stop']],
  ['by part of a name', { search: 'shain' }, ['campaign.stop']],
  ['by part of a reason', { search: 'compl' }, ['dialling.stop']],
  ['by part of a username', { search: 'hima' }, ['user.update']],
  ['by two letters of a username', { search: 'hi' }, ['user.update']],
  ['by no two letters of anything else', { search: 'pl' }, []],
  ['by time', { date: '..2001-01-01' }, []],
])('is searched %s', async (_, query, actions) => {
  expect(await actionsOf(boss, query as Record<string, string>)).toEqual(actions)
})

test('a page goes on where the one before ended, though lines come in meanwhile', async () => {
  const first = await ask(boss, { pageSize: '2', date: '2020-01-01..' })
  await audit(app.db, by(user), 'logout', `user ${user.userId}`)
  const after = String(first.headers['x-next-after'])
  const second = await ask(boss, { pageSize: '10', date: '2020-01-01..', after })
  const rows = [...first.json<Row[]>(), ...second.json<Row[]>()]
  expect(new Set(rows.map(({ auditId }) => auditId)).size).toBe(everything)
  expect(rows).toHaveLength(everything)
})

test('the CSV holds what matches, its formulas harmless, and is itself in the log', async () => {
  const headers = await signedIn(app, other)
  const csv = await http.inject({ url: '/api/obd/audit-log.csv?action=campaign', headers })
  expect(csv.headers['content-disposition']).toContain('audit-log.csv')
  const [head, line, end] = csv.body.split('\r\n')
  expect(head).toBe('\ufeffTime,User,User type,Action,Target,Name,Details,IP address')
  expect(line).toMatch(/^[\d-]+ [\d:]+,Other,User,Composed a campaign,Campaign 13,'=2\+3,name: =2\+3,10\.1\.2\.3$/)
  expect(end).toBe('')
  expect(await actionsOf(other)).toEqual(['audit.export', 'campaign.compose'])
})

test('the CSV says targets in words, and where nobody was signed in', async () => {
  const csv = await http.inject({ url: '/api/obd/audit-log.csv', headers: await signedIn(app, boss) })
  expect(csv.body).toContain(',Nobody signed in,,Failed to log in,,,username: gita,')
  expect(csv.body).toContain(`,Himal,Reseller,Changed a user,Account ${user.userId},Gita,channels: 5,`)
  expect(csv.body).toContain(',Boss,Super admin,Stopped dialling or messages,Platform,,reason: complaints,')
  expect(['9841000001', null].map(targetWordsOf)).toEqual(['9841000001', null])
})

test('a time that is none is refused by its field', async () => {
  const reply = await ask(boss, { date: '2026-02-31..' })
  expect([reply.statusCode, reply.json()]).toMatchObject([400, { errors: [{ field: 'date' }] }])
})

test('details are read as words', () => {
  const names = { users: new Map([[6, 'Gita']]), plans: new Map([[3, 'Gold']]), bases: new Map([[8, 'May']]) }
  const changed = { planId: 3, expiresAt: '2026-11-20T18:14:59.000Z' }
  const composed = { baseId: 8, templateId: 1 }
  const sums = { returnedPaisa: 1050, credits: 7.5, durationMs: 2500 }
  const said = { off: false, none: null, list: ['a', 'b'], ownerId: 6, userId: 7 }
  const detail = { sip: { host: 'x', port: 1 }, ...said, before: changed, ...composed, ...sums }
  expect(wordsOf(detailsOf(detail, names))).toBe(
    'sip host: x; sip port: 1; off: no; list: a, b; owner: Gita; account: 7; before plan: Gold; ' +
      'before expires: 2026-11-20 23:59:59; contacts: May; template: DTMF; balance returned: Rs 10.50; amount: Rs 7.50; length: 2.5 s',
  )
  expect(idsIn([detail, null])).toEqual({ users: [6, 7], plans: [3], bases: [8] })
})

const fill = async (viewer: Viewer, name: string, lines: number) => {
  await sql`
    insert into audit_log (at, actor_id, actor_path, action, ip, detail)
    select now() - n * interval '1 minute', u.id, u.path, 'base.upload', '', ${JSON.stringify({ name })}::jsonb
      from generate_series(1, ${lines}::int) n, users u where u.id = ${viewer.userId}`.execute(app.db)
}
const saidIn = (reply: Awaited<ReturnType<typeof ask>>) =>
  reply.json<Row[]>().map(({ username, action }) => `${username}: ${action}`)

test('a search that finds a common word has the newest first, those of a list with few of them too', async () => {
  await fill(user, 'Counted', 1001)
  await audit(app.db, by(boss), 'user.update', `user ${user.userId}`, { name: 'Counted' })
  const reply = await ask(reseller, { search: 'counted', page: '1', pageSize: '2' })
  const { 'x-total-count': total, 'x-total-exact': exact, 'x-searched-to': searchedTo } = reply.headers
  expect([total, exact, searchedTo]).toEqual(['1002', undefined, undefined])
  expect(saidIn(reply)).toEqual(['Boss: user.update', 'Gita: base.upload'])
})

test('a common word is looked for in the newest lines, further back page by page, a rare one in all', async () => {
  const long = await newUser(app, { parent: reseller, username: 'Long' })
  const at = new Date('2020-01-01')
  await fill(long, 'Weekly', 10_010)
  await fill(other, 'Oldest', 1001)
  for (const name of ['Oldest', 'Once'])
    await sql`
      insert into audit_log (at, actor_id, actor_path, action, ip, detail)
      select ${at}, u.id, u.path, 'base.delete', '', ${JSON.stringify({ name })}::jsonb from users u where u.id = ${long.userId}`.execute(
      app.db,
    )
  const once = await ask(long, { search: 'once', page: '1' })
  expect([saidIn(once), once.headers['x-searched-to']]).toEqual([['Long: base.delete'], undefined])
  const first = await ask(long, { search: 'oldest', page: '1' })
  expect(first.json()).toEqual([])
  expect(first.headers).toMatchObject({ 'x-total-count': '0', 'x-total-exact': 'false' })
  expect(first.headers['x-searched-to']).toMatch(/^20\d\d-/)
  const second = await ask(long, { search: 'oldest', after: String(first.headers['x-next-after']) })
  expect([saidIn(second), second.headers['x-searched-to']]).toEqual([['Long: base.delete'], undefined])
  expect(saidIn(await ask(long, { search: 'oldest', sort: 'at', order: 'asc' }))).toEqual(['Long: base.delete'])
})

test('pages of a common word follow one another, without a gap and nothing twice', async () => {
  const seen: number[] = []
  let after = ''
  do {
    const reply = await ask(reseller, { search: 'weekly', pageSize: '1000', ...(after && { after }) })
    seen.push(...reply.json<Row[]>().map(({ auditId }) => auditId))
    after = String(reply.headers['x-next-after'] ?? '')
  } while (after)
  expect([seen.length, new Set(seen).size]).toEqual([10_010, 10_010])
})

test('a cursor of a common word that says no time is refused', async () => {
  const after = Buffer.from(JSON.stringify(['yesterday, perhaps', 1, 'desc at'])).toString('base64url')
  expect((await ask(reseller, { search: 'weekly', after })).statusCode).toBe(400)
})
