import { callPatch } from '@ghanti/callflow/templates/call-patch.ts'
import { fullInput } from '@ghanti/callflow/testing.ts'
import type { CallsNow, OwnOverview, ResellerOverview } from '@ghanti/contract/overview.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { back, newAccountTree } from '../../testing/account-tree.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newUser } from '../../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let reseller: Viewer
let stranger: Viewer

beforeAll(async () => {
  http = await testHttp(app)
  ;({ reseller, stranger } = await newAccountTree(app, { prefix: 'now', reseller: {}, user: {} }))
})

type Made = { status: 'running' | 'paused' | 'complete'; days?: number } & Partial<Record<Counted, number>>
type Counted = 'uploaded' | 'fresh' | 'in_call' | 'waiting' | 'done' | 'answered' | 'dnd' | 'attempts'

async function made(
  owner: Viewer,
  name: string,
  { status, days = 0, ...counts }: Made,
  outcomes = {},
): Promise<number> {
  const id = await newCampaign(app, owner, { name, status })
  await app.db
    .updateTable('campaign_progress')
    .set({
      status,
      start_at: back(days),
      finished_at: status === 'complete' ? back(days) : null,
      outcomes: JSON.stringify(outcomes),
      ...counts,
    })
    .where('campaign_id', '=', id)
    .execute()
  await app.db
    .updateTable('campaign_detail')
    .set({ flow: JSON.stringify(callPatch.build(fullInput)) })
    .where('campaign_id', '=', id)
    .execute()
  return id
}

async function ask<T>(viewer: Viewer, which: 'own' | 'reseller'): Promise<T> {
  const reply = await http.inject({ url: `/api/obd/overview/${which}`, headers: await signedIn(app, viewer) })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<T>()
}
const nowOf = async (user: Viewer) => (await ask<OwnOverview>(user, 'own')).now
const names = (now: CallsNow | null) => now?.campaigns.map(({ campaignName }) => campaignName)

test('of several campaigns that run a user sees the one with most people left, and what all have done', async () => {
  const user = await newUser(app, { parent: reseller })
  await made(
    user,
    'Nearly done',
    { status: 'running', uploaded: 100, fresh: 1, in_call: 2, waiting: 7, done: 90, answered: 50, attempts: 120 },
    { ANSWER: 50, BUSY: 70 },
  )
  await made(
    user,
    'Just begun',
    { status: 'running', uploaded: 100, fresh: 80, in_call: 3, waiting: 8, done: 4, dnd: 5, answered: 4, attempts: 12 },
    { ANSWER: 4, BUSY: 8 },
  )
  await made(user, 'Paused', { status: 'paused', uploaded: 900, fresh: 899, done: 1, attempts: 1 })
  await made(stranger, 'Of another', { status: 'running', uploaded: 900, fresh: 900, in_call: 30 })
  const now = await nowOf(user)
  expect(names(now)).toEqual(['Just begun'])
  expect(now).toMatchObject({
    running: 2,
    inCall: 5,
    called: 97 + 12,
    answered: 54,
    outcomes: { ANSWER: 54, BUSY: 78 },
    last: null,
  })
})

test('a campaign whose call flow cannot be read is shown without its keys', async () => {
  const user = await newUser(app, { parent: reseller })
  const id = await made(user, 'Of another release', { status: 'running', uploaded: 9, fresh: 8, done: 1, attempts: 1 })
  expect((await nowOf(user))?.menus).toMatchObject([{ menu: 'menu' }])
  await app.db
    .updateTable('campaign_detail')
    .set({ flow: JSON.stringify({ ...callPatch.build(fullInput), menus: [{ name: 'menu' }] }) })
    .where('campaign_id', '=', id)
    .execute()
  const now = await nowOf(user)
  expect(names(now)).toEqual(['Of another release'])
  expect(now).toMatchObject({ running: 1, menus: [] })
})

test('a paused campaign that has called stays where it was while nothing else runs', async () => {
  const user = await newUser(app, { parent: reseller })
  await made(user, 'Ended', { status: 'complete', attempts: 5 })
  await made(user, 'Paused', { status: 'paused', uploaded: 9, fresh: 8, done: 1, attempts: 1 })
  await made(user, 'Not begun', { status: 'paused', uploaded: 99, fresh: 99 })
  const now = await nowOf(user)
  expect(names(now)).toEqual(['Paused'])
  expect(now).toMatchObject({ running: 0, last: null })
})

test('where nothing runs the last campaign with calls is shown, without archived ones', async () => {
  const user = await newUser(app, { parent: reseller })
  expect(await nowOf(user)).toMatchObject({ campaigns: [], last: null, outcomes: {} })
  await made(user, 'Old', { status: 'complete', days: 9, attempts: 5 })
  await made(user, 'Newer', { status: 'complete', days: 4, attempts: 5 })
  const archived = await made(user, 'Archived', { status: 'complete', days: 2, attempts: 5 })
  await app.db
    .insertInto('campaign_archived')
    .values({ campaign_id: archived, at: back(1) })
    .execute()
  await made(user, 'Without calls', { status: 'complete', days: 1, attempts: 0 })
  expect((await nowOf(user))?.last).toMatchObject({ campaignName: 'Newer' })
})

test('a reseller sees the largest three of all accounts below, and the last one where none runs', async () => {
  const himal = await newReseller(app, { parent: reseller })
  const [one, two] = [await newUser(app, { parent: himal }), await newUser(app, { parent: himal })]
  await made(one, 'Ended', { status: 'complete', days: 3, attempts: 5 })
  await made(two, 'Ended later', { status: 'complete', days: 2, attempts: 5 })
  expect((await ask<ResellerOverview>(himal, 'reseller')).now.last).toMatchObject({ campaignName: 'Ended later' })
  const other = await newReseller(app, { parent: reseller })
  const [a, b] = [await newUser(app, { parent: other }), await newUser(app, { parent: other })]
  for (const [owner, name, fresh] of [
    [a, 'Small', 1],
    [a, 'Large', 40],
    [b, 'Larger', 50],
    [b, 'Middle', 20],
  ] as const)
    await made(owner, name, { status: 'running', uploaded: fresh, fresh })
  const { now } = await ask<ResellerOverview>(other, 'reseller')
  expect(names(now)).toEqual(['Larger', 'Large', 'Middle'])
  expect(now).toMatchObject({ running: 4, menus: [] })
})
