import { revenueId } from '../../db/platform-accounts.ts'
import type { CallInsight, MessageInsight } from '@ghanti/contract/insight.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { answered, newCall } from '../../testing/calls.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'
import { countAll } from './actions-count.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let user: Viewer
let sister: Viewer
let stranger: Viewer
let campaignId: number
let strange: number
let trunkId: number
/** A Sunday, 12:00 in Nepal. */
const noon = new Date('2026-11-22T06:15:00Z')
const day = 24 * 3600_000
const back = (ms: number) => new Date(noon.getTime() - ms)

beforeAll(async () => {
  http = await testHttp(app)
  app.clock.set(new Date(noon.getTime() + 3600_000))
  boss = await newSuperAdmin(app, { username: 'insight-boss' })
  reseller = await newReseller(app, { parent: boss, username: 'insight-himal' })
  user = await newUser(app, { parent: reseller, username: 'insight-gita' })
  sister = await newUser(app, { parent: reseller, username: 'insight-sita' })
  stranger = await newUser(app, { parent: boss, username: 'insight-stranger' })
  campaignId = await newCampaign(app, user, { name: 'Tihar' })
  strange = await newCampaign(app, stranger, { name: 'Holi' })
  const theirs = await newCampaign(app, sister, { name: 'Teej' })
  const platform = await revenueId(app.db)
  const levels = [
    { campaign_id: campaignId, level: 0, payer_id: user.userId, payee_id: reseller.userId, pulse_paisa: 50 },
    { campaign_id: campaignId, level: 1, payer_id: reseller.userId, payee_id: platform, pulse_paisa: 30 },
  ]
  await app.db
    .insertInto('campaign_level')
    .values(levels.map((level) => ({ ...level, pulse_ms: 30_000 })))
    .execute()
  await newCall(app, user, campaignId, {
    at: noon,
    ...answered(10, noon),
    keys: '1',
    trail: 'menu menu=1 >menu?',
    operator: 2,
  })
  await newCall(app, user, campaignId, { at: noon, disposition: 'NO ANSWER', alerted: true })
  await newCall(app, user, campaignId, { at: back(3600_000), disposition: 'CANCEL' })
  await newCall(app, user, campaignId, {
    at: back(8 * day),
    ...answered(20, back(8 * day)),
    keys: '21',
    trail: 'welcome >welcome',
  })
  await newCall(app, sister, theirs, { at: back(day), agent: '+9779801111137' })
  await newCall(app, stranger, strange, { at: noon })
  await app.db
    .insertInto('sms_sent')
    .values(
      [1, 2, 3].map((id) => ({
        id,
        claimed_at: noon.toISOString(),
        campaign_id: 0,
        no: id,
        account_id: user.userId,
        gateway_id: 7,
        phone: 9_779_841_000_001,
        operator: 1,
        result: id === 3 ? ('refused' as const) : ('accepted' as const),
        segments: 2,
        accepted: id === 3 ? 0 : 2,
        cost_paisa: id === 3 ? 0 : 300,
      })),
    )
    .execute()
  await app.pool.query(`insert into sms_news (what, ids) values ('delivered', '{1}'), ('undelivered', '{2}')`)
  await newSmsCampaign(app, user)
  await countAll(app.db)
  const of = await app.db
    .selectFrom('campaign')
    .select('trunk_id')
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow()
  trunkId = of.trunk_id
})

const ask = async (viewer: Viewer, query = '', of = viewer, what = '') =>
  http.inject({ url: `/api/obd/insight/${what}${of.userId}?${query}`, headers: await signedIn(app, viewer) })
async function figures(viewer: Viewer, query = '', of = viewer): Promise<CallInsight> {
  const reply = await ask(viewer, query, of)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<CallInsight>()
}
const rowsOf = ({ rows }: CallInsight) => rows.map(({ key, label, attempts }) => [key, label, attempts])

test('a user sees the own calls of the last seven days beside the seven before', async () => {
  const seen = await figures(user)
  expect(seen).toMatchObject({
    username: 'insight-gita',
    from: '2026-11-16',
    to: '2026-11-22',
    before: { from: '2026-11-09', to: '2026-11-15' },
    by: 'day',
    of: null,
  })
  expect(seen.totals).toMatchObject({
    attempts: 3,
    answered: 1,
    noAnswer: 1,
    ringOnly: 1,
    cancelled: 1,
    keyed: 1,
    seconds: 10,
    asr: 50,
    acd: 10,
    ner: 100,
    pdd: null,
    cost: 0.5,
    spend: 0.5,
    margin: null,
  })
  expect(seen.totalsBefore).toMatchObject({ attempts: 1, answered: 1, seconds: 20 })
  expect(seen.series).toMatchObject([{ time: '2026-11-22', attempts: 3, answered: 1, failed: 1, asr: 50 }])
  expect(seen.seriesBefore).toMatchObject([{ time: '2026-11-14', attempts: 1 }])
})

test('a reseller sees everybody below with the own margin, the platform all, and either one account alone', async () => {
  expect((await figures(reseller)).totals).toMatchObject({ attempts: 4, cost: 0.5, spend: 0.3, margin: 0.2 })
  expect((await figures(boss)).totals).toMatchObject({ attempts: 5, cost: 0.5, spend: null, margin: 0.3 })
  expect((await figures(boss, '', reseller)).totals).toMatchObject({ attempts: 4, spend: 0.3, margin: 0.2 })
  expect((await figures(reseller, '', user)).totals).toMatchObject({ attempts: 3, spend: 0.5, margin: null })
})

test.each([
  ['by=hour&started=today', ['2026-11-22 11:00:00 1', '2026-11-22 12:00:00 2']],
  ['by=minute&started=today', ['2026-11-22 11:00:00 1', '2026-11-22 12:00:00 2']],
  ['by=weekday', ['0 11 1', '0 12 2']],
  ['by=day&from=2026-11-14&to=2026-11-22', ['2026-11-14 1', '2026-11-22 3']],
  ['by=day&operator=ncell', ['2026-11-22 1']],
  ['by=day&operator=ncell,smart&template=0', ['2026-11-22 1']],
  ['by=day&template=2', []],
  ['by=day&to=2026-11-21&from=2026-11-15', []],
])('%s makes these buckets', async (query, expected) => {
  const shown = { ...(await figures(user, query)) }
  // The clock of the test stands on another day than the machine's, which decides what minutes are kept.
  if (query.startsWith('by=minute')) return expect(shown.by).toBe('minute')
  expect(shown.series.map(({ time, attempts }) => `${time} ${attempts}`)).toEqual(expected)
})

test('rows are of what is asked for, with the most calls first', async () => {
  expect(rowsOf(await figures(reseller, 'of=customer'))).toEqual([
    [String(user.userId), 'insight-gita', 3],
    [String(sister.userId), 'insight-sita', 1],
  ])
  expect(rowsOf(await figures(boss, 'of=customer'))).toEqual([
    [String(reseller.userId), 'insight-himal', 4],
    [String(stranger.userId), 'insight-stranger', 1],
  ])
  expect(rowsOf(await figures(user, 'of=campaign'))).toEqual([[String(campaignId), 'Tihar', 3]])
  expect(rowsOf(await figures(user, 'of=operator'))).toEqual([
    ['ntc', 'ntc', 2],
    ['ncell', 'ncell', 1],
  ])
  expect(rowsOf(await figures(user, 'of=operator&operator=ncell'))).toEqual([['ncell', 'ncell', 1]])
  expect(rowsOf(await figures(user, 'of=template'))).toEqual([['0', 'Simple IVR', 3]])
  expect(rowsOf(await figures(reseller, 'of=agent'))).toEqual([['9801111137', '9801111137', 1]])
  expect((await figures(boss, 'of=trunk', user)).rows[0]).toMatchObject({ key: String(trunkId), attempts: 3 })
  expect((await figures(user, 'of=cli')).rows[0]).toMatchObject({ attempts: 3, label: expect.stringMatching(/^0159/) })
  expect((await figures(user, `campaignId=${campaignId}&by=day`)).totals.attempts).toBe(3)
  expect((await figures(boss, `trunkId=${trunkId}`)).totals.attempts).toBe(3)
})

test.each([
  [400, 'from', 'must be at most 400 days by day', 'from=2016-11-22&to=2026-11-22', () => user],
  [400, 'started', 'must be at most 31 days by hour', 'started=2026-01-01..2026-11-22&by=hour', () => user],
  [400, 'started', 'must be at most 92 days by weekday', 'started=2026-01-01..2026-11-22&by=weekday', () => user],
  [400, 'started', 'must be one day by minute', 'started=last7&by=minute', () => user],
  [400, 'from', 'must be today or yesterday by minute', 'from=2026-11-01&to=2026-11-01&by=minute', () => user],
  [400, 'to', 'must not be before the beginning', 'from=2026-11-22&to=2026-11-21', () => user],
  [400, 'from', 'must not be in the future', 'from=2026-11-23', () => user],
  [400, 'from', 'must look like 2026-11-20', 'from=2026-02-30', () => user],
  [400, 'by', 'must be one of minute, hour, day, weekday', 'by=month', () => user],
  [400, 'of', 'must be one of customer, campaign, operator, trunk, cli, template, agent', 'of=phone', () => user],
  [400, 'of', 'cannot be combined with operator', 'of=agent&operator=ntc', () => user],
  [400, 'of', 'cannot be combined with one campaign', 'of=operator&campaignId=1', () => user],
  [400, 'by', 'must be day of one campaign', 'by=hour&started=today&campaignId=1', () => user],
  [400, 'campaignId', 'is not a campaign that you may see', 'campaignId=999999', () => user],
  [403, 'of', 'is for super admins only', 'of=trunk', () => reseller],
  [403, 'trunkId', 'is for super admins only', 'trunkId=1', () => user],
])('%i %s %s: %s', async (status, field, text, query, viewer) => {
  const reply = await ask(viewer(), query)
  expect(reply.statusCode).toBe(status)
  expect(reply.json()).toMatchObject({ errors: [{ field, text }] })
})

test('a stranger’s account is not there, and neither is a stranger’s campaign or a test call’s', async () => {
  expect((await ask(user, '', sister)).statusCode).toBe(404)
  expect((await ask(reseller, '', stranger)).statusCode).toBe(404)
  expect((await ask(user, `campaignId=${strange}&by=day`)).json()).toMatchObject({ errors: [{ field: 'campaignId' }] })
  const tested = await newCampaign(app, user)
  await app.db.updateTable('campaign').set({ is_test: true }).where('id', '=', tested).execute()
  expect((await ask(user, `campaignId=${tested}&by=day`)).json()).toMatchObject({ errors: [{ field: 'campaignId' }] })
})

const keysOf = (answers: CallInsight['rows'][number]['answers']) =>
  answers?.keys.map(({ key, count }) => `${key}: ${count}`)
const leftOf = (answers: CallInsight['rows'][number]['answers']) => answers?.left.map(({ count }) => count)

test('keys and hanging up stand with the range, the one before, each day and each row, by campaign, template, customer and operator', async () => {
  const mine = await figures(user, 'of=campaign')
  expect([keysOf(mine.answers?.now ?? null), leftOf(mine.answers?.now ?? null)]).toEqual([['1: 1'], [0, 0, 1, 0, 0, 0]])
  const before = mine.answers?.before ?? null
  expect([keysOf(before), leftOf(before)]).toEqual([
    ['1: 1', '2: 1'],
    [0, 0, 0, 1, 0, 0],
  ])
  const longer = await figures(user, 'from=2026-11-14&to=2026-11-22')
  expect(longer.answers?.series.map((day) => [day.time, keysOf(day)])).toEqual([
    ['2026-11-14', ['1: 1', '2: 1']],
    ['2026-11-22', ['1: 1']],
  ])
  expect(keysOf(longer.answers?.now ?? null)).toEqual(['1: 2', '2: 1'])
  for (const dimension of ['campaign', 'template', 'operator', 'cli']) {
    const { rows } = await figures(user, `from=2026-11-14&to=2026-11-22&of=${dimension}`)
    expect(
      rows.flatMap(({ answers }) => keysOf(answers)),
      dimension,
    ).toEqual(dimension === 'operator' ? ['1: 1', '2: 1', '1: 1'] : ['1: 2', '2: 1'])
  }
  const customers = await figures(reseller, 'of=customer')
  expect(customers.rows.map(({ label, answers }) => [label, keysOf(answers), leftOf(answers)])).toEqual([
    ['insight-gita', ['1: 1'], [0, 0, 1, 0, 0, 0]],
    ['insight-sita', [], [0, 0, 0, 0, 0, 0]],
  ])
  expect(keysOf((await figures(boss, 'of=trunk')).answers?.now ?? null)).toEqual(['1: 1'])
})

test('one campaign, operator, template or trunk has keys of its own; two of them at once are not kept, and neither are agents', async () => {
  const now = async (viewer: Viewer, query: string) => keysOf((await figures(viewer, query)).answers?.now ?? null)
  const days = 'from=2026-11-14&to=2026-11-22'
  expect(await now(user, `campaignId=${campaignId}&by=day&${days}`)).toEqual(['1: 2', '2: 1'])
  expect(await now(user, `operator=ncell&${days}`)).toEqual(['1: 1'])
  expect(await now(user, `operator=ncell,ntc&${days}`)).toEqual(['1: 2', '2: 1'])
  expect(await now(user, 'template=0&by=hour&started=today')).toEqual(['1: 1'])
  expect(await now(user, 'template=2')).toEqual([])
  expect(await now(boss, `trunkId=${trunkId}&${days}`)).toEqual(['1: 2', '2: 1'])
  expect((await figures(user, 'operator=ncell&template=0')).answers).toBeNull()
  expect((await figures(user, 'operator=ncell&of=operator')).rows[0]?.answers).toBeNull()
  const agents = await figures(reseller, 'of=agent')
  expect([agents.rows[0]?.answers, keysOf(agents.answers?.now ?? null)]).toEqual([null, ['1: 1']])
  expect((await figures(user, 'by=hour&started=today')).answers?.series).toEqual([])
})

test('messages have their figures, too', async () => {
  const reply = await ask(user, 'of=operator', user, 'messages/')
  expect(reply.statusCode, reply.body).toBe(200)
  const { totals, series, rows } = reply.json<MessageInsight>()
  expect(totals).toMatchObject({
    messages: 3,
    accepted: 2,
    refused: 1,
    delivered: 1,
    undelivered: 1,
    segments: 4,
    deliveredShare: 50,
    cost: 6,
  })
  expect(series).toMatchObject([{ time: '2026-11-22', messages: 3 }])
  expect(rows).toMatchObject([{ key: 'ntc', messages: 3 }])
  const refused = await ask(user, 'of=gateway', user, 'messages/')
  expect([refused.statusCode, refused.json().errors[0].field]).toEqual([403, 'of'])
  const gateways = (await ask(boss, 'of=gateway', boss, 'messages/')).json<MessageInsight>()
  expect(gateways.rows).toMatchObject([{ key: '7', label: '7', messages: 3 }])
})

async function table(viewer: Viewer, query: string, of = viewer, what: 'calls' | 'messages' = 'calls') {
  const folder = what === 'calls' ? '' : 'messages/'
  const url = `/api/obd/insight/${folder}${of.userId}/insight-${what}.csv?${query}`
  return http.inject({ url, headers: await signedIn(app, viewer) })
}
async function linesOf(...asked: Parameters<typeof table>): Promise<string[]> {
  const reply = await table(...asked)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.body.slice(1).split('\r\n').slice(0, -1)
}

test('each table is a CSV in the words of the screen, with the same range, filters and rights', async () => {
  expect(await linesOf(user, 'table=time')).toEqual([
    'Time,Calls,Answered,Listened (s),Busy,No answer,Failed,Pressed a key,Pulses,Paid by users (Rs),Calls: Before',
    '2026-11-21,,,,,,,,,,1',
    '2026-11-22,3,1,10,0,1,1,1,1,0.50,',
  ])
  expect(await linesOf(user, 'table=time&by=weekday')).toEqual([
    expect.stringMatching(/^Day,Hour,Calls,/),
    'Sunday,11,1,0,,0,0,1,0,0,0.00,',
    'Sunday,12,2,1,10,0,1,0,1,1,0.50,',
    'Saturday,12,,,,,,,,,,1',
  ])
  expect(await linesOf(user, 'table=rows&of=operator')).toEqual([
    'Name,Calls,Answered,Listened (s),Busy (%),No answer (%),Failed (%),Pressed a key (%),Dropped off (%),Pulses,Spent (Rs)' +
      ',Key 1,Hung up: Within 5 s,Hung up: After 5 to 10 s,Hung up: After 10 to 20 s,Hung up: After 20 to 30 s,Hung up: After 30 to 60 s,Hung up: After 60 s or more',
    expect.stringMatching(/^Nepal Telecom,2,0,/),
    expect.stringMatching(/^Ncell,1,1,10,.*,0\.50,1,0,0,1,0,0,0$/),
  ])
  expect(await linesOf(user, 'table=keys')).toEqual([
    'What,Calls,Of answered (%),Before',
    'Key 1,1,100,1',
    'Key 2,0,0,1',
    'No key,0,0,',
  ])
  expect((await linesOf(user, 'table=hangUps')).slice(3)).toEqual([
    'After 10 to 20 s,1,100,0',
    'After 20 to 30 s,0,0,1',
    'After 30 to 60 s,0,0,0',
    'After 60 s or more,0,0,0',
    'Stayed to the end,0,0,',
  ])
  expect((await linesOf(user, 'table=days&from=2026-11-14&to=2026-11-22')).slice(1)).toEqual([
    '2026-11-14,1,1,0,0,0,1,0,0',
    '2026-11-22,1,0,0,0,1,0,0,0',
  ])
  expect(await linesOf(boss, 'table=rows&of=gateway', boss, 'messages')).toEqual([
    'Name,Messages,Accepted (%),Delivered (%),Refused,Segments,Paid by users (Rs),Margin (Rs)',
    expect.stringMatching(/^7,3,66\.7,50,1,4,6\.00,/),
  ])
  expect((await linesOf(user, 'table=time', user, 'messages'))[1]).toBe('2026-11-22,3,2,1,1,4,6.00,')
})

test.each([
  [400, 'table', 'must be one of time, rows, keys, hangUps, days', 'table=tiles', () => user],
  [400, 'of', 'must say what the rows are of', 'table=rows', () => user],
  [400, 'table', 'is not kept for these filters', 'table=keys&operator=ncell&template=0', () => user],
  [403, 'of', 'is for super admins only', 'table=rows&of=trunk', () => reseller],
])('%i %s %s, as a CSV of %s', async (status, field, text, query, viewer) => {
  const reply = await table(viewer(), query)
  expect([reply.statusCode, reply.json()]).toMatchObject([status, { errors: [{ field, text }] }])
})

test('a download of figures is an export with a line of its own, and a stranger’s are not there', async () => {
  expect((await table(user, 'table=time', sister)).statusCode).toBe(404)
  const reply = await table(reseller, 'table=rows&of=customer', user)
  expect(reply.headers['content-disposition']).toContain('filename="insight-calls-rows-2026-11-16-2026-11-22.csv"')
  const { rows } = await app.pool.query(
    `select actor_id, target, detail from audit_log where action = 'insight.export' order by id desc limit 1`,
  )
  expect(rows).toEqual([
    {
      actor_id: reseller.userId,
      target: `user ${user.userId}`,
      detail: { fileName: 'insight-calls-rows-2026-11-16-2026-11-22.csv', search: 'of: customer' },
    },
  ])
})
