import type { FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { toneFile } from '../../testing/files/sound.ts'
import { forgetOldRecordings } from './actions.ts'
import { silence } from './rules.ts'

const dayMs = 24 * 3600_000

const app = await testApp()
let http: FastifyInstance
let admin: Viewer
let reseller: Viewer
let user: Viewer
let campaignId: number
beforeAll(async () => {
  http = await testHttp(app)
  admin = await newSuperAdmin(app)
  reseller = await newReseller(app, { parent: admin })
  user = await newUser(app, { parent: reseller })
  campaignId = await newCampaign(app, user)
})
const get = async (viewer: Viewer, url: string, headers: Record<string, string> = {}) =>
  http.inject({ url, headers: { ...headers, ...(await signedIn(app, viewer)) } })
const tone = async (seconds: number) => Buffer.from(await toneFile('tone.wav', seconds).arrayBuffer())

let attemptId = 0
async function newRecording(bytes: Uint8Array, at = new Date()) {
  const id = randomUUID()
  const file_hash = await app.files.putBytes(bytes)
  const of = { attempt_id: ++attemptId, campaign_id: campaignId, account_id: user.userId, duration_ms: 1000 }
  await app.db
    .insertInto('recording')
    .values({ id, file_hash, at: at.toISOString(), ...of })
    .execute()
  return { id, file_hash }
}

test('a recording is heard by the owner of its campaign and by the accounts above, in ranges; for others it does not exist', async () => {
  const bytes = await tone(2)
  const { id } = await newRecording(bytes)
  const url = `/rec/${id}.wav`
  for (const viewer of [user, reseller, admin]) {
    const reply = await get(viewer, url)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({ 'content-type': 'audio/wav', 'cache-control': 'private, no-store' })
    expect(reply.headers['content-disposition'], 'named by campaign and day').toMatch(
      /^inline; filename="Campaign .*\d{4}-\d\d-\d\d\.wav"/,
    )
    expect(reply.rawPayload.equals(bytes)).toBe(true)
  }
  const part = await get(user, url, { range: 'bytes=44-143' })
  expect(part.statusCode).toBe(206)
  expect(part.headers['content-range']).toBe(`bytes 44-143/${bytes.length}`)
  expect(part.rawPayload.equals(bytes.subarray(44, 144))).toBe(true)
  const other = await newUser(app, { parent: reseller })
  const stranger = await newReseller(app, { parent: admin })
  for (const viewer of [other, stranger]) expect((await get(viewer, url)).statusCode).toBe(404)
  expect((await http.inject({ url })).statusCode).toBe(401)
  expect((await get(user, `/rec/${randomUUID()}.wav`)).statusCode).toBe(404)
  expect((await get(user, '/rec/..%2F..%2Fsecret')).statusCode).toBe(400)
})

test('recordings whose days are over go, with their files where nobody else names them', async () => {
  const long = new Date(Date.now() - 91 * dayMs)
  const alone = await newRecording(await tone(3), long)
  const [shared, young] = [await newRecording(await tone(4), long), await newRecording(await tone(4))]
  const due = { attempt_id: 1, campaign_id: campaignId, began_at: long.toISOString() }
  const dialer_id = (await app.db.selectFrom('dialer').select('id').executeTakeFirstOrThrow()).id
  await app.db
    .insertInto('recording_due')
    .values({ id: randomUUID(), dialer_id, ...due })
    .execute()
  await forgetOldRecordings(app)
  const left = await app.db.selectFrom('recording').select('id').execute()
  expect(left.map(({ id }) => id)).not.toContain(alone.id)
  expect(left.map(({ id }) => id)).not.toContain(shared.id)
  expect(left.map(({ id }) => id)).toContain(young.id)
  await expect(app.files.pathOf(alone.file_hash)).rejects.toThrow()
  expect((await get(user, `/rec/${young.id}.wav`)).statusCode).toBe(200)
  expect((await get(user, `/rec/${alone.id}.wav`)).statusCode).toBe(404)
  expect(await app.db.selectFrom('recording_due').selectAll().execute()).toEqual([])
})

test('an attempt says whether its conversation can be heard, and else why not', async () => {
  const id = await newCampaign(app, user, { rows: 12 })
  const began = new Date(Date.now() - 3600_000)
  type More = { recording?: string | null; patch_bill_ms?: number | null; agent_missed?: 'notFree'; at?: Date }
  const attempt = async (no: number, more: More) => {
    const at = (more.at ?? began).toISOString()
    const { recording = null, patch_bill_ms = 5000, agent_missed = null } = more
    const times = { started_at: at, answered_at: at, ended_at: at, claimed_at: at }
    const money = { cost_paisa: 0, uncollected_paisa: 0, pulses: 1, bill_ms: 9000 }
    const what = {
      phone: 9779800000000 + no,
      epoch: 1,
      campaign_id: id,
      account_id: user.userId,
      no,
      attempt_no: 1,
      recording,
      patch_bill_ms,
      agent_missed,
    }
    await app.db
      .insertInto('attempt')
      .values({ id: 1000 + no, disposition: 'ANSWER', ...times, ...money, ...what })
      .execute()
  }
  const stored = await newRecording(await tone(1))
  const dialer_id = (await app.db.selectFrom('dialer').select('id').executeTakeFirstOrThrow()).id
  const due = async (tries: number) => {
    const recording = randomUUID()
    await app.db
      .insertInto('recording_due')
      .values({ id: recording, attempt_id: 1, campaign_id: id, dialer_id, tries })
      .execute()
    return recording
  }
  await attempt(0, { recording: stored.id })
  await attempt(1, { patch_bill_ms: null })
  await attempt(2, {})
  await attempt(7, { patch_bill_ms: null, agent_missed: 'notFree' })
  await attempt(3, { recording: await due(0) })
  await attempt(4, { recording: await due(3) })
  await attempt(5, { recording: randomUUID(), at: new Date(Date.now() - 91 * 24 * 3600_000) })
  await attempt(6, { recording: randomUUID() })
  const removed = async (after_days: number | null) => {
    const recording = randomUUID()
    await app.db
      .insertInto('recording_removed')
      .values({ id: recording, attempt_id: 1, at: '2026-11-20T12:00:00Z', after_days })
      .execute()
    return recording
  }
  await attempt(8, { recording: await removed(30) })
  await attempt(9, { recording: await removed(null) })
  for (const [no, why] of [
    [10, 'noRoom'],
    [11, 'noNotice'],
  ] as const) {
    await attempt(no, {})
    await app.db
      .insertInto('recording_withheld')
      .values({ attempt_id: 1000 + no, why })
      .execute()
  }
  const rows = (await get(user, `/api/obd/campaign/attempts/${id}`)).json<
    { uuID: string | null; recordingReason: string | null }[]
  >()
  expect(rows.toReversed().map(({ uuID, recordingReason }) => uuID ?? recordingReason)).toEqual([
    stored.id,
    silence.noAgent,
    silence.notRecorded,
    silence.coming,
    silence.late,
    'recordings are kept for 90 days',
    silence.lost,
    silence.notFree,
    'the recording was removed on 2026-11-20, after 30 days',
    'the recording was deleted on 2026-11-20',
    silence.noRoom,
    silence.noNotice,
  ])
})

const remove = async (viewer: Viewer, id: string) =>
  http.inject({ method: 'DELETE', url: `/api/obd/recording/${id}`, headers: await signedIn(app, viewer) })

test('the account whose conversation it was deletes it, with its file and a line in the audit log; twice at once it goes once', async () => {
  const { id, file_hash } = await newRecording(await tone(5))
  const other = await newUser(app, { parent: reseller })
  expect((await remove(other, id)).statusCode).toBe(404)
  expect((await remove(reseller, id)).statusCode).toBe(403)
  const codes = (await Promise.all([remove(user, id), remove(user, id)])).map(({ statusCode }) => statusCode)
  expect(codes.toSorted()).toEqual([200, 404])
  await expect(app.files.pathOf(file_hash)).rejects.toThrow()
  expect((await get(user, `/rec/${id}.wav`)).statusCode).toBe(404)
  const removed = await app.db.selectFrom('recording_removed').selectAll().where('id', '=', id).execute()
  expect(removed).toMatchObject([{ attempt_id: expect.any(Number), after_days: null }])
  const lines = await app.db
    .selectFrom('audit_log')
    .select(['actor_id', 'target'])
    .where('action', '=', 'recording.delete')
    .execute()
  expect(lines).toEqual([{ actor_id: user.userId, target: `recording ${id}` }])
  const another = await newRecording(await tone(6))
  expect((await remove(admin, another.id)).statusCode).toBe(200)
})

test('a recording whose file is gone says so', async () => {
  const { id, file_hash } = await newRecording(await tone(7))
  await app.files.remove(file_hash)
  const reply = await get(user, `/rec/${id}.wav`)
  expect(reply.statusCode).toBe(404)
  expect(reply.json()).toMatchObject({ errors: [{ field: 'recording', code: 'gone', text: silence.fileGone }] })
})

test('an account keeps its recordings for fewer days than the platform, never for more; others keep theirs', async () => {
  const keep = async (recordingDays: number, viewer = user) =>
    http.inject({
      method: 'POST',
      url: '/api/obd/recording/days',
      headers: await signedIn(app, viewer),
      payload: { recordingDays },
    })
  const profile = async () =>
    (await get(user, `/api/obd/user/profile/${user.userId}`)).json<{
      recordingDays: number
      recordingDaysMax: number
    }>()
  expect(await profile()).toMatchObject({ recordingDays: 90, recordingDaysMax: 90 })
  const tooMany = await keep(91)
  expect(tooMany.statusCode).toBe(400)
  expect(tooMany.json()).toMatchObject({
    errors: [{ field: 'recordingDays', text: 'must not be more than 90: the platform keeps them no longer' }],
  })
  expect((await keep(10, reseller)).statusCode).toBe(403)
  expect((await keep(10)).statusCode).toBe(200)
  expect(await profile()).toMatchObject({ recordingDays: 10 })

  const other = await newUser(app, { parent: reseller })
  const theirs = await newRecording(await tone(8), new Date(Date.now() - 11 * dayMs))
  await app.db.updateTable('recording').set({ account_id: other.userId }).where('id', '=', theirs.id).execute()
  const old = await newRecording(await tone(9), new Date(Date.now() - 11 * dayMs))
  const young = await newRecording(await tone(9), new Date(Date.now() - 9 * dayMs))
  await forgetOldRecordings(app)
  const left = (await app.db.selectFrom('recording').select('id').execute()).map((row) => row.id)
  expect([theirs, old, young].map(({ id }) => left.includes(id))).toEqual([true, false, true])
  const gone = await app.db.selectFrom('recording_removed').selectAll().where('id', '=', old.id).execute()
  expect(gone).toMatchObject([{ after_days: 10 }])
  expect((await keep(90)).statusCode).toBe(200)
  const { recording_days } = await app.db
    .selectFrom('users')
    .select('recording_days')
    .where('id', '=', user.userId)
    .executeTakeFirstOrThrow()
  expect(recording_days, 'as long as the platform, whatever that will be').toBeNull()
})

test('bytes of recordings count for a quota of their own, and not for the storage of their account', async () => {
  const { id } = await newRecording(await tone(1))
  const used = async () =>
    (await get(user, `/api/obd/quotas/${user.userId}`)).json<{ used: { bytes: number; recordingBytes: number } }>().used
  const before = await used()
  await app.db.updateTable('recording').set({ size_bytes: 1_000_000 }).where('id', '=', id).execute()
  const after = await used()
  expect(after.recordingBytes - before.recordingBytes).toBe(1_000_000 - 4096)
  expect(after.bytes).toBe(before.bytes)
})

test('the list of recordings is the report of what can be listened to, for whoever sees the calls', async () => {
  const list = async (viewer: Viewer) =>
    (await get(viewer, `/api/obd/recordings/${viewer.userId}`)).json<{ uuID: string | null }[]>()
  const all = (await get(user, `/api/obd/campaign/report/${user.userId}`)).json<{ uuID: string | null }[]>()
  const heard = all.filter(({ uuID }) => uuID !== null)
  expect(heard.length).toBeGreaterThan(0)
  expect(heard.length).toBeLessThan(all.length)
  expect(await list(user)).toEqual(heard)
  expect(await list(reseller)).toEqual(heard)
  const silent = await get(user, `/api/obd/campaign/report/${user.userId}?recorded=no`)
  expect(silent.json<unknown[]>()).toHaveLength(all.length - heard.length)
  expect((await get(await newUser(app), `/api/obd/recordings/${user.userId}`)).statusCode).toBe(404)
})
