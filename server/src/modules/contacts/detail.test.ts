import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import { contactHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { contacts: contactHandlers } })
const reseller = await newReseller(app)
const user = await newUser(app, { parent: reseller })
const stranger = await newUser(app)

const get = async (url: string, viewer = user) =>
  await http.inject({ method: 'GET', url, headers: await signedIn(app, viewer) })

async function upload(baseName: string, text: string): Promise<number> {
  const form = new FormData()
  form.set('baseName', baseName)
  form.set('baseFile', new File([text], 'contacts.csv', { type: 'text/csv' }))
  const body = new Response(form)
  const headers = { ...(await signedIn(app, user)), 'content-type': body.headers.get('content-type') ?? '' }
  const payload = Buffer.from(await body.arrayBuffer())
  return (await http.inject({ method: 'POST', url: '/api/obd/baseupload', headers, payload })).json().baseId
}

async function campaignOf(baseId: number, name: string): Promise<number> {
  const id = await newCampaign(app, user, { status: 'complete', name })
  await app.db.updateTable('campaign_detail').set({ base_id: baseId }).where('campaign_id', '=', id).execute()
  return id
}

const auditsOf = (baseId: number) =>
  app.db.selectFrom('audit_log').select('action').where('target', '=', `base ${baseId}`).orderBy('id').execute()

test('the page of a file has its columns, first rows, refused lines and the campaigns made from it, the newest first', async () => {
  const text = 'Mobile,Name\n9841000001,Sita\nnonsense,Ram\n'
  const baseId = await upload('Members', text)
  const [first, second] = [await campaignOf(baseId, 'First'), await campaignOf(baseId, 'Second')]
  const reply = await get(`/api/obd/base/${baseId}/detail`)
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    expect.objectContaining({
      baseId,
      baseName: 'Members',
      rows: 2,
      dialable: 1,
      columns: ['mobile', 'Name'],
      bytes: Buffer.byteLength(text),
      keptUntil: expect.stringMatching(/^\d{4}-/),
      preview: expect.objectContaining({
        rows: 2,
        accepted: 1,
        invalid: 1,
        first: [{ line: 2, mobile: '9841000001', values: { Name: 'Sita' }, dates: {}, spoken: {} }],
        refused: [{ line: 3, text: 'nonsense,Ram', reason: 'the number has letters' }],
      }),
      campaigns: [
        expect.objectContaining({ kind: 'calls', campaignId: second, campaignName: 'Second', campaignStatus: 2 }),
        expect.objectContaining({ kind: 'calls', campaignId: first, campaignName: 'First' }),
      ],
      campaignCount: 2,
    }),
  ])
  expect(await auditsOf(baseId)).toContainEqual({ action: 'base.preview' })
})

test('the newest fifty campaigns are shown, and all are counted', async () => {
  const baseId = await upload('Often', '9841000001\n')
  for (let n = 0; n < 51; n++) await campaignOf(baseId, `Often ${n}`)
  const { campaigns, campaignCount } = (await get(`/api/obd/base/${baseId}/detail`)).json()
  expect([campaigns.length, campaignCount, campaigns[0].campaignName]).toEqual([50, 51, 'Often 50'])
})

test('a file is downloaded byte by byte as it is stored, which its owner can read in the audit log', async () => {
  const text = '\ufeffmobile;नाम\r\n+977-9841000001;"=1+1"\r\n'
  const baseId = await upload('Dashain सूची', text)
  const reply = await get(`/api/obd/base/${baseId}/contacts.csv`)
  expect([reply.statusCode, reply.rawPayload.toString()]).toEqual([200, text])
  expect(reply.headers).toMatchObject({
    'content-type': 'text/csv',
    'cache-control': 'private, no-store',
    'content-disposition': expect.stringContaining(encodeURIComponent('Dashain सूची.csv')),
  })
  expect(await auditsOf(baseId)).toContainEqual({ action: 'base.download' })
})

test.each(['detail', 'contacts.csv'])('neither a stranger nor the reseller above opens %s', async (what) => {
  const baseId = await upload(`Own ${what}`, '9841000001\n')
  expect((await get(`/api/obd/base/${baseId}/${what}`, stranger)).statusCode).toBe(404)
  expect((await get(`/api/obd/base/${baseId}/${what}`, reseller)).statusCode).toBe(403)
  expect(await auditsOf(baseId)).toEqual([{ action: 'base.upload' }])
})
