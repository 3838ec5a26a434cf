import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import type { SmsReportRow } from '@ghanti/contract/sms-campaigns.ts'
import { parse } from 'csv-parse/sync'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../db/pool.ts'
import { countAll } from '../../modules/insight/actions-count.ts'
import { archiveOld } from '../../modules/retention/actions-archives.ts'
import { forgetDeleted } from '../../modules/retention/actions-delete.ts'
import type { Viewer } from '../../policy.ts'
import { settleMessages } from '../../sms/settle/settle.sql.ts'
import { claimSms, expectSoundBooks, newSmsCampaign, newSmsFixtures, smsOutcome } from '../../sms/testing/fixtures.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { keepMonths, nextMonth, nightIn } from '../../testing/months.ts'
import { newUser } from '../../testing/seed.ts'
import { enginePoolOptions } from '../../dispatch/statement.ts'

const app = await testApp()
const options = enginePoolOptions
const engine = openPool({ connectionString: app.loginUrl, max: 4, name: 'ghanti-engine-test', options }, () => {})
const at = { db: app.db, pool: app.pool, url: app.url, engine }
afterAll(() => engine.end())
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})

const sms = await newSmsFixtures(at)
const { user } = sms
const secret = 9779841888001

/** A finished campaign whose messages were all sent, each for 150 paisa. */
async function sent(n: number, name: string): Promise<number> {
  const phones = Array.from({ length: n }, (_, i) => secret + i)
  const id = await newSmsCampaign(at, { user, phones, name })
  const { messages } = await claimSms(at, sms, id, n)
  expect(messages).toHaveLength(n)
  await settleMessages(
    engine,
    sms.lease,
    0,
    messages.map((message, i) => smsOutcome(message, { kind: 'accepted', accepted: 1, idKeys: [`k${id}-${i}`] })),
  )
  await app.db.updateTable('sms_campaign').set({ status: 'complete' }).where('id', '=', id).execute()
  return id
}
const get = async (viewer: Viewer, url: string) => http.inject({ url, headers: await signedIn(app, viewer) })
const archive = () => app.db.selectFrom('archive').selectAll().executeTakeFirstOrThrow()
const linesOf = async (hash: string) =>
  (await text((await app.files.read(hash)).pipe(createGunzip()))).trim().split('\n')
const costs = async (id: number) => {
  const reply = await get(user, `/app/sms/campaign/report/${id}`)
  return reply.json<{ rows: SmsReportRow[] }>().rows.map(({ cost }) => cost)
}

await keepMonths(app, 3)
await nextMonth(app, '2026-01-01')
const old = await sent(6, 'Old messages')
const other = await sent(3, 'Other old messages')
await nextMonth(app, '2026-02-01')
const recent = await sent(2, 'Recent messages')

test('messages leave for a file with every row, price and number; the books stay exact and younger ones stay', async () => {
  expect(await costs(old)).toEqual([1.5, 1.5, 1.5, 1.5, 1.5, 1.5])
  await countAll(app.db)
  app.clock.set(nightIn(5))
  expect(await archiveOld(app)).toBe(1)
  const { parent, rows, cost_paisa: cost, file_hash: hash } = await archive()
  expect({ parent, rows, cost }).toEqual({ parent: 'sms_sent', rows: 9, cost: 9 * 150 })
  const [header = '', ...lines] = await linesOf(hash)
  const phone = header.split(',').indexOf('phone')
  const numbers = lines.map((row) => Number(row.split(',')[phone]) - secret)
  expect(numbers.toSorted()).toEqual([0, 0, 1, 1, 2, 2, 3, 4, 5])
  const { rows: left } = await app.pool.query('select distinct campaign_id from sms_sent')
  expect(left).toEqual([{ campaign_id: recent }])
  await expectSoundBooks(at)
  expect(await archiveOld(app)).toBe(0)
})

test('the summary of the campaign says so, its list and its CSV do not call what they do not know nothing, and its owner gets the file', async () => {
  const summary = async (id: number) => (await get(user, `/app/sms/campaign/summary/${id}`)).json<object>()
  expect(await summary(old)).toMatchObject({ archivedMessages: { rows: 6 } })
  expect(await summary(recent)).toMatchObject({ archivedMessages: null })
  expect(await costs(old)).toEqual([null, null, null, null, null, null])
  expect(await costs(recent)).toEqual([1.5, 1.5])
  const csv = (await get(user, `/app/sms/campaign/report/${old}/sms-report.csv`)).body
  expect(csv).toContain('Costs of 6 messages are not here: they were archived on')
  expect((await get(user, `/app/sms/campaign/report/${recent}/sms-report.csv`)).body).not.toContain('archived')
  const url = `/app/sms/campaign/archived/${old}/messages.csv`
  expect((await get(await newUser(app), url)).statusCode).toBe(404)
})

test('archived messages have the columns of the report, with what each submission cost', async () => {
  const rowsOf = ({ body }: { body: string }): Record<string, string>[] =>
    parse(body, { bom: true, columns: true, relax_column_count: true }) // a line of the report says what is archived
  const report = rowsOf(await get(user, `/app/sms/campaign/report/${old}/sms-report.csv`)).slice(0, 6)
  const archived = rowsOf(await get(user, `/app/sms/campaign/archived/${old}/messages.csv`))
  expect(archived.map((row) => row['Mobile No.']).toSorted()).toEqual(report.map((row) => row['Mobile No.']).toSorted())
  const costs = new Map(report.map((row) => [row['Mobile No.'], { ...row, 'Cost (Rs)': '1.50' }]))
  for (const row of archived) expect(row).toEqual(costs.get(row['Mobile No.']))
})

test('an archived submission that was followed by another says what its gateway answered', async () => {
  const { id } = await app.db
    .selectFrom('sms_message')
    .select('sms_id as id')
    .where('campaign_id', '=', other)
    .where('no', '=', 0)
    .executeTakeFirstOrThrow()
  const of = app.db.updateTable('sms_message').where('campaign_id', '=', other).where('no', '=', 0)
  await of.set({ state: 'delivered', final_at: nightIn(4), sms_id: Number(id) + 1000 }).execute()
  const csv = (await get(user, `/app/sms/campaign/archived/${other}/messages.csv`)).body
  await of.set({ state: 'submitted', final_at: null, sms_id: id }).execute()
  const rows: Record<string, string>[] = parse(csv, { bom: true, columns: true })
  expect(rows).toHaveLength(3)
  for (const row of rows)
    expect(row).toMatchObject({
      'Delivery Status': 'Submitted',
      'Delivery Time': '',
      'Submit Time': expect.stringMatching(/^\d{4}-/),
    })
})

test('a campaign of messages that is deleted loses its numbers in the file too', async () => {
  const payload = { campaignId: old, campaignName: 'Old messages' }
  const headers = await signedIn(app, user)
  const reply = await http.inject({ method: 'POST', url: '/app/sms/campaign/delete', headers, payload })
  expect(reply.statusCode).toBe(200)
  const before = await archive()
  const kept = (await get(user, `/app/sms/campaign/archived/${other}/messages.csv`)).body
  await forgetDeleted(app)
  const after = await archive()
  expect(after.file_hash).not.toBe(before.file_hash)
  await expect(app.files.sizeOf(before.file_hash)).rejects.toThrow()
  const emptied = (await get(user, `/app/sms/campaign/archived/${old}/messages.csv`)).body
  expect(emptied.trim().split('\r\n')).toHaveLength(7)
  expect(emptied).not.toContain('984188')
  expect(emptied, 'the price stays').toContain(',1.50,')
  expect((await get(user, `/app/sms/campaign/archived/${other}/messages.csv`)).body).toBe(kept)
  await expectSoundBooks(at)
})
