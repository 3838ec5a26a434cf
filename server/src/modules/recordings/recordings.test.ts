import type { FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { toneFile } from '../../testing/sound.ts'
import { forgetOldRecordings } from './actions.ts'
import { silence } from './rules.ts'

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
  const of = { attempt_id: ++attemptId, campaign_id: campaignId, duration_ms: 1000 }
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
  const dayMs = 24 * 3600_000
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
  const id = await newCampaign(app, user, { rows: 8 })
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
  ])
})
