import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import * as path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newUser } from '../../testing/seed.ts'
import { workbook } from '../../testing/files/workbook.ts'
import { previewBase } from './actions.ts'
import { contactHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { contacts: contactHandlers } })
let user: Viewer
beforeEach(async () => {
  user = await newUser(app)
})

type Body = {
  baseId: number
  rows: number
  dialable: number
  added: number
  duplicate: number
  invalid: number
  refused: { line: number; text: string; reason: string }[]
  errors?: FieldError[]
}
async function post(url: string, fields: Record<string, string | File>, viewer = user) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const body = new Response(form)
  const headers = { ...(await signedIn(app, viewer)), 'content-type': body.headers.get('content-type') ?? '' }
  const reply = await http.inject({ method: 'POST', url, headers, payload: Buffer.from(await body.arrayBuffer()) })
  return { status: reply.statusCode, body: reply.json<Body>() }
}
const fileOf = (content: BlobPart) => new File([content], 'more.csv', { type: 'text/csv' })
async function stored(text: BlobPart): Promise<number> {
  const { body } = await post('/api/obd/baseupload', { baseName: 'Members', baseFile: fileOf(text) })
  return body.baseId
}
const add = (baseId: number, content: BlobPart, more: Record<string, string> = {}) =>
  post('/api/obd/base/add', { baseId: String(baseId), baseFile: fileOf(content), ...more })
const row = (baseId: number) => app.db.selectFrom('base').selectAll().where('id', '=', baseId).executeTakeFirstOrThrow()
async function textOf(baseId: number): Promise<string> {
  const stored = await app.files.pathOf((await row(baseId)).file_hash)
  return (await buffer(createReadStream(stored))).toString()
}

describe('rows are added to a contact file', () => {
  test('by the names of their columns; what is there already or cannot be called is counted with its reason', async () => {
    const baseId = await stored('Mobile;Name\r\n9841000001;Sita\r\n\r\n1414;Ram\r\n9841000002;Gita\r\n')
    const more = 'City,name,phone\nPokhara,Hari,9841000003\n,Sita,+977 9841000001\nx,Bina,abc\n,Mina,9841000001\n'
    const { status, body } = await add(baseId, more)
    expect([status, body]).toEqual([
      200,
      {
        message: 'Success',
        rows: 5,
        dialable: 4,
        dateOrders: {},
        added: 2,
        duplicate: 1,
        invalid: 1,
        hiddenLeft: 0,
        hiddenTaken: 0,
        moreNumbers: [],
        refused: [
          { line: 3, text: ',Sita,+977 9841000001', reason: 'the same row as in line 2' },
          { line: 4, text: 'x,Bina,abc', reason: 'the number has letters' },
        ],
      },
    ])
    expect(await textOf(baseId)).toBe(
      '\ufeffMobile,Name,City\r\n9841000001,Sita\r\n\r\n1414,Ram\r\n9841000002,Gita\r\n9841000003,Hari,Pokhara\r\n9841000001,Mina,\r\n',
    )
    expect(await row(baseId)).toMatchObject({ rows: 5, dialable: 4, columns: ['mobile', 'Name', 'City'] })
    expect((await previewBase({ app, viewer: user }, baseId, 0)).rows).toBe(5)
    const audits = await app.db
      .selectFrom('audit_log')
      .select('action')
      .where('target', '=', `base ${baseId}`)
      .execute()
    expect(audits.map(({ action }) => action)).toEqual(['base.upload', 'base.add'])
  })

  test('from pasted numbers, and from an Excel file', async () => {
    const baseId = await stored('9841000001\n9841000002\n')
    const pasted = await post('/api/obd/base/add', {
      baseId: String(baseId),
      contactList: '9841000002, 9841000003 9841000004',
    })
    expect(pasted.body).toMatchObject({ added: 2, duplicate: 1, rows: 4 })
    const excel = await add(baseId, await workbook([{ name: 'June', rows: [['mobile'], [9841000005], [9841000001]] }]))
    expect(excel.body).toMatchObject({ added: 1, duplicate: 1, rows: 5 })
    expect(await textOf(baseId)).toBe('\ufeff9841000001\r\n9841000002\r\n9841000003\r\n9841000004\r\n9841000005\r\n')
  })

  test('numbers alone only where the file does not have them, whatever else it says of them', async () => {
    const baseId = await stored('mobile,name\n9841000001,Sita\n9841000001,Ram\n')
    const contactList = '9841000001\n9841000002\n9841000002'
    const { body } = await post('/api/obd/base/add', { baseId: String(baseId), contactList })
    expect(body).toMatchObject({ added: 1, duplicate: 2, rows: 3 })
    expect(body.refused.map(({ reason }) => reason)).toEqual([
      'the same number as in line 2',
      'the same number as in line 4',
    ])
  })

  test('by position where neither names its columns', async () => {
    const baseId = await stored('9841000001,Sita\n')
    expect((await add(baseId, '9841000002,Ram\n')).body).toMatchObject({ added: 1 })
    expect((await row(baseId)).columns).toEqual(['mobile', 'column2'])
    const { body } = await add(baseId, 'mobile,name\n9841000003,Hari\n')
    expect(body.errors).toEqual([expect.objectContaining({ field: 'baseFile', code: 'columns' })])
  })

  test('and nothing changes when none of them is new', async () => {
    const baseId = await stored('9841000001\n')
    const before = await row(baseId)
    expect((await add(baseId, '9841000001\nx\n')).body).toMatchObject({ added: 0, duplicate: 1, invalid: 1, rows: 1 })
    expect(await row(baseId)).toEqual(before)
  })
})

/** Adds the rows in a process of its own, which is killed at that moment. */
async function killedAt(moment: string, baseId: number, content: string): Promise<string | null> {
  const more = path.join(app.config.dataFolder, `more ${moment}.csv`)
  await writeFile(more, content)
  const child = spawn(process.execPath, [
    path.resolve(import.meta.dirname, '../../testing/processes/add-rows-process.ts'),
    app.databaseUrl,
    app.config.dataFolder,
    JSON.stringify({ viewer: user, baseId, more, moment }),
  ])
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return signal
}

describe('a process that is killed while it adds rows leaves the old file whole', () => {
  const name = 'when the new file is being %s; the next one adds them all'
  test.each(['stored'])(name, expectWhole)
  test.each(['written'])(name, { tags: ['exhaustive'] }, expectWhole)
  async function expectWhole(moment: string): Promise<void> {
    const text = numbersFrom(9841000000, 20_000)
    const baseId = await stored(text)
    const before = await row(baseId)
    const more = numbersFrom(9842000000, 20_000)
    expect(await killedAt(moment, baseId, more)).toBe('SIGKILL')
    expect([await row(baseId), await textOf(baseId)]).toEqual([before, text])
    expect((await add(baseId, more)).body).toMatchObject({ added: 20_000, rows: 40_000 })
  }
})
const numbersFrom = (first: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `${first + at}\n`).join('')

describe('rows are not added', () => {
  test('to a file of somebody else', async () => {
    const baseId = await stored('9841000001\n')
    const stranger = await newUser(app)
    const fields = { baseId: String(baseId), baseFile: fileOf('9841000002\n') }
    expect((await post('/api/obd/base/add', fields, stranger)).status).toBe(404)
  })

  test('while a campaign is made from it, whose rows are being read', async () => {
    const baseId = await stored('9841000001\n')
    const id = await newCampaign(app, user, { status: 'processing', name: 'Being made' })
    await app.db.updateTable('campaign_detail').set({ base_id: baseId }).where('campaign_id', '=', id).execute()
    expect(await add(baseId, '9841000002\n')).toMatchObject({
      status: 409,
      body: { errors: [{ text: 'is being read for a campaign: try again in a minute' }] },
    })
  })

  test('of two uploads at once the second is refused, and every row of the first is stored', async () => {
    const baseId = await stored('9841000001\n')
    const both = await Promise.all([add(baseId, '9841000002\n'), add(baseId, '9841000003\n')])
    const taken = both.filter(({ status }) => status === 200)
    expect((await row(baseId)).rows).toBe(1 + taken.length)
    for (const { status, body } of both)
      if (status !== 200) expect([status, body.errors?.[0]?.code]).toEqual([409, 'changed'])
  })

  test('beyond 20 MB or a hundred columns, and the file stays as it was', async () => {
    const wide = Array.from({ length: 99 }, (_, at) => `c${at}`).join(',')
    const baseId = await stored(`mobile,${wide}\n9841000001\n`)
    const before = await row(baseId)
    expect((await add(baseId, 'mobile,more\n9841000002,x\n')).body.errors?.[0]?.text).toBe(
      'would have more than 100 columns with the stored file',
    )
    expect(await row(baseId)).toEqual(before)
  })
})
