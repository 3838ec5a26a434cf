import { randomUUID } from 'node:crypto'
import { defaultQuotas, type Quotas } from '@ghanti/contract/quotas.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newBase, newCampaign, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { newSender } from '../../testing/sms-campaigns.ts'
import { WaveFile } from '../../testing/files/wave-file.ts'
import { blacklistHandlers } from '../blacklist/routes.ts'
import { contactHandlers } from '../contacts/routes.ts'
import { changeSetting } from '../platform/actions.ts'
import { promptHandlers } from '../prompts/routes.ts'
import { voiceCampaignHandlers } from '../voice-campaigns/routes.ts'
import { quotaHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, {
  handlers: {
    blacklist: blacklistHandlers,
    contacts: contactHandlers,
    prompts: promptHandlers,
    voiceCampaigns: voiceCampaignHandlers,
    quotas: quotaHandlers,
  },
})
const planId = await newPlan(app, { pulseSeconds: 30, pulsePaisa: 40 })
const reseller = await newReseller(app, { planId })
const ownPlan = await newPlan(app, { owner: reseller, pulseSeconds: 30, pulsePaisa: 50 })

let user: Viewer
beforeEach(async () => {
  user = await newUser(app, { parent: reseller, planId: ownPlan })
  await quotas({})
})

async function quotas(changed: Partial<Quotas>): Promise<void> {
  await app.db.transaction().execute((tx) => changeSetting(tx, 'quotas', { ...defaultQuotas, ...changed }, null))
}

type Reply = { status: number; errors: FieldError[]; body: Record<string, number> }
async function post(url: string, payload: object | FormData): Promise<Reply> {
  const request =
    payload instanceof FormData
      ? new Request('http://localhost/', { method: 'POST', body: payload })
      : new Request('http://localhost/', {
          method: 'POST',
          body: JSON.stringify(payload),
          headers: { 'content-type': 'application/json' },
        })
  const headers = { ...(await signedIn(app, user)), 'content-type': request.headers.get('content-type') ?? '' }
  const reply = await http.inject({ method: 'POST', url, headers, payload: Buffer.from(await request.arrayBuffer()) })
  const body = reply.json<Record<string, number> & { errors?: FieldError[] }>()
  return { status: reply.statusCode, errors: body.errors ?? [], body }
}

/** Uploads a distinct contact file of `bytes` bytes whose first line is a number. */
function upload(bytes: number, more = ''): Promise<Reply> {
  const form = new FormData()
  form.set('baseName', `File ${randomUUID()}`)
  const line = `9841000001,${randomUUID()}\n${more}`
  const blank = `${' '.repeat(999)}\n`.repeat(Math.ceil(bytes / 1000)).slice(0, bytes - line.length)
  form.set('baseFile', new File([line + blank], 'contacts.csv', { type: 'text/csv' }))
  return post('/api/obd/baseupload', form)
}
function uploadVoice(): Promise<Reply> {
  const wav = new WaveFile()
  wav.fromScratch(
    1,
    8000,
    '16',
    Int16Array.from({ length: 4000 }, () => 20_000 * Math.random()),
  )
  const form = new FormData()
  form.set('fileName', `Voice ${randomUUID()}`)
  form.set('promptCategory', 'welcome')
  form.set('waveFile', new File([new Uint8Array(wav.toBuffer())], 'voice.wav', { type: 'audio/wav' }))
  return post('/api/obd/promptupload', form)
}
async function composing(baseId?: number) {
  const line = await newLine(app, { holders: [user] })
  const fields = {
    templateId: 0,
    cli: line.cli,
    baseId: baseId ?? (await newBase(app, user)),
    welcomePId: await newPrompt(app, user),
  }
  return (more: object = {}) =>
    post('/api/obd/campaign/compose', { ...fields, ...more, campaignName: `Campaign ${randomUUID()}` })
}
async function filesStored(): Promise<number> {
  let count = 0
  for await (const _ of app.files.all()) count++
  return count
}
async function used() {
  const reply = await http.inject({ url: `/api/obd/quotas/${user.userId}`, headers: await signedIn(app, user) })
  return reply.json<{ quotas: Quotas; used: Record<string, number> }>()
}
const refusal = (field: string, text: string) => ({ status: 409, errors: [{ field, code: 'quota', text }] })

test('an account’s use is shown beside its quotas, to itself and to those above', async () => {
  await newCampaign(app, user, { status: 'running' })
  await newPrompt(app, user)
  const { body } = await upload(50_000, 'x\ny\n')
  await quotas({ megabytes: 2 })
  expect(await used()).toEqual({
    quotas: { ...defaultQuotas, megabytes: 2 },
    used: { bytes: 50_000 + 2 * 4096 + 11, recordingBytes: 0, rows: 3, campaigns: 1, prompts: 1, blacklist: 0 },
  })
  expect(body['baseId']).toBeGreaterThan(0)
  const above = await http.inject({
    url: `/api/obd/quotas/${user.userId}`,
    headers: await signedIn(app, reseller),
  })
  expect(above.json()).toEqual(await used())
})

test('a campaign that ended without a call takes its place for good, prepared or not', async () => {
  const before = (await used()).used
  for (const stored of [0, 2]) {
    const campaignId = await newCampaign(app, user, { status: 'cancelled' })
    await app.db
      .updateTable('campaign_progress')
      .set({ stored_rows: stored, stored_bytes: 0, attempts: 0, finished_at: new Date() })
      .where('campaign_id', '=', Number(campaignId))
      .execute()
  }
  const { bytes = 0, rows = 0 } = before
  const fileBytes = 4096 // each campaign has its own numbers
  expect((await used()).used).toEqual({ ...before, bytes: bytes + 2 * (16_384 + fileBytes), rows: rows + 2 })
})

describe('beyond its quota', () => {
  test('of bytes nothing is stored: the upload is refused in a sentence, and no file of it is left', async () => {
    await quotas({ megabytes: 1 })
    expect(await upload(600_000)).toMatchObject({ status: 200 })
    const [before, bases] = [await filesStored(), (await used()).used]
    const text =
      'needs 0.5 MB, and 0.6 of the 1 MB that this account may store are used: delete contact files, voice files, voice packs, logos or exports'
    expect(await upload(410_000)).toMatchObject(refusal('baseFile', text))
    expect(await filesStored()).toBe(before)
    expect((await used()).used).toEqual(bases)
    expect(await upload(390_000)).toMatchObject({ status: 200 })
  })

  test('of rows a campaign is refused, its file and its campaigns alike; once called, its rows count no more', async () => {
    await quotas({ rows: 1500 })
    const file = await upload(20_000, Array.from({ length: 999 }, (_, n) => `98410${10_000 + n}`).join('\n'))
    const compose = await composing(file.body['baseId'])
    const first = await compose()
    expect(first).toMatchObject({ status: 200 })
    const text =
      'needs 1,000 rows, and 1,000 of the 1,500 that this account may store are used: wait until campaigns have called theirs, or delete contact files'
    expect(await compose()).toMatchObject(refusal('baseId', text))
    await app.db.updateTable('campaign').set({ status: 'complete' }).where('account_id', '=', user.userId).execute()
    await app.db
      .updateTable('campaign_progress')
      .set({ stored_rows: 1000, attempts: 700, finished_at: new Date() })
      .where('account_id', '=', user.userId)
      .execute()
    expect((await used()).used).toMatchObject({ rows: 300 })
    expect(await compose()).toMatchObject({ status: 200 })
  })

  test('of rows a campaign that sends texts after its calls needs two for each number, and gives both back', async () => {
    await quotas({ rows: 1500 })
    const file = await upload(8000, Array.from({ length: 499 }, (_, n) => `98420${10_000 + n}`).join('\n'))
    const compose = await composing(file.body['baseId'])
    await newSender(app, user)
    await app.db.transaction().execute((tx) => changeSetting(tx, 'smsPricePaisa', 100, null))
    const texts = { smsCli: 'GHANTI', smsSuccessText: 'Thanks' }
    expect(await compose(texts)).toMatchObject({ status: 200 })
    expect((await used()).used).toMatchObject({ rows: 1000 })
    const text =
      'needs 1,000 rows, and 1,000 of the 1,500 that this account may store are used: wait until campaigns have called theirs, or delete contact files'
    expect(await compose(texts)).toMatchObject(refusal('baseId', text))
    await app.db.updateTable('campaign').set({ status: 'complete' }).where('account_id', '=', user.userId).execute()
    const ended = { stored_rows: 500, text_rows: 500, finished_at: new Date() }
    const after = async (attempts: number) => {
      const progress = app.db.updateTable('campaign_progress').set({ ...ended, attempts })
      await progress.where('account_id', '=', user.userId).execute()
      return (await used()).used['rows']
    }
    expect([await after(400), await after(500)]).toEqual([200, 0])
  })

  test('the columns of a campaign count by what it stores of them, names and all', async () => {
    await quotas({ megabytes: 1 })
    const names = Array.from({ length: 90 }, (_, n) => `${n}`.padStart(100, 'n'))
    const rows = Array.from({ length: 200 }, (_, n) => `98410${10_000 + n}${',1'.repeat(90)}`)
    const form = new FormData()
    form.set('baseName', 'Wide')
    form.set('baseFile', new File([[`mobile,${names.join(',')}`, ...rows].join('\n')], 'wide.csv'))
    const { body } = await post('/api/obd/baseupload', form)
    const compose = await composing(body['baseId'])
    const [error] = (await compose()).errors
    expect(error).toMatchObject({
      field: 'baseId',
      code: 'quota',
      text: expect.stringMatching(/^needs 2 MB, and 0\.1 of/),
    })
  })

  test('of unfinished campaigns a hundred composed at once do not pass it, and neither does a retry', async () => {
    await quotas({ campaigns: 10 })
    const over = await newCampaign(app, user, { status: 'complete', rows: 1 })
    const busy = { state: 'done', disposition: 'BUSY' } as const
    await app.db.updateTable('campaign_contact').set(busy).where('campaign_id', '=', over).execute()
    const compose = await composing()
    const replies = await Promise.all(Array.from({ length: 100 }, () => compose()))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
    const text = 'is one too many: 10 campaigns of this account are not finished, and 10 may be'
    const others = replies.filter(({ status }) => status !== 200)
    for (const reply of others) expect(reply).toMatchObject(refusal('campaignName', text))
    expect((await used()).used).toMatchObject({ campaigns: 10 })
    const retry = await post('/api/obd/campaign/retry', { campaignId: over })
    expect(retry).toMatchObject(refusal('campaignId', text))
  })

  test('of voice files twelve uploaded at once do not pass it, and no file of those refused is left', async () => {
    await quotas({ prompts: 3 })
    const before = await filesStored()
    const replies = await Promise.all(Array.from({ length: 12 }, uploadVoice))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3)
    expect((await used()).used).toMatchObject({ prompts: 3 })
    const stored = await filesStored()
    expect(stored - before).toBeLessThanOrEqual(6)
    const text = 'is one too many: this account has 3 voice files, and 3 are allowed'
    expect(await uploadVoice()).toMatchObject(refusal('waveFile', text))
    expect(await filesStored()).toBe(stored)
  })

  test('of blacklisted numbers neither one nor a file is taken, of a file nothing; what is deleted makes room', async () => {
    await quotas({ blacklist: 3 })
    const file = (...numbers: string[]) => {
      const form = new FormData()
      form.set('blistFile', new File([numbers.join('\n')], 'never.csv', { type: 'text/csv' }))
      return post('/api/obd/blistupload', form)
    }
    const add = (mobile: string) => post('/api/obd/blacklist', { mobile })
    expect(await file('9841000001', '9841000002')).toMatchObject({ status: 200, body: { accepted: 2 } })
    const text = 'would make 4 numbers on this account’s blacklist, and 3 are allowed'
    expect(await file('9841000002', '9841000003', '9841000004')).toMatchObject(refusal('blistFile', text))
    expect((await used()).used).toMatchObject({ blacklist: 2 })
    const replies = await Promise.all(['9841000005', '9841000006', '9841000007'].map(add))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.find(({ status }) => status !== 200)).toMatchObject(refusal('mobile', text))
    expect(await file('9841000001', '9841000002'), 'what adds nothing').toMatchObject({ status: 200 })
    expect(await add('9841000001')).toMatchObject({ errors: [{ code: 'taken' }] })
    const list = await http.inject({ url: `/api/obd/blacklist/${user.userId}`, headers: await signedIn(app, user) })
    const [first] = list.json<{ blacklistId: number }[]>()
    await http.inject({
      method: 'DELETE',
      url: `/api/obd/blacklist/${first?.blacklistId}`,
      headers: await signedIn(app, user),
    })
    expect((await used()).used).toMatchObject({ blacklist: 2 })
    expect(await add('9841000008')).toMatchObject({ status: 200 })
  })

  test('of rows a contact file without refused lines is taken, which adds none, one with refused lines is not', async () => {
    expect(await upload(20_000, 'x\ny\nz\n')).toMatchObject({ status: 200 })
    await quotas({ rows: 2 })
    expect((await used()).used).toMatchObject({ rows: 3 })
    expect(await upload(20_000), 'what adds nothing').toMatchObject({ status: 200 })
    const text =
      'needs 2 rows, and 3 of the 2 that this account may store are used: wait until campaigns have called theirs, or delete contact files'
    expect(await upload(20_000, 'x\ny\n')).toMatchObject(refusal('baseFile', text))
    expect((await used()).used).toMatchObject({ rows: 3 })
  })

  test('lines that a file of blacklisted numbers kept count as rows, and a file whose lines have no room stores nothing', async () => {
    await quotas({ rows: 5 })
    const file = (...lines: string[]) => {
      const form = new FormData()
      form.set('blistFile', new File([lines.join('\n')], 'never.csv', { type: 'text/csv' }))
      return post('/api/obd/blistupload', form)
    }
    expect(await file('9841000001', 'a', 'b', 'c')).toMatchObject({ status: 200, body: { accepted: 1, invalid: 3 } })
    expect((await used()).used).toMatchObject({ rows: 3, blacklist: 1 })
    const text =
      'needs 3 rows, and 3 of the 5 that this account may store are used: wait until campaigns have called theirs, or delete contact files'
    expect(await file('9841000002', 'a', 'b', 'c')).toMatchObject(refusal('blistFile', text))
    expect((await used()).used).toMatchObject({ rows: 3, blacklist: 1 })
  })

  test('a number that would wait for a file that is being stored is refused with the time to come again, and holds no connection', async () => {
    const going = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const storing = app.db.transaction().execute(async (tx) => {
      await tx.insertInto('blacklist').values({ owner_id: user.userId, phone: 9779841000001 }).execute()
      going.resolve()
      await held.promise
    })
    await going.promise
    const replies = await Promise.all(
      ['9841000001', '9841000002'].map((mobile) => post('/api/obd/blacklist', { mobile })),
    )
    expect(replies.map(({ status }) => status)).toEqual([429, 429])
    held.resolve()
    await storing
    expect(await post('/api/obd/blacklist', { mobile: '9841000002' })).toMatchObject({ status: 200 })
  })

  test('the platform’s list has no quota', async () => {
    await quotas({ blacklist: 1 })
    user = await newSuperAdmin(app)
    for (const mobile of ['9841000011', '9841000012'])
      expect(await post('/api/obd/blacklist', { mobile })).toMatchObject({ status: 200 })
  })

  test('a quota below what is stored takes nothing away, and lets nothing in', async () => {
    const { body } = await upload(1_500_000)
    await quotas({ megabytes: 1 })
    expect(await upload(20_000)).toMatchObject({ status: 409, errors: [{ field: 'baseFile', code: 'quota' }] })
    const bases = await http.inject({ url: `/api/obd/base/${user.userId}`, headers: await signedIn(app, user) })
    expect(bases.json()).toMatchObject([{ baseId: body['baseId'] }])
  })
})
