import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newPlan, newReseller, newSuperAdmin, newUser, sumOfBalances } from '../../testing/seed.ts'
import type { Viewer } from '../../policy.ts'
import { changeSetting, settingOf } from '../platform/actions.ts'
import { retireDemoAccounts } from './actions-demo.ts'

const app = await testApp()
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})
const get = async (viewer: Viewer, path: string) =>
  http.inject({ url: `/api/obd/${path}`, headers: await signedIn(app, viewer) })

describe('profile', () => {
  test('is the account’s own or that of one below; anybody else’s is not there', async () => {
    const planId = await newPlan(app)
    const reseller = await newReseller(app, { planId })
    const user = await newUser(app, { parent: reseller, rupees: 12.5, expiresAt: new Date('2030-01-01T00:00:00Z') })
    const stranger = await newReseller(app)
    const own = await get(user, `user/profile/${user.userId}`)
    expect(own.json()).toMatchObject({
      username: user.username,
      credits: 12.5,
      channels: 30,
      planName: null,
      pincode: '44600',
      expiryDate: '2030-01-01 05:45:00',
    })
    expect(own.json()).not.toHaveProperty('password')
    expect((await get(reseller, `user/profile/${user.userId}`)).statusCode).toBe(200)
    for (const [viewer, id] of [
      [stranger, user.userId],
      [user, reseller.userId],
      [user, 999_999],
    ] as const)
      expect((await get(viewer, `user/profile/${id}`)).json()).toEqual({ message: 'No data found' })
  })

  test('a super admin has neither credits nor a channel limit', async () => {
    const admin = await newSuperAdmin(app)
    expect((await get(admin, `user/profile/${admin.userId}`)).json()).toMatchObject({ credits: null, channels: null })
  })
})

describe('dashboard', () => {
  test('sums over all below, and counts as running what runs, pauses or resumes', async () => {
    const admin = await newSuperAdmin(app)
    const reseller = await newReseller(app, { parent: admin, rupees: 7 })
    const below = await newReseller(app, { parent: reseller })
    const [one, two] = [await newUser(app, { parent: reseller }), await newUser(app, { parent: below })]
    const other = await newUser(app)
    const campaigns = [
      await newCampaign(app, one, { status: 'running' }),
      await newCampaign(app, one, { status: 'pausing' }),
      await newCampaign(app, two, { status: 'resuming' }),
      await newCampaign(app, two, { status: 'paused' }),
      await newCampaign(app, other, { status: 'running' }),
    ]
    await app.db
      .updateTable('campaign_progress')
      .set({ attempts: 10, answered: 4 })
      .where('campaign_id', 'in', campaigns)
      .execute()
    expect((await get(reseller, `dashboard/${reseller.userId}`)).json()).toEqual({
      dbHeader: {
        totalVoiceCampaigns: 4,
        totalCalls: 40,
        connectedCalls: 16,
        voiceCreditsAvailable: 7,
        resellers: 1,
        endUsers: 2,
      },
      dbUserWiseCampaigns: [
        { username: one.username, totalCampaigns: 2 },
        { username: two.username, totalCampaigns: 1 },
      ],
      dbTrend: expect.any(Object),
    })
    expect((await get(one, `dashboard/${one.userId}`)).json()).toMatchObject({
      dbHeader: { totalCalls: 20, voiceCreditsAvailable: 0, resellers: 0, endUsers: 0 },
    })
    expect((await get(reseller, `dashboard/${two.userId}`)).json()).toMatchObject({ dbHeader: { totalCalls: 20 } })
    expect((await get(reseller, `dashboard/${other.userId}`)).statusCode).toBe(404)
    const platform = await get(admin, `dashboard/${admin.userId}`)
    expect(platform.json()).toMatchObject({ dbHeader: { totalCalls: 50, voiceCreditsAvailable: null } })
  })

  test('compares the campaigns that began this week with those of the week before up to the same time', async () => {
    const now = new Date('2026-11-18T06:15:00Z') // noon in Nepal
    app.clock.set(now)
    const reseller = await newReseller(app)
    const user = await newUser(app, { parent: reseller })
    const begun = async (startAt: string, attempts: number, owner: Viewer = user) => {
      const campaignId = await newCampaign(app, owner, { status: 'complete' })
      await app.db
        .updateTable('campaign_progress')
        .set({ start_at: new Date(startAt), attempts, answered: attempts / 10, cost_paisa: attempts * 5 })
        .where('campaign_id', '=', campaignId)
        .execute()
    }
    await begun('2026-11-04T18:14:59Z', 10_000) // the last second of the day before
    await begun('2026-11-04T18:15:00Z', 20) // the start of the two weeks
    await begun('2026-11-11T06:15:00Z', 30) // noon a week ago
    await begun('2026-11-11T06:15:01Z', 4000)
    await begun('2026-11-11T18:15:00Z', 500) // the start of this week
    await begun('2026-11-18T06:15:00Z', 60)
    await begun('2026-11-18T06:15:01Z', 70_000) // has not started yet
    await begun('2026-11-18T00:00:00Z', 900_000, await newUser(app)) // somebody else's
    const { dbTrend } = (await get(reseller, `dashboard/${reseller.userId}`)).json()
    const none = { messages: 0, delivered: 0 }
    expect(dbTrend.days).toHaveLength(14)
    expect(dbTrend.days.filter(({ campaigns }: { campaigns: number }) => campaigns > 0)).toEqual([
      { day: '2026-11-05', campaigns: 1, calls: 20, connected: 2, ...none, cost: 1 },
      { day: '2026-11-11', campaigns: 2, calls: 4030, connected: 403, ...none, cost: 201.5 },
      { day: '2026-11-12', campaigns: 1, calls: 500, connected: 50, ...none, cost: 25 },
      { day: '2026-11-18', campaigns: 1, calls: 60, connected: 6, ...none, cost: 3 },
    ])
    expect(dbTrend.before).toEqual({ campaigns: 2, calls: 50, connected: 5, ...none, cost: 2.5 })
    expect((await get(user, `dashboard/${user.userId}`)).json().dbTrend).toEqual(dbTrend)
  })
})

test('the dashboard has the messages of the SMS campaigns that began on each day, and their cost, from the counters', async () => {
  app.clock.set(new Date('2026-11-18T06:15:00Z'))
  const reseller = await newReseller(app)
  const user = await newUser(app, { parent: reseller })
  const begun = async (startAt: string, accepted: number, owner: Viewer = user) => {
    const campaignId = await newSmsCampaign(app, owner, { name: `Begun ${startAt} ${accepted}` })
    await app.db
      .updateTable('sms_campaign_progress')
      .set({ start_at: new Date(startAt), accepted, delivered: accepted / 2, cost_paisa: accepted * 50 })
      .where('campaign_id', '=', campaignId)
      .execute()
  }
  await begun('2026-11-17T18:14:59Z', 40) // the last second of yesterday
  await begun('2026-11-17T18:15:00Z', 600)
  await begun('2026-11-18T06:15:01Z', 8000) // has not started yet
  await begun('2026-11-18T01:00:00Z', 90_000, await newUser(app)) // somebody else's
  for (const viewer of [user, reseller]) {
    const { dbTrend } = (await get(viewer, `dashboard/${viewer.userId}`)).json()
    const none = { campaigns: 0, calls: 0, connected: 0 }
    expect(dbTrend.days.slice(-2)).toEqual([
      { day: '2026-11-17', ...none, messages: 40, delivered: 20, cost: 20 },
      { day: '2026-11-18', ...none, messages: 600, delivered: 300, cost: 300 },
    ])
  }
})

test('with the demo accounts go the settings that the demo had made for itself, and none that somebody chose', async () => {
  const demo = await newUser(app)
  await app.db.updateTable('users').set({ is_demo: true }).where('id', '=', demo.userId).execute()
  const boss = await newSuperAdmin(app)
  await app.db.transaction().execute(async (tx) => {
    await changeSetting(tx, 'firstPassword', false, null)
    await changeSetting(tx, 'smsNumberCaps', { account: 100, platform: 400 }, null)
    await changeSetting(tx, 'exportDays', 3, boss.userId)
    await retireDemoAccounts(tx, boss.userId, new Date())
  })
  expect(await settingOf(app.db, 'firstPassword')).toBe(true)
  expect(await settingOf(app.db, 'smsNumberCaps')).toEqual({ account: 5, platform: 20 })
  expect(await settingOf(app.db, 'exportDays')).toBe(3)
})

test('demo accounts that go: signed out, campaigns stopped, free money back on the mint, reserved money left', async () => {
  const reseller = await newReseller(app, { rupees: 100 })
  const user = await newUser(app, { parent: reseller, rupees: 50 })
  await app.db.updateTable('users').set({ is_demo: true }).where('id', 'in', [reseller.userId, user.userId]).execute()
  await app.db.updateTable('account').set({ reserved_paisa: 300 }).where('id', '=', user.userId).execute()
  const campaignId = await newCampaign(app, user, { status: 'running' })
  const headers = await signedIn(app, user)
  const boss = await newSuperAdmin(app)
  const retire = () => app.db.transaction().execute((tx) => retireDemoAccounts(tx, boss.userId, new Date()))
  expect(await retire()).toEqual([user.username, reseller.username])
  expect(await retire()).toEqual([])
  expect((await http.inject({ url: '/api/obd/session', headers })).statusCode).toBe(401)
  const accounts = await app.db
    .selectFrom('account')
    .select('balance_paisa')
    .where('id', 'in', [reseller.userId, user.userId])
    .orderBy('id')
    .execute()
  expect(accounts.map((account) => account.balance_paisa)).toEqual([0, 300])
  expect(await sumOfBalances(app)).toBe(0)
  const event = await app.db
    .selectFrom('campaign_event')
    .select(['to_status', 'by_user_id'])
    .where('campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  expect(event).toEqual({ to_status: 'cancelling', by_user_id: boss.userId })
})
