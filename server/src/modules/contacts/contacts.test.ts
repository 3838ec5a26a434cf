import { readdir } from 'node:fs/promises'
import * as path from 'node:path'
import type { ContactPreview } from '@ghanti/contract/contacts.ts'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { ownScope, type Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { generateContacts } from '../../testing/files/contact-file.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { previewBase, requireBase } from './actions.ts'
import { contactHandlers } from './routes.ts'

/** rows/worker-file.test.ts beside this reads ten thousand rows. */
const exhaustive = { tags: ['exhaustive'] }

const app = await testApp()
const http = await testHttp(app, { handlers: { contacts: contactHandlers } })
const top = await newSuperAdmin(app)
const reseller = await newReseller(app, { parent: top })
const user = await newUser(app, { parent: reseller })
const stranger = await newUser(app)

type Fields = Record<string, string | File>
async function post(viewer: Viewer, url: string, fields: Fields) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const body = new Response(form)
  const headers = { ...(await signedIn(app, viewer)), 'content-type': body.headers.get('content-type') ?? '' }
  const reply = await http.inject({ method: 'POST', url, headers, payload: Buffer.from(await body.arrayBuffer()) })
  return {
    status: reply.statusCode,
    body: reply.json<{ message: string; baseId: number; errors?: { field: string; text: string }[] }>(),
  }
}
async function get(viewer: Viewer, url: string) {
  return await http.inject({ method: 'GET', url, headers: await signedIn(app, viewer) })
}
const csvFile = (text: string | Buffer<ArrayBuffer>, type = 'text/csv') => new File([text], 'contacts.csv', { type })
let serial = 0
const upload = (viewer: Viewer, text: string | Buffer<ArrayBuffer>, type?: string) =>
  post(viewer, '/api/obd/baseupload', { baseName: `Base ${++serial}`, baseFile: csvFile(text, type) })

describe('a contact file', () => {
  test('is kept under its name, with its rows and columns, and offered', async () => {
    const text = 'Mobile,Name\r\n9841234567,सीता\r\nabc,Ram\r\n\r\n9841234567,Gita\r\n'
    const reply = await post(user, '/api/obd/baseupload', {
      baseName: ' Dashain ',
      baseFile: csvFile(text),
      userId: '77',
    })
    expect(reply).toMatchObject({ status: 200, body: { message: 'Success', rows: 3, dialable: 2 } })
    const [newest] = (await get(user, `/api/obd/base/${user.userId}`)).json()
    expect(newest).toMatchObject({
      baseId: reply.body.baseId,
      baseName: 'Dashain',
      username: user.username,
      rows: 3,
      dialable: 2,
      columns: ['mobile', 'Name'],
      uploadedAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    })
    const stored = await app.db
      .selectFrom('base')
      .selectAll()
      .where('id', '=', reply.body.baseId)
      .executeTakeFirstOrThrow()
    expect(await app.files.sizeOf(stored.file_hash)).toBe(Buffer.byteLength(text))
    const audits = await app.db
      .selectFrom('audit_log')
      .select(['action', 'target'])
      .where('actor_id', '=', user.userId)
      .execute()
    expect(audits).toContainEqual({ action: 'base.upload', target: `base ${reply.body.baseId}` })
  })

  test('as Windows sends it, declared as a spreadsheet, is read', async () => {
    expect(await upload(user, '9841234567\r\n', 'application/vnd.ms-excel')).toMatchObject({ status: 200 })
  })

  test('keeps its name to itself, without regard to case, also when two arrive at once', async () => {
    const replies = await Promise.all(
      ['Twice', 'TWICE', 'twice'].map((baseName) =>
        post(user, '/api/obd/baseupload', { baseName, baseFile: csvFile('9841234567\n') }),
      ),
    )
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409, 409])
    expect(replies.find((reply) => reply.status === 409)?.body).toMatchObject({
      message: 'Request Failed!! Please try again',
      errors: [{ field: 'baseName', text: 'is the name of another of your contact files' }],
    })
    expect(
      (await post(stranger, '/api/obd/baseupload', { baseName: 'Twice', baseFile: csvFile('9841234567\n') })).status,
    ).toBe(200)
  })

  test.each([
    {
      why: 'a damaged Excel file',
      content: Buffer.from('PK\x03\x04\x14\0xl/workbook', 'latin1'),
      status: 400,
      message: 'Parameters Incorrect',
    },
    {
      why: 'an older spreadsheet',
      content: Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'),
      type: 'application/vnd.ms-excel',
      status: 415,
      message: 'application/vnd.ms-excel is not a supported format',
    },
    {
      why: 'an older character set',
      content: Buffer.from('9841234567,Jos\xe9', 'latin1'),
      status: 415,
      message: 'text/plain; charset=windows-1252 is not a supported format',
    },
    { why: 'a quote that is never closed', content: '9841234567,"Ram\n', status: 400, message: 'Parameters Incorrect' },
    { why: 'no number to call', content: 'mobile\n1414\n', status: 400, message: 'Parameters Incorrect' },
    { why: 'nothing in it', content: '', status: 400, message: 'Parameters Incorrect' },
  ])('with $why is refused, naming the field, and not stored', async ({ content, type, status, message }) => {
    const before = await app.db.selectFrom('base').select('id').execute()
    const reply = await upload(user, content, type)
    expect(reply).toMatchObject({ status, body: { message, errors: [{ field: 'baseFile' }] } })
    expect(await app.db.selectFrom('base').select('id').execute()).toHaveLength(before.length)
  })

  test.each([',', ';', '\t'])('of one line of numbers, with %j between, has a row for each', async (separator) => {
    const { body } = await upload(user, ['9841000055', '9841000056', '9841000057'].join(separator))
    expect(body).toMatchObject({ message: 'Success', rows: 3, dialable: 3 })
    const preview = await previewBase({ app, viewer: user }, body.baseId, 0)
    expect(preview.first.map(({ mobile }) => mobile)).toEqual(['9841000055', '9841000056', '9841000057'])
  })

  test('over 20 MB is refused with its size', async () => {
    const reply = await upload(user, Buffer.alloc(20 * 1024 * 1024 + 1, '9841234567\n'))
    expect(reply).toMatchObject({ status: 413, body: { message: '20.1 MB is too large, please pick a smaller file' } })
  })

  test('without a name or a file is refused, naming both', async () => {
    const reply = await post(user, '/api/obd/baseupload', { contactList: '' })
    expect(reply.status).toBe(400)
    expect(reply.body.errors?.map((error) => error.field).sort()).toEqual(['baseFile', 'baseName'])
  })

  test('is uploaded by users only', async () => {
    expect((await upload(reseller, '9841234567\n')).status).toBe(403)
    expect((await upload(top, '9841234567\n')).status).toBe(403)
  })
})

describe('pasted numbers', () => {
  test('one per line or with commas between are a base that is not offered', async () => {
    const contactList = '9841234567, +977-9841234568\r\n\r\n९८४१२३४५६९;\nabc\n01-5970001'
    const reply = await post(user, '/api/obd/contactlist', { contactList })
    expect(reply).toMatchObject({ status: 200, body: { rows: 5, dialable: 4 } })
    const offered = (await get(user, `/api/obd/base/${user.userId}`)).json<{ baseId: number }[]>()
    expect(offered.map((base) => base.baseId)).not.toContain(reply.body.baseId)
    const preview = await previewBase({ app, viewer: user }, reply.body.baseId, 0)
    expect(preview).toMatchObject({ rows: 5, accepted: 4, invalid: 1, refused: [{ text: 'abc' }] })
    expect(preview.first.map((row) => row.mobile)).toEqual(['9841234567', '9841234568', '9841234569', '015970001'])
  })

  test('with spaces between are several, one written with spaces is one', async () => {
    const contactList = '9841234571 9841234572\n984 123 4573\n+977 9841234574 0159 70001'
    const { body } = await post(user, '/api/obd/contactlist', { contactList })
    expect(body).toMatchObject({ rows: 4, dialable: 3 })
  })

  test('with what people write beside them are the numbers alone; of several in a line the first is taken', async () => {
    const contactList = [
      '1. 9841234581',
      '2) +977 984-1234582',
      'Sita - 9841234583',
      '३. सीता शर्मा: ९८४१२३४५८४',
      '9841234585 (Ram)',
      "'9841234586",
      'p:+9779841234587',
      '984123458.0',
      'Ram 984123458',
      'Sita 9841234588 / 9841234589',
      '984. 5970001',
      '+97798410002xx',
      'Account 012345678',
      '91.98410.00020',
    ].join('\n')
    const { body } = await post(user, '/api/obd/contactlist', { contactList })
    expect(body).toMatchObject({ rows: 14, dialable: 8, moreNumbers: [{ column: 'mobile', rows: 1 }] })
    const preview = await previewBase({ app, viewer: user }, body.baseId, 0)
    expect(preview.first.map((row) => row.mobile)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `984123458${n}`))
    expect(preview.refused.map(({ reason }) => reason)).toEqual([
      'the number lacks a digit',
      'the number has letters',
      'the number is not written like a phone number',
      'the number has letters',
      'the number has letters',
      'the number is too long',
    ])
  })

  test('as long as a file, without an end of line, are taken piece by piece', async () => {
    for (const between of [',', ' ', '\n']) {
      const numbers = Array.from({ length: 30_000 }, (_, n) => `98${40_000_000 + n}`)
      const { body } = await post(user, '/api/obd/contactlist', { contactList: numbers.join(between) })
      expect(body, JSON.stringify(between)).toMatchObject({ rows: 30_000, dialable: 30_000 })
    }
    const { body } = await post(user, '/api/obd/contactlist', { contactList: `${'x'.repeat(300_000)}\n9841234567` })
    expect(body.message).toBe('Success')
  })

  test.each([
    { why: 'as the sample file', contactList: '\r\nmobile,date,token\r\n9841234567,2026-12-01,A1\r\n' },
    { why: 'out of a spreadsheet', contactList: 'Token\tMobile No.\tDate\nA1\t9841234567\t2026-12-01' },
  ])('below a header of several columns are a table: $why', async ({ contactList }) => {
    const { body } = await post(user, '/api/obd/contactlist', { contactList })
    expect(body).toMatchObject({ rows: 1, dialable: 1 })
    const preview = await previewBase({ app, viewer: user }, body.baseId, 3)
    expect(preview).toMatchObject({ rows: 1, accepted: 1, first: [{ mobile: '9841234567' }] })
    expect(Object.values(preview.first[0]?.values ?? {}).sort()).toEqual(['2026-12-01', 'A1'])
  })

  test('below a word that heads them are a list', async () => {
    for (const contactList of ['mobile\n9841234567, 9841234568', 'mobile, 9841234567, 9841234568'])
      expect((await post(user, '/api/obd/contactlist', { contactList })).body).toMatchObject({ dialable: 2 })
  })

  test('may be pasted again and again', async () => {
    for (const _ of [1, 2])
      expect((await post(user, '/api/obd/contactlist', { contactList: '9841234567' })).status).toBe(200)
  })

  test.each([
    { why: 'none', contactList: '' },
    { why: 'only words', contactList: 'hello, world' },
  ])('$why: refused, naming the field', async ({ contactList }) => {
    expect(await post(user, '/api/obd/contactlist', { contactList })).toMatchObject({
      status: 400,
      body: { message: 'Parameters Incorrect', errors: [{ field: 'contactList' }] },
    })
  })
})

test('a reseller and the super admin see what their users uploaded, another user nothing of it', async () => {
  const { body } = await upload(user, '9841234567\n')
  for (const [viewer, at] of [
    [reseller, reseller],
    [reseller, user],
    [top, top],
  ] as const)
    expect((await get(viewer, `/api/obd/base/${at.userId}`)).json()).toContainEqual(
      expect.objectContaining({ baseId: body.baseId, username: user.username }),
    )
  expect((await get(stranger, `/api/obd/base/${user.userId}`)).statusCode).toBe(404)
  expect((await get(stranger, `/api/obd/base/${stranger.userId}`)).json()).not.toContainEqual(
    expect.objectContaining({ baseId: body.baseId }),
  )
})

describe('a body that names a base', () => {
  test('of another user or none is refused, naming the field', async () => {
    const { body } = await upload(user, '9841234567\n')
    await app.db.transaction().execute(async (tx) => {
      expect(await requireBase(tx, ownScope(user), body.baseId, 0)).toMatchObject({
        id: body.baseId,
        columns: ['mobile'],
      })
      const refused = { code: 'bad_input', errors: [{ field: 'baseId', code: 'not_found' }] }
      await expect(requireBase(tx, ownScope(stranger), body.baseId, 0)).rejects.toMatchObject(refused)
      await expect(requireBase(tx, ownScope(user), 999_999, 0)).rejects.toMatchObject(refused)
    })
    await expect(previewBase({ app, viewer: stranger }, body.baseId, 0)).rejects.toMatchObject({ code: 'bad_input' })
  })
})

describe('the preview', () => {
  test('agrees with 10,000 rows as people send them, to the row; its first ones do not tell who is blacklisted', async () => {
    const made = generateContacts({ rows: 10_000 })
    const blocked = [made.accepted[0], made.accepted[1], made.accepted[5000]].map((row) => row?.phone ?? 0)
    const { rows: mint } = await app.pool.query<{ id: number }>("select id from account where kind = 'mint'")
    const owners = [user.userId, reseller.userId, mint[0]?.id ?? 0]
    for (const [at, phone] of blocked.entries())
      await app.db
        .insertInto('blacklist')
        .values({ phone, owner_id: owners[at] ?? 0 })
        .execute()
    await app.db
      .insertInto('blacklist')
      .values({ phone: made.accepted[2]?.phone ?? 0, owner_id: stranger.userId })
      .execute()
    const { body } = await upload(user, made.text)
    const preview: Omit<ContactPreview, 'estimate'> = await previewBase({ app, viewer: user }, body.baseId, 1)
    expect(preview).toMatchObject({ ...made.expected, accepted: made.expected.accepted - 3, blacklisted: 3 })
    expect(
      preview.first.map((row) => row.line),
      'blacklisted numbers are not revealed',
    ).toEqual(made.accepted.slice(0, 10).map((row) => row.line))
    expect(preview.first[0]?.values['Name']).toBe(made.accepted[0]?.name)
    expect(preview.refused.map((row) => row.line)).toEqual(made.refused.slice(0, 10).map((row) => row.line))
  })
})

describe('the file of refused rows', () => {
  test('has each with line and reason, harmless in a spreadsheet', async () => {
    const { body } = await upload(user, 'mobile,name\r\n9841234567,Sita\r\n=1+1,"a,b"\r\n9841234567,Ram\r\n')
    const reply = await get(reseller, `/api/obd/base/${body.baseId}/refused.csv`)
    expect(reply).toMatchObject({ statusCode: 200, headers: { 'content-type': 'text/csv; charset=utf-8' } })
    expect(parse(reply.rawPayload, { bom: true })).toEqual([
      ['Line', 'Row', 'Reason'],
      ['3', `'=1+1,"a,b"`, 'the number is not written like a phone number'],
      ['4', '9841234567,Ram', 'the same number as in line 2'],
    ])
    const audits = await app.db
      .selectFrom('audit_log')
      .select(['action', 'target'])
      .where('actor_id', '=', reseller.userId)
      .execute()
    expect(audits).toEqual([{ action: 'base.download_refused', target: `base ${body.baseId}` }])
    await expect.poll(() => readdir(path.join(app.config.dataFolder, 'uploads'))).toEqual([])
  })

  test('has the first 10,000 of each kind and says at its end how many there are', exhaustive, async () => {
    const { body } = await upload(user, `9841234567\n${'9841234567\n'.repeat(10_002)}${'x\n'.repeat(10_001)}`)
    const rows = parse((await get(user, `/api/obd/base/${body.baseId}/refused.csv`)).rawPayload, { bom: true })
    expect(rows).toHaveLength(1 + 20_000 + 2)
    expect(rows.slice(-2)).toEqual([
      ['', '', 'the first 10,000 of 10,001 rows refused for their number or length'],
      ['', '', 'the first 10,000 of 10,002 rows refused as duplicates or for what the template needs'],
    ])
    const preview = await previewBase({ app, viewer: user }, body.baseId, 0)
    expect(preview).toMatchObject({ invalid: 10_001, duplicate: 10_002, refusedKept: 20_000 })
  })

  test('of somebody else is not there', async () => {
    const { body } = await upload(user, '9841234567\n')
    const reply = await get(stranger, `/api/obd/base/${body.baseId}/refused.csv`)
    expect(reply.statusCode).toBe(404)
    expect(reply.json()).toMatchObject({ message: 'No data found' })
  })
})

describe('samples', () => {
  test.each([
    ['contacts', [0, 1, 2], 'mobile'],
    ['auto1', [3], 'mobile,date,token'],
    ['auto2', [4], 'mobile,date'],
    ['auto3', [5], 'mobile,date1,date2,date3'],
    ['insurance1', [6], 'mobile,amount,date'],
    ['service_reminder1', [7], 'mobile,client_name,service_name,amount,month'],
    ['consultancy', [8], 'mobile'],
  ])('of %s: no row is refused by template %j', async (name, templateIds, header) => {
    const reply = await http.inject({ method: 'GET', url: `/reports/sample/sample_${name}.csv` })
    expect(reply).toMatchObject({ statusCode: 200, headers: { 'content-type': 'text/csv; charset=utf-8' } })
    expect(reply.body.replace('\ufeff', '').split('\r\n')[0]).toBe(header)
    const { body } = await upload(user, Buffer.from(reply.rawPayload))
    expect(body).toMatchObject({ rows: 2, dialable: 2 })
    for (const templateId of templateIds) {
      const refused = await get(user, `/api/obd/base/${body.baseId}/refused.csv?templateId=${templateId}`)
      expect(refused.body.trim().split('\r\n')).toHaveLength(1)
    }
  })

  test('others are not there', async () => {
    expect((await http.inject({ method: 'GET', url: '/reports/sample/sample_constructor.csv' })).statusCode).toBe(404)
  })
})
