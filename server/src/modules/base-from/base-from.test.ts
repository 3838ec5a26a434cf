import type { RowEnd } from '@ghanti/contract/base-from.ts'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Disposition } from '@ghanti/contract/campaign-status.ts'
import type { RowState } from '../../db/tables.ts'
import { startWorkers } from '../../jobs.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { answered, newCall } from '../../testing/calls.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { polling } from '../../testing/timeouts.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import { previewBase } from '../contacts/actions.ts'
import { contactHandlers } from '../contacts/routes.ts'
import { baseMakingLimit } from '../limits/rules.ts'
import { forgetOldMakings, giveUpBase, makeBase } from './actions-make.ts'
import { faults } from './rules.ts'
import { baseFromHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { baseFrom: baseFromHandlers, contacts: contactHandlers } })
const reseller = await newReseller(app)
let user: Viewer
beforeAll(async () => {
  user = await newUser(app, { parent: reseller })
})

type Row = { state?: RowState; end?: Disposition; seconds?: number; keys?: string; values?: Record<string, string> }
const numberOf = (no: number) => 9_779_800_000_000 + no

async function campaignOf(rows: readonly Row[], columns = ['mobile', 'name'], owner = user): Promise<number> {
  const id = await newCampaign(app, owner, { status: 'complete', rows: rows.length })
  await app.db
    .updateTable('base')
    .set({ columns })
    .where('id', '=', (of) => of.selectFrom('campaign_detail').select('base_id').where('campaign_id', '=', id))
    .execute()
  for (const [no, { state = 'done', end, seconds, keys, values }] of rows.entries()) {
    await app.db
      .updateTable('campaign_contact')
      .set({ state, disposition: end ?? null })
      .where('campaign_id', '=', id)
      .where('no', '=', no)
      .execute()
    if (values)
      await app.db
        .insertInto('contact_value')
        .values({ campaign_id: id, no, vars: JSON.stringify(values) })
        .execute()
    if (end === 'ANSWER')
      await newCall(app, owner, id, { no, phone: numberOf(no), ...answered(seconds ?? 20), keys: keys ?? '' })
    else if (end) await newCall(app, owner, id, { no, phone: numberOf(no), disposition: end })
  }
  return id
}

async function ask(campaignId: number, choice: object, baseName = `Made ${Math.random()}`, viewer = user) {
  const headers = await signedIn(app, viewer)
  const payload = { campaignId, baseName, ...choice }
  const reply = await http.inject({ method: 'POST', url: '/api/obd/base/from', headers, payload })
  const body = reply.json<{ makingId: number; errors?: { field: string; code: string; text: string }[] }>()
  return { status: reply.statusCode, ...body }
}
type Progress = { makingStatus: string; rows: number; baseId: number | null; reason: string | null }
async function progressOf(makingId: number): Promise<Progress> {
  const headers = await signedIn(app, user)
  return (await http.inject({ url: `/api/obd/base/from/${makingId}`, headers })).json()
}
async function ended(makingId: number): Promise<Progress> {
  let last: Progress | undefined
  await vi.waitFor(async () => {
    last = await progressOf(makingId)
    expect(['ready', 'failed']).toContain(last.makingStatus)
  }, polling)
  if (!last) throw new Error('it never ended')
  return last
}
async function made(campaignId: number, choice: object): Promise<string[][]> {
  const asked = await ask(campaignId, choice)
  expect(asked).toMatchObject({ status: 200 })
  const { baseId, reason } = await ended(asked.makingId)
  expect(reason).toBeNull()
  const { file_hash } = await app.db
    .selectFrom('base')
    .select('file_hash')
    .where('id', '=', baseId)
    .executeTakeFirstOrThrow()
  return parse(await readFile(await app.files.pathOf(file_hash)), { bom: true })
}
const numbers = (lines: readonly string[][]) => lines.slice(1).map(([mobile = '']) => Number(mobile) - 9_800_000_000)

test('ten that wait for a worker are enough: the eleventh is refused, as is another account’s campaign', async () => {
  const hostile = await newUser(app)
  const campaignId = await campaignOf([{ end: 'BUSY' }], undefined, hostile)
  const asked = () => ask(campaignId, { dispositions: ['BUSY'] }, undefined, hostile)
  for (let n = 0; n < baseMakingLimit.atOnce; n++) expect(await asked()).toMatchObject({ status: 200 })
  expect(await asked()).toMatchObject({ status: 429, errors: [{ field: 'account', code: 'throttled' }] })
  expect(await ask(campaignId, { dispositions: ['BUSY'] })).toMatchObject({ status: 404 })
  const { userId } = hostile
  await app.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', userId).execute()
})

test('what is asked for is refused in words', async () => {
  const campaignId = await campaignOf([{ end: 'BUSY' }])
  const field = async (choice: object, name?: string) => (await ask(campaignId, choice, name)).errors?.[0]
  expect(await field({})).toMatchObject({ field: 'dispositions', text: 'is required: say which rows' })
  expect(await field({ dispositions: ['GONE'] })).toMatchObject({ field: expect.stringMatching(/^dispositions/) })
  expect(await field({ keys: ['12'] })).toMatchObject({ field: expect.stringMatching(/^keys/) })
  expect(await field({ maxSeconds: 0 })).toMatchObject({ field: 'maxSeconds' })
  expect(await field({ notInCampaignId: campaignId })).toMatchObject({ text: 'must be another campaign' })
  const strangers = await campaignOf([{ end: 'BUSY' }], undefined, await newUser(app))
  expect(await field({ notInCampaignId: strangers })).toMatchObject({ field: 'notInCampaignId', code: 'not_found' })
  const running = await newCampaign(app, user, { status: 'running', rows: 1 })
  expect(await ask(running, { keys: ['1'] })).toMatchObject({ status: 409, errors: [{ code: 'not_over' }] })
  expect(await ask(campaignId, { keys: ['1'] }, 'x', reseller)).toMatchObject({ status: 403 })
})

test('the unreached, those who pressed a key and those who listened briefly get files of their own, with all columns', async () => {
  await startWorkers(app)
  const campaignId = await campaignOf(
    [
      { end: 'BUSY', values: { name: 'सीता, "Sita"', city: 'line one\nline two' } },
      { end: 'ANSWER', seconds: 4, keys: '12' },
      { end: 'ANSWER', seconds: 5, keys: '2*' },
      { state: 'dnd' },
      { state: 'expired', end: 'NO ANSWER' },
      { end: 'INVALID' },
      { end: 'ANSWER', seconds: 1 },
    ],
    ['mobile', 'name', 'city; or; town'],
  )
  const busy = await made(campaignId, { dispositions: ['BUSY', 'EXPIRED', 'DND'] satisfies RowEnd[] })
  expect(busy[0]).toEqual(['mobile', 'name', 'city; or; town'])
  expect(busy[1]).toEqual(['9800000000', 'सीता, "Sita"', ''])
  expect(numbers(busy)).toEqual([0, 3, 4])
  expect(numbers(await made(campaignId, { keys: ['2'] }))).toEqual([1, 2])
  expect(numbers(await made(campaignId, { keys: ['*', '1'] }))).toEqual([1, 2])
  expect(numbers(await made(campaignId, { maxSeconds: 5 }))).toEqual([1, 6])
  expect(numbers(await made(campaignId, { maxSeconds: 5, keys: ['1'] })), 'all must hold').toEqual([1])
})

test('numbers of another campaign of the same account are left out', async () => {
  const [campaignId, other] = [
    await campaignOf([{ end: 'BUSY' }, { end: 'BUSY' }, { end: 'ANSWER' }]),
    await campaignOf([{ end: 'ANSWER' }]),
  ]
  expect(numbers(await made(campaignId, { notInCampaignId: other }))).toEqual([1, 2])
})

test('values are what an upload of them would be: a campaign of the file reads them as the first one did', async () => {
  const values = { name: "=cmd|' /C calc'!A1", city: 'two\nlines; "quoted",\tand more', last: '-5' }
  const campaignId = await campaignOf([{ end: 'BUSY', values }], ['mobile', 'name', 'city', 'last', 'column5'])
  const { makingId } = await ask(campaignId, { dispositions: ['BUSY'] })
  const { baseId, rows } = await ended(makingId)
  expect(rows).toBe(1)
  const preview = await previewBase({ app, viewer: user }, baseId ?? 0, 0)
  expect(preview).toMatchObject({ rows: 1, accepted: 1, columns: ['mobile', 'name', 'city', 'last', 'column5'] })
  expect(preview.first).toEqual([{ line: 2, mobile: '9800000000', values, dates: {}, spoken: {} }])
  const base = await app.db.selectFrom('base').selectAll().where('id', '=', baseId).executeTakeFirstOrThrow()
  expect(base).toMatchObject({ owner_id: user.userId, pasted: false, rows: 1, dialable: 1 })
})

test('dates keep the order of the file that they are from, though the rows alone do not prove it', async () => {
  const campaignId = await campaignOf([{ end: 'BUSY', values: { due: '11/05/2026' } }], ['mobile', 'due'])
  await app.db
    .updateTable('base')
    .set({ date_orders: JSON.stringify({ due: 'mdy' }) })
    .where('id', '=', (of) => of.selectFrom('campaign_detail').select('base_id').where('campaign_id', '=', campaignId))
    .execute()
  const { baseId } = await ended((await ask(campaignId, { dispositions: ['BUSY'] })).makingId)
  const { first, dateOrders } = await previewBase({ app, viewer: user }, baseId ?? 0, 0)
  expect([first.map(({ dates }) => dates), dateOrders]).toEqual([[{ due: '2026-11-05' }], { due: 'mdy' }])
})

test('nobody like that is said in words, and no file is left', async () => {
  const campaignId = await campaignOf([{ end: 'BUSY' }])
  const { makingId } = await ask(campaignId, { keys: ['9'] }, 'Nobody')
  const { makingStatus, reason } = await ended(makingId)
  expect([makingStatus, reason]).toEqual(['failed', 'would be empty: no row of the campaign is like that'])
  expect(await app.db.selectFrom('base').select('id').where('name', '=', 'Nobody').execute()).toEqual([])
})

test('a quota without room refuses it, in its words; a name that is taken as well', async () => {
  const campaignId = await campaignOf([{ end: 'BUSY', values: { name: 'x'.repeat(100) } }])
  const stored = (size_bytes: number) =>
    app.db
      .updateTable('base')
      .set({ size_bytes })
      .where('id', '=', (of) =>
        of.selectFrom('campaign_detail').select('base_id').where('campaign_id', '=', campaignId),
      )
      .execute()
  await stored(600_000_000)
  expect(await ask(campaignId, { dispositions: ['BUSY'] })).toMatchObject({ status: 409, errors: [{ code: 'quota' }] })
  await stored(11)
  const { makingId } = await ask(campaignId, { dispositions: ['BUSY'] }, 'Twice')
  await ended(makingId)
  expect(await ask(campaignId, { dispositions: ['BUSY'] }, 'twice')).toMatchObject({
    status: 409,
    errors: [{ field: 'baseName', code: 'taken' }],
  })
})

test.each(['it is made of', 'whose numbers it leaves out'])(
  'of a campaign that is deleted while a contact file is made, the one %s, no file is left',
  async (which) => {
    const [of, notIn] = [await campaignOf([{ end: 'BUSY' }]), await campaignOf([])]
    const { id } = await app.db
      .insertInto('base_making')
      .values({
        owner_id: user.userId,
        campaign_id: of,
        name: `Late ${which}`,
        choice: JSON.stringify({ dispositions: ['BUSY'], notInCampaignId: notIn }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const made = new Promise<void>((isMade) => {
      void app.db.transaction().execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(hashtext('campaign_deleted'))`.execute(tx)
        const making = makeBase(app, id, new AbortController().signal).then(isMade)
        await Promise.race([making, sleep(2000)]) // as long as nothing waits for the deletion
        await sql`insert into campaign_deleted (campaign_id, asked_at, by_user_id)
          values (${which === 'it is made of' ? of : notIn}, now(), ${user.userId})`.execute(tx)
      })
    })
    await made
    expect(await progressOf(id)).toMatchObject({ makingStatus: 'failed', baseId: null, reason: faults.campaignGone })
    expect(await app.db.selectFrom('base').select('id').where('name', '=', `Late ${which}`).execute()).toEqual([])
  },
)

test('one that is given up says so, and is forgotten a day after it ended', async () => {
  const campaignId = await campaignOf([{ end: 'BUSY' }])
  const { id } = await app.db
    .insertInto('base_making')
    .values({ owner_id: user.userId, campaign_id: campaignId, name: 'Broken', choice: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await giveUpBase(app, id)
  expect(await progressOf(id)).toMatchObject({ makingStatus: 'failed', reason: 'could not be made. Please try again' })
  app.clock.advance(25 * 3600_000)
  await forgetOldMakings(app)
  expect(await app.db.selectFrom('base_making').select('id').where('id', '=', id).execute()).toEqual([])
})
