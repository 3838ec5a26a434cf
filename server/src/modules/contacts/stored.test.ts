import { beforeEach, describe, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import { isStored } from '../../drivers/files/driver.ts'
import { forgetUnneededBases } from './actions-stored.ts'
import { contactHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { contacts: contactHandlers } })
const reseller = await newReseller(app)
let user: Viewer
let serial = 0
beforeEach(async () => {
  user = await newUser(app, { parent: reseller })
})

async function send(method: 'POST' | 'DELETE', url: string, payload: object = {}, viewer = user) {
  const reply = await http.inject({ method, url, headers: await signedIn(app, viewer), payload })
  return { status: reply.statusCode, errors: reply.json<{ errors?: FieldError[] }>().errors ?? [] }
}
const rename = (baseId: number, baseName: string, viewer = user) =>
  send('POST', '/api/obd/base/update', { baseId, baseName }, viewer)
const remove = (baseId: number, viewer = user) => send('DELETE', `/api/obd/base/${baseId}`, {}, viewer)

async function posted(url: string, form: FormData): Promise<number> {
  const body = new Response(form)
  const headers = { ...(await signedIn(app, user)), 'content-type': body.headers.get('content-type') ?? '' }
  const reply = await http.inject({ method: 'POST', url, headers, payload: Buffer.from(await body.arrayBuffer()) })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ baseId: number }>().baseId
}
function upload(name: string, text = `9841000001,${++serial}\n`): Promise<number> {
  const form = new FormData()
  form.set('baseName', name)
  form.set('baseFile', new File([text], 'contacts.csv', { type: 'text/csv' }))
  return posted('/api/obd/baseupload', form)
}
function paste(): Promise<number> {
  const form = new FormData()
  form.set('contactList', `98410${10_000 + ++serial}`)
  return posted('/api/obd/contactlist', form)
}
const row = (baseId: number) => app.db.selectFrom('base').selectAll().where('id', '=', baseId).executeTakeFirstOrThrow()
const bytesAreThere = async (baseId: number) => isStored(app.files, (await row(baseId)).file_hash)
async function listed() {
  const reply = await http.inject({ url: `/api/obd/base/${user.userId}`, headers: await signedIn(app, user) })
  const bases = reply.json<{ baseId: number; baseName: string; keptUntil: string | null; bytes: number }[]>()
  return bases.filter(({ baseName }) => !baseName.startsWith('Base ')) // the others belong to seeded campaigns
}
async function campaignOf(baseId: number, status: 'running' | 'complete', name = 'Dashain'): Promise<number> {
  const id = await newCampaign(app, user, { status, name })
  await app.db.updateTable('campaign_detail').set({ base_id: baseId }).where('campaign_id', '=', id).execute()
  return id
}

describe('a contact file is renamed', () => {
  test('by its owner, to a name that none of the others has, in any case of letters', async () => {
    const [one, two] = [await upload('One'), await upload('Two')]
    expect(await rename(one, 'ONE')).toMatchObject({ status: 200 })
    const taken = { field: 'baseName', code: 'taken', text: 'is the name of another of your contact files' }
    expect(await rename(two, 'one')).toEqual({ status: 409, errors: [taken] })
    expect((await listed()).map((base) => base.baseName)).toEqual(['Two', 'ONE'])
    expect((await rename(one, 'Mine', await newUser(app, { parent: reseller }))).status).toBe(404)
    expect((await rename(one, 'Mine', reseller)).status).toBe(403)
  })

  test('ten ask for the same name at once, and one gets it', async () => {
    const bases = await Promise.all(Array.from({ length: 5 }, (_, n) => upload(`File ${n}`)))
    const replies = await Promise.all(bases.map((baseId) => rename(baseId, 'The same')))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  })
})

describe('a contact file is deleted', () => {
  test('with its bytes and its refused lines, and its name is free again', async () => {
    const baseId = await upload('Gone')
    await app.db.insertInto('base_refused').values({ base_id: baseId, line: 1, text: 'x', reason: 'x' }).execute()
    expect(await remove(baseId)).toMatchObject({ status: 200 })
    expect(await bytesAreThere(baseId)).toBe(false)
    expect(await listed()).toEqual([])
    const lines = app.db.selectFrom('base_refused').select('line').where('base_id', '=', baseId)
    expect(await lines.execute()).toEqual([])
    expect((await remove(baseId)).status).toBe(404)
    await upload('Gone')
  })

  test('but not while a campaign that is not finished needs it, which is named', async () => {
    const baseId = await upload('Needed')
    const campaignId = await campaignOf(baseId, 'running', 'Tihar')
    const text = "is used by 'Tihar' (Running): wait until they are finished or stop them"
    expect(await remove(baseId)).toEqual({ status: 409, errors: [{ field: 'baseId', code: 'in_use', text }] })
    expect(await bytesAreThere(baseId)).toBe(true)
    expect(await listed()).toMatchObject([{ baseId, keptUntil: null }])
    await app.db.updateTable('campaign').set({ status: 'complete' }).where('id', '=', campaignId).execute()
    expect(await remove(baseId)).toMatchObject({ status: 200 })
  })

  test('while the same bytes are uploaded again and again: what is listed is there', async () => {
    const text = `9841000009,${++serial}\n`
    for (let round = 0; round < 10; round++) {
      const baseId = await upload(`Round ${round}`, text)
      const [, again] = await Promise.all([remove(baseId), upload(`Again ${round}`, text)])
      expect(await bytesAreThere(again)).toBe(true)
      await remove(again)
    }
  })

  test('by nobody else', async () => {
    const baseId = await upload('Mine')
    expect((await remove(baseId, await newUser(app, { parent: reseller }))).status).toBe(404)
    expect((await remove(baseId, reseller)).status).toBe(403)
  })
})

describe('what nobody needs goes by itself', () => {
  const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * 24 * 3600_000)
  const age = (baseId: number, days: number) =>
    app.db
      .updateTable('base')
      .set({ kept_from: daysAgo(days), created_at: daysAgo(days) })
      .where('id', '=', baseId)
      .execute()

  test('a file half a year after its last campaign, which the list says beforehand', async () => {
    const [old, used, needed, young] = [
      await upload('Old'),
      await upload('Used'),
      await upload('Needed'),
      await upload('Y'),
    ]
    for (const baseId of [old, used, needed]) await age(baseId, 181)
    await age(young, 179)
    const campaigns = [await campaignOf(used, 'complete', 'A'), await campaignOf(needed, 'running', 'B')]
    await app.db
      .updateTable('campaign_detail')
      .set({ created_at: daysAgo(100) })
      .where('campaign_id', 'in', campaigns)
      .execute()
    const until = new Map((await listed()).map((base) => [base.baseId, base.keptUntil]))
    const day = (days: number) => new Date(daysAgo(days).getTime() + 5.75 * 3600_000).toISOString().slice(0, 10)
    expect(until.get(old)?.slice(0, 10)).toBe(day(1))
    expect(until.get(used)?.slice(0, 10)).toBe(day(-80))
    expect(until.get(needed)).toBeNull()
    expect(await forgetUnneededBases(app)).toBe(1)
    expect((await listed()).map((base) => base.baseId)).toEqual([young, needed, used])
    expect(await bytesAreThere(old)).toBe(false)
  })

  test('pasted numbers a week after they came, unless their campaign is not finished', async () => {
    const [idle, over, running, fresh] = [await paste(), await paste(), await paste(), await paste()]
    for (const baseId of [idle, over, running]) await age(baseId, 8)
    await campaignOf(over, 'complete', 'C')
    await campaignOf(running, 'running', 'D')
    expect(await forgetUnneededBases(app)).toBe(2)
    const gone = await Promise.all([idle, over, running, fresh].map(async (id) => (await row(id)).deleted_at !== null))
    expect(gone).toEqual([true, true, false, false])
  })
})
