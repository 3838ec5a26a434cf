import { describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { lineHandlers } from './routes.ts'
import { trunkHandlers } from '../dialers/routes-trunks.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { lines: lineHandlers, trunks: trunkHandlers } })
const boss = await newSuperAdmin(app)
const reseller = await newReseller(app, { parent: boss })

type Said = { message: string; errors?: { field: string; text: string }[] }
async function ask(viewer: Viewer, method: 'POST' | 'DELETE', url: string, payload: object) {
  const reply = await http.inject({ method, url, payload, headers: await signedIn(app, viewer) })
  const { message, errors = [] } = reply.json<Said>()
  return { status: reply.statusCode, message, said: errors.map(({ field, text }) => `${field} ${text}`) }
}
const add = (payload: object, viewer = boss) => ask(viewer, 'POST', '/api/obd/cli', payload)
const update = (payload: object) => ask(boss, 'POST', '/api/obd/cli/update', payload)
const remove = (cliId: number) => ask(boss, 'DELETE', '/api/obd/cli', { cliId, allocated: 1 })
const stored = (number: string) =>
  app.db
    .selectFrom('cli')
    .leftJoin('trunk', 'trunk.id', 'cli.trunk_id')
    .select(['cli.id', 'cli.channels', 'cli.pool', 'trunk.name as trunk'])
    .where('cli.number', '=', number)
    .where('cli.deleted_at', 'is', null)
    .executeTakeFirst()
async function newTrunk(): Promise<{ trunkId: number; trunkName: string }> {
  const { trunkId } = await newLine(app)
  const { name } = await app.db.selectFrom('trunk').select('name').where('id', '=', trunkId).executeTakeFirstOrThrow()
  return { trunkId, trunkName: name }
}
const fine = { status: 200, message: 'Success', said: [] }

test('a CLI is added to a trunk, however its number is written, is dedicated, and is there once', async () => {
  const { trunkName } = await newTrunk()
  expect(await add({ cli: ' +977-61-530001 ', channels: '12', trunkName: trunkName.toUpperCase() })).toEqual(fine)
  expect(await stored('061530001')).toMatchObject({ channels: 12, pool: 'dedicated', trunk: trunkName })
  expect(await add({ cli: '061-530001', channels: 30, trunkName })).toEqual({
    status: 409,
    message: 'Request Failed!! Please try again',
    said: ["cli '061530001' is taken"],
  })
  expect(await add({ cli: '061-530002', channels: 30, trunkName }, reseller)).toMatchObject({ status: 403 })
})

test.each([
  { why: 'no number', of: { cli: ' ' }, said: 'cli is required' },
  { why: 'a number that is none', of: { cli: '12' }, said: 'cli is too short' },
  { why: 'a foreign number', of: { cli: '+14155550100' }, said: 'cli is not Nepali' },
  { why: 'no channels', of: { channels: '' }, said: 'channels is required' },
  { why: 'none of them', of: { channels: 0 }, said: 'channels must be a whole number from 1 to 100000' },
  { why: 'no trunk', of: { trunkName: '' }, said: 'trunkName is required' },
  { why: 'a trunk that is not there', of: { trunkName: 'Nowhere' }, said: 'trunkName is not a trunk' },
])('refused with the field named: $why', async ({ of, said }) => {
  const { trunkName } = await newTrunk()
  const reply = await add({ cli: '061530003', channels: 30, trunkName, ...of })
  expect(reply).toEqual({ status: 400, message: 'Parameters Incorrect', said: [said] })
})

test('a CLI goes to another trunk, or to none, unless an unfinished campaign calls from it; its channels change at any time', async () => {
  const holder = await newUser(app, { parent: reseller })
  const line = await newLine(app, { holders: [holder] })
  const { trunkName } = await newTrunk()
  const { cliId, cli } = line
  const { trunk: before } = (await stored(cli)) ?? {}
  const campaignId = await newCampaign(app, holder, { line, status: 'onHold', name: 'Tihar' })
  const used = {
    status: 409,
    said: ["trunkName is used by 'Tihar' (On Hold): wait until they are finished or stop them"],
  }
  expect(await update({ cliId, channels: 30, trunkName })).toMatchObject(used)
  expect(await update({ cliId, channels: 30 })).toMatchObject(used)
  expect(await update({ cliId, channels: 7, trunkName: before })).toEqual(fine)
  expect(await stored(cli)).toMatchObject({ channels: 7, trunk: before })
  await app.db.updateTable('campaign').set({ status: 'cancelled' }).where('id', '=', campaignId).execute()
  expect(await update({ cliId, channels: 7, trunkName })).toEqual(fine)
  expect(await stored(cli)).toMatchObject({ trunk: trunkName })
  expect(await update({ cliId, channels: 7 })).toEqual(fine)
  expect(await stored(cli)).toMatchObject({ trunk: null })
  expect(await update({ cliId: 999_999, channels: 7 })).toMatchObject({ status: 404 })
})

test('a trunk is deleted once its CLIs are moved or deleted; a deleted number may come again', async () => {
  const { trunkId, cliId, cli } = await newLine(app, { holders: [reseller] })
  const { trunkName } = await newTrunk()
  const removeTrunk = () => ask(boss, 'DELETE', `/api/obd/trunk/${trunkId}`, {})
  expect(await removeTrunk()).toMatchObject({
    status: 409,
    said: [`trunkId has the caller ID '${cli}': delete it or move it first`],
  })
  const ofTrunk = await http.inject({ url: `/api/obd/cli/all?trunkId=${trunkId}`, headers: await signedIn(app, boss) })
  expect(ofTrunk.json()).toMatchObject([{ cliId, cli, trunkId }])
  expect(await remove(cliId)).toEqual(fine)
  expect(await removeTrunk()).toEqual(fine)
  expect(await add({ cli, channels: 30, trunkName })).toEqual(fine)
})

describe('a CLI file', () => {
  const upload = async (text: string | Buffer<ArrayBuffer>, fields: Record<string, string> = {}, viewer = boss) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('cliFile', new File([text], 'clis.csv', { type: 'text/csv' }))
    const body = new Response(form)
    const headers = { ...(await signedIn(app, viewer)), 'content-type': body.headers.get('content-type') ?? '' }
    const payload = Buffer.from(await body.arrayBuffer())
    const reply = await http.inject({ method: 'POST', url: '/api/obd/cliupload', headers, payload })
    return { status: reply.statusCode, ...reply.json<Said & Record<string, unknown>>() }
  }

  test('adds what it can to the shared pool and tells of each other line why not', async () => {
    const { trunkName } = await newTrunk()
    const { cli: there } = await newLine(app)
    const text = [
      'cli,channels,trunkName',
      `021-530001,5,${trunkName.toLowerCase()}`,
      '021530002',
      'abc',
      `${there},,`,
      '021530001',
      '021530003,,Nowhere',
      '',
    ].join('\r\n')
    expect(await upload(text)).toEqual({
      status: 200,
      message: 'Success',
      rows: 6,
      accepted: 2,
      duplicate: 2,
      invalid: 2,
      moreNumbers: [],
      refused: [
        { line: 4, text: 'abc', reason: 'the number has letters' },
        { line: 5, text: `${there},,`, reason: 'the number is already there' },
        { line: 6, text: '021530001', reason: 'the same number as in line 2' },
        { line: 7, text: '021530003,,Nowhere', reason: "there is no trunk 'Nowhere'" },
      ],
    })
    expect(await stored('021530001')).toMatchObject({ channels: 5, pool: 'shared', trunk: trunkName })
    expect(await stored('021530002')).toMatchObject({ channels: 30, pool: 'shared', trunk: null })
    const inactive = await http.inject({ url: '/api/obd/cli/all?search=021530002', headers: await signedIn(app, boss) })
    expect(inactive.json()).toMatchObject([{ cliStatus: 0, trunkName: null }])
  })

  test('may name pool and trunk for all lines; semicolons, tabs and UTF-16 are read too', async () => {
    const { trunkName } = await newTrunk()
    expect(await upload('021530011;7\n021530012\n', { pool: 'dedicated', trunkName })).toMatchObject({ accepted: 2 })
    expect(await stored('021530011')).toMatchObject({ channels: 7, pool: 'dedicated', trunk: trunkName })
    const utf16 = Buffer.from('\ufeff021530013\t8\r\n', 'utf16le')
    expect(await upload(utf16)).toMatchObject({ accepted: 1 })
    expect(await stored('021530013')).toMatchObject({ channels: 8 })
  })

  test('may be the export of CLIs, whose digits are written for a spreadsheet', async () => {
    const headers = await signedIn(app, boss)
    const csv = await http.inject({ url: '/api/obd/cli/cli.csv?search=021530011', headers })
    expect(csv.body).toContain('"=""021530011"""')
    expect(await upload(csv.body.replaceAll('021530011', '021530014'))).toMatchObject({ accepted: 1, refused: [] })
    expect(await stored('021530014')).toMatchObject({ channels: 7 })
  })

  test('moves CLIs to trunks and leaves those that a campaign calls from, saying so', async () => {
    const { trunkName } = await newTrunk()
    const [free, busy] = [await newLine(app), await newLine(app)]
    const holder = await newUser(app, { parent: reseller })
    await newCampaign(app, holder, { line: busy, status: 'running', name: 'Chhath' })
    const text = `${free.cli}\n${busy.cli}\n021530099\n`
    const { cli: kept } = await newLine(app)
    expect(await upload(`${text}${kept},9\n`, { uploadType: 'move', trunkName })).toEqual({
      status: 200,
      message: 'Success',
      rows: 4,
      accepted: 2,
      duplicate: 0,
      invalid: 2,
      moreNumbers: [],
      refused: [
        {
          line: 2,
          text: busy.cli,
          reason: "the number is used by 'Chhath' (Running): wait until they are finished or stop them",
        },
        { line: 3, text: '021530099', reason: 'the number is not a caller ID here' },
      ],
    })
    expect(await stored(free.cli)).toMatchObject({ trunk: trunkName, channels: 1000 })
    expect(await stored(kept)).toMatchObject({ trunk: trunkName, channels: 9 })
    expect(await upload(`${free.cli}`, { uploadType: 'move', trunkName })).toMatchObject({
      status: 400,
      message: 'Parameters Incorrect',
      errors: [
        { field: 'cliFile', text: 'has no caller ID to take: invalid 0, duplicate 1' },
        { text: 'Line 1: the number is already on this trunk' },
      ],
    })
    expect(await upload(`${kept}`, { uploadType: 'move' })).toMatchObject({
      errors: [{}, { text: 'Line 1: trunkName is missing' }],
    })
  })

  test('says in how many lines other columns have numbers, which become no caller IDs', async () => {
    const { trunkName } = await newTrunk()
    const text = `cli,Second,trunkName\n021530091,9801000001,${trunkName}\n021530092,01-5970001,${trunkName}\nabc,x,\n`
    expect(await upload(text)).toMatchObject({
      rows: 3,
      accepted: 2,
      duplicate: 0,
      invalid: 1,
      moreNumbers: [{ column: 'Second', rows: 2 }],
    })
  })

  test.each([
    { why: 'a spreadsheet', text: 'PK\u0003\u0004xl/', status: 415, message: /sheet is not a supported format$/ },
    { why: 'bytes that are no text', text: Buffer.from([0xff, 0xd8, 0xff]), status: 415, message: /^image\/jpeg/ },
    { why: 'nothing', text: ' \n', status: 400, message: /^Parameters Incorrect$/ },
    { why: 'an open quote', text: '"021530031\n', status: 400, message: /^Parameters Incorrect$/ },
    { why: 'too large a file', text: '0'.repeat(1024 * 1024 + 1), status: 413, message: /please pick a smaller file$/ },
  ])('$why is refused', async ({ text, status, message }) => {
    expect(await upload(text)).toMatchObject({ status, message: expect.stringMatching(message) })
  })

  test('neither pool nor kind nor trunk can be made up; nobody but the super admin uploads', async () => {
    const bad = { pool: 'mine', uploadType: 'other' }
    expect(await upload('021530041', bad)).toMatchObject({
      status: 400,
      errors: [{ field: 'pool' }, { field: 'uploadType' }],
    })
    expect(await upload('021530041', { trunkName: 'Nowhere' })).toMatchObject({
      status: 400,
      errors: [{ field: 'trunkName' }],
    })
    expect(await upload('021530041', {}, reseller)).toMatchObject({ status: 403 })
    expect(await stored('021530041')).toBeUndefined()
  })

  test('two files with the same numbers at once add each number once', async () => {
    const text = Array.from({ length: 300 }, (_, n) => `0215310${String(n).padStart(2, '0')}`.slice(0, 9)).join('\n')
    const replies = await Promise.all(Array.from({ length: 4 }, () => upload(text)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
  })
})
