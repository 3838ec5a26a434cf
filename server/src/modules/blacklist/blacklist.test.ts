import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { forgetOldUploads } from './actions.ts'
import { blacklistHandlers } from './routes.ts'
import { checkLimit } from './rules.ts'

/** contacts.test.ts has files of ten thousand rows. */
const exhaustive = { tags: ['exhaustive'] }

const app = await testApp()
const http = await testHttp(app, { handlers: { blacklist: blacklistHandlers } })
const top = await newSuperAdmin(app)
const reseller = await newReseller(app, { parent: top })
const user = await newUser(app, { parent: reseller })
const neighbour = await newUser(app, { parent: reseller })
const stranger = await newUser(app)

async function ask(viewer: Viewer, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  const headers = await signedIn(app, viewer)
  const reply = await http.inject({ method, url, headers, ...(payload ? { payload } : {}) })
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
}
type Row = { blacklistId: number; mobile: string; reqDate: string }
async function listOf(viewer: Viewer, of: Viewer = viewer, query = ''): Promise<Row[]> {
  const { status, body } = await ask(viewer, 'GET', `/api/obd/blacklist/${of.userId}${query}`)
  expect(status).toBe(200)
  return body
}
const add = (viewer: Viewer, mobile: unknown) =>
  ask(viewer, 'POST', '/api/obd/blacklist', { userId: viewer.userId, mobile })
type Content = string | Buffer<ArrayBuffer>
async function upload(viewer: Viewer, content: Content, type = 'text/csv', columns?: object) {
  const form = new FormData()
  if (columns) form.set('columns', JSON.stringify(columns))
  form.set('blistFile', new File([content], 'numbers.csv', { type }))
  const body = new Response(form)
  const headers = { ...(await signedIn(app, viewer)), 'content-type': body.headers.get('content-type') ?? '' }
  const payload = Buffer.from(await body.arrayBuffer())
  const reply = await http.inject({ method: 'POST', url: '/api/obd/blistupload', headers, payload })
  return { status: reply.statusCode, body: reply.json() }
}

describe('a number', () => {
  test('is on the list as soon as it was added, however it was written, and off when it was deleted', async () => {
    const own = await newUser(app, { parent: reseller })
    expect(await add(own, '+977 984-1000001')).toMatchObject({ status: 200, body: { message: 'Success' } })
    expect((await add(own, 9841000002)).status).toBe(200)
    const [second, first] = await listOf(own)
    expect([first?.mobile, second?.mobile]).toEqual(['9841000001', '9841000002'])
    expect(first?.reqDate).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect((await ask(own, 'DELETE', `/api/obd/blacklist/${first?.blacklistId}`)).status).toBe(200)
    expect(await listOf(own)).toHaveLength(1)
    const audits = await app.db
      .selectFrom('audit_log')
      .select(['action', 'target'])
      .where('actor_id', '=', own.userId)
      .orderBy('id')
      .execute()
    expect(audits.slice(-1)).toEqual([{ action: 'blacklist.delete', target: '9841000001' }])
  })

  test.each([
    [undefined, 'is required'],
    ['', 'is required'],
    ['98410000', 'lacks a digit, or the 0 in front of a landline'],
    ['hello', 'has letters'],
    ['+911234567890', 'is not Nepali'],
    [9.84e300, 'was cut by a spreadsheet'],
    [{}, 'must be a phone number'],
    ['9'.repeat(41), 'is longer than 40 characters'],
  ])('written as %j is refused, naming the field', async (mobile, text) => {
    const reply = await add(user, mobile)
    expect(reply).toMatchObject({
      status: 400,
      body: { message: 'Parameters Incorrect', errors: [{ field: 'mobile' }] },
    })
    expect(reply.body.errors[0].text).toContain(text)
  })

  test('that is there already is refused, also when it comes twice at once', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => add(user, '9841000077')))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect(replies.find(({ status }) => status === 409)?.body.errors).toEqual([
      { field: 'mobile', code: 'taken', text: 'is already on your blacklist' },
    ])
  })

  test('of a reseller or of the platform is listed to nobody below, nor under whose name it stands', async () => {
    await add(top, '9841111111')
    await add(reseller, '9842222222')
    await add(user, '9843333333')
    const seen = async (viewer: Viewer) => (await listOf(viewer)).map(({ mobile }) => mobile)
    expect(await seen(user)).toContain('9843333333')
    expect(await seen(reseller)).toEqual(['9842222222'])
    expect(await seen(top)).toEqual(['9841111111'])
    for (const viewer of [user, neighbour, stranger])
      for (const mobile of ['9841111111', '9842222222']) {
        expect(await seen(viewer)).not.toContain(mobile)
        expect(await listOf(viewer, viewer, `?search=${mobile}`)).toEqual([])
      }
    for (const row of await listOf(user)) expect(Object.keys(row).sort()).toEqual(['blacklistId', 'mobile', 'reqDate'])
  })

  test('of somebody else is deleted by nobody, not even by those above: it answers as one that is not there', async () => {
    const [own] = await listOf(user)
    const path = `/api/obd/blacklist/${own?.blacklistId}`
    const missing = await ask(user, 'DELETE', '/api/obd/blacklist/2147483647')
    expect(missing).toMatchObject({ status: 404, body: { message: 'No data found' } })
    for (const viewer of [neighbour, stranger, reseller, top])
      expect(await ask(viewer, 'DELETE', path)).toMatchObject({ status: 404, body: missing.body })
    const [inherited] = await listOf(reseller)
    expect((await ask(user, 'DELETE', `/api/obd/blacklist/${inherited?.blacklistId}`)).status).toBe(404)
  })
})

describe('the list', () => {
  test('of a descendant shows its numbers alone; of anybody else it is not there', async () => {
    const shown = await listOf(reseller, user)
    expect(shown.length).toBeGreaterThan(0)
    expect(shown).toEqual(await listOf(user))
    for (const viewer of [neighbour, stranger])
      expect((await ask(viewer, 'GET', `/api/obd/blacklist/${user.userId}`)).status).toBe(404)
  })

  test('is paged by number and by cursor, and searched whole, by prefix and by last digits', async () => {
    const own = await newUser(app, { parent: reseller })
    for (let n = 0; n < 12; n++) await add(own, `98510000${String(n).padStart(2, '0')}`)
    await add(own, '01-5970001')
    const all = await listOf(own)
    expect(all.map(({ mobile }) => mobile)).toEqual([
      '015970001',
      ...Array.from({ length: 12 }, (_, n) => `98510000${String(11 - n).padStart(2, '0')}`),
    ])
    const first = await ask(own, 'GET', `/api/obd/blacklist/${own.userId}?pageSize=5`)
    const after = first.headers['x-next-after']
    expect(after, JSON.stringify(first.headers)).toBeTruthy()
    const second = await listOf(own, own, `?pageSize=5&after=${String(after)}`)
    expect([...first.body, ...second]).toEqual(all.slice(0, 10))
    const found = async (search: string) =>
      (await listOf(own, own, `?search=${encodeURIComponent(search)}`)).map(({ mobile }) => mobile)
    expect(await found('9851000007')).toEqual(['9851000007'])
    expect(await found('+977 985-1000007')).toEqual(['9851000007'])
    expect(await found('0007')).toEqual(['9851000007'])
    expect(await found('1000011')).toEqual(['9851000011'])
    expect(await found('0159')).toEqual(['015970001'])
    expect(await found('98510000')).toHaveLength(12)
    expect(await found('nothing')).toEqual([])
  })
})

describe('asking about one number', () => {
  const check = (viewer: Viewer, mobile: string) =>
    ask(viewer, 'GET', `/api/obd/blacklist/check/${encodeURIComponent(mobile)}`)
  const answer = async (viewer: Viewer, mobile: string) => (await check(viewer, mobile)).body

  test('tells whether a campaign would leave it out, and no more: on the own list, one above, or the platform’s', async () => {
    const boss = await newSuperAdmin(app)
    const parent = await newReseller(app, { parent: boss })
    const [one, other] = [await newUser(app, { parent }), await newUser(app, { parent })]
    await add(boss, '9861111111')
    await add(parent, '9862222222')
    await add(one, '9863333333')
    const held = async (viewer: Viewer) =>
      await Promise.all(
        ['9861111111', '+977 986-2222222', '9863333333', '9864444444'].map((mobile) => answer(viewer, mobile)),
      )
    const [yes, no] = [{ blacklisted: true }, { blacklisted: false }]
    expect(await held(one)).toEqual([yes, yes, yes, no])
    expect(await held(other)).toEqual([yes, yes, no, no])
    expect(await held(parent)).toEqual([yes, yes, no, no])
    expect(await held(boss)).toEqual([yes, no, no, no])
    expect(await held(stranger)).toEqual([yes, no, no, no])
  })

  test('about what cannot be called is refused, naming the field and why', async () => {
    expect(await check(user, '98410000')).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'mobile', text: 'lacks a digit, or the 0 in front of a landline' }] },
    })
  })

  test('is bounded per account and minute, also side by side: nobody asks for the whole list', async () => {
    const curious = await newUser(app, { parent: reseller })
    const replies = await Promise.all(
      Array.from({ length: checkLimit.points + 5 }, (_, n) => check(curious, `98650000${String(n).padStart(2, '0')}`)),
    )
    const refused = replies.filter(({ status }) => status === 429)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(checkLimit.points)
    expect(refused).toHaveLength(5)
    expect(refused[0]?.body.errors).toMatchObject([{ field: 'mobile', code: 'throttled' }])
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await check(neighbour, '9865000000')).status).toBe(200)
  })
})

describe('a file', () => {
  test('adds every number once and tells duplicates, refused lines and why, also as a file', async () => {
    const own = await newUser(app, { parent: reseller })
    await add(own, '9841000001')
    const lines = ['Mobile', '9841000001', '९८४१०००००२', '+977-9841000002', '', 'abc', '01-5970009', '=1+1']
    const { status, body } = await upload(own, `${lines.join('\r\n')}\r\n`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      message: 'Success',
      rows: 6,
      accepted: 2,
      duplicate: 2,
      invalid: 2,
      refused: [
        { line: 6, text: 'abc', reason: 'the number has letters' },
        { line: 8, text: '=1+1', reason: 'the number is not written like a phone number' },
      ],
    })
    const numbers = (await listOf(own)).map(({ mobile }) => mobile)
    expect(numbers.sort()).toEqual(['015970009', '9841000001', '9841000002'])
    const url = `/api/obd/blistupload/${body.uploadId}/refused.csv`
    const csv = await http.inject({ url, headers: await signedIn(app, own) })
    expect(parse(csv.body, { bom: true })).toEqual([
      ['Line', 'Row', 'Reason'],
      ['6', 'abc', 'the number has letters'],
      ['8', "'=1+1", 'the number is not written like a phone number'],
    ])
    for (const other of [neighbour, reseller, top])
      expect((await ask(other, 'GET', url)).status, other.username).toBe(404)
  })

  test.each([
    {
      why: 'an archive',
      content: 'PK\x03\x04\x14\0contacts.csv',
      status: 415,
      message: /is not a supported format$/,
    },
    { why: 'a quote that is never closed', content: '9841234567\n"98', status: 400, message: /^Parameters Incorrect$/ },
    { why: 'no number to call', content: 'mobile\n1414\n', status: 400, message: /^Parameters Incorrect$/ },
    { why: 'nothing in it', content: '', status: 400, message: /^Parameters Incorrect$/ },
  ])('with $why is refused, naming the field, and nothing of it is stored', async ({ content, status, message }) => {
    const before = await listOf(stranger)
    const reply = await upload(stranger, Buffer.from(content, 'latin1'))
    expect(reply.status).toBe(status)
    expect(reply.body.message).toMatch(message)
    expect(reply.body.errors).toMatchObject([{ field: 'blistFile' }])
    expect(await listOf(stranger)).toEqual(before)
  })

  test('over 20 MB is refused with its size', async () => {
    const reply = await upload(user, Buffer.alloc(20 * 1024 * 1024 + 1, '9841234567\n'))
    expect(reply).toMatchObject({ status: 413, body: { message: '20.1 MB is too large, please pick a smaller file' } })
  })

  test('of one line of numbers is a list of them, and so is one of several such lines', async () => {
    const own = await newUser(app, { parent: reseller })
    const reply = await upload(own, '9841000055,9841000056,9841000057\n9841000058,9841000059\n')
    expect(reply.body).toMatchObject({ rows: 5, accepted: 5, duplicate: 0, invalid: 0 })
    const numbers = (await listOf(own)).map(({ mobile }) => mobile)
    expect(numbers.sort()).toEqual([5, 6, 7, 8, 9].map((n) => `984100005${n}`))
  })

  test.each(['24-one-line.txt', '24-one-line-many.txt'])(
    '%s: every number of its only line is stored',
    async (name) => {
      const written = await readFile(new URL(`../../testing/files/${name}`, import.meta.url), 'utf8')
      const all = written.trim().split(',')
      for (const text of [written, written.replaceAll(',', ';'), written.replaceAll(',', '\t')]) {
        const own = await newUser(app, { parent: reseller })
        const { body } = await upload(own, text)
        const count = all.length
        expect(body).toMatchObject({ rows: count, accepted: count, duplicate: 0, invalid: 0, numbers: count })
        expect((await listOf(own, own, '?pageSize=500')).map(({ mobile }) => mobile).sort()).toEqual(all.toSorted())
      }
    },
  )

  test('in which no column was chosen gives every mobile of every column, and says how many of each', async () => {
    const own = await newUser(app, { parent: reseller })
    await add(own, '9801000004')
    const lines = [
      'Name,Mobile,Phone 2,Account,Note',
      'Sita,9841000001,9801000001,012345678,9741000001 or 9741000002',
      'Ram,9841000002 ::: 9801000002,01-5970001,,paid 2026-11-25 10:00:00',
      'Gita,,9801000003,,',
      'Hari,98410000,9801000004,,',
      'Bina,none,,,9801000005 / 9801000001',
      'Mina,,,,',
    ]
    const { body } = await upload(own, lines.join('\n'))
    expect(body).toMatchObject({
      rows: 6,
      invalid: 2,
      numbers: 10,
      accepted: 8,
      duplicate: 2,
      fromColumns: [
        { column: 'mobile', numbers: 3 },
        { column: 'Phone 2', numbers: 3 },
        { column: 'Note', numbers: 4 },
      ],
      moreNumbers: [{ column: 'Phone 2', rows: 1 }],
      refused: [
        {
          line: 5,
          text: 'Hari,98410000,9801000004,,',
          reason: 'the number lacks a digit, or the 0 in front of a landline',
        },
        { line: 7, text: 'Mina,,,,', reason: 'the number is empty' },
      ],
    })
    expect((await listOf(own)).map(({ mobile }) => mobile).sort()).toEqual([
      '9741000001',
      '9741000002',
      '9801000001',
      '9801000002',
      '9801000003',
      '9801000004',
      '9801000005',
      '9841000001',
      '9841000002',
    ])
  })

  test('in which a column was chosen gives all numbers of it, and says which columns have others', async () => {
    const own = await newUser(app, { parent: reseller })
    const text = 'Name,Home,Mobile\nSita,9801000001,"9841000001\n9841000002"\nRam,01-5970001,9841000003/01-5970002\n'
    const { body } = await upload(own, text, 'text/csv', { number: 2, header: true })
    expect(body).toMatchObject({
      rows: 2,
      invalid: 0,
      numbers: 4,
      accepted: 4,
      duplicate: 0,
      fromColumns: [{ column: 'mobile', numbers: 4 }],
      moreNumbers: [{ column: 'Home', rows: 2 }],
      refused: [],
    })
    const stored = ['015970002', '9841000001', '9841000002', '9841000003']
    expect((await listOf(own)).map(({ mobile }) => mobile).sort()).toEqual(stored)
  })

  test('of a program’s decimals blocks each number that has all of its digits, and no other', async () => {
    const own = await newUser(app, { parent: reseller })
    const lines = ['mobile,name', '9841000020.0,Sita', '9841000021.0,Ram', '984100010.0,Hari', '0984100011.0,Gita']
    const { body } = await upload(own, lines.join('\n'))
    expect(body).toMatchObject({ rows: 4, accepted: 2, invalid: 2 })
    expect((await listOf(own)).map(({ mobile }) => mobile).sort()).toEqual(['9841000020', '9841000021'])
  })

  test('may be the CSV of a list, landlines too', async () => {
    const [from, to] = [await newUser(app, { parent: reseller }), await newUser(app, { parent: reseller })]
    for (const mobile of ['015970009', '9841000001']) await add(from, mobile)
    const url = `/api/obd/blacklist/${from.userId}?format=csv`
    const csv = await http.inject({ url, headers: await signedIn(app, from) })
    expect(csv.body).toContain('"=""015970009"""')
    expect((await upload(to, csv.body)).body).toMatchObject({ rows: 2, accepted: 2, invalid: 0 })
    expect((await listOf(to)).map(({ mobile }) => mobile).sort()).toEqual(['015970009', '9841000001'])
  })

  test('of many thousand numbers, uploaded twice at once, is stored once', exhaustive, async () => {
    const own = await newUser(app, { parent: reseller })
    const text = Array.from({ length: 30_000 }, (_, n) => `98${String(n * 37).padStart(8, '0')}`).join('\n')
    const replies = await Promise.all([upload(own, text), upload(own, text)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(replies[0]?.body.accepted + replies[1]?.body.accepted).toBe(30_000)
    expect(replies[0]?.body.duplicate + replies[1]?.body.duplicate).toBe(30_000)
    const { count } = await app.db
      .selectFrom('blacklist')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('owner_id', '=', own.userId)
      .executeTakeFirstOrThrow()
    expect(count).toBe(30_000)
  })

  test('and what it refused is forgotten after the days that its owner was told', async () => {
    const { body } = await upload(user, '9841999999\nabc\n')
    await app.db
      .updateTable('blacklist_upload')
      .set({ at: new Date(Date.now() - 31 * 24 * 3600_000) })
      .where('id', '=', body.uploadId)
      .execute()
    await forgetOldUploads(app.db)
    expect((await ask(user, 'GET', `/api/obd/blistupload/${body.uploadId}/refused.csv`)).status).toBe(404)
    expect((await listOf(user, user, '?search=9841999999'))[0]?.mobile, 'the number stays').toBe('9841999999')
  })
})
