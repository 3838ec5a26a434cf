import { readFile } from 'node:fs/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { workbook } from '../../testing/files/workbook.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import { contactHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { contacts: contactHandlers } })
const reseller = await newReseller(app)
let user: Viewer
beforeEach(async () => {
  user = await newUser(app, { parent: reseller })
})

async function post(url: string, fields: Record<string, string | File>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const body = new Response(form)
  const headers = { ...(await signedIn(app, user)), 'content-type': body.headers.get('content-type') ?? '' }
  const reply = await http.inject({ method: 'POST', url, headers, payload: Buffer.from(await body.arrayBuffer()) })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}
let serial = 0
const upload = (content: BlobPart, more: Record<string, string> = {}) =>
  post('/api/obd/baseupload', { baseName: `File ${++serial}`, baseFile: new File([content], 'contacts.csv'), ...more })
const paste = (lines: readonly string[]) => post('/api/obd/contactlist', { contactList: lines.join('\n') })
async function get(url: string) {
  const reply = await http.inject({ url, headers: await signedIn(app, user) })
  expect(reply.statusCode).toBe(200)
  return reply.json()
}
const caseOf = (name: string) => readFile(new URL(`../../testing/files/${name}`, import.meta.url), 'utf8')
/** The numbers that a campaign would call, at most ten. */
async function calledOf({ baseId }: { baseId: number }): Promise<string[]> {
  const { first } = await previewOf(baseId)
  return first.map(({ mobile }: { mobile: string }) => mobile)
}

/** Pasted numbers have no page. */
async function previewOf(baseId: number) {
  await app.db
    .updateTable('base')
    .set({ pasted: false, name: `Shown ${++serial}` })
    .where('id', '=', baseId)
    .execute()
  return (await get(`/api/obd/base/${baseId}/detail`)).preview
}

describe('numbers that will not be called', () => {
  test('are counted by column in the answer, in the list of files and on the file’s page', async () => {
    const lines = [
      'Name,Mobile,Phone 2,Account,Landline,Paid',
      'Sita,9841000001,9801000001,012345678,015970001,2026-11-25 10:00:00',
      'Ram,9841000002,+977 980-1000002,012345679,01-5970002,',
      'Gita,9841000003,9841000003,,,',
      'Hari,none,९८०१०००००३,,,',
      'Bina,9841000004,none,,,9841000005678',
    ]
    const moreNumbers = [
      { column: 'Phone 2', rows: 3 },
      { column: 'Landline', rows: 2 },
    ]
    const body = await upload(lines.join('\n'))
    expect(body).toMatchObject({ rows: 5, dialable: 4, moreNumbers })
    expect(await get(`/api/obd/base/${user.userId}`)).toMatchObject([{ moreNumbers }])
    const detail = await get(`/api/obd/base/${body.baseId}/detail`)
    expect(detail).toMatchObject({ moreNumbers, preview: { rows: 5, accepted: 4, invalid: 1, moreNumbers } })
  })

  test('are counted where a person chose the column, and in a workbook', async () => {
    const rows = [
      ['Name', 'Home', 'Mobile'],
      ['Sita', '9801000001', 9841000001],
      ['Ram', '', '9841000002\n9801000002'],
    ]
    const file = await workbook([{ name: 'June', rows }])
    const expected = [
      { column: 'mobile', rows: 1 },
      { column: 'Home', rows: 1 },
    ]
    const chosen = await upload(file, { columns: JSON.stringify({ number: 2, header: true }) })
    expect(chosen).toMatchObject({ rows: 2, dialable: 2, moreNumbers: expected })
    expect(await calledOf(chosen)).toEqual(['9841000001', '9841000002'])
    expect((await upload(file)).moreNumbers.map(({ rows }: { rows: number }) => rows)).toEqual([1, 1])
  })

  test('are counted again when rows are added', async () => {
    const { baseId } = await upload('mobile,other\n9841000001,9801000001\n')
    const added = (text: string) =>
      post('/api/obd/base/add', { baseId: String(baseId), baseFile: new File([text], 'a') })
    const twice = [{ column: 'other', rows: 2 }]
    expect(await added('mobile,other\n9841000002,9801000002\n')).toMatchObject({ added: 1, moreNumbers: twice })
    expect(await added('mobile,other\n9841000002,9801000002\n')).toMatchObject({ added: 0, moreNumbers: twice })
    expect(await get(`/api/obd/base/${baseId}/detail`)).toMatchObject({ moreNumbers: twice })
  })

  test('are counted on the page of a file that was stored before they were', async () => {
    const { baseId } = await upload('mobile,other\n9841000001,9801000001\n')
    await app.db.updateTable('base').set({ more_numbers: null }).where('id', '=', baseId).execute()
    const detail = await get(`/api/obd/base/${baseId}/detail`)
    expect(detail).toMatchObject({ moreNumbers: null, preview: { moreNumbers: [{ column: 'other', rows: 1 }] } })
  })
})

describe('numbers outside the rows of a table', () => {
  const above = (rows: number) => ({ column: '', rows, place: 'above' })
  const titled = [
    'Branch office 9841000001',
    'Tel: 01-5970123',
    'Day 2026-11-25',
    'Name,Mobile',
    'Sita,9841000002',
    'Ram,9841000003',
    '',
  ].join('\n')

  test('in titles above the header are counted in the answer, in the list, on the page and in previews', async () => {
    const body = await upload(titled)
    expect(body).toMatchObject({ rows: 2, dialable: 2, moreNumbers: [above(2)] })
    expect(await calledOf(body)).toEqual(['9841000002', '9841000003'])
    expect(await get(`/api/obd/base/${user.userId}`)).toMatchObject([{ moreNumbers: [above(2)] }])
    const detail = await get(`/api/obd/base/${body.baseId}/detail`)
    expect(detail).toMatchObject({ moreNumbers: [above(2)], preview: { moreNumbers: [above(2)] } })
  })

  test.each([
    ['in divided digits', 'Call Ram on 98510 12345 or 980-123-4567,\nName,Mobile\nSita,9841000002\n'],
    ['in a cell of their own', 'Branch office,,9841000001\nName,Mobile,Paid\nSita,9841000002,yes\nRam,9841000003,no\n'],
  ])('in a title %s are counted', async (_, text) => {
    expect((await upload(text)).moreNumbers).toEqual([above(1)])
  })

  test('where a person chose the line of the header are counted', async () => {
    const lines = ['Sita,9841000001', 'Ram,9841000002', 'Name,Mobile', 'Gita,9841000003', '']
    const columns = JSON.stringify({ number: 1, header: true, headerLine: 3 })
    expect(await upload(lines.join('\n'), { columns })).toMatchObject({ rows: 1, moreNumbers: [above(2)] })
  })

  test('stay counted when rows are added, with those of the rows’ own file', async () => {
    const { baseId } = await upload(titled)
    const added = (text: string) =>
      post('/api/obd/base/add', { baseId: String(baseId), baseFile: new File([text], 'a.csv') })
    const more = 'Office 9841000009\nName,Mobile\nHari,9841000004\n'
    expect(await added(more)).toMatchObject({ added: 1, moreNumbers: [above(3)] })
    expect(await get(`/api/obd/base/${baseId}/detail`)).toMatchObject({
      moreNumbers: [above(3)],
      preview: { moreNumbers: [above(3)] },
    })
  })

  test('in the name of a column are counted, and the row names the columns all the same', async () => {
    const text = 'Name,Mobile,Remark (send to 9841000009)\nSita,9841000001,\nRam,9841000002,late\n'
    const moreNumbers = [{ column: 'Remark (send to 9841000009)', rows: 1 }]
    const body = await upload(text)
    expect(body).toMatchObject({ rows: 2, dialable: 2, moreNumbers })
    const { preview } = await get(`/api/obd/base/${body.baseId}/detail`)
    expect(preview).toMatchObject({ columns: ['mobile', 'Name', 'Remark (send to 9841000009)'], moreNumbers })
  })

  test('in a line behind all rows are a row that is refused', async () => {
    const body = await upload('Name,Mobile,Note\nSita,9841000001,\nTotal 1,,questions: 9841000009\n')
    expect(body).toMatchObject({ rows: 2, dialable: 1, moreNumbers: [{ column: 'Note', rows: 1 }] })
  })

  test('in other sheets of a workbook are said with their sheets, hidden ones too', async () => {
    const file = await workbook([
      { name: 'June', rows: [['Office 9841000009'], ['Name', 'Mobile'], ['Sita', 9841000001]] },
      {
        name: 'July',
        rows: [
          ['Name', 'Mobile'],
          ['Ram', 9841000002],
          ['Hari', '98410 00003'],
        ],
      },
      {
        name: 'Prices',
        rows: [
          ['Plan', 'Rs'],
          ['A', 500],
        ],
      },
      { name: 'Old', state: 'hidden', rows: [['Gita', 9841000004]] },
    ])
    expect(await upload(file, { sheet: 'June' })).toMatchObject({
      rows: 1,
      moreNumbers: [
        above(1),
        { column: 'July', rows: 2, place: 'sheet' },
        { column: 'Old', rows: 1, place: 'hiddenSheet' },
      ],
    })
  })
})

describe('two numbers in a cell', () => {
  test.each([
    '9841000001/9801000001',
    '9841000001 ::: 9801000001',
    '"9841000001,9801000001"',
    '"9841000001\n9801000001"',
  ])('%j: the first that can be called is taken, the other counted', async (cell) => {
    const body = await upload(`mobile,name\n98410000/${'9841000009'},Ram\n${cell},Sita\n`)
    expect(body).toMatchObject({ rows: 2, dialable: 2, moreNumbers: [{ column: 'mobile', rows: 1 }] })
    expect(await calledOf(body)).toEqual(['9841000009', '9841000001'])
  })

  test('in an export of contacts', async () => {
    const body = await upload(await caseOf('02-google.csv'), { columns: JSON.stringify({ number: 3, header: true }) })
    expect(body).toMatchObject({
      rows: 2,
      dialable: 2,
      moreNumbers: [
        { column: 'mobile', rows: 1 },
        { column: 'Phone 2 - Value', rows: 1 },
      ],
    })
    expect(await calledOf(body)).toEqual(['9841000022', '9841000023'])
  })

  test('in the first row of a file without names', async () => {
    const body = await upload('9841000001/9801000001,Sita\n9841000002,Ram\n')
    expect(body).toMatchObject({ rows: 2, dialable: 2, moreNumbers: [{ column: 'mobile', rows: 1 }] })
  })

  test('of which none can be called are refused as several, never as too long', async () => {
    const { baseId } = await upload(
      'mobile\n9841000001\n98410000 / 98010000\n"98410000\n98010000"\n98410000019801000001\n',
    )
    const preview = await previewOf(baseId)
    expect(preview).toMatchObject({ rows: 4, accepted: 1, invalid: 3 })
    for (const { reason } of preview.refused)
      expect(reason).toBe('the number holds several numbers: write each in a row of its own')
  })
})

describe('a list', () => {
  test.each(['24-one-line.txt', '24-one-line-many.txt'])('on one line, %s, is a row for each number', async (name) => {
    const written = await caseOf(name)
    const count = written.trim().split(',').length
    for (const text of [
      written,
      written.replaceAll(',', ';'),
      written.replaceAll(',', '\t'),
      written.replaceAll(',', ', '),
    ])
      expect(await upload(text)).toMatchObject({ rows: count, dialable: count, moreNumbers: [] })
  })

  test('in which commas group the digits of a number has it', async () => {
    const quoted = await upload('mobile,name\n"9,841,000,071",Sita\n"9,84,10,00,072",Ram\n')
    expect(await calledOf(quoted)).toEqual(['9841000071', '9841000072'])
    const semicolons = await upload('mobile;name\n9,841,000,071;Sita\n')
    expect(await calledOf(semicolons)).toEqual(['9841000071'])
    const pasted = await paste(['9,841,000,071', '"9,841,000,072"', '1. 9,841,000,073', 'Sita - 9,841,000,074'])
    expect(pasted).toMatchObject({ rows: 4, dialable: 4 })
    expect(await calledOf(pasted)).toEqual(['9841000071', '9841000072', '9841000073', '9841000074'])
    const several = await paste(['9,841,000,071;9,841,000,072', '9841000073,9841000074,'])
    expect(await calledOf(several)).toEqual(['9841000071', '9841000072', '9841000073', '9841000074'])
  })

  test('of names and numbers that was pasted has a row for each number', async () => {
    const lines = [
      '1. 9841000001',
      'Sita - 9841000002',
      'Ram 9841000003',
      '4) Gita: 9841000004 / 9801000004',
      '9841000005',
    ]
    const body = await paste(lines)
    expect(body).toMatchObject({ rows: 5, dialable: 5, moreNumbers: [{ column: 'mobile', rows: 1 }] })
    expect(await calledOf(body)).toEqual([1, 2, 3, 4, 5].map((n) => `984100000${n}`))
    for (const between of [';', '\n']) {
      const long = Array.from({ length: 20_000 }, (_, n) => `9,8${40 + Math.floor(n / 1000)},${100 + (n % 900)},071`)
      expect(await post('/api/obd/contactlist', { contactList: long.join(between) })).toMatchObject({
        rows: 20_000,
        dialable: 20_000,
      })
    }
  })

  test('with names, amounts and places beside the numbers of a pasted line has a row for each number, and one for a line without', async () => {
    const body = await paste([
      'Ram, 9841000001',
      'Sita Sharma;9841000002;Ward 5;1,200',
      '"Hari","9841000003"',
      '4\tGita\t9841000004',
      '9841000005, Maya, 9841000006, Rita',
      'Bina, 98410000',
      'Members of 2083, Pokhara',
      'Mina, 98410, 00008',
      '9841000007, 98410',
    ])
    expect(await calledOf(body)).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => `984100000${n}`))
    expect(body).toMatchObject({ rows: 11, dialable: 7 })
    const { refused } = await previewOf(body.baseId)
    expect(refused.map(({ text, reason }: { text: string; reason: string }) => `${text}: ${reason}`)).toEqual([
      ' 98410000: the number lacks a digit, or the 0 in front of a landline',
      'Members of 2083 / Pokhara: the number has letters',
      'Mina / 98410 / 00008: the number has letters',
      ' 98410: the number is too short',
    ])
  })

  test('that spreadsheets and programs wrote has its numbers', async () => {
    expect(await calledOf(await upload(await caseOf('57-apostrophe.csv')))).toEqual(['9841000069', '9841000070'])
    expect(await calledOf(await upload(await caseOf('01-float.csv')))).toEqual(['9841000020', '9841000021'])
  })
})
