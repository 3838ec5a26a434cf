import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { callingHoursOf, settingOf } from './actions.ts'
import { callingHoursHandlers } from './routes-hours.ts'
import { defaultCallingHours } from './rules-hours.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
beforeAll(async () => {
  http = await testHttp(app, { handlers: { callingHours: callingHoursHandlers } })
  boss = await newSuperAdmin(app, { username: 'Boss' })
  app.clock.set(instantOfNepalTime('2026-11-21 06:00:00') ?? new Date(NaN)) // a Saturday
})
const at = '/api/obd/calling-hours'
const post = async (url: string, payload: object, viewer = boss) =>
  http.inject({ method: 'POST', url: `${at}${url}`, headers: await signedIn(app, viewer), payload })
const get = async <Reply>(url: string, viewer = boss) =>
  (await http.inject({ url: `${at}${url}`, headers: await signedIn(app, viewer) })).json<Reply>()
const hours = {
  enabled: true,
  from: '08:00',
  to: '20:00',
  weekdays: [4, 1, 0, 0],
  holidays: [{ date: '2026-11-22', name: 'Chhath' }, { date: '2026-11-22', name: 'Chhath Parva' }, '2026-10-20'],
}

test('the platform’s hours are saved in order, with names of holidays, and say when calls begin', async () => {
  expect((await post('', { hours, dialDays: 5 })).statusCode).toBe(200)
  const reply = await get<{ hours: unknown; now: unknown; dialDays: number }>('')
  expect(reply).toEqual({
    hours: {
      ...hours,
      weekdays: [0, 1, 4],
      ownHours: [],
      holidays: [
        { date: '2026-10-20', name: '' },
        { date: '2026-11-22', name: 'Chhath Parva' },
      ],
    },
    now: { open: false, opensAt: '2026-11-23 08:00:00' },
    dialDays: 5,
  })
  expect(await settingOf(app.db, 'dialDays')).toBe(5)
  const lines = await app.db.selectFrom('audit_log').select(['action', 'target', 'detail']).orderBy('id').execute()
  expect(lines).toEqual([
    { action: 'hours.change', target: 'platform', detail: { hours: '08:00-20:00 Sun Mon Thu', holidays: 2 } },
    { action: 'setting.change', target: 'platform', detail: { name: 'dial days', before: 7, after: 5 } },
  ])
})

test('an account’s own hours hold for all below it, with a reason; taken away, the platform’s hold again', async () => {
  const reseller = await newReseller(app, { parent: boss, username: 'Himal' })
  const user = await newUser(app, { parent: reseller })
  const own = { ...defaultCallingHours, from: '05:00' }
  const { userId } = reseller
  expect((await post('/exception', { userId, hours: own, reason: 'Hospitals' })).statusCode).toBe(200)
  expect(await callingHoursOf(app.db, user.userId)).toEqual(own)
  expect((await post('/exception', { userId, hours: { ...own, to: '22:00' }, reason: 'Ambulances' })).statusCode).toBe(
    200,
  )
  expect(await get('/exceptions?search=himal')).toMatchObject([
    { userId, username: 'Himal', reason: 'Ambulances', changedBy: 'Boss', hours: { to: '22:00' }, now: { open: true } },
  ])
  expect((await post('/exception/remove', { userId })).statusCode).toBe(200)
  expect(await callingHoursOf(app.db, user.userId)).toMatchObject({ from: '08:00' })
  expect((await post('/exception/remove', { userId })).statusCode).toBe(404)
  const actions = await app.db
    .selectFrom('audit_log')
    .select('action')
    .where('target', '=', `user ${userId}`)
    .orderBy('id')
    .execute()
  expect(actions.map(({ action }) => action)).toEqual(['hours.except', 'hours.except', 'hours.asPlatform'])
})

test.each([
  ['an end before the beginning', { ...hours, to: '07:00' }, 'hours.to', 'must be after the beginning'],
  ['no hour', { ...hours, from: '0700' }, 'hours.from', 'must look like 07:00'],
  ['no weekday', { ...hours, weekdays: [] }, 'hours.weekdays', 'must name a day'],
  ['an eighth weekday', { ...hours, weekdays: [7] }, 'hours.weekdays.0', 'must be 0 (Sunday) to 6'],
  ['no such day', { ...hours, holidays: ['2026-02-30'] }, 'hours.holidays.0.date', 'must be a day like 2026-11-20'],
  [
    'a long name',
    { ...hours, holidays: [{ date: '2026-02-20', name: 'x'.repeat(101) }] },
    'hours.holidays.0.name',
    'is longer than 100 characters',
  ],
])('refused with the field named: %s', async (_, wrong, field, text) => {
  const reply = await post('', { hours: wrong })
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ errors: [{ field, text }] })
})

test('an exception needs a reason and an account that calls; nobody but the super admin sets hours', async () => {
  const user = await newUser(app)
  const { userId } = user
  expect((await post('/exception', { userId, hours })).json()).toMatchObject({ errors: [{ field: 'reason' }] })
  expect((await post('/exception', { userId: boss.userId, hours, reason: 'x' })).statusCode).toBe(404)
  expect((await post('/exception', { userId, hours, reason: 'x' }, user)).statusCode).toBe(403)
  expect((await post('', { hours }, user)).statusCode).toBe(403)
})
