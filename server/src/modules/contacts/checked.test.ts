import type { contactRoutes, FileLook } from '@ghanti/contract/contacts.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { describe, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import { testApp } from '../../testing/app.ts'
import { workbook } from '../../testing/files/workbook.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newUser } from '../../testing/seed.ts'
import { blacklistHandlers } from '../blacklist/routes.ts'
import { previewBase } from './actions.ts'
import { contactHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { contacts: contactHandlers, blacklist: blacklistHandlers } })
const user = await newUser(app)

type Fields = Record<string, string | File>
type Refusal = { errors: FieldError[] }

async function post<Body>(url: string, fields: Fields): Promise<{ status: number; body: Body }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const body = new Response(form)
  const headers = { ...(await signedIn(app, user)), 'content-type': body.headers.get('content-type') ?? '' }
  const reply = await http.inject({ method: 'POST', url, headers, payload: Buffer.from(await body.arrayBuffer()) })
  return { status: reply.statusCode, body: reply.json<Body>() }
}

const csv = (...lines: string[]) => new File([lines.join('\n')], 'members.csv', { type: 'text/csv' })
async function checked(baseFile: File, more: Fields = {}) {
  const { body } = await post<FileLook>('/api/obd/base/look', { baseFile, check: 'yes', ...more })
  return body.checked
}
let serial = 0
const upload = (baseFile: File, more: Fields = {}) =>
  post<ReplyOf<typeof contactRoutes.baseUpload> & Refusal>('/api/obd/baseupload', {
    baseName: `Members ${++serial}`,
    baseFile,
    ...more,
  })
const typed = (...numbers: [line: number, number: string][]) => ({
  numbers: JSON.stringify(numbers.map(([line, number]) => ({ line, number }))),
})

const messy = csv(
  'Members of ward 8',
  '',
  'S.N.,नाम,मोबाइल नं.',
  '1,सीता,9841000001',
  '2,राम,98410',
  '3,गीता,984I000003',
  '4,हरि,9841000001',
)

describe('the check of a file', () => {
  test('says in which column the numbers are, how many are good, and why each other row is not', async () => {
    expect(await checked(messy)).toEqual({
      number: 2,
      rows: 4,
      good: 1,
      refused: [
        { line: 5, text: '98410,2,राम', number: '98410', reason: 'the number is too short' },
        { line: 6, text: '984I000003,3,गीता', number: '984I000003', reason: 'the number has letters' },
        { line: 7, text: '9841000001,4,हरि', number: null, reason: 'the same number as in line 4' },
      ],
    })
  })

  test('is made only where it is asked for', async () => {
    const { body } = await post<FileLook>('/api/obd/base/look', { baseFile: messy })
    expect([body.headerLine, body.number, body.checked]).toEqual([3, 2, null])
  })

  test('follows the columns and the numbers that a person chose', async () => {
    const columns = JSON.stringify({ number: 0, header: true, headerLine: 3, names: [] })
    expect(await checked(messy, { columns })).toMatchObject({ number: 0, rows: 4, good: 0 })
    expect(await checked(messy, typed([5, '9841000002'], [6, '9841000003']))).toMatchObject({ rows: 4, good: 3 })
  })

  test('is what storing the file then gives, the typed numbers in their rows, and rows that add up', async () => {
    const numbers = typed([5, '9841000002'], [7, '9841000007'])
    const expected = await checked(messy, numbers)
    const { status, body } = await upload(messy, numbers)
    expect([status, body.rows, body.dialable]).toEqual([200, expected?.rows, expected?.good])
    const preview = await previewBase({ app, viewer: user }, body.baseId, 0)
    expect(preview.rows).toBe(preview.accepted + preview.blacklisted + preview.invalid + preview.duplicate)
    expect(preview.first.map(({ line, mobile, values }) => [line, mobile, values['नाम']])).toEqual([
      [4, '9841000001', 'सीता'],
      [5, '9841000002', 'राम'],
      [7, '9841000007', 'हरि'],
    ])
    expect(preview.refused.map(({ line }) => line)).toEqual([6])
  })
})

describe('a number that is typed anew', () => {
  test('stands in a file that every reader finds as it is, and in one without a header', async () => {
    for (const file of [csv('mobile,name', '1414,Sita', '9841000002,Ram'), csv('9841000002,Ram', '1414,Sita')]) {
      const line = (await checked(file))?.refused[0]?.line ?? 0
      const { body } = await upload(file, typed([line, '98410-00009']))
      expect([body.rows, body.dialable]).toEqual([2, 2])
    }
  })

  test('belongs to its row of a sheet although a cell above it has several lines', async () => {
    const sheet = {
      name: 'Dues',
      rows: [
        ['Who', 'Mobile'],
        ['Sita\nSharma', 9841000001],
        ['Ram', 1414],
        ['Gita', 9841000003],
      ],
    }
    const file = new File([await workbook([sheet])], 'dues.xlsx')
    const line = (await checked(file))?.refused[0]?.line ?? 0
    const { body } = await upload(file, typed([line, '9841000002']))
    const { first } = await previewBase({ app, viewer: user }, body.baseId, 0)
    expect(first.map(({ mobile, values }) => [mobile, values['Who']])).toContainEqual(['9841000002', 'Ram'])
  })

  test('belongs to its record of a text whose cells have several lines', async () => {
    const file = csv('mobile,name', '9841000001,"Sita', 'Sharma"', '1414,Ram')
    expect((await checked(file))?.refused).toMatchObject([{ line: 4, number: '1414' }])
    const { body } = await upload(file, typed([4, '9841000002']))
    const { first } = await previewBase({ app, viewer: user }, body.baseId, 0)
    expect(first.map(({ line, mobile }) => [line, mobile])).toEqual([
      [2, '9841000001'],
      [4, '9841000002'],
    ])
  })

  test.each([
    { why: 'no number', numbers: typed([2, '98410']), field: 'numbers', code: 'not_callable' },
    { why: 'of no row', numbers: typed([9, '9841000002']), field: 'baseFile', code: 'no_row' },
    { why: 'of the header', numbers: typed([1, '9841000002']), field: 'baseFile', code: 'no_row' },
  ])('is refused when it is $why', async ({ numbers, field, code }) => {
    const { status, body } = await upload(csv('mobile,name', '1414,Sita', '9841000001,Ram'), numbers)
    expect([status, body.errors]).toMatchObject([400, [{ field, code }]])
  })

  test('counts in rows that are added, and in a blacklist', async () => {
    const { body } = await upload(csv('mobile', '9841000001'))
    const file = csv('mobile', '1414', '9841000003')
    const added = await post('/api/obd/base/add', {
      baseId: String(body.baseId),
      baseFile: file,
      ...typed([2, '9841000002']),
    })
    expect(added).toMatchObject({ status: 200, body: { added: 2, invalid: 0 } })
    const listed = await post('/api/obd/blistupload', { blistFile: file, ...typed([2, '9841000008']) })
    expect(listed).toMatchObject({ status: 200, body: { rows: 2, accepted: 2, invalid: 0 } })
  })
})
