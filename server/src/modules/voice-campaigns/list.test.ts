import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import type { FastifyInstance } from 'fastify'
import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'
import { voiceCampaignHandlers } from './routes.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let user: Viewer
let other: Viewer
const own: number[] = []
let others: number

beforeAll(async () => {
  http = await testHttp(app, { handlers: { voiceCampaigns: voiceCampaignHandlers } })
  await http.listen({ port: 0, host: '127.0.0.1' })
  boss = await newSuperAdmin(app)
  reseller = await newReseller(app, { parent: boss })
  user = await newUser(app, { parent: reseller })
  other = await newUser(app, { parent: await newReseller(app, { parent: boss }) })
  for (let n = 0; n < 25; n++) {
    const id = await newCampaign(app, user, { name: `दशैं ${n % 5} offer_${n}`, status: n % 2 ? 'complete' : 'running' })
    own.push(id)
    await app.db
      .updateTable('campaign_progress')
      .set({ start_at: new Date(Date.UTC(2026, 0, 1 + n)), uploaded: 100 + n, processed: n, pulses: n * 3, dnd: 1 })
      .where('campaign_id', '=', id)
      .execute()
  }
  others = await newCampaign(app, other, { name: '=cmd|other' })
})

async function get(viewer: Viewer, url: string) {
  return http.inject({ url, headers: await signedIn(app, viewer) })
}
async function list(viewer: Viewer, query: string, userId = viewer.userId) {
  const reply = await get(viewer, `/api/obd/campaign/${userId}?${query}`)
  return { ids: reply.json<CampaignRow[]>().map(({ campaignId }) => campaignId), headers: reply.headers }
}
const newestFirst = () => [...own].reverse()

test('the newest schedule time is first; pages and total', async () => {
  const page = await list(user, 'page=2&pageSize=10')
  expect(page.ids).toEqual(newestFirst().slice(10, 20))
  expect(page.headers['x-total-count']).toBe('25')
  expect((await list(user, '')).ids).toEqual(newestFirst())
})

test.each([
  'scheduleTime',
  'campaignName',
  'campaignStatus',
  'templateId',
  'numbersUploaded',
  'numbersProcessed',
  'pendingCalls',
  'callsConnected',
  'pulses',
  'dndCount',
  'dtmfCount',
  'campaignId',
])('sorted by %s, pages join without a gap for each role', async (sort) => {
  for (const viewer of [user, reseller, boss]) {
    const all = (await list(viewer, `page=1&pageSize=100&sort=${sort}&order=desc`)).ids
    expect(new Set(all).size).toBe(viewer === boss ? 26 : 25)
    const pages = [1, 2, 3].map(
      async (page) => (await list(viewer, `page=${page}&pageSize=10&sort=${sort}&order=desc`)).ids,
    )
    expect((await Promise.all(pages)).flat()).toEqual(all)
  }
})

test('a cursor goes on where the page ended', async () => {
  const reply = await get(user, `/api/obd/campaign/${user.userId}?pageSize=10&sort=campaignName`)
  const next = new URLSearchParams({
    pageSize: '10',
    sort: 'campaignName',
    after: String(reply.headers['x-next-after']),
  })
  const first = reply.json<CampaignRow[]>()
  const second = (await get(user, `/api/obd/campaign/${user.userId}?${next}`)).json<CampaignRow[]>()
  const names = [...first, ...second].map(({ campaignName }) => campaignName)
  expect(names).toEqual([...names].sort())
  expect(new Set(names).size).toBe(20)
})

test('search by part of the name without case, by wildcard characters as they are, by the whole id', async () => {
  const search = async (text: string, viewer = user) =>
    (await list(viewer, `page=1&pageSize=50&search=${encodeURIComponent(text)}`)).ids
  expect(await search('OFFER_24')).toEqual([own[24]])
  expect(await search('दशैं 3')).toHaveLength(5)
  expect(await search('offer%')).toEqual([])
  expect(await search('_')).toHaveLength(25)
  expect(await search(String(others), boss)).toContain(others)
  expect(await search(String(others), user)).not.toContain(others)
})

test('everybody sees their own part of the tree', async () => {
  expect((await list(other, '')).ids).toEqual([others])
  expect((await list(reseller, 'page=1&pageSize=100')).ids).toEqual(newestFirst())
  expect((await list(boss, '', other.userId)).ids).toEqual([others])
  expect((await get(reseller, `/api/obd/campaign/${other.userId}`)).statusCode).toBe(404)
  expect((await get(user, `/api/obd/campaign/detail/${others}`)).statusCode).toBe(404)
  expect((await get(user, `/api/obd/campaign/attempts/${others}`)).statusCode).toBe(404)
  expect((await get(user, `/api/obd/campaign/refused/${others}/refused.csv`)).statusCode).toBe(404)
})

test('the CSV has the screen’s columns and all rows that match, harmless in a spreadsheet', async () => {
  const text = (await get(user, `/api/obd/campaign/${user.userId}/campaign_summary.csv?search=offer`)).body
  expect(text.startsWith('\ufeff')).toBe(true)
  const [header, ...rows] = parse(text, { bom: true })
  expect(header).toEqual([
    'Campaign Name',
    'Campaign Status',
    'Campaign Type',
    'Schedule Time',
    'Total Numbers',
    'Calls Dialed',
    'Pending Calls',
    'Connected Calls',
    'Total Pulses',
    'DnD Count',
    'Dtmf Count',
  ])
  expect(rows).toHaveLength(25)
  expect(rows[0]).toEqual([
    'दशैं 4 offer_24',
    'Running',
    'Simple IVR',
    '2026-01-25 05:45:00',
    '124',
    '24',
    '99',
    '0',
    '72',
    '1',
    '0',
  ])
  const all = parse((await get(boss, `/api/obd/campaign/${boss.userId}/campaign_summary.csv`)).body, { bom: true })
  expect(all).toContainEqual(expect.arrayContaining(["'=cmd|other", other.username]))
})

test('refused lines with their reasons', async () => {
  const campaignId = own[0] ?? 0
  const lines = Array.from({ length: 2500 }, (_, n) => ({
    campaign_id: campaignId,
    line: n + 2,
    text: `9${n}`,
    reason: 'the number is too short',
  }))
  await app.db.insertInto('campaign_refused').values(lines).execute()
  const rows = parse((await get(reseller, `/api/obd/campaign/refused/${campaignId}/refused.csv`)).body, { bom: true })
  expect(rows).toHaveLength(2501)
  expect(rows.at(-1)).toEqual(['2501', '92499', 'the number is too short'])
})

test('refused lines of the campaign and of its file in one order, and how many there are beside the first 10,000', async () => {
  const campaignId = await newCampaign(app, user, { rows: 1 })
  const counts = { invalid: 40_000, duplicate: 2, refused_of_file: 39_999 }
  const { base_id: baseId } = await app.db
    .updateTable('campaign_detail')
    .set(counts)
    .where('campaign_id', '=', campaignId)
    .returning('base_id')
    .executeTakeFirstOrThrow()
  const line = (at: number, reason: string) => ({ line: at, text: `row ${at}`, reason })
  const ofFile = Array.from({ length: 2500 }, (_, n) => ({ base_id: baseId, ...line(2 * n + 1, 'is too short') }))
  const ofCampaign = Array.from({ length: 3 }, (_, n) => ({ campaign_id: campaignId, ...line(2 * n + 2, 'is twice') }))
  await app.db.insertInto('base_refused').values(ofFile).execute()
  await app.db.insertInto('campaign_refused').values(ofCampaign).execute()
  const rows = parse((await get(user, `/api/obd/campaign/refused/${campaignId}/refused.csv`)).body, { bom: true })
  expect(rows.slice(1, 8).map(([at, , reason]: string[]) => `${at} ${reason}`)).toEqual([
    '1 is too short',
    '2 is twice',
    '3 is too short',
    '4 is twice',
    '5 is too short',
    '6 is twice',
    '7 is too short',
  ])
  expect(rows).toHaveLength(1 + 2503 + 1)
  expect(rows.at(-1)?.at(-1)).toBe('the first 10,000 of 39,999 rows refused for their number or length')
  const detail = await get(user, `/api/obd/campaign/detail/${campaignId}`)
  expect(detail.json()).toMatchObject({ invalid: 40_000, duplicate: 2, refusedKept: 10_003 })
})

test('attempts, the newest first, by disposition and by number', async () => {
  const campaignId = await newCampaign(app, user, { rows: 3 })
  const at = new Date('2026-11-20T06:15:00Z')
  await app.db
    .insertInto('attempt')
    .values(
      (['BUSY', 'ANSWER', 'NO ANSWER'] as const).map((disposition, no) => {
        const answered = disposition === 'ANSWER'
        return {
          id: 100 + no,
          campaign_id: campaignId,
          no,
          phone: 9_779_800_000_000 + no,
          attempt_no: 1,
          disposition,
          epoch: 1,
          started_at: at,
          answered_at: answered ? at : null,
          ended_at: at,
          claimed_at: at,
          bill_ms: answered ? 30_200 : null,
          pulses: answered ? 2 : 0,
          cost_paisa: answered ? 100 : 0,
          uncollected_paisa: 0,
          keys: answered ? '1' : null,
          trail: answered ? 'welcome menu1 menu2 menu1=wrong menu2=1 >menu3' : null,
          sip_status: answered ? null : 486,
          ended_by: answered ? ('customer' as const) : ('network' as const),
        }
      }),
    )
    .execute()
  const attempts = async (query: string) =>
    (await get(user, `/api/obd/campaign/attempts/${campaignId}?${query}`)).json<{ attemptId: number }[]>()
  expect((await attempts('')).map(({ attemptId }) => attemptId)).toEqual([102, 101, 100])
  expect(await attempts('disposition=ANSWER')).toMatchObject([
    {
      attemptId: 101,
      row: 3,
      mobile: '9800000001',
      disposition: 'ANSWER',
      keys: '1',
      keyNames: '',
      menuKeys: [{ menu: 'menu2', key: '1' }],
      startTime: '2026-11-20 12:00:00',
      seconds: 31,
      pulses: 2,
      cost: 1,
      cause: 'hung up by the customer',
    },
  ])
  expect(await attempts('disposition=BUSY')).toMatchObject([{ cause: 'SIP 486, ended by the network' }])
  for (const search of ['9800000002', '%2B977-9800000002', '09800000002', '0002', '०००००२'])
    expect(await attempts(`search=${search}`), search).toMatchObject([{ attemptId: 102 }])
  expect(await attempts('search=98000')).toEqual([]) // the beginning of a number, by which no index has attempts
  expect(await attempts('search=Ram')).toEqual([])
})

async function firstEvent(
  viewer: Viewer,
  port: number,
  wanted: (event: string, data: string) => boolean,
  opened: () => void,
) {
  const headers = await signedIn(app, viewer)
  return new Promise<string>((resolve, reject) => {
    let text = ''
    let hasBegun = false
    const call = request({ port, path: '/api/obd/events', headers }, (reply) => {
      reply.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (!hasBegun && text.includes('event: balance')) {
          hasBegun = true
          opened()
        }
        for (const [, event = '', data = ''] of text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g))
          if (wanted(event, data)) {
            resolve(data)
            call.destroy()
          }
      })
    })
    call.on('error', reject).end()
  })
}

test('each viewer is told of the campaigns that changed in the viewer’s part of the tree, and of the viewer’s balance', async () => {
  const { port } = http.server.address() as AddressInfo
  const [mine = 0, theirs = 0] = [own[1], others]
  const change = () => {
    for (const id of [mine, theirs])
      void app.db
        .updateTable('campaign_progress')
        .set({ answered: 7, changed_at: new Date() })
        .where('campaign_id', '=', id)
        .execute()
  }
  const balance = firstEvent(
    user,
    port,
    (event) => event === 'balance',
    () => {},
  )
  expect(JSON.parse(await balance)).toEqual({ credits: 0, reserved: 0 })
  let seenOthers = false
  const changed = await firstEvent(
    reseller,
    port,
    (event, data) => {
      seenOthers ||= data.includes(`"campaignId":${theirs},`)
      return event === 'campaigns' && data.includes('"callsConnected":7,')
    },
    change,
  )
  const row = { campaignId: mine, callsConnected: 7, username: user.username }
  expect(JSON.parse(changed)).toContainEqual(expect.objectContaining(row))
  expect(seenOthers).toBe(false)
  const report = firstEvent(
    user,
    port,
    (event, data) => event === 'campaigns' && data.includes('"reportStatus":"2"'),
    () => void app.db.insertInto('report').values({ campaign_id: mine, status: 'ready', answered: 7 }).execute(),
  )
  const reported = { campaignId: mine, reportStatus: '2' }
  expect(JSON.parse(await report)).toContainEqual(expect.objectContaining(reported))
})

test('changed SMS campaigns are sent as their own event to everybody who may see them', async () => {
  const { port } = http.server.address() as AddressInfo
  const [mine, theirs] = [await newSmsCampaign(app, user), await newSmsCampaign(app, other)]
  let seenOthers = false
  const changed = await firstEvent(
    reseller,
    port,
    (event, data) => {
      seenOthers ||= data.includes(`"campaignId":${theirs},`) && event === 'smsCampaigns'
      return event === 'smsCampaigns' && data.includes('"smsDelivered":7')
    },
    () =>
      void app.db
        .updateTable('sms_campaign_progress')
        .set({ delivered: 7, changed_at: new Date() })
        .where('campaign_id', 'in', [mine, theirs])
        .execute(),
  )
  expect(JSON.parse(changed)).toMatchObject([{ campaignId: mine, username: user.username }])
  expect(seenOthers).toBe(false)
})

test('waiting rows wait for a numbered retry; the one that campaign/retry gives has no number', async () => {
  const id = await newCampaign(app, user, { name: 'Numbered' })
  const pending = async () => {
    const reply = await get(user, `/api/obd/campaign/${user.userId}?search=Numbered`)
    return reply.json<CampaignRow[]>()[0]?.pending
  }
  await app.db.updateTable('campaign_progress').set({ waiting: 5, retry_no: 2 }).where('campaign_id', '=', id).execute()
  expect(await pending()).toMatchObject({ waiting: 5, retry: 2, retries: 2 })
  await app.db.updateTable('campaign').set({ is_retry: true }).where('id', '=', id).execute()
  await app.db.updateTable('campaign_progress').set({ retry_no: 3 }).where('campaign_id', '=', id).execute()
  expect(await pending()).toMatchObject({ waiting: 5, retry: 0, retries: 0 })
})

test('a stream says within a second that an administrator stops dialling, and that it goes on', async () => {
  const { port } = http.server.address() as AddressInfo
  const block = { kind: 'account', target_id: reseller.userId, reason: 'unpaid', by_user_id: reseller.userId } as const
  const stop = () => void app.db.insertInto('dial_block').values(block).execute()
  const stopped = await firstEvent(user, port, (event, data) => event === 'dialling' && data.includes('unpaid'), stop)
  expect(JSON.parse(stopped)).toEqual(['all dialling of the account is stopped by the administrator: unpaid'])
  const lift = () => void app.db.updateTable('dial_block').set({ lifted_at: new Date() }).execute()
  expect(await firstEvent(user, port, (event, data) => event === 'dialling' && data === '[]', lift)).toBe('[]')
})

test('a campaign that is cancelled, held or paused shows no next retry, one that runs does', async () => {
  const nextDue = async (status: 'running' | 'cancelled' | 'onHold' | 'paused') => {
    const owner = await newUser(app)
    const campaignId = await newCampaign(app, owner, { status, rows: 2 })
    const waits = { waiting: 2, fresh: 0, next_due_at: new Date('2026-11-20T09:15:00Z') }
    await app.db.updateTable('campaign_progress').set(waits).where('campaign_id', '=', campaignId).execute()
    const headers = await signedIn(app, owner)
    const reply = await http.inject({ url: `/api/obd/campaign/${owner.userId}`, headers })
    return reply.json<CampaignRow[]>()[0]?.pending.nextDue
  }
  expect(await nextDue('running')).toBe('2026-11-20 15:00:00')
  for (const status of ['cancelled', 'onHold', 'paused'] as const)
    expect([status, await nextDue(status)]).toEqual([status, null])
})
