import { randomUUID } from 'node:crypto'
import type { CallRow } from '@ghanti/contract/call-report.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { answered, newCall } from '../../testing/calls.ts'
import { newBase, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newUser } from '../../testing/seed.ts'
import { cellsOfRow, columnsOfRows } from '../exports/rules-rows.ts'
import { rowsOfSheet } from '../exports/worker-xlsx.ts'
import { cellsOf, headerOf } from '../reports/rules.ts'

const app = await testApp()
let http: FastifyInstance
let user: Viewer
let headers: { authorization: string }
let body: Record<string, unknown>

const formula = '=HYPERLINK("http://x","y")'
const emoji = '😀'.repeat(40)

beforeAll(async () => {
  http = await testHttp(app)
  const planId = await newPlan(app, { pulseSeconds: 30, pulsePaisa: 50 })
  user = await newUser(app, { parent: await newReseller(app, { planId }), planId, rupees: 1000 })
  headers = await signedIn(app, user)
  const file_hash = await app.files.putBytes(Buffer.from('mobile\n9841234567\n'))
  const baseId = await newBase(app, user, ['mobile'])
  await app.db.updateTable('base').set({ file_hash, rows: 1 }).where('id', '=', baseId).execute()
  body = {
    templateId: 1,
    dtmf: '1,2',
    menuWaitTime: 5,
    rePrompt: 1,
    cli: (await newLine(app, { holders: [user] })).cli,
    baseId,
    menuPId: await newPrompt(app, user, { category: 'menu', durationMs: 20_000 }),
  }
})

const post = (path: string, payload: object) =>
  http.inject({ method: 'POST', url: `/api/obd${path}`, headers, payload })
const get = (path: string) => http.inject({ url: `/api/obd${path}`, headers })
const compose = (fields: object) =>
  post('/campaign/compose', { ...body, campaignName: `Campaign ${randomUUID()}`, ...fields })
async function composed(keyLabels: object | string): Promise<number> {
  const reply = await compose({ keyLabels })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ campaignId: number }>().campaignId
}
async function storedOf(campaignId: number): Promise<unknown> {
  const reply = await get(`/campaign/detail/${campaignId}`)
  return reply.json<{ composed: Record<string, unknown> }>().composed['keyLabels']
}
const errorsOf = (reply: Awaited<ReturnType<typeof post>>) =>
  Object.fromEntries(reply.json<{ errors: FieldError[] }>().errors.map(({ field, text }) => [field, text]))

test('a campaign keeps the names that it gave its keys, and shows them in its answers', async () => {
  const campaignId = await composed(JSON.stringify({ 1: ' Cafe\u0301 ' }))
  expect(await storedOf(campaignId)).toEqual({ 1: 'Caf\u00e9' })
  const answers = (await get(`/campaign/answers/${campaignId}`)).json<{ menus: { keys: object[] }[] }>()
  expect(answers.menus[0]?.keys).toEqual([
    { key: '1', label: 'Caf\u00e9', meaning: 'recorded', agent: null, count: 0 },
    { key: '2', label: null, meaning: 'recorded', agent: null, count: 0 },
  ])
})

test.each<[keyLabels: object, errors: Record<string, string>]>([
  [{ 3: 'Three' }, { 'keyLabels.3': 'is for key 3, which the campaign does not take' }],
  [{ 1: ' ' }, { 'keyLabels.1': 'is required' }],
  [{ '#': 'x' }, { 'keyLabels.#': 'is not known here' }],
])('a name that nothing would show is refused by its key, and nothing is stored: %j', async (keyLabels, errors) => {
  const campaigns = () => app.db.selectFrom('campaign').select('id').execute()
  const before = await campaigns()
  const reply = await compose({ keyLabels })
  expect(reply.statusCode).toBe(400)
  expect(errorsOf(reply)).toEqual(errors)
  expect(await campaigns()).toEqual(before)
})

test('an edit replaces all names, and is refused as compose is', async () => {
  const campaignId = await composed({ 1: 'Yes', 2: 'No' })
  const edit = (fields: object) => post('/campaign/edit', { campaignId, ...fields })
  expect((await edit({ retries: 1 })).statusCode).toBe(200)
  expect(await storedOf(campaignId), 'another edit leaves them').toEqual({ 1: 'Yes', 2: 'No' })
  expect((await edit({ keyLabels: { 2: 'Later' } })).statusCode).toBe(200)
  expect(await storedOf(campaignId)).toEqual({ 2: 'Later' })
  expect(errorsOf(await edit({ keyLabels: { 5: 'Five' } }))).toEqual({
    'keyLabels.5': 'is for key 5, which the campaign does not take',
  })
  expect((await edit({ keyLabels: {} })).statusCode).toBe(200)
  expect(await storedOf(campaignId)).toEqual({})
})

test('a set-up, saved from a form or from a campaign, and the preview of a call have the names', async () => {
  const { baseId: _, ...form } = body
  const ofForm = await post('/setups', { ...form, setupName: 'Of a form', keyLabels: { 1: 'Yes' } })
  const campaignId = await composed({ 2: 'No' })
  const ofCampaign = await post('/setups/from', { setupName: 'Of a campaign', campaignId })
  const labelsIn = async (reply: typeof ofForm) => {
    const { setupId } = reply.json<{ setupId: number }>()
    return (await get(`/setups/${setupId}`)).json<{ composed: object }>().composed
  }
  expect(await labelsIn(ofForm)).toMatchObject({ keyLabels: { 1: 'Yes' } })
  expect(await labelsIn(ofCampaign)).toMatchObject({ keyLabels: { 2: 'No' } })
  expect((await get(`/campaign/preview-call/${campaignId}`)).json()).toMatchObject({ keyLabels: { 2: 'No' } })
})

test('calls say the names of their keys in order, on screen and in the CSV, where a formula is text', async () => {
  const campaignId = await composed({ 1: formula })
  const unnamed = await composed({})
  await newCall(app, user, campaignId, { ...answered(20), keys: '21' })
  await newCall(app, user, campaignId, { ...answered(20), keys: '2' })
  await newCall(app, user, unnamed, { ...answered(20), keys: '1' })
  const rows = async (id: number) => (await get(`/campaign/calls/${id}`)).json<CallRow[]>()
  expect((await rows(campaignId)).map(({ keys, keyNames }) => [keys, keyNames])).toEqual([
    ['2', ''],
    ['21', `2; ${formula}`],
  ])
  expect((await rows(unnamed)).map(({ keyNames }) => keyNames)).toEqual([''])
  const attempts = (await get(`/campaign/attempts/${campaignId}`)).json<CallRow[]>()
  expect(attempts.map(({ keys, keyNames }) => [keys, keyNames])).toEqual([
    ['2', ''],
    ['21', `2; ${formula}`],
  ])
  const named = await composed({ 1: formula, 2: emoji })
  await newCall(app, user, named, { ...answered(20), keys: '1' })
  const csv = (await get(`/campaign/report/${user.userId}/report.csv?campaignId=${named}`)).body
  expect(csv.split('\r\n')[0]).toContain(',Keys,Key Names,')
  expect(csv).toContain(`,1,"'=HYPERLINK(""http://x"",""y"")",`)
  const answers = (await get(`/campaign/answers/${named}/answers.csv`)).body.split('\r\n')
  expect(answers[1]).toBe(`Menu,1,"'=HYPERLINK(""http://x"",""y"")",Recorded,,0,`)
  expect(answers[2]).toBe(`Menu,2,${emoji},Recorded,,0,`)
})

test('the PDF of a campaign with any names is drawn, in both languages', async () => {
  const campaignId = await composed({ 1: emoji, 2: '<b>अर्को</b> \u0301\u0301\u0301'.trim() })
  for (const language of ['en', 'ne']) {
    const reply = await get(`/campaign/summary/${campaignId}/summary.pdf?language=${language}`)
    expect(reply.statusCode, reply.body.slice(0, 200)).toBe(200)
    expect(reply.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  }
})

const called = {
  line: 2,
  phone: 9_779_841_000_001,
  values: null,
  keys: '12',
  startedAt: new Date(0),
  answeredAt: null,
  endedAt: new Date(0),
  billMs: null,
  pulses: 0,
  costPaisa: 0,
  agent: null,
  cli: null,
}

test('reports and exports of rows have a column of names beside the keys where there are names, and otherwise none', () => {
  const row = { ...called, disposition: 'ANSWER' as const }
  const head = { columns: [], cli: '015970001', menus: [], hasSms: false }
  const report = (keyLabels: Record<string, string>) => {
    const of = { ...head, keyLabels }
    const cells = cellsOf({ ...row, trail: null, agentMissed: null, sms: null }, of)
    return headerOf(of).map((header, n) => [header, cells[n]])
  }
  expect(report({ 1: formula })).toEqual(
    expect.arrayContaining([
      ['Keys', '12'],
      ['Key Names', `${formula}; 2`],
    ]),
  )
  expect(report({}).map(([header]) => header)).not.toContain('Key Names')
  expect(report({}).map(([header]) => header)).toEqual(
    report({ 1: 'Yes' })
      .map(([header]) => header)
      .filter((header) => header !== 'Key Names'),
  )
  const exported = (keyLabels: Record<string, string>) => {
    const of = { columns: [], cli: '015970001', keyLabels }
    const columns = columnsOfRows(of)
    const cells = cellsOfRow({ ...row, state: 'done', calls: 1 }, of)
    return columns.map((column, n) => ({ ...column, cell: cells[n] ?? null }))
  }
  const names = exported({ 1: formula }).find(({ header }) => header === 'Key Names')
  expect(names?.cell).toBe(`${formula}; 2`)
  expect(rowsOfSheet([[names?.cell ?? null]], [{ kind: names?.kind ?? 'text' }]), 'text, and no formula').toContain(
    '<c t="inlineStr"><is><t xml:space="preserve">=HYPERLINK(',
  )
  expect(exported({}).map(({ header }) => header)).not.toContain('Key Names')
  expect(exported({}).length + 1).toBe(exported({ 1: 'Yes' }).length)
})
