import { readdir } from 'node:fs/promises'
import * as path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createReadStream } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newSuperAdmin, newUser } from '../../testing/seed.ts'
import { workbook } from '../../testing/files/workbook.ts'
import { blacklistHandlers } from '../blacklist/routes.ts'
import { previewBase } from './actions.ts'
import { contactHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { contacts: contactHandlers, blacklist: blacklistHandlers } })
const user = await newUser(app)
const top = await newSuperAdmin(app)

async function post(url: string, fields: Record<string, string | File>, viewer = user) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const body = new Response(form)
  const headers = { ...(await signedIn(app, viewer)), 'content-type': body.headers.get('content-type') ?? '' }
  const reply = await http.inject({ method: 'POST', url, headers, payload: Buffer.from(await body.arrayBuffer()) })
  return {
    status: reply.statusCode,
    body: reply.json<{ message: string; baseId: number; rows: number; dialable: number; errors?: FieldError[] }>(),
  }
}
const excel = (bytes: BlobPart) => new File([bytes], 'June.xlsx', { type: 'application/octet-stream' })
let serial = 0
const upload = (bytes: BlobPart, more: Record<string, string> = {}) =>
  post('/api/obd/baseupload', { baseName: `Excel ${++serial}`, baseFile: excel(bytes), ...more })
async function storedText(baseId: number): Promise<string> {
  const { file_hash: hash } = await app.db
    .selectFrom('base')
    .select('file_hash')
    .where('id', '=', baseId)
    .executeTakeFirstOrThrow()
  return (await buffer(createReadStream(await app.files.pathOf(hash)))).toString()
}
const june = {
  name: 'June',
  rows: [
    ['mobile', 'नाम'],
    [9841000001, 'सीता'],
    ['1414', 'Ram'],
    ['+977-9841000002', 'Gita'],
  ],
}
const july = {
  name: 'July',
  rows: [
    ['Who', 'Where'],
    ['Ram', 9841000003],
  ],
}
const two = {
  name: 'August',
  rows: [
    ['Mobile 1', 'Mobile 2', 'Who'],
    [9841000004, 9841000005, 'Ram'],
  ],
}

describe('an Excel file', () => {
  test('is stored as the text of its sheet, and its rows are refused by the numbers that Excel gives them', async () => {
    const { status, body } = await upload(await workbook([june]))
    expect([status, body]).toEqual([200, expect.objectContaining({ message: 'Success', rows: 3, dialable: 2 })])
    expect(await storedText(body.baseId)).toBe(
      '\ufeffmobile,नाम\r\n9841000001,सीता\r\n1414,Ram\r\n+977-9841000002,Gita\r\n',
    )
    const preview = await previewBase({ app, viewer: user }, body.baseId, 0)
    expect(preview.refused).toEqual([expect.objectContaining({ line: 3, text: '1414,Ram' })])
    expect(await readdir(path.join(app.config.dataFolder, 'uploads-as-text'))).toEqual([])
  })

  test('with rows in several sheets is asked about, and read from the one that was chosen', async () => {
    const bytes = await workbook([june, july])
    const asked = await upload(bytes)
    const text = "has rows in the sheets 'June', 'July': say which one"
    expect(asked).toMatchObject({ status: 400, body: { errors: [{ field: 'baseFile', code: 'which_sheet', text }] } })
    expect(await upload(bytes, { sheet: 'June' })).toMatchObject({ status: 200, body: { rows: 3 } })
  })

  test('whose cells and names do not say which column is the number is asked about if the console wishes, shown, and mapped by hand', async () => {
    const bytes = await workbook([two])
    const asked = await upload(bytes, { askColumns: 'yes' })
    expect(asked).toMatchObject({ status: 400, body: { errors: [{ field: 'baseFile', code: 'which_column' }] } })
    const look = await post('/api/obd/base/look', { baseFile: excel(bytes) })
    expect(look).toMatchObject({
      status: 200,
      body: {
        sheets: ['August'],
        sheet: 'August',
        header: true,
        number: null,
        close: ['Mobile 1', 'Mobile 2'],
        first: [
          { line: 1, cells: ['Mobile 1', 'Mobile 2', 'Who'] },
          { line: 2, cells: ['9841000004', '9841000005', 'Ram'] },
        ],
      },
    })
    const columns = JSON.stringify({ number: 1, header: true, names: ['', '', 'client_name'] })
    const { status, body } = await upload(bytes, { columns })
    expect([status, await storedText(body.baseId)]).toEqual([
      200,
      '\ufeffmobile,Mobile 1,client_name\r\n9841000005,9841000004,Ram\r\n',
    ])
  })

  test('without a number that can be called names the sheet', async () => {
    expect(
      await upload(
        await workbook([
          {
            name: 'July',
            rows: [
              ['Who', 'Where'],
              ['Ram', 'Pokhara'],
            ],
          },
        ]),
      ),
    ).toMatchObject({
      status: 400,
      body: {
        errors: [{ text: "has no number that can be called in its 1 row of the sheet 'July'", code: 'no_numbers' }],
      },
    })
  })

  test('is taken for a blacklist as well, the platform’s too', async () => {
    const blistFile = excel(await workbook([june]))
    for (const viewer of [user, top])
      expect(await post('/api/obd/blistupload', { blistFile }, viewer)).toMatchObject({
        status: 200,
        body: { rows: 3, accepted: 2, invalid: 1 },
      })
    expect(await post('/api/obd/blistupload', { blistFile: excel(await workbook([june, july])) })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'blistFile', code: 'which_sheet' }] },
    })
  })

  test.each([
    ['columns', '{"number":-1,"header":true}'],
    ['columns', '[1]'],
    ['columns', 'x'],
    ['columns', '{"number":0,"header":"perhaps"}'],
    ['sheet', 'x'.repeat(101)],
    ['askColumns', 'no'],
  ])('with %s %j is refused at that field', async (field, value) => {
    const { status, body } = await upload('9841000001\n', { [field]: value })
    expect([status, body.errors?.every((error) => error.field.startsWith(field))]).toEqual([400, true])
  })
})
