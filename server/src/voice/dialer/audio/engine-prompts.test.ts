import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { randomUUID } from 'node:crypto'
import type { Part } from '@ghanti/callflow/flow.ts'
import { expect, onTestFinished, test } from 'vitest'
import type { DialerEvent, TelephonyDriver, PrefetchReply } from '../../../drivers/telephony/driver.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures } from '../../testing/fixtures.ts'
import { dialling, instead } from '../../testing/engine.ts'

const at = await dialling({ speed: 20, timeScale: 0.01 })
const price = { pulseMs: 15_000, pulsePaisa: 40 }
const prices = [price, price, price]
const hashesOf = (parts: readonly Part[]) => parts.flatMap((part) => (part.kind === 'prompt' ? [part.hash] : []))
const answering = (n: number) => Array.from({ length: n }, (_, i) => 9779800000050 + 100 * i)

async function newFixturesWithUser(of: Parameters<typeof newFixtures>[1] = {}) {
  const fixtures = await newFixtures(at, of)
  const { user } = fixtures
  const attempts = async (campaignId: number) =>
    at.db.selectFrom('attempt').selectAll().where('campaign_id', '=', campaignId).orderBy('id').execute()
  const reason = async (campaignId: number) =>
    (
      await at.db
        .selectFrom('campaign')
        .select(['reason', 'hold_cause'])
        .where('id', '=', campaignId)
        .executeTakeFirstOrThrow()
    ).reason
  return { fixtures, user, line: fixtures.line, attempts, reason }
}

function startOver(driver: TelephonyDriver): void {
  const engine = at.start({ telephony: [driver] })
  onTestFinished(() => engine.stop({ drainMs: 0 }))
}

/** Composed, but its contact file is missing, so preparation refuses it. */
async function newComposed(of: Omit<Parameters<typeof newCampaign>[1], 'status' | 'phones'>) {
  const id = await newCampaign(at, { ...of, phones: [], status: 'processing' })
  await at.db
    .updateTable('base')
    .set({ file_hash: '0'.repeat(64) })
    .where('id', '=', (of) => of.selectFrom('campaign_detail').select('base_id').where('campaign_id', '=', id))
    .execute()
  return id
}

test('a prompt that the dialer cannot fetch holds the campaign before it dials, with the cause in words, and it goes on by itself when it can', async () => {
  const { user, line, attempts, reason } = await newFixturesWithUser()
  let isFaulty = true
  const tries: number[] = []
  const driver = instead(at.simulator, () => ({
    prefetch: async (media): Promise<PrefetchReply> => {
      tries.push(performance.now())
      const failed = media.map(({ hash }) => ({ hash, reason: 'the dialer could not play it' }))
      return { failed: isFaulty ? failed : [] }
    },
  }))
  startOver(driver)
  await at.db
    .insertInto('prompt')
    .values({
      owner_id: user.userId,
      name: 'Dashain',
      category: 'welcome',
      account_type: 'promotional',
      wav_hash: 'none',
      original_hash: 'none',
      duration_ms: 1,
    })
    .execute()
  const of = { user, line, flow: at.flow(0), prices, reservePaisa: 400 }
  const ready = await newCampaign(at, { ...of, phones: answering(2), status: 'ready' })
  const running = await newCampaign(at, { ...of, phones: answering(2) })
  const composed = await newComposed(of)
  const all = [ready, running, composed]
  for (const id of all) await at.status(id, 'onHold')
  while (tries.length < 4) await at.tick(() => true) // retried, with back-off
  for (const id of all) {
    expect(await reason(id)).toMatch(
      /^prompt Dashain cannot be played on dialer .+: the dialer could not play it; it will be tried again /,
    )
    expect(await counts(at, id)).toMatchObject({ attempts: 0, in_call: 0 })
  }
  isFaulty = false
  await at.status(ready, 'complete')
  await at.status(running, 'complete')
  await at.status(composed, 'refused') // its rows were read only after that: it continues where it was, and has no file
  expect((await attempts(running)).map((call) => call.disposition)).toEqual(['ANSWER', 'ANSWER'])
})

test('a campaign is not Ready before its prompts are on the dialer', async () => {
  const { user, line, reason } = await newFixturesWithUser()
  const prefetched = Promise.withResolvers<PrefetchReply>()
  const driver = instead(at.simulator, () => ({ prefetch: () => prefetched.promise }))
  startOver(driver)
  const id = await newComposed({ user, line, flow: at.flow(0) })
  const coming = await at.tick((report) => report.campaigns.some((one) => one.campaignId === id && one.did === 'wait'))
  expect(coming.campaigns.find((one) => one.campaignId === id)).toMatchObject({ status: 'processing' })
  while ((await reason(id)) !== 'its prompts are being brought to the dialer') await at.tick(() => true)
  prefetched.resolve({ failed: [] })
  await at.status(id, 'refused') // it was prepared then, without a contact file
})

test('a dialer that began anew gets the prompts again before dialling goes on; a removed file stops it until it is back', async () => {
  const { user, line, attempts, reason } = await newFixturesWithUser({ cps: 6, channels: 6 })
  let upSince = 1
  let emit: (events: DialerEvent[]) => void = () => undefined
  const driver = instead(at.simulator, (of, { port }) => ({
    onEvents: (listener) => {
      if (port === 20_000 + line.dialerId) emit = listener
      of.onEvents(listener)
    },
    readRecord: async (since) => ({ ...(await of.readRecord(since)), upSince }),
  }))
  startOver(driver)
  const flow = at.flow(0)
  const id = await newCampaign(at, { user, line, phones: answering(30), flow, prices, reservePaisa: 400 })
  await at.tick((report) => report.campaigns.some((one) => one.campaignId === id) && report.dialled > 0)
  const sound = await at.files.pathOf(hashesOf(flow.opening)[0] ?? '')
  const kept = join(tmpdir(), randomUUID())
  await copyFile(sound, kept)
  await rm(sound)
  const gap = () => {
    emit([{ type: 'lost', at: Date.now(), reason: 'the socket was closed' }])
    emit([{ type: 'restored', at: Date.now() }])
  }
  gap() // the same dialer still has the sounds
  const before = (await attempts(id)).length
  while ((await attempts(id)).length < before + 6) await at.tick(() => true)
  upSince = 2
  gap()
  while (!/: its file is not there; it will be tried again /.test((await reason(id)) ?? '')) await at.tick(() => true)
  await at.status(id, 'onHold')
  await copyFile(kept, sound)
  await rm(kept)
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ answered: 30 })
  await expectSoundBooks(at)
})

test('a prompt that fails after the answer ends the call, uncharged, with an alert; it is not dialled again', async () => {
  const { user, line, attempts } = await newFixturesWithUser({ rupees: 1000 })
  let failures = 2
  let prefetched = 0
  const driver = instead(at.simulator, (of) => ({
    onEvents: (listener) =>
      of.onEvents((events) =>
        listener(
          events.map((event) =>
            event.type === 'playbackEnded' && failures-- > 0 ? { ...event, failed: true } : event,
          ),
        ),
      ),
    prefetch: (media) => {
      prefetched += media.length
      return of.prefetch(media)
    },
  }))
  startOver(driver)
  const flow = at.flow(1, { menuWaitSeconds: 20 })
  const id = await newCampaign(at, { user, line, phones: answering(6), flow, prices, reservePaisa: 400, channels: 2 })
  await at.status(id, 'complete')
  const calls = await attempts(id)
  expect(calls).toHaveLength(6)
  expect(calls.filter((call) => call.unheard)).toHaveLength(2)
  for (const call of calls) {
    expect(call.disposition).toBe('ANSWER')
    if (call.unheard) expect(call).toMatchObject({ cost_paisa: 0, uncollected_paisa: 0, pulses: 0, ended_by: 'us' })
    else expect(call.cost_paisa).toBeGreaterThan(0)
  }
  expect(prefetched).toBeGreaterThan(new Set(hashesOf(flow.menus.flatMap((menu) => menu.ask))).size) // proven again
  const alerts = await at.db.selectFrom('alert').selectAll().where('kind', '=', 'prompt').execute()
  expect(alerts).toMatchObject([{ subject: `campaign ${id}`, cleared_at: null }])
  expect(alerts[0]?.detail).toMatch(/^a prompt was not heard after the answer: the dialer could not play it; /)
  const account = await at.db.selectFrom('account').selectAll().where('id', '=', user.userId).executeTakeFirstOrThrow()
  const paid = calls.reduce((sum, call) => sum + call.cost_paisa, 0)
  expect(account).toMatchObject({ reserved_paisa: 0, balance_paisa: 100_000 - paid })
  await expectSoundBooks(at)
})

test('a prompt that cannot even be sent to the dialer is as one that failed', async () => {
  const { user, line, attempts } = await newFixturesWithUser({ rupees: 1000 })
  const driver = instead(at.simulator, () => ({ play: () => Promise.reject(new Error('the folder is full')) }))
  startOver(driver)
  const id = await newCampaign(at, { user, line, phones: answering(1), flow: at.flow(0), prices, reservePaisa: 400 })
  await at.status(id, 'complete')
  expect(await attempts(id)).toMatchObject([{ disposition: 'ANSWER', unheard: true, cost_paisa: 0 }])
  await expectSoundBooks(at)
})
