import { readFile } from 'node:fs/promises'
import * as path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newUser } from '../../testing/seed.ts'
import { blacklistHandlers } from '../blacklist/routes.ts'
import { previewBase } from './actions.ts'
import { rowOfBase } from './actions-row.ts'
import { contactHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { contacts: contactHandlers, blacklist: blacklistHandlers } })
const user = await newUser(app)

type Refused = { line: number; text: string; reason: string }
type Body = {
  baseId: number
  rows: number
  refused: Refused[]
  errors: FieldError[]
  file: { rows: number; refused: Refused[] }
}

async function post(url: string, fields: Record<string, string | File>): Promise<{ status: number; body: Body }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const body = new Response(form)
  const headers = { ...(await signedIn(app, user)), 'content-type': body.headers.get('content-type') ?? '' }
  const reply = await http.inject({ method: 'POST', url, headers, payload: Buffer.from(await body.arrayBuffer()) })
  return { status: reply.statusCode, body: reply.json<Body>() }
}
const csv = (lines: readonly string[]) => new File([lines.join('\n')], 'members.csv', { type: 'text/csv' })
let serial = 0
const upload = (lines: readonly string[], more: Record<string, string> = {}) =>
  post('/api/obd/baseupload', { baseName: `Members ${++serial}`, baseFile: csv(lines), ...more })
const chosen = (columns: object) => ({ columns: JSON.stringify(columns) })

describe('lines of a file whose columns were chosen', () => {
  const lines = ['Sita,9841000001', 'Ram,9841000002', 'Gita,1414', 'Hari,9841000003']
  const second = chosen({ number: 1, header: false, names: ['Name'] })

  test('are those of the file, although a header is put above the first', async () => {
    const { body } = await upload(lines, second)
    const preview = await previewBase({ app, viewer: user }, body.baseId, 0)
    expect(preview.columns).toEqual(['mobile', 'Name'])
    expect(preview.first.map(({ line }) => line)).toEqual([1, 2, 4])
    expect(preview.refused).toEqual([expect.objectContaining({ line: 3, text: '1414,Gita' })])
    const { row, previous, next } = await rowOfBase(
      { app, viewer: user },
      { baseId: body.baseId, templateId: 0, line: 4 },
    )
    expect([row.line, previous, next]).toEqual([4, 3, null])
    const list = await http.inject({
      url: `/api/obd/base/${body.baseId}/refused.csv`,
      headers: await signedIn(app, user),
    })
    expect(list.payload).toContain('\r\n3,"1414,Gita",')
  })

  test('stay when rows are added, and those of the added file are its own', async () => {
    const { body } = await upload(lines, second)
    const added = await post('/api/obd/base/add', {
      baseId: String(body.baseId),
      baseFile: csv(['Maya,9841000004', 'Lila,1414']),
      ...second,
    })
    expect(added.body.refused).toEqual([expect.objectContaining({ line: 2 })])
    const preview = await previewBase({ app, viewer: user }, body.baseId, 0)
    expect(preview.first.map(({ line }) => line)).toEqual([1, 2, 4, 5])
  })

  test('are those of the file when the header stands below titles', async () => {
    const titled = ['Our members', '', 'S.N.,Name,Mobile', '1,Sita,9841000001', '2,Ram,1414']
    const { body } = await upload(titled, chosen({ number: 2, header: true, headerLine: 3, names: [] }))
    const preview = await previewBase({ app, viewer: user }, body.baseId, 0)
    expect([preview.columns, preview.rows]).toEqual([['mobile', 'S.N.', 'Name'], 2])
    expect([preview.first, preview.refused]).toMatchObject([[{ line: 4 }], [{ line: 5 }]])
  })

  test('are those of the file in a blacklist', async () => {
    const { body } = await post('/api/obd/blistupload', { blistFile: csv(lines), ...second })
    expect(body.refused).toEqual([expect.objectContaining({ line: 3 })])
  })
})

describe('a refusal', () => {
  const addresses = ['Name,Mobile', ...Array.from({ length: 12 }, (_, at) => `Sita ${at},1414`)]

  test('of a file in which nothing can be called says how many rows it has, and the first ten with reasons', async () => {
    const { status, body } = await upload(addresses)
    expect([status, body.errors]).toMatchObject([400, [{ field: 'baseFile', code: 'no_numbers' }]])
    expect(body.file).toMatchObject({ rows: 12, dialable: 0 })
    expect(body.file.refused).toHaveLength(10)
    expect(body.file.refused[0]).toEqual({
      line: 2,
      text: 'Sita 0,1414',
      reason: expect.stringMatching(/^the number /),
    })
  })

  const fifth = (bad: number) => [
    'Name,Mobile',
    ...Array.from({ length: 10 }, (_, at) => `Sita,${at < bad ? '1414' : `984100010${at}`}`),
  ]

  test('asks about a file of which more than a fifth of the rows cannot be called, if the console wishes', async () => {
    expect(await upload(fifth(2), { askColumns: 'yes' })).toMatchObject({ status: 200 })
    expect(await upload(fifth(3))).toMatchObject({ status: 200 })
    const { status, body } = await upload(fifth(3), { askColumns: 'yes' })
    const text = 'has 3 rows that cannot be called, of 10'
    expect([status, body.errors]).toEqual([400, [{ field: 'baseFile', code: 'many_refused', text }]])
    expect(body.file).toMatchObject({ rows: 10, dialable: 7 })
    expect(body.file.refused.map(({ line }) => line)).toEqual([2, 3, 4])
  })

  test('names the lines of the file although its columns were chosen', async () => {
    const columns = chosen({ number: 0, header: false, names: ['', 'who'] })
    const { body } = await upload(['1414,Sita', '9841000001,Ram'], { askColumns: 'yes', ...columns })
    expect([body.errors[0]?.code, body.file.refused.map(({ line }) => line)]).toEqual(['many_refused', [1]])
  })

  test('of added rows says the same, and nothing is added', async () => {
    const { body } = await upload(['Name,Mobile', 'Maya,9841000100'])
    const added = { baseId: String(body.baseId), baseFile: csv(fifth(3)) }
    const asked = await post('/api/obd/base/add', { ...added, askColumns: 'yes' })
    expect([asked.status, asked.body.errors[0]?.code]).toEqual([400, 'many_refused'])
    expect(asked.body.file).toMatchObject({ rows: 10, dialable: 7 })
    expect(asked.body.file.refused.map(({ line }) => line)).toEqual([2, 3, 4])
    expect(await post('/api/obd/base/add', added)).toMatchObject({ status: 200, body: { rows: 8, added: 7 } })
  })

  test('of a blacklist says the same, and no number is stored', async () => {
    const none = await post('/api/obd/blistupload', { blistFile: csv(addresses) })
    expect(none).toMatchObject({ status: 400, body: { errors: [{ code: 'no_numbers' }], file: { rows: 12 } } })
    expect(none.body.file.refused).toHaveLength(10)
    const asked = await post('/api/obd/blistupload', { blistFile: csv(fifth(3)), askColumns: 'yes' })
    expect(asked).toMatchObject({ status: 400, body: { errors: [{ code: 'many_refused' }], file: { dialable: 7 } } })
    expect(await post('/api/obd/blistupload', { blistFile: csv(fifth(3)) })).toMatchObject({
      status: 200,
      body: { rows: 10, accepted: 7 },
    })
  })

  test('is the same when the request is repeated under its key', async () => {
    const form = new FormData()
    form.set('contactList', '1414\n1415')
    const body = new Response(form)
    const payload = Buffer.from(await body.arrayBuffer())
    const headers = {
      ...(await signedIn(app, user)),
      'content-type': body.headers.get('content-type') ?? '',
      'idempotency-key': 'again',
    }
    const send = () => http.inject({ method: 'POST', url: '/api/obd/contactlist', headers, payload })
    const [first, again] = [await send(), await send()]
    expect([first.statusCode, first.json()]).toMatchObject([400, { file: { rows: 2, refused: [{ line: 1 }, {}] } }])
    expect(again.json()).toEqual(first.json())
  })
})

describe('a template’s columns', () => {
  const insurance = 6
  const headers = path.join(import.meta.dirname, '../../testing/files/63-headers.csv')
  const say = (baseId: number, columns: object) =>
    http.inject({
      method: 'POST',
      url: '/api/obd/base/columns',
      headers: { ...headersOf, 'content-type': 'application/json' },
      payload: { baseId, columns },
    })
  let headersOf: Record<string, string>
  beforeAll(async () => void (headersOf = await signedIn(app, user)))

  test('are those that the owner names, and the file stays as it is', async () => {
    const { body } = await upload((await readFile(headers, 'utf8')).trim().split('\n'))
    const preview = () => previewBase({ app, viewer: user }, body.baseId, insurance)
    await expect(preview()).rejects.toMatchObject({ errors: [{ code: 'columns_missing' }] })
    const columns = { amount: 'Premium Amount', date: 'Due Date' }
    expect((await say(body.baseId, columns)).statusCode).toBe(200)
    expect(await preview()).toMatchObject({
      accepted: 1,
      spokenFrom: columns,
      columns: ['mobile', 'Policy Holder', 'Premium Amount', 'Due Date'],
    })
    const row = await rowOfBase({ app, viewer: user }, { baseId: body.baseId, templateId: insurance, line: 2 })
    expect(row.row).toMatchObject({ spoken: ['500', '2026-12-01'] })
    await say(body.baseId, { amount: 'Policy Holder' })
    expect(await preview()).toMatchObject({ invalid: 1, spokenFrom: { amount: 'Policy Holder', date: 'Due Date' } })
  })

  test.each([
    ['a column that the file does not have', { amount: 'Premium' }],
    ['the number', { amount: 'mobile' }],
    ['a column of no template', { colour: 'Name' }],
    ['something that is no name', { amount: 5 }],
  ])('are not read from %s', async (_, columns) => {
    const { body } = await upload(['Name,Mobile', 'Maya,9841000100'])
    const { statusCode, json } = await say(body.baseId, columns)
    expect([statusCode, json().errors[0].field]).toEqual([400, expect.stringMatching(/^columns/)])
  })

  test('are named by the file’s owner alone', async () => {
    const { body } = await upload(['Name,Mobile', 'Maya,9841000100'])
    headersOf = await signedIn(app, await newUser(app))
    expect((await say(body.baseId, { client_name: 'Name' })).statusCode).toBe(404)
    headersOf = await signedIn(app, user)
  })
})
