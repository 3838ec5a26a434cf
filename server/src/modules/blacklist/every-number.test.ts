/** Nobody may lose an opt-out with 'Success': every mobile number of a file is stored, wherever people wrote it. */
import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { workbook } from '../../testing/files/workbook.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import { blacklistHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { blacklist: blacklistHandlers } })
const reseller = await newReseller(app)

async function storedOf(content: BlobPart, fields: Record<string, string> = {}) {
  const own = await newUser(app, { parent: reseller })
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('blistFile', new File([content], 'numbers.csv', { type: 'text/csv' }))
  const body = new Response(form)
  const headers = { ...(await signedIn(app, own)), 'content-type': body.headers.get('content-type') ?? '' }
  const payload = Buffer.from(await body.arrayBuffer())
  const reply = await http.inject({ method: 'POST', url: '/api/obd/blistupload', headers, payload })
  expect(reply.statusCode).toBe(200)
  const list = await http.inject({
    method: 'GET',
    url: `/api/obd/blacklist/${own.userId}`,
    headers: await signedIn(app, own),
  })
  const rows: { mobile: string }[] = list.json()
  return { upload: reply.json(), numbers: rows.map(({ mobile }) => mobile).sort() }
}

test.each([
  ['behind what they are, each on a line', 'Mobile: 9841000001\nMobile: 9841000002\nPhone: 9841000003\n'],
  ['behind a title, on one line', 'Opt-outs: 9841000001, 9841000002, 9841000003'],
  ['behind what they are, on one line', 'Mobile: 9841000001, 9841000002, 9841000003'],
  ['in a remark', 'Name,Mobile,Remark\nSita,9841000001,also stop 9841000002\nRam,9841000003,\n'],
  ['behind a name in their own column', 'Who\nSita 9841000001\nRam - 9841000002\n9841000003 Hari\n'],
  ['above the header', 'Please block 9841000001 at once\nMobile,Name\n9841000002,Sita\n9841000003,Ram\n'],
  ['in divided digits', 'Name,Mobile,Remark\nSita,9841000001,also 98410 00002 and 984-100-0003\n'],
  ['in divided digits above the header', 'Stop 98410 00001\n9841 000 002,\nName,Mobile\nRam,9841000003\n'],
  ['in the name of a column', 'Name,Mobile,Also 9841000001\nSita,9841000002,\nRam,9841000003,\n'],
  ['with blanks between them', '9841000001 9841000002 9841000003'],
])('numbers %s are all stored', async (_, content) => {
  const { upload, numbers } = await storedOf(content)
  expect(numbers).toEqual(['9841000001', '9841000002', '9841000003'])
  expect(upload).toMatchObject({ accepted: 3, numbers: 3, invalid: 0 })
})

test('the answer says from which columns they are, and leaves out digits of other things', async () => {
  const { upload, numbers } = await storedOf(
    'Name,Mobile,Remark\nSita,9841000001,asked 9841000002\nRam,9841000003,receipt TXN9841000004\n',
  )
  expect(numbers).toEqual(['9841000001', '9841000002', '9841000003'])
  expect(upload).toMatchObject({
    rows: 2,
    fromColumns: [
      { column: 'mobile', numbers: 2 },
      { column: 'Remark', numbers: 1 },
    ],
  })
})

test('the answer says what it did not read: titles where a column was chosen, and other sheets of a workbook', async () => {
  const titled = 'Stop 9841000009 too\nName,Mobile\nSita,9841000001\n'
  const columns = JSON.stringify({ number: 1, header: true, headerLine: 2 })
  const chosen = await storedOf(titled, { columns })
  expect(chosen.numbers).toEqual(['9841000001'])
  expect(chosen.upload).toMatchObject({ moreNumbers: [{ column: '', rows: 1, place: 'above' }] })
  const file = await workbook([
    { name: 'Now', rows: [['Mobile'], [9841000001]] },
    { name: 'Before', state: 'hidden', rows: [['Mobile'], [9841000002], ['asked: 9841000003']] },
  ])
  const { numbers, upload } = await storedOf(file)
  expect(numbers).toEqual(['9841000001'])
  expect(upload).toMatchObject({ moreNumbers: [{ column: 'Before', rows: 2, place: 'hiddenSheet' }] })
})
