import { randomUUID } from 'node:crypto'
import type { ContactPreview } from '@ghanti/contract/contacts.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newBase, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newUser } from '../../testing/seed.ts'
import { newSender } from '../../testing/sms-campaigns.ts'
import { changeSetting } from '../platform/actions.ts'
import { smsCampaignHandlers } from '../sms-campaigns/routes.ts'
import { voiceCampaignHandlers } from '../voice-campaigns/routes.ts'

const app = await testApp()
let http: FastifyInstance
let user: Viewer
let headers: { authorization: string }
let body: Record<string, unknown>

const csv = ['mobile,name', '9841234567,Ram', '9801234567,Sita', '015970001,Office', '9741234567,Hari'].join('\n')

beforeAll(async () => {
  http = await testHttp(app, { handlers: { voiceCampaigns: voiceCampaignHandlers, smsCampaigns: smsCampaignHandlers } })
  const planId = await newPlan(app, { pulseSeconds: 30, pulsePaisa: 50 })
  const reseller = await newReseller(app, { planId })
  user = await newUser(app, { parent: reseller, planId, rupees: 1000 })
  headers = await signedIn(app, user)
  const baseId = await newBase(app, user, ['mobile', 'name'])
  const file_hash = await app.files.putBytes(Buffer.from(csv))
  await app.db.updateTable('base').set({ file_hash, rows: 4 }).where('id', '=', baseId).execute()
  await newSender(app, user, { name: 'GHANTI', operators: [1] })
  await app.db.transaction().execute((tx) => changeSetting(tx, 'smsPricePaisa', 100, null))
  body = {
    templateId: 1,
    dtmf: '1,2',
    menuWaitTime: 5,
    rePrompt: 1,
    cli: (await newLine(app, { holders: [user] })).cli,
    baseId,
    menuPId: await newPrompt(app, user, { category: 'menu', durationMs: 20_000 }),
    smsCli: 'GHANTI',
  }
})
beforeEach(() => {
  body = { ...body, campaignName: `Campaign ${randomUUID()}` }
})

const post = (what: string, fields: object) =>
  http.inject({ method: 'POST', url: `/api/obd/campaign/${what}`, headers, payload: { ...body, ...fields } })

async function refused(fields: object): Promise<Record<string, string>> {
  const campaigns = () => app.db.selectFrom('campaign').select('id').execute()
  const before = await campaigns()
  const reply = await post('compose', fields)
  expect(reply.statusCode, reply.body).toBe(400)
  expect(await campaigns(), 'nothing half made').toEqual(before)
  return Object.fromEntries(reply.json<{ errors: FieldError[] }>().errors.map(({ field, text }) => [field, text]))
}

test.each([
  [{ smsSuccessText: 'Thanks', smsCli: '' }, { smsCli: 'is required: the sender ID of the messages after the call' }],
  [{ smsSuccessText: 'Thanks', smsCli: 'OTHER' }, { smsCli: 'is not one of your sender IDs' }],
  [{ smsSuccessText: 'Dear {who}' }, { smsSuccessText: 'names {who}, and the file has {mobile}, {name}' }],
  [{ smsFailText: ' ' }, { smsFailText: 'is required' }],
  [{ smsFailText: 'क'.repeat(700) }, { smsFailText: 'has 11 segments, and 10 are allowed' }],
  [{ smsDtmfTexts: { 3: 'Three' } }, { 'smsDtmfTexts.3': 'is for key 3, which the campaign does not take' }],
  [{ smsDtmfTexts: { 1: ' ' } }, { 'smsDtmfTexts.1': 'is required' }],
])('a text that cannot be sent is refused: %j', async (asked, errors) => {
  expect(await refused(asked)).toEqual(errors)
})

test('a text that waits for approval, where the platform says so, is refused by its field', async () => {
  await app.db
    .transaction()
    .execute((tx) => changeSetting(tx, 'textApproval', { promotional: false, words: ['lottery'] }, null))
  expect(await refused({ smsDtmfTexts: { 1: 'You won the lottery' } })).toEqual({
    'smsDtmfTexts.1': "has the word 'lottery' and must be approved first: save it as a text and wait for the approval",
  })
})

test('the estimate counts the dearest messages of each row, and says how many rows get none', async () => {
  const asked = { smsSuccessText: 'Thanks', smsFailText: 'क'.repeat(71), smsDtmfTexts: { 1: 'One', 2: 'क'.repeat(71) } }
  const { estimate } = (await post('preview', asked)).json<ContactPreview>()
  // Two of the four rows may get texts: the others are a landline and a number of another operator. Success and key 2 take three segments.
  expect(estimate?.messages).toEqual({ atMost: 6, perCallAtMost: 3, segments: 6, unsendable: 2, unapproved: 0 })
  const without = (await post('preview', {})).json<ContactPreview>().estimate
  expect(without?.messages).toBeNull()
  expect(estimate?.atMost).toBe((without?.atMost ?? 0) + 6)
})

test('a row whose column puts more into a text than was approved is counted apart, and costs nothing', async () => {
  const rows = ['mobile,name', '9841234567,Ram', '9841234568,visit win.example/prize', '9841234569,a lottery']
  const file_hash = await app.files.putBytes(Buffer.from(rows.join('\n')))
  const baseId = await newBase(app, user, ['mobile', 'name'])
  await app.db.updateTable('base').set({ file_hash, rows: 3 }).where('id', '=', baseId).execute()
  const approval = { promotional: false, words: ['lottery'] }
  await app.db.transaction().execute((tx) => changeSetting(tx, 'textApproval', approval, null))
  const asked = { baseId, smsSuccessText: 'Dear {name}', smsDtmfTexts: { 1: 'One' } }
  const { estimate } = (await post('preview', asked)).json<ContactPreview>()
  expect(estimate?.messages).toEqual({ atMost: 5, perCallAtMost: 2, segments: 5, unsendable: 0, unapproved: 1 })
})

test('composed, its messages have a campaign that waits for its calls, with the prices of now', async () => {
  const asked = {
    smsSuccessText: 'Dear {name}',
    smsDtmfTexts: JSON.stringify({ '*': 'Star' }),
    dtmf: '1,*',
    callDurationSMS: 10,
  }
  const reply = await post('compose', asked)
  expect(reply.statusCode, reply.body).toBe(200)
  const { campaignId } = reply.json<{ campaignId: number }>()
  const texts = await app.db
    .selectFrom('call_text')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .orderBy('no')
    .execute()
  expect(texts.map(({ no, occasion, key, min_ms, text }) => [no, occasion, key, min_ms, text])).toEqual([
    [0, 'success', null, 10_000, 'Dear {name}'],
    [1, 'dtmf', '*', 0, 'Star'],
  ])
  const messages = await app.db
    .selectFrom('sms_campaign')
    .selectAll()
    .where('call_campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  expect(messages).toMatchObject({ status: 'ready', sender: 'GHANTI', price_paisa: 100, account_id: user.userId })
  const retried = await http.inject({
    method: 'POST',
    url: '/app/sms/campaign/retry',
    headers,
    payload: { campaignId: messages.id },
  })
  expect(retried.statusCode).toBe(409)
})

test('without texts nothing is stored of messages', async () => {
  const { campaignId } = (await post('compose', {})).json<{ campaignId: number }>()
  expect(
    await app.db.selectFrom('sms_campaign').select('id').where('call_campaign_id', '=', campaignId).execute(),
  ).toEqual([])
})
