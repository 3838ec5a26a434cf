import { createReadStream, readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newUser } from '../../testing/seed.ts'
import { blacklistHandlers } from '../blacklist/routes.ts'
import { contactHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { contacts: contactHandlers, blacklist: blacklistHandlers } })
const user = await newUser(app)

const filed = (name: string) => readFileSync(new URL(`../../testing/files/${name}`, import.meta.url))

type Reply = { message: string; baseId: number; uploadId: number; errors?: FieldError[] } & Record<string, unknown>
async function post(url: string, fields: Record<string, string | File>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const body = new Response(form)
  const headers = { ...(await signedIn(app, user)), 'content-type': body.headers.get('content-type') ?? '' }
  const reply = await http.inject({ method: 'POST', url, headers, payload: Buffer.from(await body.arrayBuffer()) })
  return { status: reply.statusCode, body: reply.json<Reply>() }
}
let serial = 0
const upload = (content: BlobPart, more: Record<string, string> = {}) =>
  post('/api/obd/baseupload', { baseName: `Messy ${++serial}`, baseFile: new File([content], 'list.csv'), ...more })
const listed = (content: BlobPart, more: Record<string, string> = {}) =>
  post('/api/obd/blistupload', { blistFile: new File([content], 'list.csv'), ...more })

async function rowsOf(baseId: number) {
  const reply = await http.inject({ url: `/api/obd/base/${baseId}/detail`, headers: await signedIn(app, user) })
  const { preview } = reply.json<{
    preview: { first: { line: number; mobile: string; values: object }[]; refused: { line: number; reason: string }[] }
  }>()
  return preview
}
async function storedText(baseId: number): Promise<string> {
  const base = app.db.selectFrom('base').select('file_hash').where('id', '=', baseId)
  const { file_hash: hash } = await base.executeTakeFirstOrThrow()
  return (await buffer(createReadStream(await app.files.pathOf(hash)))).toString()
}

describe('the table of a file is found', () => {
  test.each([
    {
      why: 'below a title and an empty line',
      file: '05-title.csv',
      first: [
        { line: 4, mobile: '9841000032', values: { 'S.N.': '1', Name: 'Sita', Amount: '500' } },
        { line: 5, mobile: '9841000033', values: { 'S.N.': '2', Name: 'Ram', Amount: '600' } },
      ],
    },
    {
      why: 'below merged titles of an Excel file',
      file: '05-title.xlsx',
      first: [
        { line: 4, mobile: '9841000032', values: { 'S.N.': '1', Name: 'Sita', Amount: '500' } },
        { line: 5, mobile: '9841000033', values: { 'S.N.': '2', Name: 'Ram', Amount: '600' } },
      ],
    },
    {
      why: 'behind a line that names the separator',
      file: '04-sep.csv',
      first: [
        { line: 3, mobile: '9841000030', values: { name: 'Sita', amount: '500' } },
        { line: 4, mobile: '9841000031', values: { name: 'Ram', amount: '600' } },
      ],
    },
    {
      why: 'with its numbers, beside a column that is called Contact Name',
      file: '26-contact-name.csv',
      first: [
        { line: 2, mobile: '9841000061', values: { 'Contact Name': 'Sita', Amount: '500' } },
        { line: 3, mobile: '9841000062', values: { 'Contact Name': 'Ram', Amount: '600' } },
      ],
    },
    {
      why: 'between bars',
      file: null,
      text: 'Members|of 2083\nname|mobile|amount\nSita|9841000034|500\n',
      first: [{ line: 3, mobile: '9841000034', values: { name: 'Sita', amount: '500' } }],
    },
  ])('$why, by the console and by programs', async ({ file, text = '', first }) => {
    const content = file === null ? text : filed(file)
    for (const more of [{ askColumns: 'yes' }, {}] as const) {
      const { status, body } = await upload(content, more)
      expect([status, body]).toEqual([200, expect.objectContaining({ rows: first.length, dialable: first.length })])
      expect((await rowsOf(body.baseId)).first).toEqual(first)
    }
    expect(await listed(content)).toMatchObject({ status: 200, body: { rows: first.length, invalid: 0 } })
  })

  test('and a list of Google’s contacts has the values of its phones, not their labels', async () => {
    const { status, body } = await upload(filed('02-google.csv'), { askColumns: 'yes' })
    expect([status, body.rows]).toEqual([200, 2])
    expect((await rowsOf(body.baseId)).first[0]).toMatchObject({
      mobile: '9841000022',
      values: { 'First Name': 'Sita', 'Phone 2 - Value': '01-5970123' },
    })
  })

  test('and what every reader finds is stored as it is', async () => {
    const text = 'name;mobile\nSita;9841000035\n'
    const { body } = await upload(text, { askColumns: 'yes' })
    expect(await storedText(body.baseId)).toBe(text)
  })

  test('and where two columns are close, people are asked, programs get the first, and a blacklist asks nobody', async () => {
    const text = 'name,Mobile 1,Mobile 2\nSita,9841000036,9841000037\n'
    const asked = await upload(text, { askColumns: 'yes' })
    expect([asked.status, asked.body.errors]).toEqual([
      400,
      [
        {
          field: 'baseFile',
          code: 'which_column',
          text: "has numbers in the columns 'Mobile 1', 'Mobile 2': say which one to use",
        },
      ],
    ])
    const look = await post('/api/obd/base/look', { baseFile: new File([text], 'list.csv') })
    expect(look.body).toMatchObject({ header: true, number: null, close: ['Mobile 1', 'Mobile 2'] })
    expect(await upload(text)).toMatchObject({ status: 200, body: { rows: 1, dialable: 1 } })
    expect(await listed(text, { askColumns: 'yes' })).toMatchObject({ status: 200 })
  })
})
