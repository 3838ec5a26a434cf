import type { SmsPreview } from '@ghanti/contract/sms-compose.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { newSender } from '../../testing/sms-campaigns.ts'
import { changeSetting } from '../platform/actions.ts'
import { forgetStagedFiles } from './actions-files.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let user: Viewer
let stranger: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  app.clock.set(new Date('2026-11-22T06:15:00Z'))
  boss = await newSuperAdmin(app, { username: 'Boss' })
  const planId = await newPlan(app)
  reseller = await newReseller(app, { parent: boss, username: 'Himal', planId, rupees: 1000 })
  user = await newUser(app, { parent: reseller, username: 'Gita', planId, rupees: 1000 })
  stranger = await newUser(app, { username: 'Stranger' })
  await newSender(app, user)
})

async function call<T = unknown>(viewer: Viewer, method: 'GET' | 'POST', url: string, payload?: object) {
  const reply = await http.inject({ method, url, headers: await signedIn(app, viewer), ...(payload && { payload }) })
  return { status: reply.statusCode, said: reply.json<T>() }
}
type Refusal = { message: string; errors: { field: string; text: string }[] }
const problemsOf = ({ said }: { said: Refusal }) => said.errors.map(({ field, text }) => `${field} ${text}`)

async function upload(viewer: Viewer, content: string, name = 'contacts.csv', type = 'text/csv', fileType = 'csv') {
  const form = new FormData()
  form.append('fileType', fileType)
  form.append('smsBaseFile', new File([content], name, { type }))
  const body = new Response(form)
  const headers = { ...(await signedIn(app, viewer)), 'content-type': body.headers.get('content-type') ?? '' }
  const payload = Buffer.from(await body.arrayBuffer())
  const reply = await http.inject({ method: 'POST', url: '/fileupload.php', headers, payload })
  return { status: reply.statusCode, said: reply.json<Refusal & { uploaded: boolean; file_name: string }>() }
}

let serial = 0
async function stored(content: string): Promise<number> {
  const { said } = await upload(user, content)
  const base = { baseName: `File ${++serial}`, file_name: said.file_name }
  return (await call<{ baseId: number }>(user, 'POST', '/app/sms/baseupload', base)).said.baseId
}

const contacts =
  'mobile,name,due\n9841000001,Ram,500\n9801000001,Sita,\n015970001,Hari,20\n9841000001,Ram,500\n12,x,1\n'
const plain = (over: object = {}) => ({
  campaignName: `Campaign ${++serial}`,
  templateId: 0,
  cli: 'GHANTI',
  smsText: 'Hello',
  ...over,
})

describe('files', () => {
  test('a file is uploaded, then named, and is a contact file of calls too', async () => {
    const { status, said } = await upload(user, contacts)
    expect([status, said.uploaded, said.message]).toEqual([200, true, 'Success'])
    const named = await call(user, 'POST', '/app/sms/baseupload', { baseName: 'Tihar', file_name: said.file_name })
    expect(named).toMatchObject({ status: 200, said: { message: 'Success', rows: 5, dialable: 4 } })
    for (const url of [`/app/sms/base/${user.userId}`, `/api/obd/base/${user.userId}`])
      expect((await call(user, 'GET', url)).said).toMatchObject([
        { baseName: 'Tihar', columns: ['mobile', 'name', 'due'] },
      ])
    const again = await call<Refusal>(user, 'POST', '/app/sms/baseupload', {
      baseName: 'Dashain',
      file_name: said.file_name,
    })
    expect([again.status, problemsOf(again)]).toEqual([400, ['file_name is not there any more: upload the file again']])
  })

  test('without a name the file that was uploaded last is meant, and of none the field is named', async () => {
    await upload(user, 'mobile\n9841000001\n')
    await upload(user, contacts)
    const named = await call(user, 'POST', '/app/sms/baseupload', { baseName: 'The last one' })
    expect(named).toMatchObject({ status: 200, said: { rows: 5 } })
    const planId = await newPlan(app)
    const other = await newUser(app, { parent: reseller, planId })
    const none = await call<Refusal>(other, 'POST', '/app/sms/baseupload', { baseName: 'Nothing' })
    expect([none.status, problemsOf(none)]).toEqual([
      400,
      ['file_name is missing: no file was uploaded in the last hour'],
    ])
  })

  test('another account’s file is as if it were not there', async () => {
    const { said } = await upload(user, contacts)
    const taken = await call<Refusal>(stranger, 'POST', '/app/sms/baseupload', {
      baseName: 'Mine',
      file_name: said.file_name,
    })
    expect([taken.status, problemsOf(taken)]).toEqual([400, ['file_name is not there any more: upload the file again']])
  })

  test('a file that nobody named goes after an hour, with its bytes', async () => {
    await upload(stranger, 'mobile\n9841999999\n')
    const [staged] = await app.db
      .selectFrom('sms_staged_file')
      .selectAll()
      .where('owner_id', '=', stranger.userId)
      .execute()
    app.clock.advance(3601_000)
    await forgetStagedFiles(app)
    expect(await app.db.selectFrom('sms_staged_file').selectAll().execute()).toEqual([])
    await expect(
      app.files.pathOf(staged?.file_hash ?? '').then((path) => import('node:fs/promises').then((fs) => fs.stat(path))),
    ).rejects.toThrow()
  })

  test.each(['csv', 'txt', 'text/csv', 'text/plain'])('the kind of a file may be said as %s', async (fileType) => {
    const sender = await newUser(app, { parent: reseller })
    expect(await upload(sender, contacts, 'contacts.csv', 'text/csv', fileType)).toMatchObject({ status: 200 })
  })

  test('another kind of file cannot be announced', async () => {
    const refused = await upload(stranger, contacts, 'contacts.csv', 'text/csv', 'application/zip')
    expect([refused.status, refused.said.errors.map(({ field }) => field)]).toEqual([400, ['fileType']])
  })

  test('an archive is refused as it is uploaded, by the field of this form', async () => {
    const refused = await upload(user, 'PK\u0003\u0004 contacts.csv', 'contacts.zip', 'application/zip')
    expect(refused.status).toBe(415)
    expect(refused.said.message).toMatch(/is not a supported format$/)
    expect(refused.said.errors.map(({ field }) => field)).toEqual(['smsBaseFile'])
  })
})

describe('create', () => {
  test('a campaign is there with its chain of prices, frozen, and processing', async () => {
    const baseId = await stored(contacts)
    const userId = stranger.userId // only a claim; the session decides whose it is, as for campaigns of calls
    const asked = plain({ userId, baseId, templateId: 1, smsText: 'Dear {name}\r\npay Rs {due}' })
    const { status, said } = await call<{ campaignId: number }>(user, 'POST', '/app/sms/campaign', asked)
    expect(status).toBe(200)
    const { campaignId } = said
    const row = await app.db
      .selectFrom('sms_campaign')
      .selectAll()
      .where('id', '=', campaignId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ status: 'processing', sender: 'GHANTI', price_paisa: 150, account_id: user.userId })
    const levels = await app.db
      .selectFrom('sms_campaign_level')
      .select(['level', 'payer_id', 'segment_paisa'])
      .where('campaign_id', '=', campaignId)
      .orderBy('level')
      .execute()
    expect(levels).toEqual([
      { level: 0, payer_id: user.userId, segment_paisa: 150 },
      { level: 1, payer_id: reseller.userId, segment_paisa: 150 },
    ])
    const summary = await call(user, 'GET', `/app/sms/campaign/summary/${campaignId}`)
    expect(summary.said).toMatchObject({
      campaignId,
      campaign_id: campaignId,
      campaignName: asked.campaignName,
      campaignStatus: 21,
      scheduleTime: '2026-11-22 13:00:01',
      smsText: 'Dear {name}\npay Rs {due}',
      perSegment: 1.5,
      cli: 'GHANTI',
      composed: { templateId: 1, baseId },
    })
  })

  test('pasted numbers are taken instead of a file', async () => {
    const asked = plain({ contactList: '9779841000001, 9801000002\n9841000003' })
    const { status, said } = await call<{ campaignId: number }>(user, 'POST', '/app/sms/campaign', asked)
    expect(status).toBe(200)
    const base = await app.db
      .selectFrom('sms_campaign_detail as d')
      .innerJoin('base', 'base.id', 'd.base_id')
      .select(['base.rows', 'base.pasted'])
      .where('d.campaign_id', '=', said.campaignId)
      .executeTakeFirst()
    expect(base).toEqual({ rows: 3, pasted: true })
  })

  test('everything that is wrong is said at once, by its field', async () => {
    const baseId = await stored(contacts)
    const { status, said } = await call<Refusal>(user, 'POST', '/app/sms/campaign', {
      campaignName: 'x',
      templateId: 1,
      cli: 'NOBODY',
      baseId,
      smsText: 'Dear {nam}',
      scheduleTime: '2020-01-01 10:00:00',
    })
    expect([status, said.message]).toEqual([400, 'Parameters Incorrect'])
    expect(said.errors.map(({ field }) => field).toSorted()).toEqual(['cli', 'scheduleTime', 'smsText'])
    expect(problemsOf({ said })).toContain('smsText names {nam}, and the file has {mobile}, {name}, {due}')
  })

  test.each([
    { why: 'no text', over: { smsText: '  \n' }, problem: 'smsText is required' },
    {
      why: '10,000 characters',
      over: { smsText: 'a'.repeat(10_000) },
      problem: 'smsText has 66 segments, and 10 are allowed',
    },
    {
      why: 'more characters',
      over: { smsText: 'a'.repeat(10_001) },
      problem: 'smsText is longer than 10,000 characters',
    },
    { why: 'no numbers', over: {}, problem: 'baseId is required' },
    { why: 'a file of nobody', over: { baseId: 2_000_000_000 }, problem: 'baseId is not a contact file of yours' },
    {
      why: 'both a file and numbers',
      over: { baseId: 1, contactList: '9841000001' },
      problem: 'contactList cannot be sent together with baseId: name one of them',
    },
    { why: 'no such template', over: { templateId: 2 }, problem: 'templateId must be a whole number from 0 to 1' },
    {
      why: 'nothing that is a number',
      over: { contactList: 'none' },
      problem: 'contactList has no number that can be called',
    },
  ])('refused with $why', async ({ over, problem }) => {
    const refused = await call<Refusal>(user, 'POST', '/app/sms/campaign', plain(over))
    expect([refused.status, problemsOf(refused)]).toEqual([400, [problem]])
  })

  test('the second campaign of one name is refused', async () => {
    const baseId = await stored(contacts)
    const twice = await Promise.all(
      ['Same name', 'same NAME'].map((campaignName) =>
        call<Refusal>(user, 'POST', '/app/sms/campaign', plain({ baseId, campaignName })),
      ),
    )
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const refused = twice.find(({ status }) => status === 409)
    expect(refused?.said.errors[0]?.text).toBe('is the name of another of your SMS campaigns')
  })

  test('a file cannot be deleted while messages are made of it', async () => {
    const baseId = await stored(contacts)
    const name = `Needs it ${++serial}`
    await call(user, 'POST', '/app/sms/campaign', plain({ baseId, campaignName: name }))
    const reply = await http.inject({
      method: 'DELETE',
      url: `/api/obd/base/${baseId}`,
      headers: await signedIn(app, user),
    })
    expect(reply.statusCode).toBe(409)
    expect(reply.body).toContain(`is used by '${name}' (Processing)`)
  })
})

describe('preview', () => {
  const preview = (asked: object) => call<SmsPreview & Refusal>(user, 'POST', '/app/sms/campaign/preview', asked)

  test('each row is counted and paid by its own text', async () => {
    const baseId = await stored(contacts)
    const { status, said } = await preview({ baseId, templateId: 1, smsText: `{name} {due} ${'a'.repeat(155)}` })
    expect(status).toBe(200)
    expect(said).toMatchObject({
      rows: 5,
      accepted: 2,
      blacklisted: 0,
      unreachable: 1,
      invalid: 1,
      duplicate: 1,
      columns: ['mobile', 'name', 'due'],
      text: `Ram 500 ${'a'.repeat(155)}`,
      encoding: 'GSM-7',
      unicodeSign: null,
      segments: 2,
      shown: { line: 2, mobile: '9841000001', reason: null, previous: null, next: 3 },
      estimate: { segments: 4, cost: 6, perSegment: 1.5, balance: 1000 },
    })
  })

  test('every number of a list on one line gets a message, and it says which columns have further numbers', async () => {
    const smsText = 'Hello'
    for (const separator of [',', ';', '\t']) {
      const list = await stored(Array.from({ length: 120 }, (_, n) => 9841000100 + n).join(separator))
      const { said } = await preview({ baseId: list, templateId: 0, smsText })
      expect(said).toMatchObject({ rows: 120, accepted: 120, moreNumbers: [] })
    }
    const table = await stored('mobile,other\n9841000001/9801000001,9801000002\n9841000002,9801000003\n')
    const moreNumbers = [
      { column: 'mobile', rows: 1 },
      { column: 'other', rows: 2 },
    ]
    const { said } = await preview({ baseId: table, templateId: 0, smsText })
    expect(said).toMatchObject({ rows: 2, accepted: 2, moreNumbers })
  })

  test('the review says when sending begins, and when it ends at the earliest', async () => {
    const baseId = await stored(contacts)
    const estimate = async (more: object = {}) =>
      (await preview({ baseId, templateId: 0, smsText: 'Hello', cli: 'GHANTI', ...more })).said.estimate
    const { scheduleTime: at } = { scheduleTime: '2026-11-23 22:30:00' }
    expect(await estimate({ scheduleTime: at })).toMatchObject({
      beginsAt: '2026-11-24 07:00:00',
      outsideHours: true,
      endsAt: null,
      perSecond: 0,
    })
    const { id } = await app.db
      .insertInto('sms_gateway')
      .values({ name: 'Slow one', driver: 'http', settings: JSON.stringify({ tps: 1 }) })
      .returning('id')
      .executeTakeFirstOrThrow()
    const route = await app.db
      .insertInto('sms_route')
      .values({ operators: [0, 1, 2, 3] })
      .returning('id')
      .executeTakeFirstOrThrow()
    await app.db
      .insertInto('sms_route_step')
      .values({ route_id: route.id, gateway_id: id, priority: 1, weight: 1 })
      .execute()
    expect(await estimate({ scheduleTime: at })).toMatchObject({ endsAt: '2026-11-24 07:00:02', perSecond: 1 })
    const open = await estimate({ scheduleTime: '2026-11-24 08:00:00' })
    expect(open).toMatchObject({ beginsAt: '2026-11-24 08:00:00', outsideHours: false, endsAt: '2026-11-24 08:00:02' })
    await app.db.deleteFrom('sms_route_step').execute()
    await app.db.deleteFrom('sms_route').execute()
  })

  test('a number counts once for the same text to everybody', async () => {
    const baseId = await stored(contacts)
    const { said } = await preview({ baseId, templateId: 0, smsText: 'नमस्ते {name}', row: 3 })
    expect(said).toMatchObject({
      accepted: 2,
      duplicate: 1,
      text: 'नमस्ते {name}',
      encoding: 'UCS-2',
      unicodeSign: 'न',
      shown: { line: 3, mobile: '9801000001' },
    })
  })

  test('the row shown first is one that gets a message; where none does, the first row says why', async () => {
    const baseId = await stored('mobile,name\n015970001,Hari\n9841000001,\n9801000001,Sita\n')
    const { said } = await preview({ baseId, templateId: 1, smsText: '{name}' })
    expect(said).toMatchObject({ accepted: 1, text: 'Sita', shown: { line: 4, previous: 3, reason: null } })
    const same = await preview({ baseId, templateId: 0, smsText: 'Hello' })
    expect(same.said).toMatchObject({ accepted: 2, text: 'Hello', shown: { line: 3, previous: 2, reason: null } })
    const landlines = await preview({ baseId: await stored('mobile\n015970001\n'), templateId: 0, smsText: 'Hello' })
    expect(landlines.said).toMatchObject({ accepted: 0, text: null })
    expect(landlines.said.shown).toMatchObject({ line: 2, reason: 'a landline takes no messages' })
  })

  test('a row that gets no message says why', async () => {
    const baseId = await stored(contacts)
    const shown = async (row: number) => (await preview({ baseId, templateId: 0, smsText: 'Hello', row })).said.shown
    expect(await shown(4)).toMatchObject({ line: 4, reason: 'a landline takes no messages' })
    expect(await shown(5)).toMatchObject({ line: 5, reason: 'the same number as in line 2' })
    expect((await shown(6))?.reason).toMatch(/^the number /)
    await app.db.insertInto('blacklist').values({ owner_id: reseller.userId, phone: 9_779_801_000_001 }).execute()
    expect(await shown(3)).toMatchObject({ line: 3, reason: 'the number is on a blacklist' })
  })

  test('a sender ID that is approved for one operator reaches no customer of another', async () => {
    await newSender(app, user, { name: 'NTCONLY', operators: [1] })
    const baseId = await stored('mobile\n9841000011\n9801000012\n')
    const { said } = await preview({ baseId, templateId: 0, cli: 'NTCONLY', smsText: 'Hello' })
    expect(said).toMatchObject({ accepted: 1, invalid: 1 })
    expect(said.refused.map(({ reason }) => reason)).toEqual(['the sender ID is not approved for Ncell'])
  })

  test('in a promotional account a row whose value is an address or a number in disguise waits, and figures do not', async () => {
    await app.db.updateTable('users').set({ account_type: 'promotional' }).where('id', '=', user.userId).execute()
    const rule = { promotional: true, words: ['lottery'] }
    await app.db.transaction().execute((tx) => changeSetting(tx, 'textApproval', rule, boss.userId))
    const waiting = ['win·example', '1x。bet', 't.me', '98.41.23.45.67', '٩٨٤١٠٠٠٠٠١', '1660-01-23456', 'lоtterу']
    const sent = ['Sita K.C.', 'सीता', 'Rs. 1250.50', '482913', '2083/05/01', 'रु. ५०००']
    const rows = [...waiting, ...sent].map((value, at) => `${9_841_000_100 + at},${value}`)
    const baseId = await stored(['mobile,name', ...rows, ''].join('\n'))
    const { said } = await preview({ baseId, templateId: 1, smsText: 'Dear {name}', row: 2 })
    expect(said).toMatchObject({ accepted: sent.length, unapproved: waiting.length, refused: [] })
    expect(said.shown).toMatchObject({ reason: 'its {name} waits for approval: it looks like an address' })
    await app.db.updateTable('users').set({ account_type: 'transactional' }).where('id', '=', user.userId).execute()
  })

  test('a column that the file lacks is named', async () => {
    const baseId = await stored(contacts)
    const refused = await preview({ baseId, templateId: 1, smsText: '{x}' })
    expect([refused.status, problemsOf(refused)]).toEqual([
      400,
      ['smsText names {x}, and the file has {mobile}, {name}, {due}'],
    ])
  })
})
