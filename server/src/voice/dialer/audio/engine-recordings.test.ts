import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { TelephonyError, type DialerConnection, type DialerEvent } from '../../../drivers/telephony/driver.ts'
import { newCampaign, newFixtures } from '../../testing/fixtures.ts'
import { dialling, instead, poolWith } from '../../testing/engine.ts'
import { recordingBegun } from './recordings.sql.ts'

/** Fifteen tries take half a minute; the test before has one that fails and is tried again. */
const exhaustive = { tags: ['exhaustive'] }

const at = await dialling({ speed: 10, timeScale: 0.01 })
const agents = [{ number: '+9779801111137', key: '1' as const }]
const price = { pulseMs: 15_000, pulsePaisa: 40 }

/** A dialer whose connections `of` modifies. */
async function newDialer(of: (connection: DialerConnection) => Partial<DialerConnection> = () => ({})) {
  const fixtures = await newFixtures(at, { rupees: 1000 })
  const { user } = fixtures
  const connections: DialerConnection[] = []
  const listeners: ((events: DialerEvent[]) => void)[] = []
  const driver = instead(at.simulator, (connection, { port }) => {
    if (port !== 20_000 + fixtures.line.dialerId) return {}
    connections.push(connection)
    const others = of(connection)
    const onEvents: DialerConnection['onEvents'] = (listener) => {
      listeners.push(listener)
      if (others.onEvents) others.onEvents(listener)
      else connection.onEvents(listener)
    }
    return { ...others, onEvents }
  })
  const start = (pool = at.engine) => {
    const engine = at.start({ telephony: [driver], pool })
    onTestFinished(() => engine.stop({ drainMs: 0 }))
    return engine
  }
  /** Presses 1 after 2 s and talks to an agent for 10 s. */
  const begin = () =>
    newCampaign(at, {
      user,
      line: fixtures.line,
      phones: [9779822000011],
      flow: at.flow(2, { agents }),
      prices: [price, price, price],
      reservePaisa: 400,
      retries: 0,
    })
  const gap = () => {
    listeners.at(-1)?.([{ type: 'lost', at: Date.now(), reason: 'the socket was closed' }])
    listeners.at(-1)?.([{ type: 'restored', at: Date.now() }])
  }
  const onDialer = async () => (await connections.at(-1)?.storedRecordings()) ?? []
  return { start, begin, gap, onDialer, dialerId: fixtures.line.dialerId }
}

const recordings = (campaignId: number) =>
  at.db.selectFrom('recording').selectAll().where('campaign_id', '=', campaignId).execute()
const due = (campaignId: number) =>
  at.db.selectFrom('recording_due').selectAll().where('campaign_id', '=', campaignId).execute()
const alerts = async (subject: string) => {
  const { rows } = await at.pool.query<{ detail: string; cleared_at: Date | null }>(
    `select coalesce((select o ->> 'detail' from jsonb_array_elements(others) o where o ->> 'subject' = $1), detail) as detail, cleared_at
       from alert a where kind = 'recording' and alert_names(a, $1)`,
    [subject],
  )
  return rows
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await at.tick(() => true)
}

async function stored(campaignId: number) {
  await until(async () => (await recordings(campaignId)).length > 0)
  const [recording] = await recordings(campaignId)
  if (!recording) throw new Error('no recording')
  return recording
}

test('a conversation comes to our store, is checked, and is deleted on the dialer', async () => {
  const { start, begin, onDialer } = await newDialer()
  start()
  const id = await begin()
  const recording = await stored(id)
  const bytes = await readFile(await at.files.pathOf(recording.file_hash))
  expect(bytes.toString('latin1', 0, 4)).toBe('RIFF')
  expect(recording.duration_ms).toBe(Math.round((bytes.length - 44) / 16))
  expect(recording.duration_ms).toBeGreaterThan(5000) // of 10 s, less what the engine needs to begin it, times the speed
  expect(recording.size_bytes).toBe(bytes.length)
  await at.status(id, 'complete')
  const call = await at.db.selectFrom('attempt').selectAll().where('campaign_id', '=', id).executeTakeFirstOrThrow()
  expect(recording).toMatchObject({ id: call.recording, attempt_id: call.id })
  expect(await due(id)).toEqual([])
  await until(async () => (await onDialer()).length === 0)
})

test(
  'a recording that began while the database was away is entered there when it is back, and comes to our store',
  exhaustive,
  async () => {
    const { start, begin, onDialer } = await newDialer()
    let failures = 0
    start(
      poolWith(at, 'recording_begun', async (send) => {
        if (failures++ < 3) throw new Error('connect ECONNREFUSED')
        return await send()
      }),
    )
    const id = await begin()
    const recording = await stored(id)
    await at.status(id, 'complete')
    const call = await at.db.selectFrom('attempt').selectAll().where('campaign_id', '=', id).executeTakeFirstOrThrow()
    expect(recording).toMatchObject({ id: call.recording, attempt_id: call.id })
    await until(async () => (await onDialer()).length === 0)
  },
)

test('a recording that was removed here before the dialer deleted it is deleted there too, and is never wanted again', async () => {
  let isAway = true
  const { start, begin, gap, onDialer, dialerId } = await newDialer((connection) => ({
    async deleteRecording(id) {
      if (isAway) throw new TelephonyError('no answer in 5 s')
      return connection.deleteRecording(id)
    },
  }))
  start()
  const campaignId = await begin()
  const { id, attempt_id: attemptId } = await stored(campaignId)
  await at.db.insertInto('recording_removed').values({ id, attempt_id: attemptId, at: new Date() }).execute()
  await at.db.deleteFrom('recording').where('id', '=', id).execute()
  await recordingBegun(at.pool, { recordingId: id, attemptId, campaignId, dialerId })
  expect(await due(campaignId)).toEqual([])
  expect(await onDialer()).toEqual([id])
  isAway = false
  gap() // sweeps
  await until(async () => (await onDialer()).length === 0)
  expect(await recordings(campaignId)).toEqual([])
})

test('one that cannot be fetched raises an alert, is tried again until it can be, and then the alert is cleared', async () => {
  const answers: (() => Readable)[] = [
    () => {
      throw new TelephonyError('no answer in 5 s')
    },
    () => Readable.from([Buffer.from('<html>it is not here</html>'.repeat(4))]),
    () =>
      Readable.from([
        Buffer.from('RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0\x80>\0\0\x02\0\x10\0data\0\0\0\0', 'latin1'),
      ]),
  ]
  const errors: string[] = []
  const { start, begin, onDialer } = await newDialer((connection) => ({
    async fetchRecording(recordingId) {
      const [before] = await at.db.selectFrom('recording_due').selectAll().where('id', '=', recordingId).execute()
      if (before?.error) errors.push(before.error)
      return answers.shift()?.() ?? connection.fetchRecording(recordingId)
    },
  }))
  start()
  const id = await begin()
  const recording = await stored(id)
  expect(errors).toEqual(['no answer in 5 s', 'it is no wav file', 'it is empty'])
  const raised = await alerts(`attempt ${recording.attempt_id}`)
  expect(raised).toMatchObject([{ detail: 'no answer in 5 s' }])
  expect(raised[0]?.cleared_at).not.toBeNull()
  await until(async () => (await onDialer()).length === 0)
})

test(
  'a recording that can never be fetched is given up after fifteen tries, and its alert says so',
  exhaustive,
  async () => {
    let tries = 0
    const { start, begin, gap } = await newDialer(() => ({
      async fetchRecording() {
        tries += 1
        throw new TelephonyError('it is no wav file')
      },
    }))
    start()
    const id = await begin()
    const dueNow = 'update recording_due set next_at = now() where campaign_id = $1 and next_at is not null'
    await until(async () => {
      await at.pool.query(dueNow, [id])
      return (await due(id))[0]?.given_up_at instanceof Date
    })
    const [kept] = await due(id)
    expect(kept).toMatchObject({ tries: 15, next_at: null, error: 'it is no wav file' })
    const detail = `given up after 15 tries, it stays on the dialer as ${kept?.id}.wav: it is no wav file`
    expect(await alerts(`attempt ${kept?.attempt_id}`)).toMatchObject([{ detail, cleared_at: null }])
    gap() // sweeps
    await at.tick(() => true)
    await at.tick(() => true)
    expect(tries).toBe(15)
  },
)

test(
  'recordings that ended while no engine listened are found when the dialer is back, and stored ones are deleted there',
  exhaustive,
  async () => {
    let isDeaf = true
    const { start, begin, gap, onDialer } = await newDialer((connection) => ({
      onEvents: (listener) =>
        connection.onEvents((events) => listener(events.filter((event) => !isDeaf || event.type !== 'recordingEnded'))),
      deleteRecording: async (recordingId) => (isDeaf ? 'lost' : connection.deleteRecording(recordingId)),
    }))
    const engine = start()
    const id = await begin()
    await at.status(id, 'complete')
    expect(await due(id)).toMatchObject([{ next_at: null, tries: 0 }])
    await engine.stop({ drainMs: 0 })
    start() // connects, and sweeps
    await stored(id)
    expect(await onDialer()).toHaveLength(1) // its deletion was lost
    isDeaf = false
    gap()
    await until(async () => (await onDialer()).length === 0)
  },
)

test('a talk that was over before it could be recorded is wanted from nobody', async () => {
  const { start, begin } = await newDialer(() => ({ record: async () => 'gone' }))
  start()
  const id = await begin()
  await at.status(id, 'complete')
  await until(async () => (await due(id)).length === 0)
  const call = await at.db.selectFrom('attempt').selectAll().where('campaign_id', '=', id).executeTakeFirstOrThrow()
  expect(call).toMatchObject({ recording: null, agent: '+9779801111137' })
})

test('recordings on the dialer that are nobody’s stay there, with an alert', async () => {
  const deleted: string[] = []
  const { start, dialerId } = await newDialer(() => ({
    storedRecordings: async () => ['a-test', '00000000-0000-4000-8000-000000000000'],
    async deleteRecording(recordingId) {
      deleted.push(recordingId)
      return 'done'
    },
  }))
  start()
  await until(async () => (await alerts(`dialer ${dialerId}`)).length > 0)
  expect(await alerts(`dialer ${dialerId}`)).toMatchObject([
    { detail: 'it holds 2 that belong to no call of this installation; they stay there' },
  ])
  expect(deleted).toEqual([])
})
