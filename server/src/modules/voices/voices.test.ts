import { buffer } from 'node:stream/consumers'
import { lexicon } from '@ghanti/callflow/speech/lexicon.ts'
import type { SpeakingVoice } from '@ghanti/contract/speech.ts'
import type { VoicePackDetail, VoiceUpload } from '@ghanti/contract/voices.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { telephoneRate } from '@ghanti/callflow/sound/resample.ts'
import { withHeader } from '../../audio/wav.ts'
import { speak } from '../speech/actions.ts'
import { speechHandlers } from '../speech/routes.ts'
import { nearestPack, openPack } from './actions.ts'
import { neededKeys } from './rules.ts'
import { voiceHandlers } from './routes.ts'

const app = await testApp()
let http: FastifyInstance
let admin: Viewer
let reseller: Viewer
let user: Viewer
let stranger: Viewer
beforeAll(async () => {
  http = await testHttp(app, { handlers: { voices: voiceHandlers, speech: speechHandlers } })
  admin = await newSuperAdmin(app)
  reseller = await newReseller(app, { parent: admin })
  user = await newUser(app, { parent: reseller })
  stranger = await newUser(app, { parent: admin })
})

beforeEach(() => app.db.deleteFrom('voice_pack').execute())

/** A tone; each `pitch` is another recording. */
function tone(pitch = 1, ms = 200): Buffer {
  const samples = Int16Array.from({ length: (ms * telephoneRate) / 1000 }, (_, n) => 9000 * Math.sin((n * pitch) / 7))
  return Buffer.from(withHeader(samples))
}

async function zipOf(files: Record<string, Buffer>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(bytes, name, { compress: false })
  zip.end()
  return buffer(zip.outputStream)
}

type Sent = { key?: string; fileName?: string; bytes?: Buffer; type?: string }
async function upload(viewer: Viewer, packId: number, { key, fileName = '1.wav', bytes = tone(), type = '' }: Sent) {
  const form = new FormData()
  form.set('packId', String(packId))
  if (key !== undefined) form.set('key', key)
  form.set('voiceFile', new Blob([new Uint8Array(bytes)], { type }), fileName)
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  return http.inject({
    method: 'POST',
    url: '/api/obd/voice-pack/upload',
    headers: { ...(await signedIn(app, viewer)), 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  })
}
const get = async (viewer: Viewer, url: string) => http.inject({ url, headers: await signedIn(app, viewer) })
const act = async (viewer: Viewer, method: 'POST' | 'DELETE', url: string, payload: object = {}) =>
  http.inject({ method, url, headers: await signedIn(app, viewer), payload })
const detail = async (viewer: Viewer, packId: number): Promise<VoicePackDetail> =>
  (await get(viewer, `/api/obd/voice-pack/${packId}`)).json<VoicePackDetail>()
const wordOf = async (packId: number, key: string) =>
  (await detail(admin, packId)).words.find((word) => word.key === key)
const listen = (viewer: Viewer, packId: number, key: string, which: string) =>
  get(viewer, `/api/obd/voice-pack/${packId}/word/${key}?which=${which}`)
const decide = async (packId: number, decision: 'approve' | 'reject' = 'approve', reason?: string) =>
  act(admin, 'POST', `/api/obd/voice-pack/${decision}/${packId}`, {
    change: (await detail(admin, packId)).change,
    reason,
  })

let serial = 0
async function newPack(viewer: Viewer, language: 'ne' | 'en' = 'ne'): Promise<number> {
  const reply = await act(viewer, 'POST', '/api/obd/voice-pack', { name: `Voice ${++serial}`, language })
  return reply.json<{ packId: number }>().packId
}

async function packWith(viewer: Viewer, keys: readonly string[], language: 'ne' | 'en' = 'ne'): Promise<number> {
  const packId = await newPack(viewer, language)
  const wav_hash = await app.files.putBytes(tone(packId))
  const words = keys.map((key) => ({ pack_id: packId, key, wav_hash, duration_ms: 200 }))
  await app.db.insertInto('voice_pack_word').values(words).execute()
  return packId
}

describe('a pack', () => {
  test('is made empty, and says which words it lacks for each kind', async () => {
    const packId = await newPack(user)
    const pack = await detail(user, packId)
    expect(pack).toMatchObject({
      language: 'ne',
      username: user.username,
      isOwn: true,
      approvedWords: 0,
      pendingWords: 0,
    })
    expect(pack.words.map(({ word }) => word)).toEqual(lexicon.ne.map(({ word }) => word))
    expect(pack.coverage.map(({ kind, calendar, words, missing }) => [kind, calendar, words - missing])).toEqual([
      ['amount', null, 0],
      ['date', 'bs', 0],
      ['date', 'ad', 0],
      ['month', null, 0],
      ['token', null, 0],
    ])
    const { coverage } = await detail(admin, await packWith(user, neededKeys('ne', 'date', 'bs') ?? []))
    expect(coverage.find(({ kind, calendar }) => kind === 'date' && calendar === 'bs')).toMatchObject({ missing: 0 })
    expect(coverage.find(({ kind, calendar }) => kind === 'date' && calendar === 'ad')).toMatchObject({ missing: 14 })
  })

  test('has a name of its own among its owner’s, and there are at most ten', async () => {
    const owner = await newUser(app, { parent: reseller })
    const create = (name: string) => act(owner, 'POST', '/api/obd/voice-pack', { name, language: 'en' })
    expect((await create('Sita')).statusCode).toBe(200)
    expect((await create('SITA')).json()).toMatchObject({ errors: [{ field: 'name', code: 'taken' }] })
    for (let n = 2; n <= 10; n++) expect((await create(`Sita ${n}`)).statusCode).toBe(200)
    expect((await create('Sita 11')).json()).toMatchObject({
      errors: [{ field: 'name', text: 'would be more than the 10 voice packs that you may have' }],
    })
  })

  test('is listed for whom it belongs to and those above; a super admin’s is the platform’s', async () => {
    const own = await newPack(user)
    const platform = await newPack(admin)
    const ids = async (viewer: Viewer, query = '') =>
      (await get(viewer, `/api/obd/voice-packs?pageSize=100${query}`))
        .json<{ packId: number }[]>()
        .map((row) => row.packId)
    expect(await ids(user)).toContain(own)
    expect(await ids(user)).not.toContain(platform)
    expect(await ids(reseller)).toContain(own)
    expect(await ids(stranger)).toEqual([])
    expect(await ids(admin)).toEqual(expect.arrayContaining([own, platform]))
    expect((await detail(admin, platform)).username).toBeNull()
    expect(await ids(admin, '&waiting=1')).not.toContain(own)
    await upload(user, own, {})
    expect(await ids(admin, '&waiting=1')).toContain(own)
  })

  test('its words are listed as CSV, with the name of each file', async () => {
    const reply = await get(user, '/api/obd/voice-pack/words.csv?language=ne')
    const lines = reply.body.replace('\ufeff', '').trim().split('\r\n')
    expect(lines[0]).toBe('file,word,needed for,calendar')
    expect(lines).toHaveLength(1 + lexicon.ne.length)
    expect(lines).toContain('19.wav,उन्नाइस,amount date,')
    expect(lines).toContain('day-bs.wav,गते,date,BS')
  })
})

describe('recordings', () => {
  test('are taken by the name of their file: the key, the word, with Nepali digits', async () => {
    const packId = await newPack(user)
    for (const fileName of ['7.wav', 'गते.WAV', '१९.wav', 'Rupees.wav']) {
      const reply = await upload(user, packId, { fileName })
      expect(reply.json<VoiceUpload>().taken, fileName).toHaveLength(1)
    }
    const { words, pendingWords } = await detail(user, packId)
    expect(pendingWords).toBe(4)
    expect(words.filter(({ pendingMs }) => pendingMs !== null).map(({ key }) => key)).toEqual([
      '7',
      '19',
      'rupees',
      'day-bs',
    ])
  })

  test('of a zip are taken where they can be, and each other file says why not', async () => {
    const packId = await newPack(user)
    const bytes = await zipOf({
      'voice/1.wav': tone(1),
      'voice/2.WAV': tone(2),
      'voice/एक.wav': tone(3),
      'voice/unknown.wav': tone(4),
      'voice/3.mp3': Buffer.from('ID3'),
      'voice/4.wav': Buffer.from('RIFF....WAVEjunk'),
      'voice/5.wav': tone(1, 6000),
      '__MACOSX/voice/._1.wav': Buffer.from('x'),
    })
    const reply = (await upload(user, packId, { fileName: 'voice.zip', bytes })).json<VoiceUpload>()
    expect(reply.taken.map(({ key, word }) => [key, word])).toEqual([
      ['1', 'एक'],
      ['2', 'दुई'],
    ])
    expect(Object.fromEntries(reply.refused.map(({ fileName, why }) => [fileName, why]))).toEqual({
      'voice/एक.wav': 'is the same word as voice/1.wav',
      'voice/unknown.wav': 'does not have the name of a word in the list',
      'voice/3.mp3': 'does not have the name of a word in the list',
      'voice/4.wav': expect.stringContaining('has a broken header'),
      'voice/5.wav': 'is 6 seconds long, at most 5 are taken',
    })
  })

  test.each([
    { why: 'an empty file', bytes: Buffer.alloc(0), status: 400, text: 'is empty' },
    { why: 'a text', bytes: Buffer.from('hello'), status: 415, text: 'only wav files and zips of them are taken' },
    {
      why: 'a damaged zip',
      bytes: Buffer.from('PK\u0003\u0004junk'),
      status: 400,
      text: 'is a zip that cannot be read',
    },
    {
      why: 'silence',
      bytes: Buffer.from(withHeader(new Int16Array(4000))),
      status: 400,
      text: 'holds nothing but silence',
    },
    { why: 'a wav of 2 MB', bytes: tone(1, 125_000), status: 413, text: 'is too large for one word' },
    { why: 'a strange name', fileName: 'hello.wav', status: 400, text: 'does not have the name of a word in the list' },
  ])('$why is refused, naming the field, and nothing is kept', async ({ bytes, fileName, status, text }) => {
    const packId = await newPack(user)
    const reply = await upload(user, packId, { ...(bytes && { bytes }), ...(fileName && { fileName }) })
    expect(reply.statusCode).toBe(status)
    expect(reply.json()).toMatchObject({ errors: [{ field: 'voiceFile', text: expect.stringContaining(text) }] })
    expect(await detail(user, packId)).toMatchObject({ pendingWords: 0, change: 0 })
  })

  test('of another word than the list has are refused', async () => {
    const reply = await upload(user, await newPack(user), { key: 'letter-q1' })
    expect(reply.json()).toMatchObject({ errors: [{ field: 'key', text: 'is not a word of the list' }] })
  })

  test('are heard by their owner and those above, changed by the owner alone', async () => {
    const packId = await newPack(user)
    await upload(user, packId, { key: 'paisa' })
    for (const viewer of [user, reseller, admin]) {
      const heard = await listen(viewer, packId, 'paisa', 'pending')
      expect(heard.headers['content-type']).toBe('audio/wav')
      expect(heard.rawPayload.length).toBeGreaterThan(44)
    }
    expect((await listen(stranger, packId, 'paisa', 'pending')).statusCode).toBe(404)
    expect((await listen(user, packId, 'paisa', 'approved')).statusCode).toBe(404)
    expect((await upload(reseller, packId, {})).statusCode).toBe(403)
    expect((await upload(admin, packId, {})).statusCode).toBe(403)
    expect((await upload(stranger, packId, {})).statusCode).toBe(404)
  })
})

describe('a decision', () => {
  test('lets calls hear what waited; a replaced word is heard as it was until the next one', async () => {
    const packId = await newPack(user)
    await upload(user, packId, { key: '1', bytes: tone(1, 200) })
    expect((await decide(packId)).statusCode).toBe(200)
    expect(await wordOf(packId, '1')).toMatchObject({ durationMs: 200, pendingMs: null })
    await upload(user, packId, { key: '1', bytes: tone(1, 300) })
    expect(await wordOf(packId, '1')).toMatchObject({ durationMs: 200, pendingMs: 300 })
    await decide(packId, 'reject', 'too loud')
    expect(await detail(user, packId)).toMatchObject({ rejectReason: 'too loud', pendingWords: 0, approvedWords: 1 })
    await upload(user, packId, { key: '1', bytes: tone(1, 300) })
    await decide(packId)
    expect(await wordOf(packId, '1')).toMatchObject({ durationMs: 300, pendingMs: null })
    expect((await detail(user, packId)).rejectReason).toBeNull()
  })

  test('forgets rejected words that were never approved', async () => {
    const packId = await newPack(user)
    await upload(user, packId, { key: '1' })
    await decide(packId, 'reject')
    expect(await wordOf(packId, '1')).toMatchObject({ durationMs: null, pendingMs: null })
  })

  test('is about what was listened to: a pack that changed meanwhile is not decided', async () => {
    const packId = await newPack(user)
    await upload(user, packId, { key: '1' })
    const { change } = await detail(admin, packId)
    await upload(user, packId, { key: '1', bytes: tone(9) })
    const reply = await act(admin, 'POST', `/api/obd/voice-pack/approve/${packId}`, { change })
    expect(reply.statusCode).toBe(409)
    expect(reply.json()).toMatchObject({ errors: [{ field: 'change', code: 'changed' }] })
    expect(await detail(user, packId)).toMatchObject({ pendingWords: 1, approvedWords: 0 })
    const both = await Promise.all([decide(packId), decide(packId)])
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  })

  test('is the super admin’s', async () => {
    const packId = await newPack(user)
    await upload(user, packId, {})
    for (const viewer of [user, reseller])
      expect((await act(viewer, 'POST', `/api/obd/voice-pack/approve/${packId}`, { change: 1 })).statusCode).toBe(403)
  })

  test('the same recording again does not wait', async () => {
    const packId = await newPack(user)
    await upload(user, packId, { key: '1' })
    await decide(packId)
    await upload(user, packId, { key: '1' })
    expect(await wordOf(packId, '1')).toMatchObject({ durationMs: 200, pendingMs: null })
  })
})

describe('who speaks', () => {
  const months = neededKeys('ne', 'month', 'bs') ?? []
  const nearest = async (ownerId: number, kind: 'month' | 'amount' | 'name' = 'month') =>
    (await nearestPack(app.db, ownerId, { language: 'ne', kind, calendar: 'bs' }))?.packId

  test('is the nearest pack that has every word: own, then from below upwards, then the platform’s, else none', async () => {
    const above = await newReseller(app, { parent: admin })
    const below = await newReseller(app, { parent: above })
    const owner = await newUser(app, { parent: below })
    expect(await nearest(owner.userId)).toBeUndefined()
    const platform = await packWith(admin, months)
    expect(await nearest(owner.userId)).toBe(platform)
    const far = await packWith(above, months)
    expect(await nearest(owner.userId)).toBe(far)
    const near = await packWith(below, months)
    expect(await nearest(owner.userId)).toBe(near)
    await packWith(owner, months.slice(1))
    await packWith(owner, months, 'en')
    expect(await nearest(owner.userId)).toBe(near)
    const own = await packWith(owner, months)
    await packWith(owner, months)
    expect(await nearest(owner.userId)).toBe(own)
    expect(await nearest(owner.userId, 'amount')).toBeUndefined()
    expect(await nearest(owner.userId, 'name')).toBeUndefined()
    expect(await nearest(above.userId)).toBe(far)
    await act(owner, 'DELETE', '/api/obd/voice-pack/word', { packId: own, key: months[0] })
    expect(await nearest(owner.userId)).not.toBe(own)
  })

  test('a text that waits for approval is not spoken', async () => {
    const owner = await newUser(app, { parent: await newReseller(app, { parent: admin }) })
    const packId = await packWith(owner, months.slice(1))
    const before = await nearest(owner.userId)
    await upload(owner, packId, { key: months[0] ?? '' })
    expect(await nearest(owner.userId)).toBe(before)
    await decide(packId)
    expect(await nearest(owner.userId)).toBe(packId)
  })

  test('a value is its words one after the other; a changed pack has another key and the old one is not opened any more', async () => {
    const owner = await newUser(app, { parent: reseller })
    const packId = await packWith(owner, months)
    const was = await nearestPack(app.db, owner.userId, { language: 'ne', kind: 'month', calendar: 'bs' })
    if (!was) throw new Error('no pack')
    const say = await openPack(app, was)
    expect(say?.(['वैशाख'])?.durationMs).toBe(200)
    expect(say?.(['वैशाख', 'मे'])?.durationMs).toBe(450)
    expect(say?.(['एक'])).toBeUndefined()
    await upload(owner, packId, { key: 'may', bytes: tone(5, 400) })
    await decide(packId)
    const now = await nearestPack(app.db, owner.userId, { language: 'ne', kind: 'month', calendar: 'bs' })
    expect(now?.key).not.toBe(was.key)
    expect(await openPack(app, was)).toBeUndefined()
    expect((await openPack(app, now ?? was))?.(['मे'])?.durationMs).toBe(400)
  })
})

test('a deleted pack is gone with its words; another’s is not deleted', async () => {
  const packId = await newPack(user)
  await upload(user, packId, { key: '1' })
  expect((await act(reseller, 'DELETE', `/api/obd/voice-pack/${packId}`)).statusCode).toBe(403)
  expect((await act(stranger, 'DELETE', `/api/obd/voice-pack/${packId}`)).statusCode).toBe(404)
  expect((await act(user, 'DELETE', `/api/obd/voice-pack/${packId}`)).statusCode).toBe(200)
  expect((await get(user, `/api/obd/voice-pack/${packId}`)).statusCode).toBe(404)
  expect(await app.db.selectFrom('voice_pack_word').selectAll().where('pack_id', '=', packId).execute()).toEqual([])
})

test('each change is in the audit log', async () => {
  const actions = await app.db.selectFrom('audit_log').select('action').distinct().orderBy('action').execute()
  expect(actions.map(({ action }) => action).filter((action) => action.startsWith('voice.'))).toEqual([
    'voice.approve',
    'voice.create',
    'voice.delete',
    'voice.deleteWord',
    'voice.reject',
    'voice.upload',
  ])
})

test('values are said by the nearest pack, others by the engine; a changed pack says them anew', async () => {
  const owner = await newUser(app, { parent: reseller })
  const manner = { language: 'ne', calendar: 'bs' } as const
  const packId = await packWith(owner, neededKeys('ne', 'token', 'bs') ?? [])
  const token = { kind: 'token', value: '12' } as const
  const [one] = await speak(app, owner.userId, manner, [token])
  expect(one).toMatchObject({ voice: `Voice ${serial}`, durationMs: 450, words: ['एक', 'दुई'] })
  expect(await speak(app, owner.userId, manner, [token])).toEqual([one])
  await upload(owner, packId, { key: '1', bytes: tone(3, 300) })
  await decide(packId)
  expect(await speak(app, owner.userId, manner, [token])).toMatchObject([{ durationMs: 550 }])
  const voices = (await get(owner, '/api/obd/voices?language=ne&calendar=bs')).json<SpeakingVoice[]>()
  expect(voices.find(({ kind }) => kind === 'token')).toEqual({
    kind: 'token',
    source: 'pack',
    name: `Voice ${serial}`,
    packId,
  })
  expect(voices.find(({ kind }) => kind === 'name')).toEqual({
    kind: 'name',
    source: 'engine',
    name: app.tts.name,
    packId: null,
  })
})
