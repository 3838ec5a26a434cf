import { createReadStream, readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { workbook } from '../../testing/files/workbook.ts'
import { zipOf } from '../../testing/files/zip.ts'
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
  const { first, refused } = preview
  return { first: first.map(({ line, mobile, values }) => ({ line, mobile, values })), refused }
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
    const { status, body } = await upload(filed('02-google.csv'))
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

describe('a spreadsheet of another program is refused by its name', () => {
  test.each([
    {
      name: 'a binary workbook',
      parts: ['[Content_Types].xml', 'xl/workbook.bin'],
      why: /\.xlsb\): save it in Excel as/,
    },
    { name: 'an OpenDocument', parts: ['META-INF/manifest.xml', 'content.xml'], why: /\.ods\): save it as/ },
    {
      name: 'one of Numbers',
      parts: ['Data/preview.jpg', 'Index/Document.iwa'],
      why: /\.numbers\): choose File, Export To/,
    },
    { name: 'a zip of a list', parts: ['contacts.csv'], why: /is a zip file: unpack it/ },
  ])('$name', async ({ parts, why }) => {
    const content = await zipOf(Object.fromEntries(parts.map((part) => [part, 'x'])))
    for (const { status, body } of [await upload(content), await listed(content)])
      expect([status, body.errors]).toEqual([
        415,
        [expect.objectContaining({ code: 'not_supported', text: expect.stringMatching(why) })],
      ])
  })
})

describe('a formula without a result', () => {
  const reason = 'the number is a formula without a result: open the file in Excel, save it there and upload it again'

  test.each(['12-formulas.xlsx', '12-formulas-alone.xlsx'])('is a refused row of its own in %s', async (file) => {
    const { status, body } = await upload(filed(file))
    expect([status, body]).toEqual([200, expect.objectContaining({ rows: 3, dialable: 1 })])
    const { first, refused } = await rowsOf(body.baseId)
    expect(first.map(({ line, mobile }) => [line, mobile])).toEqual([[4, '9841000087']])
    expect(refused.map((row) => [row.line, row.reason])).toEqual([
      [2, reason],
      [3, reason],
    ])
    const blacklisted = await listed(filed(file))
    expect(blacklisted.body).toMatchObject({
      rows: 3,
      invalid: 2,
      refused: [
        { line: 2, reason },
        { line: 3, reason },
      ],
    })
  })

  test('is not said or sent where it stands in another column, but an empty text is no loss there', async () => {
    const rows = [
      '<row r="1"><c t="str"><v>mobile</v></c><c t="str"><v>due</v></c></row>',
      '<row r="2"><c><v>9841000088</v></c><c><f>1+1</f></c></row>',
      '<row r="3"><c><v>9841000089</v></c><c t="str"><f>IF(1,"","x")</f><v></v></c></row>',
    ]
    const { body } = await upload(await workbook([{ name: 'June', rows: rows.join('') }]))
    expect(body).toMatchObject({ rows: 2, dialable: 2 })
    const { first, refused } = await rowsOf(body.baseId)
    expect(first).toEqual([{ line: 3, mobile: '9841000089', values: {} }])
    expect(refused.map((row) => [row.line, row.reason])).toEqual([[2, reason.replace('the number', 'due')]])
  })
})

describe('rows that are hidden in a sheet', () => {
  const file = '11-hidden-rows.xlsx'

  test('are left out of contacts, and taken where that is asked for', async () => {
    for (const more of [{}, { hiddenRows: 'leave' }, { hiddenRows: 'leave', askColumns: 'yes' }] as const)
      expect(await upload(filed(file), more)).toMatchObject({
        status: 200,
        body: { rows: 2, dialable: 2, hiddenLeft: 1, hiddenTaken: 0 },
      })
    const { body } = await upload(filed(file), { hiddenRows: 'take', askColumns: 'yes' })
    expect(body).toMatchObject({ rows: 3, dialable: 3, hiddenLeft: 0, hiddenTaken: 1 })
    expect((await rowsOf(body.baseId)).first.map(({ line }) => line)).toEqual([2, 3, 4])
  })

  test('are asked about by the console, and counted in the look at a file', async () => {
    const { status, body } = await upload(filed(file), { askColumns: 'yes' })
    const text = 'has 1 row that is hidden in the sheet: say whether to take them'
    expect([status, body.errors]).toEqual([400, [{ field: 'baseFile', code: 'hidden_rows', text }]])
    const look = await post('/api/obd/base/look', { baseFile: new File([filed(file)], 'list.xlsx') })
    expect(look.body).toMatchObject({ number: 0, hiddenRows: 1, first: [{ line: 1 }, { line: 2 }, { line: 4 }] })
  })

  test('are added to a file only where that is asked for', async () => {
    const { body } = await upload('mobile\n9841000099\n')
    const add = (more: Record<string, string>) =>
      post('/api/obd/base/add', {
        baseId: String(body.baseId),
        baseFile: new File([filed(file)], 'list.xlsx'),
        ...more,
      })
    expect((await add({})).body).toMatchObject({ added: 2, hiddenLeft: 1, hiddenTaken: 0 })
    expect((await add({ hiddenRows: 'take' })).body).toMatchObject({ added: 1, hiddenLeft: 0, hiddenTaken: 1 })
  })

  test('always go to a blacklist, and its answer counts them', async () => {
    for (const more of [{}, { hiddenRows: 'leave' }, { askColumns: 'yes' }] as const)
      expect(await listed(filed(file), more)).toMatchObject({
        status: 200,
        body: { rows: 3, invalid: 0, hiddenLeft: 0, hiddenTaken: 1 },
      })
  })

  test('are taken or left, and nothing else', async () => {
    const { status, body } = await upload(filed(file), { hiddenRows: 'perhaps' })
    expect([status, body.errors?.map(({ field }) => field)]).toEqual([400, ['hiddenRows']])
  })
})

describe('vCards', () => {
  test('are rows with their first mobile, their name and their further numbers, at the lines in which they begin', async () => {
    const { status, body } = await upload(filed('55-two-cards.vcf'), { askColumns: 'yes' })
    expect([status, body]).toEqual([200, expect.objectContaining({ rows: 2, dialable: 2 })])
    expect((await rowsOf(body.baseId)).first).toEqual([
      { line: 1, mobile: '9841000065', values: { name: 'Sita Sharma' } },
      { line: 7, mobile: '9841000066', values: { name: 'Ram Thapa' } },
    ])
    expect(await listed(filed('55-two-cards.vcf'))).toMatchObject({ status: 200, body: { rows: 2, accepted: 2 } })
  })

  test('are read as telephones and programs write them', async () => {
    const cards = [
      'BEGIN:VCARD',
      'VERSION:2.1',
      'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:;=E0=A4=B8=E0=A5=80=E0=A4=A4=',
      '=E0=A4=BE;;;',
      'TEL;HOME:01-5970123',
      'TEL;CELL;PREF:984-100-0067',
      `PHOTO;ENCODING=BASE64;JPEG:${'A'.repeat(50_000)}`,
      ` ${'A'.repeat(50_000)}`,
      '',
      'END:VCARD',
      'begin:vcard',
      'FN:Ram\\, Hari',
      'item1.TEL;VALUE=uri;TYPE="cell,voice":tel:+977-9841000068;ext=1',
      'item1.X-ABLabel:Mobile',
      'TEL:9841000',
      ' 069',
      'TEL:+977 9841000068',
      'end:vcard',
      'BEGIN:VCARD',
      'FN:Nobody',
      'END:VCARD',
    ]
    const { body } = await upload(cards.join('\r\n'))
    expect(body).toMatchObject({ rows: 3, dialable: 2 })
    const { first, refused } = await rowsOf(body.baseId)
    expect(first).toEqual([
      { line: 1, mobile: '9841000067', values: { name: 'सीता', 'phone 2': '01-5970123' } },
      { line: 11, mobile: '9841000068', values: { name: 'Ram, Hari', 'phone 2': '9841000069' } },
    ])
    expect(refused.map((row) => [row.line, row.reason])).toEqual([[19, 'the number is empty']])
  })
})

test('a column of question marks is named, since its letters are lost', async () => {
  const { body } = await upload(filed('54-question.csv'), { askColumns: 'yes' })
  expect(body).toMatchObject({ rows: 2, dialable: 2, lostLetters: ['name'] })
  const reply = await http.inject({ url: `/api/obd/base/${body.baseId}/detail`, headers: await signedIn(app, user) })
  expect(reply.json<{ preview: object }>().preview).toMatchObject({ lostLetters: ['name'] })
  expect(await upload('mobile,note\n9841000064,why??\n')).toMatchObject({ status: 200, body: { lostLetters: [] } })
})

describe('files as people have reported them to other programs', () => {
  const names = (values: object[]) => values.map((value) => Object.values(value))
  test.each([
    {
      why: 'semicolons, with one comma in every date, and ends of lines that differ',
      text: 'April 15, 2023;9841000201;25.00;Ray;pending;\nApril 14, 2023;9841000202;25.00;Scott;\n',
      numbers: ['9841000201', '9841000202'],
      first: ['April 15, 2023', '25.00', 'Ray', 'pending'],
    },
    {
      why: 'semicolons, with lists in brackets in most lines',
      text: "id;phone;group\n1;9841000203;['112', '112']\n2;9841000204;['765', '766']\n",
      numbers: ['9841000203', '9841000204'],
      first: ['1', "['112', '112']"],
    },
    {
      why: 'quoted line breaks in the first rows',
      text: 'mobile,comment\n9841000205,"line one\nline two\nline three"\n9841000206,normal\n',
      numbers: ['9841000205', '9841000206'],
      first: ['line one\nline two\nline three'],
    },
    {
      why: 'the names of Outlook',
      text: 'First Name,Company,Business Phone,Home Phone,Mobile Phone\nSita,Shree,01-5970123,,9841000207\nRam,Shree,01-5970124,,9841000208\n',
      numbers: ['9841000207', '9841000208'],
      first: ['Sita', 'Shree', '01-5970123'],
    },
    {
      why: 'a last column without a name, and rows longer than the header',
      text: 'Name,Phone,\nSita,9841000209,x\nRam,9841000210,y,z\n',
      numbers: ['9841000209', '9841000210'],
      first: ['Sita', 'x'],
    },
    {
      why: 'a first row that is none: [Company] Library',
      text: '[Company] Library\nTITLE,ARTIST,CELL\nSong,Sita,9841000211\n',
      numbers: ['9841000211'],
      first: ['Song', 'Sita'],
    },
    {
      why: 'one column that is called MSISDN',
      text: 'MSISDN\n9779841000212\n9779841000213\n',
      numbers: ['9841000212', '9841000213'],
      first: [],
    },
    {
      why: 'the labels and types of Google’s older exports',
      text: 'Name,Group Membership,Phone 1 - Type,Phone 1 - Value\nSita,* My Contacts ::: University,Mobile,+977 984-100-0214\n',
      numbers: ['9841000214'],
      first: ['Sita', '* My Contacts ::: University', 'Mobile'],
    },
    {
      why: 'a card of Android, all of it quoted-printable',
      text: 'BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=43=65=70=6C;=4D=61=74=C4=9B=6A;;;\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=4D=61=74=C4=9B=6A=20=43=65=70=6C\nTEL;VOICE:+9779841000215\nEND:VCARD\n',
      numbers: ['9841000215'],
      first: ['Matěj Cepl'],
    },
    {
      why: 'a card with a colon in its name, types in quotes and a property of Japan',
      text: 'BEGIN:VCARD\nVERSION:3.0\nFN:Z New Kni Bz Rp: Wr.no\nN:Rp\\: Wr.no;Z New Kni Bz;;;\nSOUND;X-IRMC-N:;;;;\nTEL;TYPE="HOME,VOICE":9841000216\nEND:VCARD\n',
      numbers: ['9841000216'],
      first: ['Z New Kni Bz Rp: Wr.no'],
    },
  ])('$why', async ({ text, numbers, first }) => {
    const { status, body } = await upload(text, { askColumns: 'yes' })
    expect([status, body]).toEqual([200, expect.objectContaining({ rows: numbers.length, dialable: numbers.length })])
    const { first: shown } = await rowsOf(body.baseId)
    expect(shown.map(({ mobile }) => mobile)).toEqual(numbers)
    expect(names(shown.map(({ values }) => values))[0]).toEqual(first)
    expect(await listed(text, { askColumns: 'yes' })).toMatchObject({ status: 200, body: { rows: numbers.length } })
  })

  test('cards that are none, as a converter wrote them, are refused rows and no success', async () => {
    const text = 'BEGIN:VCARD\nFirst name:Eric\nCell phone:9841000217\nEND:VCARD\n'
    expect(await upload(text)).toMatchObject({ status: 400, body: { errors: [{ code: 'no_numbers' }] } })
  })
})
