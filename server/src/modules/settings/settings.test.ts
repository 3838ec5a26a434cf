import { defaultQuotas } from '@ghanti/contract/quotas.ts'
import type { FastifyInstance } from 'fastify'
import { lostServerDefault } from '@ghanti/contract/lost-server.ts'
import { optOutDefault } from '@ghanti/contract/sms-inbox.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { settingOf } from '../platform/actions.ts'
import { settingHandlers } from './routes.ts'

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
  expect(await settingOf(app.db, 'numberCaps')).toEqual(caps)
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

test.each([
  { why: 'of no setting', sent: { dialerWaitMinuts: 30 }, field: 'dialerWaitMinuts' },
  {
    why: 'of no limit',
    sent: { numberCaps: { answered: 3, attempted: 10, platform: 20, answerd: 4 } },
    field: 'numberCaps.answerd',
  },
  { why: 'of no quota', sent: { quotas: { ...defaultQuotas, files: 4 } }, field: 'quotas.files' },
])('a name $why is refused, and what is right beside it is not saved', async ({ sent, field }) => {
  const before = await read()
  const reply = await save({ contactFileDays: 77, ...sent })
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ errors: [{ field, code: 'unknown', text: 'is not known here' }] })
  expect(await read()).toEqual(before)
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
  const quotas = {
    megabytes: 100,
    recordingMegabytes: 700,
    rows: 1_000_000,
    campaigns: 20,
    prompts: 50,
    blacklist: 1000,
  }
  expect((await save({ quotas, contactFileDays: 90 })).statusCode).toBe(200)
  expect(await read()).toMatchObject({ quotas, contactFileDays: 90 })
  const reply = await save({ quotas: { ...quotas, rows: 0 }, contactFileDays: 30 })
  expect(reply.json()).toMatchObject({ errors: [{ field: 'quotas.rows', code: expect.any(String) }] })
  expect(await read()).toMatchObject({ quotas, contactFileDays: 90 })
})

test.each([
  { why: 'none', sent: { megabytes: 0 }, field: 'megabytes', text: 'must be a whole number from 1 to 1000000' },
  { why: 'less than none', sent: { rows: -5 }, field: 'rows', text: 'must be a whole number from 1 to 1000000000' },
  { why: 'too many', sent: { campaigns: '10001' }, field: 'campaigns', text: 'must be a whole number from 1 to 10000' },
  { why: 'half a file', sent: { prompts: 1.5 }, field: 'prompts', text: 'must be a whole number from 1 to 100000' },
  { why: 'nothing', sent: { blacklist: '' }, field: 'blacklist', text: 'is required' },
])('a quota of $why is refused, naming the field, and nothing changes', async ({ sent, field, text }) => {
  const before = await read()
  const reply = await save({ quotas: { ...defaultQuotas, ...sent }, dialerWaitMinutes: 33 })
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ errors: [{ field: `quotas.${field}`, text }] })
  expect(await read()).toEqual(before)
})

test('a quota below what accounts store is taken, and the answer says whose they are, those furthest beyond it first', async () => {
  const planId = await newPlan(app, { pulseSeconds: 30, pulsePaisa: 40 })
  const reseller = await newReseller(app, { planId })
  const ownPlan = await newPlan(app, { owner: reseller, pulseSeconds: 30, pulsePaisa: 50 })
  const users = await Promise.all(Array.from({ length: 7 }, () => newUser(app, { parent: reseller, planId: ownPlan })))
  for (const [index, { userId }] of users.entries()) {
    const numbers = Array.from({ length: index + 1 }, (_, n) => ({ owner_id: userId, phone: 9_779_841_000_000 + n }))
    await app.db.insertInto('blacklist').values(numbers).execute()
  }
  expect(await read()).toMatchObject({ overQuotas: { accounts: 0, first: [] }, overCaps: 0 })
  const reply = await save({ quotas: { ...defaultQuotas, blacklist: 1 } })
  expect(reply.statusCode).toBe(200)
  const { overQuotas } = reply.json<{ overQuotas: { accounts: number; first: { blacklist: number }[] } }>()
  expect(overQuotas.accounts).toBe(6)
  expect(overQuotas.first.map(({ blacklist }) => blacklist)).toEqual([7, 6, 5, 4, 3])
  expect(overQuotas.first[0]).toEqual(
    expect.objectContaining({ username: expect.any(String), bytes: 0, rows: 0, campaigns: 0, prompts: 0 }),
  )
  expect(await read()).toMatchObject({ overQuotas })
  expect((await save({ quotas: defaultQuotas })).json()).toMatchObject({ overQuotas: { accounts: 0, first: [] } })
})

test('limits below what numbers had today are taken, and the answer says of how many', async () => {
  const today = sql<string>`nepal_day(now())`
  const yesterday = sql<string>`nepal_day(now()) - 1`
  const first = [
    { phone: 1, account_id: 1, day: today, tried: 5, answered: 2 },
    { phone: 2, account_id: 1, day: today, tried: 4, answered: 1, others: true },
    { phone: 3, account_id: 1, day: today, tried: 4, answered: 1 },
    { phone: 4, account_id: 1, day: yesterday, tried: 90, answered: 9 },
  ]
  const other = { phone: 2, account_id: 2, day: today, tried: 4, answered: 0 }
  await app.db.insertInto('number_use').values(first).execute()
  await app.db.insertInto('number_use_others').values(other).execute()
  expect((await save({ numberCaps: { answered: 1, attempted: 4, platform: 7 } })).json()).toMatchObject({ overCaps: 2 })
  expect((await save({ numberCaps: { answered: 2, attempted: 5, platform: 8 } })).json()).toMatchObject({ overCaps: 0 })
})

test('operators’ prefixes and what texts wait for approval are set here; a prefix of two operators is refused, naming it', async () => {
  expect(await read()).toMatchObject({
    operatorPrefixes: { ncell: ['970', '980', '981', '982'] },
    textApproval: { promotional: false, words: [] },
  })
  const operatorPrefixes = { ntc: ['984'], ncell: ['980', '9841'], smart: [] }
  const textApproval = { promotional: true, words: ['lottery', 'चिट्ठा'] }
  expect((await save({ operatorPrefixes, textApproval })).statusCode).toBe(200)
  expect(await read()).toMatchObject({ operatorPrefixes, textApproval })
  const twice = await save({ operatorPrefixes: { ...operatorPrefixes, smart: ['980'] } })
  expect(twice.json()).toMatchObject({ errors: [{ field: 'operatorPrefixes', text: '980 is listed twice' }] })
  expect(await read()).toMatchObject({ operatorPrefixes })
})

test('messages have caps a number, hours and a default price; what is out of range is refused, naming the field, and nothing changes', async () => {
  expect(await read()).toMatchObject({ smsNumberCaps: { account: 5, platform: 20 }, smsPricePaisa: 150 })
  const smsHours = {
    enabled: true,
    from: '08:00',
    to: '20:00',
    weekdays: [0, 1],
    ownHours: [],
    holidays: [{ date: '2026-11-20', name: 'Chhath' }],
  }
  const wanted = { smsNumberCaps: { account: 4, platform: 9 }, smsHours, smsPricePaisa: 160 }
  expect((await save(wanted)).statusCode).toBe(200)
  expect(await read()).toMatchObject(wanted)
  const lines = await app.db.selectFrom('audit_log').select('detail').orderBy('id', 'desc').limit(3).execute()
  expect(lines.map(({ detail }) => detail)).toEqual([
    { name: 'paisa for a segment of a message', before: 150, after: 160 },
    {
      name: 'messaging hours',
      before: expect.stringMatching(/; holidays: 0$/),
      after: '08:00-20:00 Sun Mon; holidays: 1',
    },
    {
      name: 'messages a number and day',
      before: '5 of one account; 20 on the platform',
      after: '4 of one account; 9 on the platform',
    },
  ])
  for (const [sent, field] of [
    [{ smsNumberCaps: { account: 0, platform: 9 } }, 'smsNumberCaps.account'],
    [{ smsNumberCaps: { account: 10, platform: 9 } }, 'smsNumberCaps.account'],
    [{ smsNumberCaps: { account: 4, platform: 9, accounts: 4 } }, 'smsNumberCaps.accounts'],
    [{ smsHours: { ...smsHours, to: '08:00' } }, 'smsHours.to'],
    [{ smsHours: { ...smsHours, weekdays: [] } }, 'smsHours.weekdays'],
    [{ smsPricePaisa: -1 }, 'smsPricePaisa'],
    [{ smsPricePaisa: 100_001 }, 'smsPricePaisa'],
  ] as const) {
    const reply = await save({ contactFileDays: 66, ...sent })
    expect(reply.statusCode, field).toBe(400)
    expect(reply.json()).toMatchObject({ errors: [{ field }] })
  }
  expect(await read()).toMatchObject(wanted)
  const renamed = { ...smsHours, holidays: [{ date: '2026-11-21', name: 'Chhath' }] }
  expect((await save({ smsHours: renamed })).statusCode).toBe(200)
  expect(await read(), 'another holiday is a change').toMatchObject({ smsHours: renamed })
})

test('the default price of a message is refused where it would make a plan cheaper than its giver’s, naming both', async () => {
  const priced = async (planId: number, paisa: number | null) =>
    app.db.updateTable('plan').set({ sms_price_paisa: paisa }).where('id', '=', planId).execute()
  const wholesale = await newPlan(app, { pulseSeconds: 30, pulsePaisa: 40 })
  const shop = await newReseller(app, { planId: wholesale })
  const retail = await newPlan(app, { owner: shop, pulseSeconds: 30, pulsePaisa: 50 })
  await newUser(app, { parent: shop, planId: retail })
  const refusal = {
    errors: [
      {
        field: 'smsPricePaisa',
        code: 'plan_cheaper',
        text: expect.stringMatching(/^would make 'Plan \d+' of \S+ cheaper for messages than 'Plan \d+' of \S+$/),
      },
    ],
  }
  await priced(wholesale, 120)
  expect((await save({ smsPricePaisa: 119 })).json(), 'the giver has its own price').toMatchObject(refusal)
  expect((await save({ smsPricePaisa: 120 })).statusCode).toBe(200)
  await priced(wholesale, null)
  await priced(retail, 130)
  expect((await save({ smsPricePaisa: 131 })).json(), 'the given one has its own price').toMatchObject(refusal)
  expect((await save({ smsPricePaisa: 130 })).statusCode).toBe(200)
  expect(await read()).toMatchObject({ smsPricePaisa: 130 })
})

test('the words of opting out, their answers and the days of the inbox are set here; a word of two meanings is refused, naming it', async () => {
  const opened = await read()
  expect(opened).toMatchObject({ optOut: optOutDefault, inboxDays: 180 })
  const optOut = { ...optOutDefault, stopWords: ['STOP', 'बन्द'], confirm: false, helpText: 'Call 01-5970001' }
  expect((await save({ optOut, inboxDays: '30' })).statusCode).toBe(200)
  expect(await read()).toMatchObject({ optOut, inboxDays: 30 })
  for (const [sent, field, text] of [
    [{ optOut: { ...optOut, helpWords: ['stop.'] } }, 'optOut.stopWords', "'stop.' stands in two lists"],
    [{ optOut: { ...optOut, stopWords: [] } }, 'optOut.stopWords', 'is required'],
    [{ optOut: { ...optOut, startWords: ['!!'] } }, 'optOut.startWords.0', 'has neither letters nor digits'],
    [{ optOut: { ...optOut, confirmText: 'क'.repeat(671) } }, 'optOut.confirmText', 'has more than 10 segments'],
    [{ inboxDays: 0 }, 'inboxDays', 'must be a whole number from 1 to 3650'],
  ] as const) {
    const reply = await save({ contactFileDays: 77, ...sent })
    expect(reply.statusCode, field).toBe(400)
    expect(reply.json()).toMatchObject({ errors: [{ field, text }] })
  }
  expect(await read()).toMatchObject({ optOut, inboxDays: 30 })
})

test('what calls hear when no engine is left can be changed, also to nothing, but not to what cannot be said', async () => {
  expect(await read()).toMatchObject({ lostServer: lostServerDefault })
  const lostServer = { seconds: 8, nepali: 'माफ गर्नुहोला।', english: '' }
  expect((await save({ lostServer: { ...lostServer, seconds: '8', english: ' ' } })).statusCode).toBe(200)
  expect(await read()).toMatchObject({ lostServer })
  const [line] = await app.db.selectFrom('audit_log').select('detail').orderBy('id', 'desc').limit(1).execute()
  expect(line?.detail).toEqual({
    name: 'calls without a server',
    before: `5 s; said: ${lostServerDefault.nepali}`,
    after: '8 s; said: माफ गर्नुहोला।',
  })
  for (const [wrong, field, text] of [
    [{ seconds: 4 }, 'lostServer.seconds', 'must be a whole number from 5 to 999'],
    [{ english: 'a'.repeat(201) }, 'lostServer.english', 'is longer than 200 characters'],
    [{ nepali: '…' }, 'lostServer.nepali', expect.stringMatching(/^cannot be spoken: /)],
  ] as const) {
    const reply = await save({ lostServer: { ...lostServer, ...wrong } })
    expect(reply.json()).toMatchObject({ errors: [{ field, text }] })
  }
  expect(await read()).toMatchObject({ lostServer })
})
