import { randomUUID } from 'node:crypto'
import type { CallRow } from '@ghanti/contract/call-report.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { answered, newCall } from '../../testing/calls.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { toneFile } from '../../testing/files/sound.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let user: Viewer
let sister: Viewer
let stranger: Viewer
let campaignId: number
let second: number
let firstTrunk: number
const noon = new Date('2026-11-22T06:15:00Z')
const hourMs = 3600_000
const ids: Record<string, number> = {}

beforeAll(async () => {
  http = await testHttp(app)
  app.clock.set(new Date(noon.getTime() + hourMs))
  boss = await newSuperAdmin(app, { username: 'calls-boss' })
  reseller = await newReseller(app, { parent: boss, username: 'calls-himal' })
  user = await newUser(app, { parent: reseller, username: 'calls-gita' })
  sister = await newUser(app, { parent: reseller, username: 'calls-sita' })
  stranger = await newUser(app, { parent: boss, username: 'calls-stranger' })
  campaignId = await newCampaign(app, user, { name: 'Tihar' })
  second = await newCampaign(app, user, { name: 'Dashain', line: await newLine(app, { holders: [user] }) })
  const theirs = await newCampaign(app, sister, { name: 'Teej' })
  const strange = await newCampaign(app, stranger, { name: 'Holi' })
  const day = 24 * hourMs
  ids['old'] = await newCall(app, user, campaignId, { at: new Date(noon.getTime() - 9 * day), operator: 2 })
  ids['busy'] = await newCall(app, user, campaignId, { at: noon, no: 3 })
  ids['short'] = await newCall(app, user, campaignId, {
    at: noon,
    ...answered(4, noon),
    keys: '1',
    agent_missed: 'busy',
  })
  firstTrunk = (await newLine(app)).trunkId
  const talk = { tried: [firstTrunk], keys: '24', agent: '+9779801111137', agent_missed: 'notReached' as const }
  ids['long'] = await newCall(app, user, second, { at: noon, ...answered(61, noon), ...talk, phone: 97715970001 })
  ids['test'] = await newCall(app, user, second, { at: noon, kind: 'test', disposition: 'LOST' })
  ids['sister'] = await newCall(app, sister, theirs, { at: noon })
  ids['strange'] = await newCall(app, stranger, strange, { at: noon })
})

const ask = async (viewer: Viewer, query = '', of = viewer) =>
  http.inject({ url: `/api/obd/campaign/report/${of.userId}?${query}`, headers: await signedIn(app, viewer) })
const nameOf = (id: number) => Object.keys(ids).find((name) => ids[name] === id)
async function seen(viewer: Viewer, query = '', of = viewer) {
  const reply = await ask(viewer, query, of)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<CallRow[]>().map(({ attemptId }) => nameOf(attemptId))
}
const own = ['test', 'long', 'short', 'busy', 'old']

test('each sees the calls of the own accounts, the newest first; a descendant’s id shows that account alone', async () => {
  expect(await seen(user)).toEqual(own)
  expect(await seen(reseller)).toEqual(['sister', ...own])
  expect(await seen(boss)).toEqual(['strange', 'sister', ...own])
  expect(await seen(reseller, '', user)).toEqual(own)
  expect(await seen(user, 'order=asc')).toEqual(own.toReversed())
  expect((await ask(reseller, '', stranger)).statusCode).toBe(404)
  expect((await ask(user, '', sister)).statusCode).toBe(404)
})

test('a row says what happened as the specification names it, and what there is beyond', async () => {
  const [, long, short, busy] = (await ask(user)).json<CallRow[]>()
  expect(long).toMatchObject({
    callID: String(ids['long']),
    customerNo: '015970001',
    agentNo: '9801111137',
    startTime: '2026-11-22 12:00:00',
    status: 'Success',
    disposition: 'ANSWER',
    campaignName: 'Dashain',
    username: 'calls-gita',
    keys: '24',
    seconds: 61,
    cost: 0.5,
    operator: 'ntc',
    uuID: null,
    recordingReason: 'the agent did not answer',
    agentReason: 'the agent did not answer',
    trunkName: null,
    triedTrunks: [],
  })
  expect(short?.agentReason).toBe('agent busy')
  expect([short?.status, busy?.status, busy?.disposition]).toEqual(['Success', 'Fail', 'BUSY'])
  expect((await ask(boss)).json<CallRow[]>()[0]?.trunkName).toEqual(expect.any(String))
})

test.each([
  ['started=today', ['test', 'long', 'short', 'busy']],
  ['started=2026-11-01..2026-11-20', ['old']],
  ['from=2026-11-22 12:00:00&to=2026-11-22 12:00:00', ['test', 'long', 'short', 'busy']],
  ['from=2026-11-22 12:00:01', []],
  ['to=2026-11-22 11:59:59', ['old']],
  ['disposition=ANSWER', ['long', 'short']],
  ['disposition=BUSY,LOST', ['test', 'busy', 'old']],
  ['key=4', ['long']],
  ['key=9', []],
  ['operator=ncell', ['old']],
  ['agentNo=%2B977-980-1111137', ['long']],
  ['minSeconds=5', ['long']],
  ['maxSeconds=4', ['test', 'short', 'busy', 'old']],
  ['minSeconds=4&maxSeconds=4', ['short']],
  ['kind=test', ['test']],
  ['search=015970001', ['long']],
  ['search=9779841000001', ['test', 'short', 'busy', 'old']],
  ['search=98410 00001&disposition=LOST', ['test']],
  ['search=98410000011', []],
  ['search=0001', own],
  ['search=70001', ['long']],
  ['search=001', []],
  ['search=98410', []],
  ['search=Sita', []],
  ['agentNo=9801111137&disposition=BUSY', []],
])('%s narrows the calls down', async (query, expected) => {
  expect(await seen(user, query)).toEqual(expected)
})

test.each([
  '9841000001',
  '+977-9841-000001',
  '009779841000001',
  '09841000001',
  '(984) 1000001',
  '9841.000.001',
  '९८४१०००००१',
  ' 9841000001 ',
])('a number written as “%s” finds the calls to it', async (written) => {
  expect(await seen(user, `search=${encodeURIComponent(written)}`)).toEqual(['test', 'short', 'busy', 'old'])
})

test('a campaign, a trunk, a caller ID and a customer narrow them down, too', async () => {
  const of = await app.db
    .selectFrom('campaign')
    .innerJoin('cli', 'cli.id', 'campaign.cli_id')
    .select(['campaign.trunk_id', 'cli.number'])
    .where('campaign.id', '=', second)
    .executeTakeFirstOrThrow()
  expect(await seen(user, `campaignId=${second}`)).toEqual(['test', 'long'])
  expect(await seen(boss, `campaignId=${second}&disposition=ANSWER`)).toEqual(['long'])
  expect(await seen(boss, `trunkId=${of.trunk_id}`)).toEqual(['test', 'long'])
  expect(await seen(user, `cli=${of.number}`)).toEqual(['test', 'long'])
  expect(await seen(boss, `customer=${reseller.userId}`)).toEqual(['sister', ...own])
  expect(await seen(reseller, `customer=${sister.userId}`)).toEqual(['sister'])
  expect(await seen(reseller, 'username=CALLS-SITA')).toEqual(['sister'])
  expect(await seen(reseller, `search=9841000001&customer=${sister.userId}`)).toEqual(['sister'])
})

test.each([
  ['campaignId', 'is not a campaign that you may see', () => `campaignId=${campaignId}`, () => stranger],
  ['customer', 'is not an account that you may see', () => `customer=${stranger.userId}`, () => reseller],
  ['username', 'is not an account that you may see', () => 'username=calls-stranger', () => reseller],
  ['to', 'must not be before the beginning', () => 'from=2026-11-22 12:00:00&to=2026-11-22 11:00:00', () => user],
  ['from', 'must look like 2026-11-20 14:30:00', () => 'from=2026-02-30 12:00:00', () => user],
  ['maxSeconds', 'must not be less than the least', () => 'minSeconds=9&maxSeconds=8', () => user],
  ['agentNo', 'has letters', () => 'agentNo=Sita', () => user],
  ['after', 'is not a cursor of this list in this order', () => 'after=abc', () => user],
])('a wrong %s is refused and named', async (field, text, query, viewer) => {
  const reply = await ask(viewer(), query())
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ errors: [{ field, text }] })
})

test('whoever sees no trunks cannot find out by a filter which trunk carried a call: report, campaign, CSV, export and view refuse it', async () => {
  const ofTrunk = { list: '/api/obd/campaign/report/:userId', name: 'Trunk', query: `trunkId=${firstTrunk}` }
  for (const viewer of [user, reseller]) {
    const headers = await signedIn(app, viewer)
    const post = (url: string, payload: object) => http.inject({ method: 'POST', url, headers, payload })
    const replies = {
      trunkId: [
        await ask(viewer, `trunkId=${firstTrunk}`),
        await ask(viewer, 'trunkId=999999'),
        await csvOf(viewer, `trunkId=${firstTrunk}`),
        await http.inject({ url: `/api/obd/recordings/${viewer.userId}?trunkId=${firstTrunk}`, headers }),
        await http.inject({ url: `/api/obd/campaign/calls/${second}?trunkId=${firstTrunk}`, headers }),
      ],
      'filter.trunkId': [
        await post('/api/obd/export', { kind: 'calls', format: 'csv', filter: { trunkId: firstTrunk } }),
      ],
    }
    for (const [field, refused] of Object.entries(replies))
      for (const reply of refused) {
        expect(reply.statusCode, reply.body).toBe(403)
        expect(reply.json()).toMatchObject({ errors: [{ field, text: 'is for super admins only' }] })
      }
    const view = await post('/api/obd/views', ofTrunk)
    expect(view.statusCode, view.body).toBe(400)
    expect(view.json()).toMatchObject({ errors: [{ field: 'query' }] })
  }
  const headers = await signedIn(app, boss)
  const view = await http.inject({ method: 'POST', url: '/api/obd/views', headers, payload: ofTrunk })
  expect(view.statusCode, view.body).toBe(200)
})

test('a range of ten years is no question that costs more, and pages by number and by cursor hold every call once', async () => {
  expect(await seen(user, 'started=2017-01-01..2026-12-31')).toEqual(own)
  for (const viewer of [user, reseller, boss])
    for (const filter of ['', '&disposition=BUSY,LOST,ANSWER', '&search=0001']) {
      const all = await seen(viewer, filter.slice(1))
      const byNumber = [
        ...(await seen(viewer, `pageSize=3&page=1${filter}`)),
        ...(await seen(viewer, `pageSize=3&page=2${filter}`)),
      ]
      expect(byNumber).toEqual(all.slice(0, 6))
      const walked: (string | undefined)[] = []
      let after: string | undefined = ''
      while (after !== undefined) {
        const reply = await ask(viewer, `pageSize=2${after && `&after=${after}`}${filter}`)
        walked.push(...reply.json<CallRow[]>().map(({ attemptId }) => nameOf(attemptId)))
        after = reply.headers['x-next-after']?.toString()
      }
      expect(walked, `${viewer.username}${filter}`).toEqual(all)
    }
})

test('the detail of a campaign has the same rows; another’s campaign is not there', async () => {
  const of = async (viewer: Viewer, query = '') =>
    http.inject({ url: `/api/obd/campaign/calls/${second}?${query}`, headers: await signedIn(app, viewer) })
  const rows = (await of(reseller)).json<CallRow[]>()
  expect(rows).toEqual((await ask(user, `campaignId=${second}`)).json())
  expect((await of(user, 'disposition=ANSWER&search=70001')).json<CallRow[]>().map((row) => row.attemptId)).toEqual([
    ids['long'],
  ])
  expect((await of(stranger)).statusCode).toBe(404)
})

test('a call that can be listened to has its recording, for everybody who sees the call', async () => {
  const bytes = Buffer.from(await (await toneFile('tone.wav', 1)).arrayBuffer())
  const recording = randomUUID()
  const file_hash = await app.files.putBytes(bytes)
  const attempt_id = await newCall(app, sister, await newCampaign(app, sister), {
    ...answered(9),
    patch_bill_ms: 5000,
    recording,
  })
  const { campaign_id } = await app.db
    .selectFrom('attempt')
    .select('campaign_id')
    .where('id', '=', attempt_id)
    .executeTakeFirstOrThrow()
  await app.db
    .insertInto('recording')
    .values({ id: recording, attempt_id, campaign_id, account_id: sister.userId, file_hash, duration_ms: 1000 })
    .execute()
  const [row] = (await ask(reseller)).json<CallRow[]>()
  expect(row).toMatchObject({ attemptId: attempt_id, uuID: recording, recordingReason: null })
  const heard = await http.inject({ url: `/rec/${row?.uuID}.wav`, headers: await signedIn(app, reseller) })
  expect(heard.rawPayload.equals(bytes)).toBe(true)
  await app.db.deleteFrom('recording').execute()
  expect((await ask(reseller)).json<CallRow[]>()[0]).toMatchObject({
    uuID: null,
    recordingReason: 'the recording was lost',
  })
})

const csvOf = async (viewer: Viewer, query = '') =>
  http.inject({
    url: `/api/obd/campaign/report/${viewer.userId}/report.csv?${query}`,
    headers: await signedIn(app, viewer),
  })

test('the CSV holds every call that matches, in the words of the screen, and no trunk for those who have none', async () => {
  const of = await csvOf(user, 'disposition=ANSWER')
  expect(of.headers['content-disposition']).toMatch(/filename="calls \d{4}-\d\d-\d\d\.csv"/)
  const [header, ...lines] = of.body.replace('\ufeff', '').trim().split('\r\n')
  expect(header).toMatch(/^Attempt ID,Customer Number,Campaign,Agent No,Start Time,/)
  expect(lines).toEqual([
    expect.stringMatching(/,"=""015970001""",Dashain,/),
    expect.stringContaining('9841000001,Tihar'),
  ])
  expect(header).toContain(',Agent Not Reached,')
  expect(lines.map((line) => /the agent did not answer|agent busy/.exec(line)?.[0])).toEqual([
    'the agent did not answer',
    'agent busy',
  ])
  expect((await csvOf(reseller, 'disposition=LOST')).body).toContain('calls-gita')
  expect([header?.includes('Trunk'), (await csvOf(boss)).body.includes('Trunk')]).toEqual([false, true])
  expect((await csvOf(user, 'search=70001')).body.trim().split('\r\n')).toHaveLength(2)
})

test('a super admin sees which trunks of its route a call tried before; nobody else does', async () => {
  const of = app.db.selectFrom('trunk').select('name').where('id', '=', firstTrunk)
  const { name } = await of.executeTakeFirstOrThrow()
  const triedOf = async (viewer: Viewer) =>
    (await ask(viewer)).json<CallRow[]>().find(({ attemptId }) => attemptId === ids['long'])?.triedTrunks
  expect([await triedOf(boss), await triedOf(user)]).toEqual([[name], []])
  expect((await csvOf(boss)).body).toContain('Trunks Tried Before')
})

test('a reseller who opens the report leaves a line an hour for each account whose calls were shown, which reads it without the search', async () => {
  const linesOf = async (viewer: Viewer) => {
    const reply = await http.inject({ url: '/api/obd/audit?opened=others', headers: await signedIn(app, viewer) })
    return reply.json<{ action: string; username: string; detail: string }[]>()
  }
  const openings = async (viewer: Viewer) =>
    (await linesOf(viewer)).filter(({ action, username }) => action === 'calls.open' && username === 'calls-himal')
      .length
  app.clock.advance(2 * hourMs)
  const before = [await openings(user), await openings(sister), await openings(stranger)]
  await seen(reseller, 'search=9841000001')
  await seen(reseller, 'search=9841000001')
  const [ofUser = 0, ofSister = 0] = before
  expect([await openings(user), await openings(sister), await openings(stranger)]).toEqual([
    ofUser + 1,
    ofSister + 1,
    0,
  ])
  expect(JSON.stringify(await linesOf(sister))).not.toContain('9841000001')
  await csvOf(reseller)
  expect((await linesOf(sister)).map(({ action }) => action)).toContain('calls.export')
  expect((await linesOf(stranger)).map(({ username }) => username)).not.toContain('calls-himal')
})
