import { calendarItemsMax, type calendarRoutes } from '@ghanti/contract/calendar.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newBase, newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'
import { changeSetting } from '../platform/actions.ts'
import { defaultCallingHours } from '../platform/rules-hours.ts'

type Answer = ReplyOf<typeof calendarRoutes.range>
const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let user: Viewer
const week = { from: '2026-11-29', to: '2026-12-05' }
const at = (nepal: string) => new Date(`${nepal}:00+05:45`)

beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
})
beforeEach(async () => {
  reseller = await newReseller(app, { parent: boss })
  user = await newUser(app, { parent: reseller })
})
async function ask(viewer: Viewer, { from, to } = week, userId = viewer.userId) {
  const headers = await signedIn(app, viewer)
  return await http.inject({ url: `/api/obd/calendar/${userId}?from=${from}&to=${to}`, headers })
}
async function range(viewer: Viewer, asked = week): Promise<Answer> {
  const reply = await ask(viewer, asked)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<Answer>()
}
const named = (rows: readonly { campaignName: string }[]) => rows.map(({ campaignName }) => campaignName)

test('a week has the campaigns of calls and of messages that begin in it, by time in Nepal', async () => {
  await newCampaign(app, user, { name: 'Before', startAt: at('2026-11-28T23:59'), status: 'complete' })
  await newCampaign(app, user, { name: 'First', startAt: at('2026-11-29T00:00'), status: 'ready' })
  await newSmsCampaign(app, user, { name: 'Notice', startAt: at('2026-12-02T09:00'), status: 'ready' })
  await newCampaign(app, user, { name: 'Last', startAt: at('2026-12-05T23:59'), status: 'processing' })
  await newCampaign(app, user, { name: 'After', startAt: at('2026-12-06T00:00'), status: 'ready' })
  const { campaigns, more } = await range(user)
  expect(named(campaigns)).toEqual(['First', 'Notice', 'Last'])
  expect(more).toBe(0)
  expect(campaigns[1]).toMatchObject({ kind: 'messages', scheduleTime: '2026-12-02 09:00:00', finishedTime: null })
})

test('what began before the week and is not over goes on; what is over, archived or deleted, and texts after calls are left out', async () => {
  const call = await newCampaign(app, user, { name: 'Goes on', startAt: at('2026-11-20T10:00'), status: 'running' })
  await newCampaign(app, user, { name: 'Over', startAt: at('2026-11-20T10:00'), status: 'complete' })
  const texts = await newSmsCampaign(app, user, { name: 'Texts', startAt: at('2026-11-30T10:00') })
  await app.db.updateTable('sms_campaign').set({ call_campaign_id: call }).where('id', '=', texts).execute()
  const ended = { startAt: at('2026-11-30T10:00'), status: 'complete' } as const
  const archived = await newCampaign(app, user, { ...ended, name: 'Archived' })
  const deleted = await newCampaign(app, user, { ...ended, name: 'Deleted' })
  await app.db.insertInto('campaign_archived').values({ campaign_id: archived }).execute()
  await app.db
    .insertInto('campaign_deleted')
    .values({ campaign_id: deleted, asked_at: new Date(), by_user_id: user.userId })
    .execute()
  const { campaigns, unfinished } = await range(user)
  expect(named(unfinished)).toEqual(['Goes on'])
  expect(named(campaigns)).toEqual([])
})

test('a reseller and a super admin see those below them, a stranger none, and nobody asks for another’s', async () => {
  await newCampaign(app, user, { name: 'Seen', startAt: at('2026-11-30T10:00'), status: 'ready' })
  const stranger = await newUser(app, { parent: boss })
  for (const viewer of [user, reseller, boss])
    expect(named((await range(viewer)).campaigns), viewer.role).toContain('Seen')
  expect((await range(stranger)).campaigns).toEqual([])
  expect((await ask(stranger, week, user.userId)).statusCode).toBe(404)
  expect(named((await ask(reseller, week, user.userId)).json<Answer>().campaigns)).toEqual(['Seen'])
})

test('days of one’s own repeating campaigns that are to come are shown, of nobody else', async () => {
  const rule = { account_id: user.userId, fields: '{}', base_id: await newBase(app, user), at_minute: 600 }
  const days = { from_day: '2026-11-01', until_day: '2026-12-03' }
  const next = { next_day: '2026-11-30', next_at: at('2026-11-30T09:30') }
  await app.db
    .insertInto('repeating')
    .values([
      { ...rule, ...days, ...next, name: 'Weekly', rule: 'weekly', weekdays: [1, 3, 5] },
      {
        ...rule,
        ...days,
        ...next,
        name: 'Due',
        rule: 'column',
        weekdays: [],
        date_column: 'due',
        from_day: '2026-12-03',
      },
      { ...rule, ...days, name: 'Paused', rule: 'weekly', weekdays: [1], state: 'paused' },
    ])
    .execute()
  const { repeats } = await range(user)
  expect(repeats.map(({ repeatName, day, time, byColumn }) => [repeatName, day, time, byColumn])).toEqual([
    ['Weekly', '2026-11-30', '10:00', false],
    ['Weekly', '2026-12-02', '10:00', false],
    ['Due', '2026-12-03', '10:00', true],
  ])
  expect((await range(reseller)).repeats).toEqual([])
  expect((await ask(reseller, week, user.userId)).json<Answer>().repeats).toEqual([])
})

test('each day says when calls and messages may begin', async () => {
  const ownHours = [{ weekday: 5, from: '10:00', to: '16:00' }]
  const holidays = [{ date: '2026-12-01', name: 'Holiday' }]
  const hours = { ...defaultCallingHours, weekdays: [0, 1, 2, 3, 4, 5], ownHours, holidays }
  await app.db.transaction().execute((tx) => changeSetting(tx, 'callingHours', hours, boss.userId))
  const { days } = await range(user)
  const common = { from: '07:00', to: '21:00' }
  const friday = { from: '10:00', to: '16:00' }
  expect(days.map(({ calls }) => calls)).toEqual([common, common, null, common, common, friday, null])
  expect(days.map(({ day }) => day)).toEqual(
    [29, 30, 1, 2, 3, 4, 5].map((day, n) => (n < 2 ? `2026-11-${day}` : `2026-12-0${day}`)),
  )
  await app.db.transaction().execute((tx) => changeSetting(tx, 'callingHours', defaultCallingHours, boss.userId))
})

test('more campaigns than a calendar shows are counted', async () => {
  const first = await newCampaign(app, user, { name: 'One', startAt: at('2026-11-30T10:00'), status: 'ready' })
  await sql`with made as (
      insert into campaign (account_id, dialer_id, trunk_id, cli_id, status, start_at, dial_until, channels, reserve_paisa, retries, retry_ms)
      select account_id, dialer_id, trunk_id, cli_id, status, start_at, dial_until, channels, reserve_paisa, retries, retry_ms
      from campaign, generate_series(1, ${calendarItemsMax + 36}) where id = ${first} returning id, account_id, status, start_at
    )
    insert into campaign_progress (campaign_id, account_id, name, template_id, status, start_at)
    select id, account_id, 'Many', 0, status, start_at from made`.execute(app.db)
  const { campaigns, more } = await range(user)
  expect([campaigns.length, more]).toEqual([calendarItemsMax, 37])
})

test.each([
  { why: 'no day', asked: { from: '2026-02-31', to: '2026-03-01' }, is: 'from is not a day of the calendar' },
  {
    why: 'the end of the calendar',
    asked: { from: '9999-12-25', to: '9999-12-31' },
    is: 'from is not a day of the calendar',
  },
  { why: 'its beginning', asked: { from: '0000-01-01', to: '0000-01-02' }, is: 'from is not a day of the calendar' },
  { why: 'backwards', asked: { from: '2026-12-05', to: '2026-12-04' }, is: 'to must not be before the beginning' },
  { why: '32 days', asked: { from: '2026-12-01', to: '2027-01-01' }, is: 'to leaves more than 31 days' },
])('a range is refused: $why', async ({ asked, is }) => {
  const reply = await ask(user, asked)
  expect(reply.statusCode).toBe(400)
  const [error] = reply.json<{ errors: { field: string; text: string }[] }>().errors
  expect(`${error?.field} ${error?.text}`).toBe(is)
})
