import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import { parse } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import { beforeAll, expect, test, vi } from 'vitest'
import { isStored } from '../../drivers/files/driver.ts'
import { startWorkers } from '../../jobs.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { answered, newCall, newCalls } from '../../testing/calls.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { polling } from '../../testing/timeouts.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import { unzipped } from '../../testing/files/zip.ts'
import { callReportHandlers } from '../call-report/routes.ts'
import { exportLimit } from '../limits/rules.ts'
import { forgetOldExports, giveUpExport, makeExport } from './actions-make.ts'
import { exportHandlers } from './routes.ts'

/** scripts/own-values.test.ts has how names are looked up. */
const exhaustive = { tags: ['exhaustive'] }

const app = await testApp()
const http = await testHttp(app, { handlers: { exports: exportHandlers, callReport: callReportHandlers } })
const reseller = await newReseller(app)
let user: Viewer
let campaignId: number
const never = new AbortController().signal
const at = new Date('2026-11-20T04:15:00Z')

beforeAll(async () => {
  user = await newUser(app, { parent: reseller })
  campaignId = await newCampaign(app, user, { status: 'complete', rows: 4, name: 'Dashain / Tihar' })
  await app.db
    .updateTable('base')
    .set({ columns: ['mobile', 'name', 'Calls'] })
    .where('id', '=', (of) => of.selectFrom('campaign_detail').select('base_id').where('campaign_id', '=', campaignId))
    .execute()
  const rowIs = (no: number, state: 'done' | 'dnd' | 'expired', disposition: 'ANSWER' | 'BUSY' | null) =>
    app.db
      .updateTable('campaign_contact')
      .set({ state, disposition })
      .where('campaign_id', '=', campaignId)
      .where('no', '=', no)
      .execute()
  await rowIs(0, 'done', 'ANSWER')
  await rowIs(1, 'done', 'BUSY')
  await rowIs(2, 'dnd', null)
  await rowIs(3, 'expired', 'BUSY')
  const vars = JSON.stringify({ name: '=सीता <&> "x"', Calls: 'many' })
  await app.db.insertInto('contact_value').values({ campaign_id: campaignId, no: 0, vars }).execute()
  const numberOf = (no: number) => ({ no, phone: 9_779_800_000_000 + no })
  await newCall(app, user, campaignId, { at, ...numberOf(0) })
  await newCall(app, user, campaignId, { at, ...numberOf(0), attempt_no: 2, ...answered(12, at), keys: '1' })
  await newCall(app, user, campaignId, { at, ...numberOf(1) })
})

async function send(method: 'GET' | 'POST' | 'DELETE', url: string, { viewer = user, ...more }: Sent = {}) {
  const { headers = {}, payload } = more
  const signed = { ...(await signedIn(app, viewer)), ...headers }
  return await http.inject({ method, url, headers: signed, ...(payload && { payload }) })
}
type Sent = { viewer?: Viewer; payload?: object; headers?: Record<string, string> }
type Shown = { exportId: number; fileName: string; exportStatus: string; rows: number; bytes: number; reason: string }

const ask = (kind: string, format: string, filter?: object, viewer = user) =>
  send('POST', '/api/obd/export', { viewer, payload: { kind, format, ...(filter && { filter }) } })
async function asked(kind: string, format: string, filter?: object): Promise<number> {
  const reply = await ask(kind, format, filter)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ exportId: number }>().exportId
}
async function shown(exportId: number, viewer = user): Promise<Shown | undefined> {
  const reply = await send('GET', `/api/obd/exports/${viewer.userId}`, { viewer })
  return reply.json<Shown[]>().find((one) => one.exportId === exportId)
}
async function ready(exportId: number, viewer = user): Promise<Shown> {
  let last: Shown | undefined
  await vi.waitFor(async () => {
    last = await shown(exportId, viewer)
    expect(['2', '3']).toContain(last?.exportStatus)
  }, polling)
  if (!last) throw new Error('it is gone')
  return last
}
const addressOf = ({ exportId, fileName }: Shown) => `/exports/${exportId}/${encodeURIComponent(fileName)}`
async function made(kind: string, format: string, filter?: object) {
  const one = await ready(await asked(kind, format, filter))
  expect(one.reason).toBeNull()
  return { one, reply: await send('GET', addressOf(one)) }
}
async function forgetAll() {
  await app.db.deleteFrom('export').execute()
}

test('the eleventh that waits is refused, as are unknown kinds, formats and filters and campaigns of strangers, naming the field', async () => {
  const field = async (...what: Parameters<typeof ask>) => {
    const reply = await ask(...what)
    const [error] = reply.json<{ errors: { field: string; text: string }[] }>().errors
    return [reply.statusCode, error?.field, error?.text]
  }
  expect(await field('all', 'csv')).toEqual([400, 'kind', 'must be one of calls, rows'])
  expect(await field('rows', 'pdf')).toEqual([400, 'format', 'must be one of csv, xlsx, parquet'])
  expect(await field('rows', 'csv')).toMatchObject([400, 'filter.campaignId', expect.anything()])
  expect(await field('calls', 'csv', { colour: 'red' })).toEqual([400, 'filter.colour', 'is not known here'])
  const padded = { username: `${' '.repeat(90_000)}${user.username}` }
  expect(await field('calls', 'csv', padded)).toEqual([400, 'filter', 'is longer than 5000 characters'])
  expect(await field('calls', 'csv', { from: '2036-01-01 00:00:00', to: '2026-01-01 00:00:00' })).toEqual([
    400,
    'filter.to',
    'must not be before the beginning',
  ])
  const stranger = await newUser(app)
  const theirs = await newCampaign(app, stranger, { status: 'complete', rows: 1 })
  const unseen = 'is not a campaign that you may see'
  expect(await field('rows', 'csv', { campaignId: theirs })).toEqual([400, 'filter.campaignId', unseen])
  expect(await field('calls', 'csv', { campaignId: theirs })).toEqual([400, 'filter.campaignId', unseen])
  expect(await field('calls', 'csv', { userId: stranger.userId })).toMatchObject([
    400,
    'filter.userId',
    expect.anything(),
  ])
  for (let n = 0; n < exportLimit.atOnce; n++) await asked('rows', 'csv', { campaignId })
  expect((await ask('rows', 'csv', { campaignId })).statusCode).toBe(429)
  expect((await ask('calls', 'csv', {}, stranger)).statusCode).toBe(200)
  await forgetAll()
})

test('every row of a campaign is in it with how it ended, whoever was not reached too; names say campaign and date', async () => {
  await startWorkers(app)
  const { one, reply } = await made('rows', 'csv', { campaignId })
  expect(one.fileName).toMatch(/^Dashain _ Tihar rows \d{4}-\d\d-\d\d\.csv$/)
  expect(one).toMatchObject({ rows: 4, bytes: reply.rawPayload.length })
  expect(reply.headers).toMatchObject({
    'cache-control': 'private, no-store',
    'content-type': 'text/csv; charset=utf-8',
  })
  expect(reply.body.startsWith('\ufeff')).toBe(true)
  const [header = [], ...rows]: string[][] = parse(reply.body, { bom: true })
  expect(header.slice(0, 8)).toEqual(['Row', 'Mobile', 'name', 'Calls', 'Final State', 'Reached', 'Calls 2', 'Keys'])
  expect(rows.map((row) => row.slice(0, 8))).toEqual([
    ['2', '9800000000', `'=सीता <&> "x"`, 'many', 'ANSWER', 'Yes', '2', '1'],
    ['3', '9800000001', '', '', 'BUSY', 'No', '1', ''],
    ['4', '9800000002', '', '', 'DND', 'No', '0', ''],
    ['5', '9800000003', '', '', 'EXPIRED', 'No', '0', ''],
  ])
  expect(rows[0]?.slice(8, 14)).toEqual([
    '2026-11-20 10:00:00',
    '2026-11-20 10:00:00',
    '2026-11-20 10:00:00',
    '12',
    '1',
    '0.50',
  ])
})

test('a spreadsheet holds texts as texts, numbers as numbers and times as times, and runs nothing', async () => {
  const { reply } = await made('rows', 'xlsx', { campaignId })
  const parts = await unzipped(reply.rawPayload)
  const sheet = parts['xl/worksheets/sheet1.xml'] ?? ''
  expect(sheet).toContain('<c t="inlineStr"><is><t xml:space="preserve">9800000000</t></is></c>')
  expect(sheet).toContain('<t xml:space="preserve">=सीता &#60;&#38;&#62; &#34;x&#34;</t>')
  const serial = (Date.UTC(2026, 10, 20, 10) - Date.UTC(1899, 11, 30)) / (24 * 3600_000)
  expect(sheet).toContain(`<c s="1"><v>${serial.toFixed(10)}</v></c>`)
  expect(parts['xl/styles.xml']).toContain('formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"')
  expect(sheet).toContain('<c s="2"><v>0.5</v></c>')
  expect(sheet).not.toContain('<f>')
  expect(sheet.match(/<row>/g)).toHaveLength(5)
  expect(sheet.endsWith('</sheetData></worksheet>')).toBe(true)
  expect(parts['xl/workbook.xml']).toContain('<sheet name="Sheet1" sheetId="1" r:id="rId1"/>')
  expect(parts['[Content_Types].xml']).toContain('/xl/worksheets/sheet1.xml')
})

test.each(['csv', 'xlsx'])(
  'columns called like what every object has are columns like others in %s',
  exhaustive,
  async (format) => {
    const names = ['__proto__', 'constructor', 'valueOf', 'toString', 'hasOwnProperty']
    const id = await newCampaign(app, user, { status: 'complete', rows: 2 })
    await app.db
      .updateTable('base')
      .set({ columns: ['mobile', ...names] })
      .where('id', '=', (of) => of.selectFrom('campaign_detail').select('base_id').where('campaign_id', '=', id))
      .execute()
    const vars = JSON.stringify(Object.fromEntries(names.map((name) => [name, `of ${name}`])))
    const rest = JSON.stringify({ other: 'x' })
    for (const [no, values] of [vars, rest].entries())
      await app.db.insertInto('contact_value').values({ campaign_id: id, no, vars: values }).execute()
    const { reply } = await made('rows', format, { campaignId: id })
    const rows: string[][] =
      format === 'csv'
        ? parse(reply.body, { bom: true })
        : ((await unzipped(reply.rawPayload))['xl/worksheets/sheet1.xml'] ?? '')
            .split('<row>')
            .slice(1)
            .map((row) => row.split('<c').slice(1))
            .map((cells) => cells.map((cell) => /<t[^>]*>([^<]*)/.exec(cell)?.[1] ?? ''))
    const shown = rows.map((row) => row.slice(2, 2 + names.length))
    expect(shown).toEqual([names, names.map((name) => `of ${name}`), names.map(() => '')])
  },
)

test('Parquet is read back as it was, with numbers that can be added up and times that can be compared', async () => {
  const { reply } = await made('rows', 'parquet', { campaignId })
  const file = Uint8Array.from(reply.rawPayload).buffer
  const rows = await parquetReadObjects({ file })
  expect(rows).toHaveLength(4)
  expect(rows[0]).toMatchObject({ Mobile: '9800000000', name: '=सीता <&> "x"', 'Calls 2': 2, 'Cost (Rs)': 0.5 })
  expect(rows[0]).toMatchObject({ 'Last Call': new Date('2026-11-20T10:00:00Z') })
  expect(rows[1]).toMatchObject({ name: null, Reached: 'No' })
  expect(rows[2]).toMatchObject({ 'Last Call': null })
  const calls = await made('calls', 'parquet', { campaignId })
  const [call] = await parquetReadObjects({ file: Uint8Array.from(calls.reply.rawPayload).buffer })
  expect(call?.['Attempt ID']).toBeTypeOf('bigint')
})

// ../call-report/call-report.test.ts has what is filtered; http/replies/list-csv.test.ts the columns.
test(
  'calls have the columns of the screen and what is filtered, also over ten years',
  { tags: ['exhaustive'] },
  async () => {
    const { one, reply } = await made('calls', 'csv', { from: '2020-01-01 00:00:00', to: '2030-01-01 00:00:00' })
    expect(one.fileName).toMatch(/^calls \d{4}-\d\d-\d\d\.csv$/)
    const rows: Record<string, string>[] = parse(reply.body, { bom: true, columns: true })
    expect(rows.map((row) => [row['Customer Number'], row['Status'], row['Seconds']])).toEqual([
      ['9800000001', 'Fail', '0'],
      ['9800000000', 'Success', '12'],
      ['9800000000', 'Fail', '0'],
    ])
    const busy = await made('calls', 'csv', { campaignId, disposition: 'BUSY' })
    expect(parse(busy.reply.body, { bom: true })).toHaveLength(3)
    expect(busy.one.fileName).toMatch(/^Dashain _ Tihar calls /)
  },
)

// worker-xlsx.test.ts and exports-interrupted.test.ts beside it have files of several pieces.
test(
  'a file of more calls than are read at once has the lines of the report’s own CSV, in the same order',
  { tags: ['exhaustive'] },
  async () => {
    const busy = await newUser(app, { parent: reseller })
    await newCalls(app, busy, await newCampaign(app, busy, { status: 'complete', name: 'Many' }), 11_000)
    const { exportId } = (await ask('calls', 'csv', {}, busy)).json<{ exportId: number }>()
    const file = await send('GET', addressOf(await ready(exportId, busy)), { viewer: busy })
    const report = await send('GET', `/api/obd/campaign/report/${busy.userId}/report.csv`, { viewer: busy })
    const lines: string[][] = parse(file.body, { bom: true })
    expect(lines.length).toBe(11_001)
    expect(lines).toEqual(parse(report.body, { bom: true }))
  },
)

test('a download goes on where it broke off as long as the file is the same; others find nothing, and each leaves a line', async () => {
  const { one, reply } = await made('rows', 'csv', { campaignId })
  const etag = String(reply.headers.etag)
  expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
  const range = (headers: Record<string, string>) =>
    send('GET', addressOf(one), { headers: { range: 'bytes=10-', ...headers } })
  const rest = await range({ 'if-range': etag })
  expect([rest.statusCode, rest.headers['content-range']]).toEqual([206, `bytes 10-${one.bytes - 1}/${one.bytes}`])
  expect(rest.rawPayload.equals(reply.rawPayload.subarray(10))).toBe(true)
  expect((await range({ 'if-range': '"another"' })).statusCode).toBe(200)
  expect((await send('GET', addressOf(one), { headers: { range: `bytes=${one.bytes}-` } })).statusCode).toBe(416)
  expect((await send('GET', addressOf({ ...one, fileName: 'other.csv' }))).statusCode).toBe(404)
  for (const viewer of [reseller, await newUser(app)]) {
    expect((await send('GET', addressOf(one), { viewer })).statusCode).toBe(404)
    expect((await send('DELETE', `/api/obd/export/${one.exportId}`, { viewer })).statusCode).toBe(404)
    expect((await send('GET', `/api/obd/exports/${user.userId}`, { viewer })).statusCode).toBe(404)
  }
  const lines = await app.db
    .selectFrom('audit_log')
    .select('action')
    .where('target', '=', `export ${one.exportId}`)
    .orderBy('id')
    .execute()
  expect(lines.map(({ action }) => action)).toEqual(['export.ask', 'export.download'])
  const notices = await app.db
    .selectFrom('notice')
    .select('about')
    .where('kind', '=', 'exportReady')
    .where('subject_id', '=', one.exportId)
    .execute()
  expect(notices).toEqual([{ about: one.fileName }])
})

/** An export that no worker makes, because it has no job. */
async function unworked(filter: object = { campaignId }): Promise<number> {
  const what = { kind: 'rows', format: 'csv', filter: JSON.stringify(filter), file_name: 'x.csv' } as const
  const { id } = await app.db
    .insertInto('export')
    .values({ owner_id: user.userId, ...what })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test('an export whose process ended is made again, unless it was deleted meanwhile', async () => {
  const id = await unworked()
  await app.db.updateTable('export').set({ status: 'making', rows: 2 }).where('id', '=', id).execute()
  expect((await send('GET', `/exports/${id}/x.csv`)).statusCode, 'no half file is served').toBe(404)
  await makeExport(app, id, never)
  expect(await shown(id)).toMatchObject({ exportStatus: '2', rows: 4 })
  const gone = await unworked()
  expect((await send('DELETE', `/api/obd/export/${gone}`)).statusCode).toBe(200)
  await makeExport(app, gone, never)
  expect(await shown(gone)).toBeUndefined()
  expect(await fs.readdir(path.join(app.config.dataFolder, 'exports'))).toEqual([])
})

test('a campaign that is gone, an account that is disabled and a quota without room are said', async () => {
  const gone = await unworked({ campaignId: 2_000_000_000 })
  await makeExport(app, gone, never)
  expect(await shown(gone)).toMatchObject({
    exportStatus: '3',
    reason: 'was not made: its campaign was deleted meanwhile',
  })
  const large = await unworked()
  const stored = (size_bytes: number) =>
    app.db
      .updateTable('base')
      .set({ size_bytes })
      .where('id', '=', (of) =>
        of.selectFrom('campaign_detail').select('base_id').where('campaign_id', '=', campaignId),
      )
      .execute()
  await stored(600_000_000)
  await makeExport(app, large, never)
  expect((await shown(large))?.reason).toMatch(/^needs more than the 0 MB that this account may still store/)
  expect((await ask('rows', 'csv', { campaignId })).json()).toMatchObject({
    errors: [{ field: 'format', code: 'quota' }],
  })
  await stored(11)
  const broken = await unworked()
  await giveUpExport(app, broken)
  expect(await shown(broken)).toMatchObject({ exportStatus: '3', reason: 'could not be made. Please try again' })
})

test('a deleted export goes with its file, an expired one too; both count until then', async () => {
  const hashOf = async (id: number) =>
    (await app.db.selectFrom('export').select('file_hash').where('id', '=', id).executeTakeFirst())?.file_hash ?? ''
  const [one, other] = [await made('rows', 'csv', { campaignId }), await made('calls', 'xlsx', { campaignId })]
  await app.db.deleteFrom('export').where('id', 'not in', [one.one.exportId, other.one.exportId]).execute()
  const [first, second] = [await hashOf(one.one.exportId), await hashOf(other.one.exportId)]
  expect((await send('DELETE', `/api/obd/export/${one.one.exportId}`)).statusCode).toBe(200)
  expect([await isStored(app.files, first), await isStored(app.files, second)]).toEqual([false, true])
  app.clock.advance(8 * 24 * 3600_000)
  expect(await forgetOldExports(app)).toBe(1)
  expect(await isStored(app.files, second)).toBe(false)
})

test('an export that is deleted while its file is being stored leaves none', async () => {
  // What another export of this file holds is stored already.
  const alone = await newCampaign(app, user, { status: 'complete', rows: 3 })
  const exportId = await unworked({ campaignId: alone })
  let stored = ''
  const put = async (file: string) => {
    stored = await app.files.put(file)
    await app.db.deleteFrom('export').where('id', '=', exportId).execute()
    return stored
  }
  await makeExport({ ...app, files: { ...app.files, put } }, exportId, never)
  expect(stored).not.toBe('')
  expect(await isStored(app.files, stored)).toBe(false)
})
