import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newSuperAdmin, newUser } from '../../testing/seed.ts'
import { toneFile } from '../../testing/files/sound.ts'
import { changeSetting } from '../platform/actions.ts'
import { settings } from '../platform/rules.ts'
import { noticeFaults } from './rules.ts'
import { forgetUnnamedFiles } from '../files/actions.ts'

const app = await testApp()
let http: FastifyInstance
let admin: Viewer
let user: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  admin = await newSuperAdmin(app)
  user = await newUser(app)
})
const path = '/api/obd/recordingnotice'
const read = async () => (await http.inject({ url: path, headers: await signedIn(app, admin) })).json<{ on: boolean }>()
const post = async (end: string, payload: object) =>
  http.inject({ method: 'POST', url: `${path}/${end}`, headers: await signedIn(app, admin), payload })
async function upload(language: string, seconds: number) {
  const body = new FormData()
  body.set('language', language)
  body.set('waveFile', toneFile('notice.wav', seconds))
  const request = new Request('http://localhost/', { method: 'POST', body })
  const headers = { ...(await signedIn(app, admin)), 'content-type': request.headers.get('content-type') ?? '' }
  return http.inject({
    method: 'POST',
    url: `${path}/upload`,
    headers,
    payload: Buffer.from(await request.arrayBuffer()),
  })
}

test('the notice is off at first, and is turned on when both languages have a sound, one uploaded and one spoken; each change is in the audit log', async () => {
  expect(await read()).toEqual({ on: false, sounds: [] })
  const early = await post('turn', { on: true })
  expect(early.statusCode).toBe(409)
  expect(early.json()).toMatchObject({ errors: [{ field: 'on', text: 'needs the notice in both languages first' }] })
  expect((await upload('ne', 2)).statusCode).toBe(200)
  expect((await post('turn', { on: true })).statusCode).toBe(409)
  expect((await post('speak', { language: 'en', text: 'This call is recorded.' })).statusCode).toBe(200)
  expect((await post('turn', { on: true })).statusCode).toBe(200)
  expect(await read()).toMatchObject({
    on: true,
    sounds: [
      { language: 'ne', durationMs: 2000, text: null },
      { language: 'en', durationMs: expect.any(Number), text: 'This call is recorded.' },
    ],
  })
  const heard = await http.inject({ url: `${path}/en`, headers: await signedIn(app, admin) })
  expect([heard.headers['content-type'], heard.rawPayload.toString('latin1', 0, 4)]).toEqual(['audio/wav', 'RIFF'])
  const lines = await app.db.selectFrom('audit_log').select(['action', 'detail']).orderBy('id').execute()
  expect(lines).toEqual([
    { action: 'recording.notice', detail: { language: 'ne', durationMs: 2000 } },
    {
      action: 'recording.notice',
      detail: { language: 'en', durationMs: expect.any(Number), text: 'This call is recorded.' },
    },
    { action: 'setting.change', detail: { name: 'notice before recordings', before: 'off', after: 'on' } },
  ])
})

test('a sound that is no wav file, or longer than half a minute, is refused at its field and changes nothing', async () => {
  const before = await read()
  const long = await upload('ne', 31)
  expect(long.statusCode).toBe(400)
  expect(long.json()).toMatchObject({ errors: [{ field: 'waveFile' }] })
  const words = await post('speak', { language: 'ne', text: 'यो कल रेकर्ड गरिन्छ। '.repeat(20) })
  expect(words.json()).toMatchObject({
    errors: [{ field: 'text', text: expect.stringMatching(/seconds to say, at most 30 are taken$/) }],
  })
  expect((await post('speak', { language: 'fr', text: 'Bonjour' })).json()).toMatchObject({
    errors: [{ field: 'language' }],
  })
  expect((await post('turn', { on: 'perhaps' })).json()).toMatchObject({ errors: [{ field: 'on' }] })
  expect(await read()).toEqual(before)
})

test('a sound of the notice stays stored as long as it is the notice; the one before goes a day later', async () => {
  const hashes = async () =>
    (await app.db.selectFrom('recording_notice').select('file_hash').orderBy('language').execute()).map(
      ({ file_hash }) => file_hash,
    )
  const [english, before] = await hashes()
  expect((await upload('ne', 3)).statusCode).toBe(200)
  const [, after] = await hashes()
  const tomorrow = { ...app, clock: { now: () => new Date(Date.now() + 25 * 3600_000) } }
  await forgetUnnamedFiles(tomorrow)
  const isThere = async (hash = '') =>
    app.files.pathOf(hash).then(
      () => true,
      () => false,
    )
  expect([await isThere(english), await isThere(after), await isThere(before)]).toEqual([true, true, false])
})

test('an account is told when its recordings take 80 % of their room, and when they take all of it, once each', async () => {
  const campaignId = await newCampaign(app, user)
  const quotas = { ...settings.quotas.fallback, recordingMegabytes: 10 }
  await app.db.transaction().execute((tx) => changeSetting(tx, 'quotas', quotas, null))
  const notices = async () =>
    (
      await app.db
        .selectFrom('notice')
        .select(['kind', 'about'])
        .where('user_id', '=', user.userId)
        .orderBy('id')
        .execute()
    ).map(({ kind, about }) => `${kind} ${about}`)
  const store = async (megabytes: number) => {
    await app.pool.query(
      `insert into recording (id, attempt_id, campaign_id, account_id, file_hash, duration_ms, size_bytes) values (gen_random_uuid(), 0, $1, $2, 'x', 1, $3)`,
      [campaignId, user.userId, megabytes * 1_000_000],
    )
    return await notices()
  }
  expect(await store(7)).toEqual([])
  expect(await store(1)).toEqual(['recordingsNearlyFull 10'])
  expect(await store(1)).toEqual(['recordingsNearlyFull 10'])
  expect(await store(2)).toEqual(['recordingsNearlyFull 10', 'recordingsFull 10'])
  expect(await store(5)).toEqual(['recordingsNearlyFull 10', 'recordingsFull 10'])
})

test('where nobody set quotas, the room of recordings in the database is that of the contract', async () => {
  const { rows } = await app.pool.query<{ source: string }>(
    `select prosrc as source from pg_proc where proname = 'recording_room_noticed'`,
  )
  const source = rows[0]?.source.replaceAll(/\s+/g, ' ')
  expect(source).toContain(`key = 'quotas'), ${settings.quotas.fallback.recordingMegabytes} )`)
})

test.each([noticeFaults.missing, noticeFaults.tooLong(31_000), noticeFaults.unspeakable('nothing is heard of it')])(
  'in Nepali: %s',
  (english) => expect(nepaliOf(english)).not.toMatch(/[A-Za-z]/),
)
