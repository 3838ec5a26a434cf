import * as fs from 'node:fs'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newUser } from '../../testing/seed.ts'
import { previewBase } from './actions.ts'
import { contactHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { contacts: contactHandlers } })
const user = await newUser(app)

async function uploaded(name: string, content: string): Promise<number> {
  const form = new FormData()
  form.set('baseName', name)
  form.set('baseFile', new File([content], `${name}.csv`, { type: 'text/csv' }))
  const body = new Response(form)
  const headers = { ...(await signedIn(app, user)), 'content-type': body.headers.get('content-type') ?? '' }
  const payload = Buffer.from(await body.arrayBuffer())
  const reply = await http.inject({ method: 'POST', url: '/api/obd/baseupload', headers, payload })
  expect(reply.json()).toMatchObject({ message: 'Success' })
  return reply.json<{ baseId: number }>().baseId
}
const fileOf = (name: string): string =>
  fs.readFileSync(new URL(`../../testing/files/${name}.csv`, import.meta.url), 'utf8')

test('amounts as people write them are all taken, and the preview says how they are read', async () => {
  const baseId = await uploaded('amounts', fileOf('20-amounts'))
  for (const templateId of [6, 0]) {
    const preview = await previewBase({ app, viewer: user }, baseId, templateId)
    expect(preview).toMatchObject({ rows: 7, accepted: 7, invalid: 0 })
    const said = ['1250.00', '125000.00', '500.00', '1250.00', '500.00', '500.00', '1250.50']
    expect(preview.first.map(({ spoken }) => spoken)).toEqual(
      said.map((value) => ({ amount: { kind: 'amount', value, leftOut: [] } })),
    )
  }
})

test('names, services and months as people write them are all taken, and the preview names what nobody hears', async () => {
  const preview = await previewBase({ app, viewer: user }, await uploaded('names', fileOf('64-names')), 7)
  expect(preview).toMatchObject({ rows: 12, accepted: 12, invalid: 0 })
  const of = (column: string) =>
    preview.first.map(({ spoken }) => [spoken[column]?.value, spoken[column]?.leftOut.join(' ')])
  expect(of('client_name').slice(0, 8)).toEqual([
    ['Sharma and Sons', ''],
    ['DSouza', "'"],
    ['Al Amin Store', '-'],
    ['Ram Baneshwor', '( )'],
    ['Hari Sita', '/'],
    ['Shop 24', ''],
    ['Mr. Ram Bahadur Thapa Magar Chhetri', ''],
    ['राम प्रसाद', ''],
  ])
  expect(of('service_name').slice(8)).toEqual([
    ['Wi Fi', '-'],
    ['Internet and TV', ''],
  ])
  expect(of('month').slice(9)).toEqual([['bs:8', '2083']])
})

test('a European amount, a negative one and nothing are refused, each with its reason', async () => {
  const rows = ['9841000001,"1.250,00",2026-12-01', '9841000002,-500,2026-12-01', '9841000003,0,2026-12-01']
  const content = ['mobile,amount,date', ...rows, '9841000004,500,2026-12-01'].join('\n')
  const preview = await previewBase({ app, viewer: user }, await uploaded('wrong', content), 6)
  expect(preview).toMatchObject({ rows: 4, accepted: 1, invalid: 3 })
  expect(preview.refused.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('amount has commas where no amount has them'),
    'amount is negative',
    'amount is zero',
  ])
})

test('columns without a header are read by their place', async () => {
  const baseId = await uploaded('places', '9841000001,Al-Amin,Wi-Fi,Rs. 500,Nov-26\n')
  const preview = await previewBase({ app, viewer: user }, baseId, 7)
  expect(preview.first.map(({ spoken }) => spoken)).toEqual([
    {
      column2: { kind: 'name', value: 'Al Amin', leftOut: ['-'] },
      column3: { kind: 'service', value: 'Wi Fi', leftOut: ['-'] },
      column4: { kind: 'amount', value: '500.00', leftOut: [] },
      column5: { kind: 'month', value: 'ad:11', leftOut: ['26'] },
    },
  ])
})
