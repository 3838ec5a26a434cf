import type { Found } from '@ghanti/contract/find.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
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
