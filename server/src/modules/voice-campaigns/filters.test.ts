import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let below: Viewer
let user: Viewer
let deep: Viewer
let stranger: Viewer
const ids: Record<string, number> = {}
let cli: string

beforeAll(async () => {
  app.clock.set(new Date('2026-11-23T06:00:00Z'))
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  reseller = await newReseller(app, { parent: boss, username: 'sagar' })
  below = await newReseller(app, { parent: reseller, username: 'below' })
  user = await newUser(app, { parent: reseller, username: 'himal' })
  deep = await newUser(app, { parent: below, username: 'deepak' })
  stranger = await newUser(app, { parent: boss, username: 'stranger' })
  await app.db.updateTable('users').set({ company: 'Laxmi Bank' }).where('id', '=', deep.userId).execute()
  const line = await newLine(app, { holders: [deep] })
  cli = line.cli
  const times = { start_at: new Date('2026-11-10T10:00:00Z') }
  ids['deep'] = await campaign(deep, { status: 'paused', name: 'School', line }, {}, new Date('2026-11-01T10:00:00Z'))
  ids['running'] = await campaign(user, { status: 'running', name: 'Renewal' }, times)
  ids['complete'] = await campaign(user, { status: 'complete', name: 'Dashain' }, { template_id: 2 })
  ids['stranger'] = await campaign(stranger, { status: 'complete', name: 'Complete list' })
})

async function campaign(
  owner: Viewer,
  how: Parameters<typeof newCampaign>[2],
  progress: { start_at?: Date; template_id?: number } = {},
  createdAt = new Date('2026-11-20T10:00:00Z'),
): Promise<number> {
  const id = await newCampaign(app, owner, how)
  const set = { start_at: new Date('2026-11-22T10:00:00Z'), ...progress }
  await app.db.updateTable('campaign_progress').set(set).where('campaign_id', '=', id).execute()
  const detail = app.db.updateTable('campaign_detail').set({ created_at: createdAt })
  await detail.where('campaign_id', '=', id).execute()
  return id
}

const ask = async (viewer: Viewer, query: string) =>
  http.inject({ url: `/api/obd/campaign/${viewer.userId}?pageSize=100&${query}`, headers: await signedIn(app, viewer) })
async function found(viewer: Viewer, query: string): Promise<string[]> {
  const reply = await ask(viewer, query)
  expect(reply.statusCode, reply.body).toBe(200)
  const rows = new Set(reply.json<CampaignRow[]>().map(({ campaignId }) => campaignId))
  return Object.keys(ids).filter((name) => rows.has(ids[name] ?? 0))
}

test.each([
  ['one status', 'status=running', ['running']],
  ['either of two', 'status=running,paused', ['deep', 'running']],
  ['a type', 'template=2', ['complete']],
  ['two filters at once', 'status=complete&template=0', ['stranger']],
  ['the day it is scheduled for', 'scheduled=2026-11-10..2026-11-10', ['running']],
  ['days since', 'scheduled=2026-11-20..', ['deep', 'complete', 'stranger']],
  ['the last seven days', 'created=last7', ['running', 'complete', 'stranger']],
  ['the days before', 'created=..2026-11-05', ['deep']],
  ['a status in words', 'search=Complete', ['complete', 'stranger']],
  ['a status in Nepali words', `search=${encodeURIComponent('चलिरहेको')}`, ['running']],
  ['the customer’s username', 'search=deepak', ['deep']],
  ['the customer’s company', 'search=laxmi', ['deep']],
])('%s finds the campaigns of it', async (_, query, expected) => {
  expect(await found(boss, query)).toEqual(expected)
})

test('a campaign is found by its id and by the number that it calls from', async () => {
  expect(await found(boss, `search=%23${ids['deep']}`)).toEqual(['deep'])
  expect(await found(boss, `cli=${cli}`)).toEqual(['deep'])
  expect(await found(boss, 'cli=019999999')).toEqual([])
})

test('a customer is there with all below it; within the viewer’s own tree', async () => {
  expect(await found(boss, `customer=${reseller.userId}`)).toEqual(['deep', 'running', 'complete'])
  expect(await found(reseller, `customer=${below.userId}`)).toEqual(['deep'])
  expect(await found(reseller, `customer=${user.userId}&status=complete`)).toEqual(['complete'])
  const refusals = [stranger.userId, boss.userId, 2_000_000_000].map((id) => ask(reseller, `customer=${id}`))
  for (const reply of await Promise.all(refusals)) {
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({ errors: [{ field: 'customer', text: 'is not an account that you may see' }] })
  }
})

test('a search finds nothing of strangers, whatever word it is for', async () => {
  expect(await found(reseller, 'search=Complete')).toEqual(['complete'])
  expect(await found(reseller, 'search=stranger')).toEqual([])
})

test.each([
  ['a filter that is none', 'colour=red', 'colour', /is no filter of this list; it has status, customer,/],
  ['a value that is none', 'status=running,sleeping', 'status', /must be one of ready, running,/],
  ['days that are none', 'created=2026-02-30..', 'created', /two days like/],
  ['days in BS', 'created=2085-01-01..', 'created', /AD, up to 2060/],
])('%s is refused with what there is', async (_, query, field, text) => {
  const reply = await ask(boss, query)
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ errors: [{ field, text: expect.stringMatching(text) }] })
})

test('the export holds what the filters leave, and the log says which', async () => {
  const url = `/api/obd/campaign/${boss.userId}/campaign_summary.csv?status=paused&search=School`
  const reply = await http.inject({ url, headers: await signedIn(app, boss) })
  expect(reply.body.trim().split('\r\n')).toHaveLength(2)
  expect(reply.body).toContain('School')
  const log = app.db.selectFrom('audit_log').select('detail').where('action', '=', 'campaign.export')
  expect((await log.execute()).map(({ detail }) => detail)).toEqual([{ search: 'School; status: paused' }])
})
