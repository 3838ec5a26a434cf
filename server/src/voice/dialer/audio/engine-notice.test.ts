import { expect, onTestFinished, test } from 'vitest'
import type { DialerConnection } from '../../../drivers/telephony/driver.ts'
import { changeSetting } from '../../../modules/platform/actions.ts'
import { settings } from '../../../modules/platform/rules.ts'
import { connectFlow } from '@ghanti/callflow/flow.ts'
import type { Language } from '@ghanti/contract/templates.ts'
import { dialling, instead } from '../../testing/engine.ts'
import { expectSoundBooks, newCampaign, newFixtures } from '../../testing/fixtures.ts'

/** What becomes of a call whose notice cannot be played is in `npm test` for a file that is lost; its language in Call Now. */
const exhaustive = { tags: ['exhaustive'] }

/** A second of a call is a fifth of one here: what a full machine does late stays within the seconds that are allowed below. */
const at = await dialling({ speed: 5, timeScale: 0.01 })
/** 37 speaks, and hangs up after 10 s. */
const agents = [{ number: '+9779801111137', key: '1' as const }]
const price = { pulseMs: 15_000, pulsePaisa: 40 }
const noticeMs = 3000
const hashes: Record<Language, string> = {
  ne: await at.files.putBytes(Buffer.from('notice in Nepali')),
  en: await at.files.putBytes(Buffer.from('notice in English')),
}

async function setNotice(on: boolean, of: Record<Language, string> = hashes): Promise<void> {
  await at.pool.query('delete from recording_notice')
  await at.pool.query(
    `insert into recording_notice (language, file_hash, duration_ms, changed_by)
     select l, h, $3, (select min(id) from users) from unnest($1::text[], $2::text[]) as t (l, h)`,
    [Object.keys(of), Object.values(of), noticeMs],
  )
  await at.db.transaction().execute((tx) => changeSetting(tx, 'recordingNotice', on, null))
}

/** One call of a campaign over a dialer of its own, whose connections are changed by `of`, to its end. */
async function called(
  of: (connection: DialerConnection) => Partial<DialerConnection> = () => ({}),
  language?: Language,
) {
  const fixtures = await newFixtures(at, { rupees: 1000 })
  const { user, line } = fixtures
  const driver = instead(at.simulator, (one, { port }) => (port === 20_000 + line.dialerId ? of(one) : {}))
  const engine = at.start({ telephony: [driver] })
  onTestFinished(() => engine.stop({ drainMs: 0 }))
  const flow = at.flow(2, { agents, language })
  const phones = [9779822000011]
  const id = await newCampaign(at, {
    user,
    line,
    phones,
    flow,
    prices: [price, price, price],
    reservePaisa: 400,
    retries: 0,
  })
  return { id, user, line, engine }
}

async function ended(id: number) {
  await at.status(id, 'complete')
  await expectSoundBooks(at)
  const { rows } = await at.pool.query<{
    id: number
    channel: string
    recording: string | null
    trail: string
    bill_ms: number
    patch_bill_ms: number | null
    cost_paisa: number
    why: string | null
  }>(
    `select a.id, i.id || '-' || a.epoch || '-' || a.id || '-c' as channel, a.recording, a.trail, a.bill_ms, a.patch_bill_ms, a.cost_paisa, w.why
       from attempt a cross join installation i left join recording_withheld w on w.attempt_id = a.id where a.campaign_id = $1`,
    [id],
  )
  const [call] = rows
  if (!call) throw new Error('no call')
  const { host, port } = await at.db
    .selectFrom('campaign')
    .innerJoin('dialer', 'dialer.id', 'campaign.dialer_id')
    .select(['host', 'port'])
    .where('campaign.id', '=', id)
    .executeTakeFirstOrThrow()
  const heard = await at.simulator.control({ host, port }).transcript(call.channel)
  return { ...call, heard: heard.filter(({ what }) => what === 'heard').map(({ detail }) => detail) }
}

async function recorded(id: number) {
  const find = () => at.db.selectFrom('recording').selectAll().where('campaign_id', '=', id).executeTakeFirst()
  for (;;) {
    const found = await find()
    if (found) return found
    await at.tick(() => true)
  }
}

test('off, as it is at first, both are recorded from the moment that they are joined, and hear nothing', async () => {
  await at.pool.query('delete from platform_setting where key = $1', [settings.recordingNotice.key])
  const { id } = await called()
  const call = await ended(id)
  expect(call).toMatchObject({ recording: expect.any(String), why: null })
  expect(call.heard).not.toContain(hashes.ne)
  const { duration_ms } = await recorded(id)
  expect(duration_ms).toBeGreaterThan((call.patch_bill_ms ?? 0) - noticeMs / 2)
})

const heardByBoth =
  'both sides hear the notice in $why, once, and are recorded from its end; the call is charged as without it'
async function expectHeard(of: { language: 'en' | undefined; is: 'ne' | 'en' }): Promise<void> {
  await setNotice(true)
  const { id } = await called(undefined, of.language)
  const call = await ended(id)
  expect(call.heard.filter((hash) => Object.values(hashes).includes(hash))).toEqual([hashes[of.is]])
  expect(call).toMatchObject({
    recording: expect.any(String),
    why: null,
    trail: expect.stringMatching(/agent talk .*>/),
  })
  const { duration_ms, id: recordingId } = await recorded(id)
  expect(recordingId).toBe(call.recording)
  const talkMs = call.patch_bill_ms ?? 0
  expect(duration_ms).toBeLessThan(talkMs - noticeMs + 500)
  expect(duration_ms).toBeGreaterThan(talkMs - noticeMs - 2000)
  const pulses = Math.ceil(call.bill_ms / 15_000) + Math.ceil(talkMs / 15_000)
  expect(call.cost_paisa).toBe(pulses * 40)
}

test.each([{ why: 'Nepali where the campaign has no language', language: undefined, is: 'ne' as const }])(
  heardByBoth,
  expectHeard,
)

test.each([{ why: 'the language of the campaign', language: 'en' as const, is: 'en' as const }])(
  heardByBoth,
  exhaustive,
  expectHeard,
)

test('in Call Now the customer, who is called second, hears it too', exhaustive, async () => {
  await setNotice(true)
  const fixtures = await newFixtures(at, { rupees: 1000 })
  const { user, line } = fixtures
  const engine = at.start()
  onTestFinished(() => engine.stop({ drainMs: 0 }))
  const flow = connectFlow({ agent: '+9779801222233', customer: '+9779822000337', language: 'en' })
  const phones = [9779822000337]
  const more = { retries: 0, reservePaisa: 4000, status: 'paused' as const }
  const id = await newCampaign(at, { user, line, phones, flow, prices: [price, price, price], ...more })
  const isOwn = { is_test: true, is_call_now: true, ring_seconds: 25, status: 'ready' as const }
  await at.db.updateTable('campaign').set(isOwn).where('id', '=', id).execute()
  const call = await ended(id)
  expect(call).toMatchObject({ recording: expect.any(String), why: null })
  expect(call.heard).toEqual([hashes.en]) // the first leg is the agent's
  expect((await recorded(id)).duration_ms).toBeLessThan((call.bill_ms ?? 0) - noticeMs + 500)
})

test.each([
  { why: 'has lost the sound', of: () => ({ playToBridge: async () => 'gone' as const }) },
  {
    why: 'cannot play the sound to its end',
    of: (connection: DialerConnection): Partial<DialerConnection> => ({
      onEvents: (listener) =>
        connection.onEvents((events) =>
          listener(events.map((event) => (event.type === 'bridgePlaybackEnded' ? { ...event, failed: true } : event))),
        ),
    }),
  },
])(
  'where the dialer $why the talk goes on and is charged, is not recorded, and the call says why',
  exhaustive,
  async ({ of }) => {
    await setNotice(true)
    const { id } = await called(of)
    const call = await ended(id)
    expect(call).toMatchObject({ recording: null, why: 'noNotice' })
    expect(call.patch_bill_ms).toBeGreaterThan(9000)
    expect(await at.db.selectFrom('recording_due').selectAll().where('campaign_id', '=', id).execute()).toEqual([])
  },
)

test('a notice whose file is lost holds up no campaign: its calls talk, unrecorded', async () => {
  await setNotice(true, { ne: 'f'.repeat(64), en: 'f'.repeat(64) })
  const { id } = await called()
  expect(await ended(id)).toMatchObject({ recording: null, why: 'noNotice', patch_bill_ms: expect.any(Number) })
})

test('a customer who hangs up during the notice is not recorded; the call ends as any other', async () => {
  await setNotice(true)
  const hung: string[] = []
  const { id } = await called((connection) => ({
    async playToBridge(bridgeId, playbackId, media) {
      const reply = await connection.playToBridge(bridgeId, playbackId, media)
      hung.push(bridgeId)
      await connection.hangUp(bridgeId.replace(/-b$/, ''))
      return reply
    },
  }))
  const call = await ended(id)
  expect(hung).toHaveLength(1)
  expect(call).toMatchObject({ recording: null, patch_bill_ms: expect.any(Number) })
  expect(await at.db.selectFrom('recording').selectAll().where('campaign_id', '=', id).execute()).toEqual([])
  expect(await at.db.selectFrom('recording_due').selectAll().where('campaign_id', '=', id).execute()).toEqual([])
})

test(
  'where the account has no room the talk goes on, unrecorded and without a notice; its owner is told once',
  exhaustive,
  async () => {
    await setNotice(true)
    const { id, user } = await called()
    const quotas = { ...settings.quotas.fallback, recordingMegabytes: 1 }
    await at.db.transaction().execute((tx) => changeSetting(tx, 'quotas', quotas, null))
    onTestFinished(async () => {
      await at.pool.query('delete from platform_setting where key = $1', [settings.quotas.key])
    })
    await at.pool.query(
      `insert into recording (id, attempt_id, campaign_id, account_id, file_hash, duration_ms, size_bytes) values (gen_random_uuid(), 0, $1, $2, 'x', 1, 1000000)`,
      [id, user.userId],
    )
    const call = await ended(id)
    expect(call).toMatchObject({ recording: null, why: 'noRoom', patch_bill_ms: expect.any(Number) })
    expect(call.heard).not.toContain(hashes.ne)
    const notices = await at.db
      .selectFrom('notice')
      .select(['kind', 'about', 'times'])
      .where('user_id', '=', user.userId)
      .where('kind', '=', 'recordingsFull')
      .execute()
    expect(notices).toEqual([{ kind: 'recordingsFull', about: '1', times: 1 }])
  },
)
