import type { Called, Found } from '@ghanti/contract/find.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'
import { newLine, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { findHandlers } from './routes.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let user: Viewer
let stranger: Viewer
let own: number
let others: number

beforeAll(async () => {
  http = await testHttp(app, { handlers: { find: findHandlers } })
  boss = await newSuperAdmin(app, { username: 'find-boss' })
  reseller = await newReseller(app, { parent: boss, username: 'find-himal' })
  user = await newUser(app, { parent: reseller, username: 'find-gita' })
  stranger = await newUser(app, {
    parent: await newReseller(app, { parent: boss, username: 'find-other' }),
    username: 'find-stranger',
  })
  own = await newCampaign(app, user, { name: 'दशैं 100% Offer' })
  others = await newCampaign(app, stranger, { name: 'Dashain offer of another' })
})

async function found(as: Viewer, search: string): Promise<{ campaigns: number[]; users: string[] }> {
  const headers = await signedIn(app, as)
  const reply = await http.inject({ url: `/api/obd/find?search=${encodeURIComponent(search)}`, headers })
  const { campaigns, users } = reply.json<Found>()
  return { campaigns: campaigns.map(({ campaignId }) => campaignId), users: users.map(({ username }) => username) }
}

test('each finds the campaigns of their own list, by a part of the name or by id, and none of another’s', async () => {
  expect((await found(user, 'offer')).campaigns).toEqual([own])
  expect((await found(reseller, 'OFFER')).campaigns).toEqual([own])
  expect((await found(boss, 'offer')).campaigns).toEqual([others, own])
  expect((await found(user, 'दशैं')).campaigns).toEqual([own])
  expect((await found(user, `#${own}`)).campaigns).toEqual([own])
  expect((await found(user, String(others))).campaigns).toEqual([])
  expect((await found(user, '100%')).campaigns).toEqual([own])
  expect((await found(user, '%%%')).campaigns).toEqual([])
})

test('accounts are found by those who have a list of them; a user has none', async () => {
  expect(await found(user, 'find-')).toEqual({ campaigns: [], users: [] })
  expect((await found(reseller, 'find-')).users).toEqual(['find-gita'])
  expect((await found(boss, 'find-g')).users).toEqual(['find-gita'])
  expect((await found(reseller, 'find-stranger')).users).toEqual([])
})

test('at most five of a kind, the newest campaigns and the accounts that begin so first; two letters find nothing', async () => {
  const many: number[] = []
  for (let n = 0; n < 7; n++) many.push(await newCampaign(app, user, { name: `Tihar ${n}` }))
  expect((await found(user, 'tihar')).campaigns).toEqual(many.slice(2).toReversed())
  expect((await found(user, 'ti')).campaigns).toEqual([])
})

async function calls(as: Viewer, mobile: string) {
  const reply = await http.inject({ url: `/api/obd/find/number/${mobile}`, headers: await signedIn(app, as) })
  return { status: reply.statusCode, ...reply.json<Partial<Called>>() }
}

test('a number leads each to those of their campaigns that called it; asking leaves a line, the campaign’s owner reads theirs', async () => {
  const mobile = '9841234567'
  let id = 0
  const attempt = async (campaignId: number) => {
    id += 1
    const at = app.clock.now()
    const times = { started_at: at, ended_at: at, claimed_at: at }
    const row = { id, campaign_id: campaignId, no: id, phone: 9_779_841_234_567, attempt_no: 1, epoch: 1, ...times }
    const money = { pulses: 0, cost_paisa: 0, uncollected_paisa: 0 }
    await app.db
      .insertInto('attempt')
      .values({ ...row, ...money, disposition: 'BUSY', ended_by: 'network' })
      .execute()
  }
  await attempt(own)
  await attempt(own)
  await attempt(others)
  const mine = { campaignId: own, campaignName: 'दशैं 100% Offer', username: 'find-gita', calls: 2 }
  expect((await calls(user, mobile)).campaigns).toEqual([mine])
  expect((await calls(reseller, `+977${mobile}`)).campaigns).toEqual([mine])
  expect((await calls(boss, mobile)).campaigns?.map(({ campaignId }) => campaignId).sort()).toEqual(
    [own, others].sort(),
  )
  expect((await calls(user, '9841234568')).campaigns).toEqual([])
  for (const written of [
    '9779841234567',
    '09841234567',
    '009779841234567',
    '984-123 4567',
    '९८४१२३४५६७',
    '+९७७ ९८४१-२३४५६७',
  ])
    expect((await calls(user, written)).campaigns, written).toEqual([mine])
  expect((await calls(user, '12')).status).toBe(400)
  const lines = await app.db
    .selectFrom('audit_log')
    .select(['actor_id', 'owner_id', 'action', 'target'])
    .where('actor_id', '=', reseller.userId)
    .orderBy('id')
    .execute()
  expect(lines).toEqual([
    { actor_id: reseller.userId, owner_id: null, action: 'number.find', target: mobile },
    { actor_id: reseller.userId, owner_id: user.userId, action: 'campaign.attempts', target: `campaign ${own}` },
  ])
})

test('CLIs are found by digits, by those on whose list they are', async () => {
  const { cli } = await newLine(app, { holders: [stranger] })
  const clisOf = async (as: Viewer) => {
    const reply = await http.inject({ url: `/api/obd/find?search=${cli}`, headers: await signedIn(app, as) })
    return reply.json<Found>().clis.map((one) => one.cli)
  }
  expect(await clisOf(boss)).toEqual([cli])
  expect(await clisOf(stranger)).toEqual([cli])
  expect(await clisOf(user)).toEqual([])
})

test('SMS campaigns are found as those of calls are, by those whose list holds them', async () => {
  const mine = await newSmsCampaign(app, user, { name: 'Renewal notice' })
  const foreign = await newSmsCampaign(app, stranger, { name: 'Renewal of another' })
  const smsOf = async (as: Viewer, search: string) => {
    const headers = await signedIn(app, as)
    const reply = await http.inject({ url: `/api/obd/find?search=${encodeURIComponent(search)}`, headers })
    return reply.json<Found>().smsCampaigns
  }
  expect(await smsOf(user, 'renewal')).toEqual([
    { campaignId: mine, campaignName: 'Renewal notice', username: 'find-gita' },
  ])
  expect((await smsOf(boss, 'RENEWAL')).map(({ campaignId }) => campaignId)).toEqual([foreign, mine])
  expect((await smsOf(reseller, `#${mine}`)).map(({ campaignId }) => campaignId)).toEqual([mine])
  expect(await smsOf(user, `#${foreign}`)).toEqual([])
  expect(await smsOf(user, 're')).toEqual([])
})
