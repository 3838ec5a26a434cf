import type { Customer } from '@ghanti/contract/customers.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { back, newAccountTree, newPaidCampaign, noon } from '../../testing/account-tree.ts'
import { testApp } from '../../testing/app.ts'
import { answered, newCall } from '../../testing/calls.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newPlan, newReseller, newUser } from '../../testing/seed.ts'
import { countAll } from '../insight/actions-count.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let under: Viewer
let user: Viewer
let deep: Viewer
let stranger: Viewer

beforeAll(async () => {
  http = await testHttp(app)
  const [low, high] = [await newPlan(app, { pulsePaisa: 30 }), await newPlan(app, { pulsePaisa: 50 })]
  ;({ boss, reseller, user, stranger } = await newAccountTree(app, {
    prefix: 'page',
    reseller: { planId: low, channels: 100 },
    user: { planId: high, rupees: 10, channels: 20 },
  }))
  under = await newReseller(app, { parent: reseller, username: 'page-agency', planId: high, channels: 40 })
  deep = await newUser(app, { parent: under, username: 'page-client', planId: high, channels: 15 })
  const campaignId = await newPaidCampaign(app, user, reseller, 'Tihar')
  for (const at of [noon, back(1), back(1), back(3), back(40)])
    await newCall(app, user, campaignId, { at, ...answered(10, at) })
  await newCall(app, user, campaignId, { at: back(3) })
  await countAll(app.db)
})

const ask = async (viewer: Viewer, userId: number) =>
  http.inject({ url: `/api/obd/customer/${userId}`, headers: await signedIn(app, viewer) })
async function page(viewer: Viewer, of: Viewer): Promise<Customer> {
  const reply = await ask(viewer, of.userId)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<Customer>()
}

test('the page of a customer has its money by month, from the counters, with what stayed with the account above', async () => {
  const { months, account, plan, planAbove } = await page(reseller, user)
  expect(account).toMatchObject({ username: 'page-gita', isChild: true, credits: 10 })
  expect([months.length, months[0]?.month, months.at(-1)?.month]).toEqual([12, '2026-11', '2025-12'])
  expect(months[0]).toEqual({ month: '2026-11', calls: 5, answered: 4, messages: 0, spend: 2, margin: 0.8 })
  expect(months[1]).toMatchObject({ month: '2026-10', calls: 1, spend: 0.5, margin: 0.2 })
  expect(months[2]).toMatchObject({ calls: 0, spend: 0 })
  expect([plan?.pulsePrice, planAbove?.pulsePrice, plan?.pulseDuration]).toEqual([50, 30, 30])
  const ofReseller = await page(boss, reseller)
  expect([ofReseller.months[0]?.spend, ofReseller.months[0]?.margin]).toEqual([1.2, 1.2])
  expect([ofReseller.planAbove, ofReseller.lasts, ofReseller.channels.given]).toEqual([null, null, 60])
})

test('a balance lasts as the last days with calls went, without today', async () => {
  const { lasts } = await page(reseller, user)
  expect(lasts).toEqual({ days: 15, perDay: 0.67, ofDays: 3 })
  expect((await page(under, deep)).lasts).toEqual({ days: null, perDay: null, ofDays: 0 })
})

test('what is used stands beside what may be: storage, channels, sessions, and who signed in when', async () => {
  await app.db.insertInto('account_grant').values({ account_id: user.userId, dialer_id: 1, in_call: 3 }).execute()
  const login = { username: user.username, password: 'correct horse battery' }
  await http.inject({ method: 'POST', url: '/api/obd/login', payload: login })
  await http.inject({ method: 'POST', url: '/api/obd/login', payload: { ...login, password: 'wrong' } })
  await http.inject({ method: 'POST', url: '/api/obd/login', payload: { ...login, username: deep.username } })
  const { used, quotas, channels, sessions, signIns } = await page(reseller, user)
  expect([used.campaigns, quotas.campaigns, channels.inUse, sessions]).toEqual([1, 100, 3, 1])
  expect(signIns).toEqual([
    { at: expect.any(String), ip: expect.stringMatching(/\d/), failed: true },
    { at: expect.any(String), ip: expect.stringMatching(/\d/), failed: false },
  ])
  for (let n = 0; n < 12; n++)
    await app.pool.query(
      `insert into audit_log (action, target, ip, detail) values ('login.failed', $1, '203.0.113.9', '{}')`,
      [`user ${user.userId}`],
    )
  const flooded = (await page(reseller, user)).signIns
  expect(flooded.map(({ failed }) => failed).toSorted(), 'failed tries do not crowd out the others').toEqual([
    false,
    ...Array.from({ length: 10 }, () => true),
  ])
  app.clock.advance(13 * 3600_000)
  expect((await page(reseller, user)).sessions, 'nobody asked for anything for half a day').toBe(0)
  app.clock.set(noon)
})

test('those above see who is below them, however deep; a stranger’s account, one’s own and a missing one are not there', async () => {
  expect((await page(reseller, deep)).account).toMatchObject({ isChild: false, parentUser: 'page-agency' })
  expect((await page(boss, deep)).account.username).toBe('page-client')
  for (const [viewer, id] of [
    [reseller, stranger.userId],
    [under, user.userId],
    [reseller, reseller.userId],
    [boss, boss.userId],
    [boss, 2_000_000_000],
  ] as const) {
    const reply = await ask(viewer, id)
    expect([reply.statusCode, reply.json().message], `${viewer.username} ${id}`).toEqual([404, 'No data found'])
  }
  expect((await ask(user, user.userId)).statusCode).toBe(403)
})

test('a disabled account has its page, which says so, and so has one below it', async () => {
  const reason = 'Not paid'
  const headers = await signedIn(app, reseller)
  const payload = { userId: under.userId, reason }
  expect((await http.inject({ method: 'POST', url: '/api/obd/user/disable', payload, headers })).statusCode).toBe(200)
  expect((await page(reseller, under)).account.disabled).toMatchObject({ reason })
  expect((await page(reseller, deep)).account.stoppedBy).toBe('page-agency')
})

test('whose page was opened reads in the own audit log by whom', async () => {
  await page(reseller, user)
  const reply = await http.inject({ url: `/api/obd/audit`, headers: await signedIn(app, user) })
  expect(reply.json<{ action: string; username: string }[]>()).toContainEqual(
    expect.objectContaining({ action: 'user.open', username: 'page-himal' }),
  )
})
