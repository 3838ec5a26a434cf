import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newSuperAdmin } from '../../testing/seed.ts'
import { numberCaps } from './actions.ts'
import { settingHandlers } from './routes-settings.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
beforeAll(async () => {
  http = await testHttp(app, { handlers: { settings: settingHandlers } })
  boss = await newSuperAdmin(app)
})
const url = '/api/obd/settings'
const save = async (payload: object) =>
  http.inject({ method: 'POST', url, headers: await signedIn(app, boss), payload })
const read = async () => (await http.inject({ url, headers: await signedIn(app, boss) })).json<unknown>()

test('a number may have three answered calls and ten in all from one account, twenty from the platform, until a super admin says otherwise', async () => {
  expect(await read()).toMatchObject({
    numberCaps: { answered: 3, attempted: 10, platform: 20 },
    dialerWaitMinutes: 10,
  })
  const wanted = { answered: '4', attempted: 12, platform: '12' }
  expect((await save({ numberCaps: wanted })).statusCode).toBe(200)
  const caps = { answered: 4, attempted: 12, platform: 12 }
  expect(await read()).toMatchObject({ numberCaps: caps, dialerWaitMinutes: 10 })
  expect(await numberCaps(app.db)).toEqual(caps)
  expect((await save({ numberCaps: wanted })).statusCode).toBe(200)
  expect((await save({})).statusCode).toBe(200)
  const lines = await app.db.selectFrom('audit_log').select(['action', 'detail']).execute()
  expect(lines, 'what changes nothing is no change').toEqual([
    {
      action: 'setting.change',
      detail: {
        name: 'calls a number and day',
        before: '3 answered, 10 in all; 20 on the platform',
        after: '4 answered, 12 in all; 12 on the platform',
      },
    },
  ])
})

test('the wait for a dialer that does not answer is one minute to a day', async () => {
  expect((await save({ dialerWaitMinutes: 25 })).statusCode).toBe(200)
  expect(await read()).toMatchObject({ dialerWaitMinutes: 25 })
  const reply = await save({ dialerWaitMinutes: 0 })
  expect(reply.json()).toMatchObject({
    errors: [{ field: 'dialerWaitMinutes', text: 'must be a whole number from 1 to 1440' }],
  })
  expect(await read()).toMatchObject({ dialerWaitMinutes: 25 })
})

const whole = 'must be a whole number from 1 to 10000'
test.each([
  { why: 'none', caps: { answered: 0, attempted: 10, platform: 20 }, field: 'answered', text: whole },
  { why: 'less than none', caps: { answered: 3, attempted: -1, platform: 20 }, field: 'attempted', text: whole },
  { why: 'half a call', caps: { answered: 3, attempted: 10, platform: 20.5 }, field: 'platform', text: whole },
  { why: 'no number', caps: { answered: 'many', attempted: 10, platform: 20 }, field: 'answered', text: whole },
  { why: 'nothing', caps: { answered: 3, attempted: 10 }, field: 'platform', text: 'is required' },
  { why: 'too many', caps: { answered: 3, attempted: 10, platform: 10_001 }, field: 'platform', text: whole },
  {
    why: 'more answered calls than calls',
    caps: { answered: 11, attempted: 10, platform: 20 },
    field: 'answered',
    text: 'must not be more than the calls of one account in all',
  },
  {
    why: 'more from one account than from all',
    caps: { answered: 3, attempted: 21, platform: 20 },
    field: 'attempted',
    text: 'must not be more than the calls of all accounts',
  },
])('a limit of $why is refused, naming the field, and nothing changes', async ({ caps, field, text }) => {
  const before = await read()
  const reply = await save({ numberCaps: caps })
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ errors: [{ field: `numberCaps.${field}`, text }] })
  expect(await read()).toEqual(before)
})

test('quotas and the days of unused contact files are set here; what is out of range is refused, naming the field, and changes nothing', async () => {
  const quotas = { megabytes: 100, rows: 1_000_000, campaigns: 20, prompts: 50 }
  expect((await save({ quotas, contactFileDays: 90 })).statusCode).toBe(200)
  expect(await read()).toMatchObject({ quotas, contactFileDays: 90 })
  const reply = await save({ quotas: { ...quotas, rows: 0 }, contactFileDays: 30 })
  expect(reply.json()).toMatchObject({ errors: [{ field: 'quotas.rows', code: expect.any(String) }] })
  expect(await read()).toMatchObject({ quotas, contactFileDays: 90 })
})
