import { textOf, wordsOf } from '@ghanti/callflow/speech/words.ts'
import type { PreviewCall } from '@ghanti/contract/preview-calls.ts'
import { defaultQuotas } from '@ghanti/contract/quotas.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { SpeechDownError, UnspeakableError } from '../../drivers/tts/driver.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newBase, newCampaign, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import { toneFile } from '../../testing/files/sound.ts'
import { polling } from '../../testing/timeouts.ts'
import { HummingTts } from '../../testing/tts.ts'
import { WorkLimits } from '../limits/actions.ts'
import { spokenBytesMax } from '../quotas/rules.ts'
import { speak } from '../speech/actions.ts'
import { soon } from './actions-speak.ts'
import { previewCallHandlers } from './routes.ts'

const app = await testApp()
let http: FastifyInstance
let reseller: Viewer
let user: Viewer
let baseId: number
let menuPId: number
let menu: Buffer
beforeAll(async () => {
  http = await testHttp(app, { handlers: { previewCalls: previewCallHandlers } })
  reseller = await newReseller(app)
  user = await newUser(app, { parent: reseller })
  baseId = await baseOf(user, ['mobile,name', '', '9841000001,Ram', '12,Sita', '9841000003,', '9841000001,Hari'])
  menu = Buffer.from(await toneFile('menu.wav', 1).arrayBuffer())
  menuPId = await newPrompt(app, user, { name: 'Menu', category: 'menu', durationMs: 1000 })
  await app.db
    .updateTable('prompt')
    .set({ wav_hash: await app.files.putBytes(menu) })
    .where('id', '=', menuPId)
    .execute()
})

async function baseOf(owner: Viewer, lines: readonly string[], columns = ['mobile', 'name']): Promise<number> {
  const id = await newBase(app, owner, columns)
  const file_hash = await app.files.putBytes(Buffer.from(lines.join('\r\n')))
  await app.db.updateTable('base').set({ file_hash }).where('id', '=', id).execute()
  return id
}

async function preview(fields: object, as = user) {
  const headers = await signedIn(app, as)
  const payload = { templateId: 1, menuPId, dtmf: '1', menuWaitTime: 3, rePrompt: 1, baseId, ...fields }
  return http.inject({ method: 'POST', url: '/api/obd/campaign/preview-call', headers, payload })
}
async function get(url: string, as: Viewer) {
  return http.inject({ method: 'GET', url, headers: await signedIn(app, as) })
}
const rowOf = async (row?: number) => (await preview({ row })).json<PreviewCall>().row

test('the flow is the one that compose would freeze, with the sounds that a telephone would play', async () => {
  const reply = await preview({})
  expect(reply.statusCode, reply.body).toBe(200)
  const { flow, prompts } = reply.json<PreviewCall>()
  expect(flow).toMatchObject({ templateId: 1, opening: [], menus: [{ ask: [{ promptId: menuPId }], waitMs: 3000 }] })
  expect(prompts).toEqual([expect.objectContaining({ fileName: 'Menu.wav' })])
  const sound = await get(prompts[0]?.url ?? '', user)
  expect(sound.rawPayload.equals(menu)).toBe(true)
  expect(sound.headers).toMatchObject({
    'content-type': 'audio/wav',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  })
  expect(await app.db.selectFrom('campaign').select('id').execute(), 'nothing is stored').toEqual([])
})

test('without a line it is the first row that may be called; a line without a row leads to the next one', async () => {
  const first = { line: 3, mobile: '9841000001', values: [{ column: 'name', value: 'Ram' }], refused: null }
  expect(await rowOf()).toEqual({ ...first, blacklisted: false, previous: null, next: 4 })
  expect(await rowOf(1)).toMatchObject(first)
  expect(await rowOf(5)).toMatchObject({ line: 5, values: [], previous: 4, next: 6 })
})

test('a row that would be refused says why and shows its text; one that is blacklisted says so', async () => {
  expect(await rowOf(4)).toMatchObject({ line: 4, mobile: null, values: [{ column: '', value: '12,Sita' }] })
  expect((await rowOf(4)).refused).toMatch(/^the number /)
  expect(await rowOf(6)).toMatchObject({ refused: 'the same number as in line 3', previous: 5, next: null })
  const listed = { phone: 9_779_841_000_003, owner_id: reseller.userId }
  await app.db.insertInto('blacklist').values(listed).execute()
  expect(await rowOf(5)).toMatchObject({ refused: null, blacklisted: true })
})

test('missing objects and those of others are refused by field', async () => {
  const fieldsOf = async (fields: object) =>
    (await preview(fields)).json<{ errors: { field: string }[] }>().errors.map(({ field }) => field)
  expect(await fieldsOf({ row: 7 })).toEqual(['row'])
  expect(await fieldsOf({ templateId: undefined, baseId: undefined })).toEqual(['templateId', 'baseId'])
  expect(await fieldsOf({ menuPId: undefined, dtmf: undefined })).toEqual(['menuPId', 'dtmf'])
  const other = await newUser(app)
  expect(await fieldsOf({ menuPId: await newPrompt(app, other), baseId: await newBase(app, other) })).toEqual([
    'menuPId',
    'baseId',
  ])
  expect(await fieldsOf({ baseId: await baseOf(user, ['12', '13']) }), 'no row can be called').toEqual(['row'])
})

test('a campaign is heard by its owner and those above, as it was frozen; by nobody else', async () => {
  const hash = await app.files.putBytes(menu)
  const campaignId = await newCampaign(app, user)
  const deleted = await newPrompt(app, user, { name: 'Gone' })
  await app.db.updateTable('prompt').set({ deleted_at: new Date() }).where('id', '=', deleted).execute()
  const opening = [{ kind: 'prompt', promptId: deleted, durationMs: 1000, hash }]
  await app.db
    .updateTable('campaign_detail')
    .set({ flow: JSON.stringify({ templateId: 0, opening, menus: [], closing: [] }), base_id: baseId })
    .where('campaign_id', '=', campaignId)
    .execute()
  const url = `/api/obd/campaign/preview-call/${campaignId}?row=5`
  for (const viewer of [user, reseller]) {
    const { row, prompts } = (await get(url, viewer)).json<PreviewCall>()
    expect(row).toMatchObject({ line: 5 })
    expect(prompts).toEqual([expect.objectContaining({ fileName: 'Gone.wav' })])
    expect((await get(prompts[0]?.url ?? '', viewer)).statusCode).toBe(200)
  }
  expect((await get(url, await newUser(app, { parent: reseller }))).statusCode).toBe(404)
})

test('the address of a sound serves only whom it was made for, as it was made, until its hours are over', async () => {
  app.clock.set(new Date('2026-11-20T06:15:00Z'))
  const url = (await preview({})).json<PreviewCall>().prompts[0]?.url ?? ''
  expect((await get(url, reseller)).statusCode).toBe(404)
  expect((await get(url.replace(/until=\d+/, 'until=99999999'), user)).statusCode).toBe(404)
  expect((await http.inject({ method: 'GET', url })).statusCode).toBe(401)
  app.clock.set(new Date('2026-11-20T07:59:59Z'))
  expect((await get(url, user)).statusCode).toBe(200)
  app.clock.set(new Date('2026-11-20T08:00:00Z'))
  expect((await get(url, user)).statusCode).toBe(404)
})

async function premiums(rows: readonly string[], fields: object = {}) {
  const columns = ['mobile', 'amount', 'date']
  const prompt = async (name: string) => ({ type: name, promptId: await newPrompt(app, user, { category: 'menu' }) })
  const welcome = [
    await prompt('menu1'),
    { type: 'amount1' },
    await prompt('menu2'),
    { type: 'date1' },
    await prompt('menu3'),
  ]
  const base = await baseOf(user, [columns.join(','), ...rows], columns)
  return { templateId: 6, baseId: base, prompts: { welcome }, language: 'en', calendar: 'ad', ...fields }
}

test('a row’s values are spoken in the campaign’s language and heard like its prompts', async () => {
  const campaign = await premiums(['9841000001,1500.50,2026-11-22', '9841000002,"many",2026-11-22'])
  const reply = await preview(campaign)
  expect(reply.statusCode, reply.body).toBe(200)
  const { flow, prompts, spoken } = reply.json<PreviewCall>()
  expect(prompts).toHaveLength(3)
  expect(flow).toMatchObject({ spoken: [{ column: 'amount' }, { column: 'date' }] })
  expect(spoken.map(({ column, text }) => [column, text])).toEqual([
    ['amount', textOf(wordsOf('amount', '1500.50', 'en', 'ad'))],
    ['date', textOf(wordsOf('date', '2026-11-22', 'en', 'ad'))],
  ])
  for (const { url } of spoken) {
    const sound = await get(url, user)
    expect([sound.statusCode, sound.rawPayload.toString('latin1', 0, 4)]).toEqual([200, 'RIFF'])
  }
  const refused = (await preview({ ...campaign, row: 3 })).json<PreviewCall>()
  expect(refused.row.refused).toMatch(/^amount /)
  expect(refused.spoken).toEqual([])
})

test('a value without sound refuses its row with the reason; while the engine is down it is the preview that fails', async () => {
  const { tts } = app
  const campaign = await premiums(['9841000001,7,2026-11-22'])
  const failing = (error: Error) =>
    Object.assign(app, { tts: { ...tts, key: error.name, synthesise: () => Promise.reject(error) } })
  failing(new UnspeakableError('nothing is heard of it'))
  expect((await preview(campaign)).json<PreviewCall>().row.refused).toBe(
    'amount cannot be spoken: nothing is heard of it',
  )
  failing(new SpeechDownError('it takes too long'))
  const down = await preview(campaign)
  expect(down.statusCode).toBe(503)
  expect(down.body).toContain('the speech engine does not answer: it takes too long')
  Object.assign(app, { tts })
})

test('an engine that hangs is reported before the browser gives up', async () => {
  let isWaitedFor = () => true
  const never = (waited: () => boolean) => {
    isWaitedFor = waited
    return new Promise<never>(() => undefined)
  }
  await expect(soon(never, 1)).rejects.toMatchObject({
    code: 'not_ready',
    errors: [{ text: 'cannot be spoken now: the speech engine does not answer: it takes too long' }],
  })
  expect(isWaitedFor(), 'what has not begun need not').toBe(false)
  expect(await soon(() => Promise.resolve('said'))).toBe('said')
})

test('few rows are spoken at once for all users together: an engine that hangs leaves connections for everything else', async () => {
  const { tts } = app
  const hum = new HummingTts('hangs')
  const released = Promise.withResolvers<void>()
  let open = 0
  let openMost = 0
  hum.before = async () => {
    openMost = Math.max(openMost, ++open)
    await released.promise
    open--
  }
  Object.assign(app, { tts: hum })
  const users = await Promise.all(Array.from({ length: 7 }, () => newUser(app)))
  const hear = async (as: Viewer, n: number) => {
    const base = await baseOf(
      as,
      ['mobile,amount,date', `9841000001,${100 + n},2026-11-22`],
      ['mobile', 'amount', 'date'],
    )
    const promptId = await newPrompt(app, as, { category: 'menu' })
    const part = (type: string) => (type.startsWith('menu') ? { type, promptId } : { type })
    const welcome = ['menu1', 'amount1', 'menu2', 'date1', 'menu3'].map(part)
    return preview({ templateId: 6, baseId: base, prompts: { welcome }, language: 'en', calendar: 'ad' }, as)
  }
  const replies = users.map(hear)
  await expect.poll(() => open, polling).toBeGreaterThanOrEqual(4)
  released.resolve()
  // On a busy machine a request may time out.
  for (const reply of await Promise.all(replies)) expect([200, 503], reply.body).toContain(reply.statusCode)
  expect(openMost, 'two values of each of four users').toBeLessThanOrEqual(8)
  Object.assign(app, { tts })
})

test('one user has few rows spoken at once: who leafs through a file does not keep the engine from campaigns', async () => {
  const { tts, workLimits } = app
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const synthesise = async (text: string, language: 'ne' | 'en') => {
    await released
    return await tts.synthesise(text, language)
  }
  Object.assign(app, { tts: { ...tts, key: 'waits', synthesise }, workLimits: new WorkLimits() })
  await app.db.deleteFrom('rate_limit').execute() // clears what earlier tests started within the minute
  const campaign = await premiums(Array.from({ length: 6 }, (_, n) => `984100000${n},${n + 1},2026-11-22`))
  const replies = Array.from({ length: 6 }, (_, n) => preview({ ...campaign, row: n + 2 }))
  const first = await Promise.race(replies)
  expect(first.statusCode).toBe(429)
  release()
  expect((await Promise.all(replies)).map(({ statusCode }) => statusCode).toSorted()).toEqual([
    200, 200, 200, 200, 429, 429,
  ])
  expect(first.json<{ errors: object[] }>().errors).toEqual([
    {
      field: 'account',
      code: 'throttled',
      text: 'One account may have 4 previews and test calls under way at once. Try again in 2 s',
    },
  ])
  Object.assign(app, { tts, workLimits })
})

test('a value for whose sound the account has no room says so at the row', async () => {
  const { tts } = app
  Object.assign(app, { tts: new HummingTts('without room') })
  const full = { voice: 'full', text: 'full', file_hash: '0'.repeat(64), made_for: user.userId }
  const needed_until = new Date(Date.now() + 24 * 3600_000)
  const stored = app.db.insertInto('speech_sound')
  await stored.values({ ...full, duration_ms: spokenBytesMax(defaultQuotas) / 16, needed_until }).execute()
  const reply = await preview(await premiums(['9841000001,77,2026-11-22']))
  expect(reply.statusCode).toBe(409)
  expect(reply.json()).toMatchObject({
    errors: [
      { field: 'row', code: 'quota', text: expect.stringMatching(/^cannot be spoken: the 10,000 MB of speech that/) },
    ],
  })
  await app.db.deleteFrom('speech_sound').where('voice', '=', 'full').execute()
  Object.assign(app, { tts })
})

test('a campaign that is prepared is heard in the voice that its rows were prepared with, whoever would speak them today', async () => {
  const { tts } = app
  const engine = (key: string) => Object.assign(app, { tts: new HummingTts(key) })
  engine('of then')
  const input = await premiums(['9841000001,31,2026-11-22', '9841000002,32,2026-11-22'])
  const composed = await preview(input)
  const { flow, spoken: then } = composed.json<PreviewCall>()
  const campaignId = await newCampaign(app, user)
  await app.db
    .updateTable('campaign_detail')
    .set({ flow: JSON.stringify(flow), base_id: input.baseId, template_id: 6 })
    .where('campaign_id', '=', campaignId)
    .execute()
  const manner = { language: 'en', calendar: 'ad' } as const
  const items = [
    { kind: 'amount', value: '31.00' },
    { kind: 'date', value: '2026-11-22' },
  ] as const
  const sounds = (await speak(app, user.userId, manner, items)).flatMap((one) => ('id' in one ? [one.id] : []))
  await app.db.insertInto('contact_speech').values({ campaign_id: campaignId, no: 0, sounds }).execute()
  engine('of now')
  const heard = async (row: number) =>
    (await get(`/api/obd/campaign/preview-call/${campaignId}?row=${row}`, user)).json<PreviewCall>().spoken
  const kept = await heard(2)
  expect(kept.map(({ text, hash }) => [text, hash])).toEqual(then.map(({ text, hash }) => [text, hash]))
  expect(
    kept.map(({ voice }) => voice),
    'the engine of then has no name any more',
  ).toEqual([null, null])
  expect((await get(kept[0]?.url ?? '', user)).statusCode).toBe(200)
  const spokenNow = await heard(3)
  expect(
    spokenNow.map(({ voice }) => voice),
    'what was not prepared is spoken as it would be now',
  ).toEqual(['humming', 'humming'])
  Object.assign(app, { tts })
})

test('asking about agents counts as a check of blacklists, twenty new numbers a minute, whether they are listed or not', async () => {
  const asking = await newUser(app, { parent: reseller })
  await app.db.insertInto('blacklist').values({ owner_id: reseller.userId, phone: 9779803300000 }).execute()
  const own = {
    templateId: 2,
    baseId: await baseOf(asking, ['mobile', '9841000001'], ['mobile']),
    menuPId: await newPrompt(app, asking, { category: 'menu' }),
    dtmf: undefined,
  }
  const asked = async (from: number, n: number, more: object = {}) => {
    const agentRows = Array.from({ length: n }, (_, i) => ({
      agentNumber: String(9803300000 + from + i),
      agentDtmf: String(i),
    }))
    return (await preview({ ...own, agentRows, ...more }, asking)).statusCode
  }
  expect(await asked(50, 10, { menuPId: undefined }), 'nothing is learnt').toBe(400)
  for (let n = 0; n < 3; n++) expect(await asked(0, 10), 'the same ones again').toBe(409)
  expect(await asked(10, 10)).not.toBe(429)
  expect(await asked(20, 1), 'not listed, and too many').toBe(429)
  expect(await asked(0, 1), 'listed, and asked before').toBe(409)
})
