import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { systemClock } from '../../clock.ts'
import type { FieldError } from '../../errors.ts'
import type { Viewer } from '../../policy.ts'
import { startSmsEngine } from '../../sms/engine.ts'
import { newGateway } from '../../sms/testing/fixtures.ts'
import { simulated } from '../../sms/testing/engine.ts'
import { testApp } from '../../testing/app.ts'
import { newBase } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { testLog } from '../../testing/log.ts'
import { newPlan, newReseller, newUser } from '../../testing/seed.ts'
import { newSender } from '../../testing/sms-campaigns.ts'
import { changeSetting } from '../platform/actions.ts'
import { defaultCallingHours } from '../platform/rules-hours.ts'

const app = await testApp()
const sent: { from: string; to: string; text: string }[] = []
const csv = 'mobile,name,due\n9841234567,Ram,500\n9801234567,Sita,\n'
let http: FastifyInstance
let user: Viewer
let baseId: number
let headers: { authorization: string }

const engine = startSmsEngine({
  pool: app.pool,
  drivers: {
    simulator: simulated(200, (gateway) => ({
      get state() {
        return gateway.state
      },
      close: () => gateway.close(),
      submit: (message) => {
        sent.push({ from: message.from, to: message.to, text: message.text })
        return gateway.submit(message)
      },
    })),
  },
  files: app.files,
  clock: systemClock,
  log: testLog(),
  engineId: 'test',
  timeScale: 0.05,
})
afterAll(() => engine.stop())

beforeAll(async () => {
  http = await testHttp(app)
  app.clock.set(new Date())
  await app.db.transaction().execute(async (tx) => {
    await changeSetting(tx, 'smsHours', { ...defaultCallingHours, enabled: false }, null)
    await changeSetting(tx, 'smsPricePaisa', 150, null)
  })
  await newGateway(app)
  const planId = await newPlan(app)
  const reseller = await newReseller(app, { planId })
  user = await newUser(app, { parent: reseller, planId, rupees: 100 })
  headers = await signedIn(app, user)
  await newSender(app, user, { name: 'GHANTI', operators: [1] })
  baseId = await newBase(app, user, ['mobile', 'name', 'due'])
  const file_hash = await app.files.putBytes(Buffer.from(csv))
  await app.db.updateTable('base').set({ file_hash, rows: 2 }).where('id', '=', baseId).execute()
})
beforeEach(() => {
  sent.length = 0
})

const asked = { occasion: 'success', mobile: '9841000010', smsCli: 'GHANTI', smsSuccessText: 'Namaste' }
async function ask(fields: object) {
  const payload = { ...asked, ...fields }
  return http.inject({ method: 'POST', url: '/api/obd/campaign/sms/test', headers, payload })
}
async function refusedWith(fields: object): Promise<string[]> {
  const campaigns = () => app.db.selectFrom('sms_campaign').select('id').execute()
  const before = await campaigns()
  const reply = await ask(fields)
  expect([400, 409], reply.body).toContain(reply.statusCode)
  expect(await campaigns(), 'nothing is sent').toEqual(before)
  return reply.json<{ errors: FieldError[] }>().errors.map(({ field, text }) => `${field} ${text}`)
}
const balance = async () =>
  (
    await app.db
      .selectFrom('account')
      .select(['balance_paisa', 'reserved_paisa'])
      .where('id', '=', user.userId)
      .executeTakeFirstOrThrow()
  ).balance_paisa

test('a test sends the text with the columns of a row to the number of the tester, charged as one message', async () => {
  const before = await balance()
  const reply = await ask({ smsSuccessText: 'Dear {name} ({mobile}), pay {due}', baseId, row: 2 })
  expect(reply.statusCode, reply.body).toBe(200)
  const { campaignId, state } = reply.json<{ campaignId: number; state: string }>()
  expect(['sent', 'delivered']).toContain(state)
  expect(sent).toEqual([{ from: 'GHANTI', to: '9779841000010', text: 'Dear Ram (9841000010), pay 500' }])
  expect(await balance()).toBe(before - 150)
  const audited = app.db
    .selectFrom('audit_log')
    .select(['action', 'target'])
    .where('action', '=', 'campaign.smsTextTest')
  expect(await audited.execute()).toEqual([{ action: 'campaign.smsTextTest', target: `sms campaign ${campaignId}` }])
})

test('the text of the first key is sent; one that the gateway refuses is shown and costs nothing', async () => {
  const before = await balance()
  const reply = await ask({ occasion: 'dtmf', mobile: '9841000001', smsDtmfTexts: { 2: 'Two', 5: 'Five' } })
  expect(reply.json()).toMatchObject({ state: 'failed' })
  expect(reply.json<{ reason: string }>().reason).not.toBe('')
  expect(sent.map(({ text }) => text)).toEqual(['Two'])
  expect(await balance()).toBe(before)
})

test.each([
  [{ smsCli: undefined }, 'smsCli is required: the sender ID of the messages after the call'],
  [{ smsCli: 'OTHER' }, 'smsCli is not one of your sender IDs'],
  [{ mobile: '015970001' }, 'mobile is not a mobile number: a message would not reach it'],
  [{ mobile: '9801000010' }, 'mobile gets no message: the sender ID is not approved for Ncell'],
  [{ smsSuccessText: '{name}' }, 'baseId is required: the text names columns of the contact file'],
  [{ occasion: 'fail' }, 'smsFailApi is required for this occasion'],
])('what cannot be sent is refused before it is charged: %j', async (fields, said) => {
  expect(await refusedWith(fields)).toEqual([said])
})

test('a column that the file lacks, one that is empty, and one that waits for approval are refused', async () => {
  const of = (smsSuccessText: string, row: number) => refusedWith({ smsSuccessText, baseId, row })
  expect(await of('Dear {who}', 2)).toEqual(['smsSuccessText names {who}, and the file has {mobile}, {name}, {due}'])
  expect(await of('{due}', 3)).toEqual(['mobile gets no message: the message is empty, since its columns are'])
  const approval = { promotional: false, words: ['Sita'] }
  await app.db.transaction().execute((tx) => changeSetting(tx, 'textApproval', approval, null))
  expect(await of('Dear {name}', 3)).toEqual([
    "smsSuccessText is not sent with this row: its {name} waits for approval: it has the word 'Sita'",
  ])
  expect(await of('Sita calls', 2)).toEqual([expect.stringContaining("smsSuccessText has the word 'Sita'")])
})

test('a blacklisted number gets no test, and one that a super admin stopped waits and says why', async () => {
  await app.db.insertInto('blacklist').values({ owner_id: user.userId, phone: 9_779_841_000_099 }).execute()
  expect(await refusedWith({ mobile: '9841000099' })).toEqual(['mobile is blacklisted'])
  await app.db
    .insertInto('dial_block')
    .values({ kind: 'account', target_id: user.userId, what: 'messages', reason: 'Asked for', by_user_id: user.userId })
    .execute()
  const reply = await ask({})
  expect(reply.json()).toMatchObject({ state: 'waiting' })
  expect(reply.json<{ reason: string }>().reason).toContain('Asked for')
  expect(sent).toEqual([])
}, 30_000)
