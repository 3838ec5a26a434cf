import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { WaveFile } from '../../testing/files/wave-file.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { requireApprovedPrompts } from './actions.ts'
import { promptHandlers } from './routes.ts'

const app = await testApp()
let http: FastifyInstance
let admin: Viewer
let reseller: Viewer
let user: Viewer
beforeAll(async () => {
  http = await testHttp(app, { handlers: { prompts: promptHandlers } })
  admin = await newSuperAdmin(app)
  reseller = await newReseller(app, { parent: admin })
  user = await newUser(app, { parent: reseller })
})

function sound(seconds = 1, rate = 8000): Buffer {
  const wav = new WaveFile()
  wav.fromScratch(
    1,
    rate,
    '16',
    Int16Array.from({ length: seconds * rate }, (_, i) => 8000 * Math.sin(i / 5)),
  )
  return Buffer.from(wav.toBuffer())
}

type Sent = { fileName?: string; promptCategory?: string; wave?: Buffer; type?: string }
async function upload(
  viewer: Viewer,
  { fileName, promptCategory = 'welcome', wave = sound(), type = 'audio/wav' }: Sent,
) {
  const form = new FormData()
  if (fileName !== undefined) form.set('fileName', fileName)
  form.set('promptCategory', promptCategory)
  form.set('waveFile', new Blob([new Uint8Array(wave)], { type }), 'recorded.wav')
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  return http.inject({
    method: 'POST',
    url: '/api/obd/promptupload',
    headers: { ...(await signedIn(app, viewer)), 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  })
}
let serial = 0
async function uploaded(viewer: Viewer, sent: Sent = {}): Promise<number> {
  const reply = await upload(viewer, { fileName: `Sound ${++serial}`, ...sent })
  expect(reply.json()).toMatchObject({ message: 'Success' })
  return reply.json<{ promptId: number }>().promptId
}
const get = async (viewer: Viewer, url: string, headers: Record<string, string> = {}) =>
  http.inject({ url, headers: { ...headers, ...(await signedIn(app, viewer)) } })
const act = async (viewer: Viewer, method: 'POST' | 'DELETE', url: string, payload: object = {}) =>
  http.inject({ method, url, headers: await signedIn(app, viewer), payload })
const approve = (promptId: number, viewer = admin) => act(viewer, 'POST', `/api/obd/prompt/approve/${promptId}`)
const reject = (promptId: number, payload: object = {}) =>
  act(admin, 'POST', `/api/obd/prompt/reject/${promptId}`, payload)
const remove = (viewer: Viewer, promptId: number) => act(viewer, 'DELETE', `/api/obd/prompt/${promptId}`)

describe('upload', () => {
  test('a wav file is pending, listed with all its columns, and kept in both forms', async () => {
    const wave = sound(2, 44_100)
    const promptId = await uploaded(user, { fileName: ' नमस्ते.WAV ', promptCategory: 'menu', wave })
    const [row] = (await get(user, `/api/obd/prompts/${user.userId}?search=नमस्ते`)).json<unknown[]>()
    expect(row).toMatchObject({
      promptId,
      fileName: 'नमस्ते.wav',
      userId: user.userId,
      username: user.username,
      promptCategory: 'menu',
      promptStatus: 0,
      accountType: 0,
      rejectReason: null,
      uploadedAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    })
    const stored = await app.db.selectFrom('prompt').selectAll().where('id', '=', promptId).executeTakeFirstOrThrow()
    expect(stored.duration_ms).toBe(2000)
    expect(await app.files.sizeOf(stored.original_hash)).toBe(wave.length)
    expect(await app.files.sizeOf(stored.wav_hash)).toBe(44 + 2 * 8000 * 2)
  })

  test.each([
    {
      why: 'an MP3 by another name',
      wave: Buffer.from('ID3\u0004data'),
      type: 'audio/wav',
      status: 415,
      message: 'audio/mpeg is not a supported format',
    },
    {
      why: 'a type as declared',
      wave: Buffer.from('hello'),
      type: 'text/plain',
      status: 415,
      message: 'text/plain is not a supported format',
    },
    { why: 'an empty file', wave: Buffer.alloc(0), status: 400, text: 'is empty' },
    {
      why: 'a broken header',
      wave: sound().subarray(0, 30),
      status: 400,
      text: 'has a broken header: its format is cut off',
    },
    {
      why: 'a file over 3 MiB',
      wave: sound(99, 16_000),
      status: 413,
      message: '3.1 MB is too large, please pick a smaller file',
    },
    {
      why: 'no such category',
      promptCategory: 'music',
      status: 400,
      field: 'promptCategory',
      text: 'is not a category',
    },
    { why: 'no name', fileName: ' .wav', status: 400, field: 'fileName', text: 'is required' },
    { why: 'a path for a name', fileName: 'etc/passwd', status: 400, field: 'fileName' },
  ])('refused before it is stored: $why', async ({ why, status, message, text, field = 'waveFile', ...sent }) => {
    const reply = await upload(user, { fileName: why, ...sent })
    expect(reply.statusCode).toBe(status)
    expect(reply.json()).toMatchObject({
      message: message ?? 'Parameters Incorrect',
      ...(status !== 413 && { errors: [{ field, ...(text && { text }) }] }),
    })
    expect((await get(user, `/api/obd/prompts/${user.userId}?search=${encodeURIComponent(why)}`)).json()).toEqual([])
  })

  test('a name is an owner’s once, without regard to case, also when both come at once; others may use it', async () => {
    const replies = await Promise.all(['Offer', 'OFFER.wav', 'offer'].map((fileName) => upload(user, { fileName })))
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 409, 409])
    expect(replies.find((reply) => reply.statusCode === 409)?.json()).toMatchObject({
      message: 'Request Failed!! Please try again',
      errors: [{ field: 'fileName', code: 'taken' }],
    })
    await uploaded(reseller, { fileName: 'Offer' })
  })

  test('super admins upload none', async () => {
    expect((await upload(admin, { fileName: 'x' })).statusCode).toBe(403)
  })
})

describe('list', () => {
  test('the own id lists one’s own alone, a descendant’s that account’s, the super admin’s list all; filters and sort hold', async () => {
    const own = await newReseller(app)
    const theirs = await newUser(app, { parent: own })
    const first = await newPrompt(app, own, { name: 'b', category: 'thanks', status: 'pending' })
    const second = await newPrompt(app, theirs, { name: 'a' })
    const ids = async (viewer: Viewer, url: string) =>
      (await get(viewer, url)).json<{ promptId: number }[]>().map((row) => row.promptId)
    expect(await ids(theirs, `/api/obd/prompts/${theirs.userId}`)).toEqual([second])
    const third = await newPrompt(app, own, { name: 'c' })
    expect(await ids(own, `/api/obd/prompts/${own.userId}`)).toEqual([third, first])
    expect(await ids(own, `/api/obd/prompts/${own.userId}?sort=fileName`)).toEqual([first, third])
    expect(await ids(own, `/api/obd/prompts/${theirs.userId}`)).toEqual([second])
    expect(await ids(own, `/api/obd/prompts/${own.userId}?promptStatus=1`)).toEqual([third])
    expect(await ids(own, `/api/obd/prompts/${own.userId}?promptCategory=thanks`)).toEqual([first])
    expect(await ids(admin, '/api/obd/prompts/list')).toEqual(expect.arrayContaining([first, second]))
    expect(await ids(admin, '/api/obd/prompts/list?pageSize=1&promptStatus=1')).toEqual([third])
    expect((await get(own, '/api/obd/prompts/list')).statusCode).toBe(403)
    expect((await get(theirs, `/api/obd/prompts/${own.userId}`)).statusCode).toBe(404)
    expect((await get(user, `/api/obd/prompts/${theirs.userId}`)).statusCode).toBe(404)
  })
})

describe('list of customers', () => {
  test('a reseller’s holds what everybody below has, with the owner, and nothing of the reseller’s own', async () => {
    const own = await newReseller(app)
    const child = await newReseller(app, { parent: own })
    const customer = await newUser(app, { parent: own })
    const deeper = await newUser(app, { parent: child })
    await newPrompt(app, own, { name: 'Of the reseller' })
    const ofChild = await newPrompt(app, child, { name: 'Of the child', status: 'pending' })
    const ofCustomer = await newPrompt(app, customer, { name: 'Of the customer' })
    const ofDeeper = await newPrompt(app, deeper, { name: 'Of a deeper one' })
    const list = async (viewer: Viewer, query = '') => {
      const reply = await get(viewer, `/api/obd/prompts/customers${query}`)
      const rows = reply.json<{ promptId: number; username: string }[]>()
      return { rows: rows.map(({ promptId, username }) => [promptId, username]), total: reply.headers['x-total-count'] }
    }
    const all = [
      [ofDeeper, deeper.username],
      [ofCustomer, customer.username],
      [ofChild, child.username],
    ]
    expect((await list(own)).rows).toEqual(all)
    expect(await list(own, '?page=2&pageSize=1')).toEqual({ rows: [all[1]], total: '3' })
    expect((await list(own, '?promptStatus=0')).rows).toEqual([all[2]])
    expect((await list(own, `?search=${encodeURIComponent(customer.username)}`)).rows).toEqual([all[1]])
    expect((await list(child)).rows).toEqual([all[0]])
    expect((await get(customer, '/api/obd/prompts/customers')).statusCode).toBe(403)
    expect((await get(admin, '/api/obd/prompts/customers')).statusCode).toBe(403)
  })
})

describe('listen', () => {
  test('a file is served whole or in ranges to those who may hear it; everybody else finds nothing', async () => {
    await uploaded(user, { fileName: 'Hear me' })
    const url = `/assets/voice/${user.userId}/prompts/${encodeURIComponent('hear me.wav')}`
    for (const viewer of [user, reseller, admin]) {
      const reply = await get(viewer, url)
      expect(reply.statusCode).toBe(200)
      expect(reply.headers).toMatchObject({
        'content-type': 'audio/wav',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
      expect(new WaveFile(reply.rawPayload).fmt).toMatchObject({ sampleRate: 8000, numChannels: 1, bitsPerSample: 16 })
    }
    const part = await get(user, url, { range: 'bytes=0-3' })
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, 'RIFF', 'bytes 0-3/16044'])
    const strangers = [await newUser(app), await newReseller(app), await newUser(app, { parent: reseller })]
    for (const stranger of strangers) expect((await get(stranger, url)).statusCode).toBe(404)
    expect((await http.inject({ url })).statusCode).toBe(401)
    expect((await get(reseller, `/assets/voice/${reseller.userId}/prompts/hear%20me.wav`)).statusCode).toBe(404)
  })
})

describe('approve and reject', () => {
  test('the super admin decides once; of many at once one wins, and the owner reads the reason', async () => {
    const promptId = await newPrompt(app, user, { status: 'pending' })
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? approve(promptId) : reject(promptId, { reason: 'too loud' }))),
    )
    expect(replies.filter((reply) => reply.statusCode === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.statusCode === 409)).toHaveLength(19)
    const other = await newPrompt(app, user, { status: 'pending' })
    expect((await reject(other, { reason: 'Names no sender' })).statusCode).toBe(200)
    const rows = (await get(user, `/api/obd/prompts/${user.userId}?promptStatus=2`)).json<unknown[]>()
    expect(rows).toContainEqual(expect.objectContaining({ promptId: other, rejectReason: 'Names no sender' }))
    expect((await approve(other)).json()).toMatchObject({ errors: [{ text: 'is already Rejected' }] })
    const log = await app.db
      .selectFrom('audit_log')
      .select(['action', 'actor_id'])
      .where('target', '=', `prompt ${other}`)
      .execute()
    expect(log).toEqual([{ action: 'prompt.reject', actor_id: admin.userId }])
  })

  test('nobody else decides; what is not there is not found', async () => {
    const promptId = await newPrompt(app, user, { status: 'pending' })
    expect((await approve(promptId, reseller)).statusCode).toBe(403)
    expect((await approve(promptId, user)).statusCode).toBe(403)
    expect((await approve(999_999)).statusCode).toBe(404)
  })
})

describe('delete', () => {
  test('owner and super admin may, a reseller only listens, strangers find nothing', async () => {
    const promptId = await newPrompt(app, user, { name: 'Gone' })
    expect((await remove(await newUser(app), promptId)).statusCode).toBe(404)
    expect((await remove(reseller, promptId)).statusCode).toBe(403)
    expect((await remove(user, promptId)).json()).toEqual({ message: 'Success' })
    expect((await remove(user, promptId)).statusCode).toBe(404)
    expect((await get(user, `/assets/voice/${user.userId}/prompts/Gone.wav`)).statusCode).toBe(404)
    expect((await remove(admin, await newPrompt(app, user, { name: 'Gone' }))).statusCode).toBe(200)
  })

  test('not while a campaign that is not finished uses it, and the answer names the campaign', async () => {
    const promptId = await newPrompt(app, user, { status: 'pending' })
    const campaignId = await newCampaign(app, user, { name: 'Dashain offer' })
    const part = { kind: 'prompt', promptId, durationMs: 1000, hash: '' }
    const flow = { templateId: 1, opening: [], menus: [{ name: 'menu', ask: [part], keys: [] }], closing: [] }
    await app.db
      .updateTable('campaign_detail')
      .set({ flow: JSON.stringify(flow) })
      .where('campaign_id', '=', campaignId)
      .execute()
    const refused = await remove(user, promptId)
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({
      errors: [{ field: 'promptId', code: 'in_use', text: expect.stringContaining("'Dashain offer' (Running)") }],
    })
    await app.db.updateTable('campaign').set({ status: 'complete' }).where('id', '=', campaignId).execute()
    expect((await remove(user, promptId)).statusCode).toBe(200)
  })
})

describe('for compose', () => {
  test('approved files of the owner are held and known by their sound; anything else is refused by field', async () => {
    const good = await newPrompt(app, user)
    const pending = await newPrompt(app, user, { status: 'pending' })
    const foreign = await newPrompt(app, reseller)
    const held = await app.db
      .transaction()
      .execute((tx) => requireApprovedPrompts(tx, user.userId, [{ field: 'menuPId', promptId: good }]))
    expect(held.get(good)).toEqual({
      promptId: good,
      durationMs: 10_000,
      wavHash: expect.any(String),
    })
    const wanted = [
      { field: 'welcomePId', promptId: pending },
      { field: 'menuPId', promptId: good },
      { field: 'thanksPId', promptId: foreign },
      { field: 'noInputPId', promptId: 999_999 },
    ]
    const asked = app.db.transaction().execute((tx) => requireApprovedPrompts(tx, user.userId, wanted))
    await expect(asked).rejects.toMatchObject({
      code: 'bad_input',
      errors: [
        { field: 'welcomePId', code: 'not_approved', text: expect.stringContaining('is Pending') },
        { field: 'thanksPId', code: 'not_found' },
        { field: 'noInputPId', code: 'not_found' },
      ],
    })
  })
})
