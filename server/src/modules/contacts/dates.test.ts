import { readFile } from 'node:fs/promises'
import type { ColumnOrders } from '@ghanti/contract/date-orders.ts'
import * as fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import { ownScope, type Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newUser } from '../../testing/seed.ts'
import { jobOf, previewBase, requireBase } from './actions.ts'
import { contactBatches } from './rows/worker.ts'
import { contactHandlers } from './routes.ts'
import { find } from './store.ts'
import { columnsOfTemplate, ContactValidator } from './rules.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { contacts: contactHandlers } })
/** Speaks the column 'date'. */
const auto2 = 4
let user: Viewer
beforeEach(async () => {
  user = await newUser(app)
})

type Body = {
  message: string
  baseId: number
  rows: number
  added: number
  invalid: number
  refused: { line: number; reason: string }[]
  dateOrders: ColumnOrders
  errors?: FieldError[]
}
async function post(url: string, fields: Record<string, string | File>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const body = new Response(form)
  const headers = { ...(await signedIn(app, user)), 'content-type': body.headers.get('content-type') ?? '' }
  const reply = await http.inject({ method: 'POST', url, headers, payload: Buffer.from(await body.arrayBuffer()) })
  return { status: reply.statusCode, body: reply.json<Body>() }
}
let serial = 0
const upload = (content: BlobPart, more: Record<string, string> = {}, fileName = 'contacts.csv') =>
  post('/api/obd/baseupload', { baseName: `Dates ${++serial}`, baseFile: new File([content], fileName), ...more })
const add = (baseId: number, content: string, more: Record<string, string> = {}) =>
  post('/api/obd/base/add', { baseId: String(baseId), baseFile: new File([content], 'more.csv'), ...more })
async function choose(baseId: number, dateOrders: unknown) {
  const payload = { baseId, dateOrders }
  const reply = await http.inject({
    method: 'POST',
    url: '/api/obd/base/update',
    headers: await signedIn(app, user),
    payload,
  })
  return { status: reply.statusCode, body: reply.json<Body>() }
}
const fileOf = (name: string) => readFile(new URL(`../../testing/files/${name}`, import.meta.url))
const preview = (baseId: number) => previewBase({ app, viewer: user }, baseId, auto2)
const usable = (baseId: number) => app.db.transaction().execute((tx) => requireBase(tx, ownScope(user), baseId, auto2))

/** What a campaign would speak of the file. */
async function spoken(baseId: number): Promise<string[]> {
  const values: string[] = []
  const base = await find(app.db, ownScope(user), baseId)
  if (!base) throw new Error(`there is no file ${baseId}`)
  await using batches = contactBatches(await jobOf(app, base, auto2), 'spoken')
  for (;;) {
    const next = await batches.next()
    if (next.done) return values.toSorted()
    values.push(...next.value.spoken.map(({ value }) => value))
  }
}

const ambiguous = 'mobile,date\n9841000001,11/05/2026\n9841000002,03/04/2026\n'
const mustBeAsked = [
  {
    field: 'baseId',
    code: 'which_date_order',
    text: 'has dates in the column date that can be two days: say whether the day or the month stands first there',
  },
]

test('one impossible day decides for its column: a file of the United States is spoken as it was meant', async () => {
  const { body } = await upload(await fileOf('18-us-dates.csv'))
  expect(body).toMatchObject({ message: 'Success', rows: 3, dateOrders: { date: 'mdy' } })
  const { accepted, first, dateOrders } = await preview(body.baseId)
  expect([accepted, dateOrders]).toEqual([3, { date: 'mdy' }])
  expect(first.map(({ dates }) => dates)).toEqual([
    { date: '2026-11-25' },
    { date: '2026-11-05' },
    { date: '2026-12-03' },
  ])
  expect(await usable(body.baseId)).toMatchObject({ id: body.baseId })
  expect(await spoken(body.baseId)).toEqual(['2026-11-05', '2026-11-25', '2026-12-03'])
})

test('dates of the Nepali calendar are read however they are written', async () => {
  const { body } = await upload(await fileOf('19-bs-dates.csv'))
  expect(body).toMatchObject({ rows: 5, dateOrders: {} })
  const { accepted, first } = await preview(body.baseId)
  expect(accepted).toBe(5)
  expect(new Set(first.map(({ dates }) => dates['date']))).toEqual(new Set(['2026-11-22']))
})

test('dates of a workbook are read with or without a time', async () => {
  const { body } = await upload(await fileOf('21-date-time.xlsx'), {}, 'dates.xlsx')
  const { accepted, first } = await preview(body.baseId)
  expect([accepted, first.map(({ dates }) => dates['date'])]).toEqual([3, ['2026-11-25', '2026-11-25', '2026-11-25']])
})

test('where both orders are possible, the file is stored, its dates are not spoken, and a person is asked', async () => {
  const { body } = await upload(ambiguous)
  const { baseId } = body
  expect(body).toMatchObject({ message: 'Success', rows: 2, dateOrders: { date: 'ask' } })
  await expect(usable(baseId)).rejects.toMatchObject({ code: 'bad_input', errors: mustBeAsked })
  const asked = await preview(baseId)
  expect(asked).toMatchObject({ accepted: 0, invalid: 2, first: [], dateOrders: { date: 'ask' } })
  expect(asked.refused[0]?.reason).toBe(
    'date can be two days: say whether the day or the month stands first in its column',
  )
  expect(await spoken(baseId)).toEqual([])

  expect((await choose(baseId, { date: 'mdy' })).status).toBe(200)
  expect((await preview(baseId)).first.map(({ dates }) => dates['date'])).toEqual(['2026-11-05', '2026-03-04'])
  expect(await spoken(baseId)).toEqual(['2026-03-04', '2026-11-05'])
  expect(await usable(baseId)).toMatchObject({ id: baseId })

  expect((await choose(baseId, { date: 'dmy' })).status, 'people may correct themselves').toBe(200)
  expect(await spoken(baseId)).toEqual(['2026-04-03', '2026-05-11'])
})

test('a column whose days prove both orders is asked for; then rows of the other order are refused', async () => {
  const mixed = 'mobile,date\n9841000001,25/11/2026\n9841000002,11/26/2026\n9841000003,11/05/2026\n'
  const { body } = await upload(mixed)
  expect(body.dateOrders).toEqual({ date: 'ask' })
  await expect(usable(body.baseId)).rejects.toMatchObject({ errors: mustBeAsked })
  expect((await choose(body.baseId, { date: 'mdy' })).status).toBe(200)
  const { first, refused } = await preview(body.baseId)
  expect(first.map(({ dates }) => dates['date'])).toEqual(['2026-11-26', '2026-11-05'])
  expect(refused.map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'date has no such day: in its column the month stands before the day'],
  ])
})

test('the order can be said with the upload, for tables that are pasted later on, and each column has its own', async () => {
  const two = 'mobile,from,to\n9841000001,11/05/2026,25/12/2026\n'
  expect((await upload(two, { dateOrders: '{"from":"mdy"}' })).body.dateOrders).toEqual({ from: 'mdy', to: 'dmy' })
  const pasted = await post('/api/obd/contactlist', { contactList: ambiguous })
  expect(pasted.body.dateOrders).toEqual({ date: 'ask' })
  expect((await choose(pasted.body.baseId, { date: 'dmy' })).status).toBe(200)
  expect(await spoken(pasted.body.baseId)).toEqual(['2026-04-03', '2026-05-11'])
})

test('an order that the file’s days contradict, a column that it lacks and another word are refused, and nothing is stored', async () => {
  const us = (await fileOf('18-us-dates.csv')).toString()
  const wrong = { field: 'dateOrders', code: 'impossible' }
  expect(await upload(us, { dateOrders: '{"date":"dmy"}' })).toMatchObject({ status: 400, body: { errors: [wrong] } })
  const { body } = await upload(us)
  for (const [asked, error] of [
    [
      { date: 'dmy' },
      { ...wrong, text: 'is not the order of date: it has days that are possible in the other one alone' },
    ],
    [{ when: 'dmy' }, { field: 'dateOrders', text: 'names a column that the file lacks: when' }],
    [{ date: 'ymd' }, { field: 'dateOrders.date', text: "must be 'dmy' or 'mdy' for each column" }],
  ] as const)
    expect(await choose(body.baseId, asked)).toMatchObject({ status: 400, body: { errors: [error] } })
  expect((await find(app.db, ownScope(user), body.baseId))?.date_orders).toEqual({ date: 'mdy' })
})

test('nobody chooses for a file of somebody else', async () => {
  const { body } = await upload(ambiguous)
  user = await newUser(app)
  expect((await choose(body.baseId, { date: 'dmy' })).status).toBe(404)
})

test('rows that are added later are read in the column’s order or refused', async () => {
  const { baseId } = (await upload(await fileOf('18-us-dates.csv'))).body
  const { body } = await add(baseId, 'mobile,date\n9841000050,10/02/2026\n9841000052,2083-08-06\n')
  expect(body).toMatchObject({ added: 2, invalid: 0, dateOrders: { date: 'mdy' } })
  const other = await add(baseId, 'mobile,date\n9841000051,25/12/2026\n')
  expect(other.body).toMatchObject({
    added: 0,
    invalid: 1,
    refused: [{ line: 2, reason: 'date has no such day: in its column the month stands before the day' }],
  })
  expect(await spoken(baseId)).toEqual(['2026-10-02', '2026-11-05', '2026-11-22', '2026-11-25', '2026-12-03'])
})

test('an order that a person chose holds for rows that are added, and an added row can prove the order of a column', async () => {
  const chosen = (await upload(ambiguous, { dateOrders: '{"date":"mdy"}' })).body.baseId
  const late = await add(chosen, 'mobile,date\n9841000051,06/07/2026\n')
  expect(late.body).toMatchObject({ added: 1, invalid: 0, dateOrders: { date: 'mdy' } })
  expect(await spoken(chosen)).toEqual(['2026-03-04', '2026-06-07', '2026-11-05'])

  const open = (await upload(ambiguous)).body.baseId
  expect((await add(open, 'mobile,date\n9841000050,25/12/2026\n')).body.dateOrders).toEqual({ date: 'dmy' })
  expect(await spoken(open)).toEqual(['2026-04-03', '2026-05-11', '2026-12-25'])
})

test('of a file from before orders were stored, the order is found when it is used', async () => {
  const { baseId } = (await upload(await fileOf('18-us-dates.csv'))).body
  const old = (await upload(ambiguous)).body.baseId
  await app.db.updateTable('base').set({ date_orders: null }).where('id', 'in', [baseId, old]).execute()
  expect(await spoken(baseId)).toEqual(['2026-11-05', '2026-11-25', '2026-12-03'])
  expect(await spoken(old)).toEqual([])
  expect((await preview(old)).dateOrders).toEqual({ date: 'ask' })
  await expect(usable(old)).rejects.toMatchObject({ errors: mustBeAsked })
})

test('the look at a file says whose dates can be two days, by the names that uploads have, and reads on until a day decides', async () => {
  const look = (content: BlobPart) => post('/api/obd/base/look', { baseFile: new File([content], 'list.csv') })
  expect((await look(ambiguous)).body).toMatchObject({ dateOrders: { date: 'ask' } })
  expect((await look(await fileOf('18-us-dates.csv'))).body).toMatchObject({ dateOrders: { date: 'mdy' } })
  expect((await look(await fileOf('19-bs-dates.csv'))).body).toMatchObject({ dateOrders: {} })
  expect((await look(await fileOf('21-date-time.xlsx'))).body).toMatchObject({ dateOrders: {} })
  const rows = Array.from({ length: 2000 }, (_, at) => `${9_841_000_001 + at},05/06/2026`)
  expect((await look(`mobile,due\n${rows.join('\n')}\n9841009999,25/06/2026\n`)).body).toMatchObject({
    dateOrders: { due: 'dmy' },
  })
  const behind = `Members, since 01/02/2020\nname,due on,mobile\nSita,05/06/2026,9841000001\n`
  expect((await look(behind)).body.dateOrders).toEqual({ 'due on': 'ask' })
  const unnamed = 'Sita,05/06/2026,9841000001\nRam,06/07/2026,9841000002\n'
  expect((await look(unnamed)).body.dateOrders).toEqual((await upload(unnamed)).body.dateOrders)
})

test('of added rows that prove another order than the file has, none is read that can be two days', async () => {
  const { baseId } = (await upload('mobile,date\n9841000001,25/12/2026\n')).body
  const { body } = await add(
    baseId,
    'mobile,date\n9841000050,11/05/2026\n9841000051,11/25/2026\n9841000052,05/05/2026\n9841000053,2083-08-06\n',
  )
  expect(body).toMatchObject({ added: 2, invalid: 2, dateOrders: { date: 'dmy' } })
  expect(body.refused).toMatchObject([
    {
      line: 2,
      reason: 'date can be two days: the rows beside it have the month first, and its column has the day first',
    },
    { line: 3, reason: 'date has no such day: in its column the day stands before the month' },
  ])
  expect(await spoken(baseId)).toEqual(['2026-05-05', '2026-11-22', '2026-12-25'])
})

test('an order for added rows that the file contradicts is refused, and one that it does not know is stored', async () => {
  const { baseId } = (await upload(await fileOf('18-us-dates.csv'))).body
  const more = 'mobile,date\n9841000050,05/06/2026\n'
  expect(await add(baseId, more, { dateOrders: '{"date":"dmy"}' })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'dateOrders', code: 'impossible' }] },
  })
  const open = (await upload('mobile\n9841000001\n')).body.baseId
  expect((await add(open, more, { dateOrders: '{"date":"mdy"}' })).body.dateOrders).toEqual({ date: 'mdy' })
  expect(await spoken(open)).toEqual(['2026-05-06'])
})

test('a column that is not spoken may have dates of any order', async () => {
  const { body } = await upload('mobile,date,born\n9841000001,2083-08-06,01/02/1990\n')
  expect(body.dateOrders).toEqual({ born: 'ask' })
  expect(await usable(body.baseId)).toMatchObject({ id: body.baseId })
  expect((await preview(body.baseId)).first).toMatchObject([{ dates: { date: '2026-11-22' } }])
})

test('a wrong day is never spoken: of rows in one order, each date is spoken as it was meant, or its row is refused', () => {
  const date = fc.record({
    year: fc.constantFrom(2026, 2083),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
  })
  const two = (n: number) => String(n).padStart(2, '0')
  fc.assert(
    fc.property(fc.array(date, { minLength: 1, maxLength: 8 }), fc.constantFrom('dmy', 'mdy'), (dates, order) => {
      const written = dates.map(({ year, month, day }) =>
        (order === 'dmy' ? [day, month, year] : [month, day, year]).join('/'),
      )
      const lines = [['mobile', 'date'], ...written.map((text, n) => [`98410000${10 + n}`, text])]
      const found = new ContactValidator('any', ',')
      lines.forEach((cells, at) => found.validate(cells, at + 1))
      const { dateOrders } = found.totals()
      const validator = new ContactValidator(columnsOfTemplate(auto2), ',', dateOrders)
      for (const [at, cells] of lines.entries()) {
        const validated = validator.validate(cells, at + 1)
        if (!validated || 'reason' in validated) continue
        const { year, month, day } = dates[at - 1] ?? { year: 0, month: 0, day: 0 }
        const iso = new ContactValidator(columnsOfTemplate(auto2), ',')
        iso.validate(['mobile', 'date'], 1)
        const meant = iso.validate(['9841000001', `${year}-${two(month)}-${two(day)}`], 2)
        expect(meant).toMatchObject({ spoken: validated.spoken })
      }
      if (dates.some(({ day }) => day > 12)) expect(dateOrders).toEqual({ date: order })
    }),
    { numRuns: 500 },
  )
})
