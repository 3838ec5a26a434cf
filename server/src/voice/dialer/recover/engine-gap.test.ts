import { expect, test } from 'vitest'
import {
  type CommandReply,
  type DialerEvent,
  TelephonyError,
  type TelephonyDriver,
} from '../../../drivers/telephony/driver.ts'
import { counts, expectSoundFiles, newCampaign, newFixtures, numbersEnding } from '../../testing/fixtures.ts'
import { dialling, instead } from '../../testing/engine.ts'

/** engine-reconnect.test.ts beside this has a new connection under the same lease. */
const exhaustive = { tags: ['exhaustive'] }

const at = await dialling({ speed: 10, timeScale: 0.001 })

/** The simulator behind a connection that can go dead: events are lost, commands get no reply, calls continue. */
function deafDriver(): TelephonyDriver & { deaf(): void; hears(): void } {
  let isDeaf = false
  let emit: ((events: DialerEvent[]) => void) | null = null
  const unlessDeaf =
    <Of extends unknown[]>(send: (...of: Of) => Promise<CommandReply>) =>
    async (...of: Of): Promise<CommandReply> =>
      isDeaf ? 'lost' : send(...of)
  const driver = instead(at.simulator, (connection) => ({
    onEvents(listener) {
      emit = listener
      connection.onEvents((events) => {
        if (!isDeaf) listener(events)
      })
    },
    dial: async (request) => (isDeaf ? { outcome: 'notSent', reason: 'no connection' } : connection.dial(request)),
    play: unlessDeaf((...of) => connection.play(...of)),
    stopPlayback: unlessDeaf((id) => connection.stopPlayback(id)),
    bridge: unlessDeaf((...of) => connection.bridge(...of)),
    record: unlessDeaf((...of) => connection.record(...of)),
    setTalkMax: unlessDeaf((...of) => connection.setTalkMax(...of)),
    hangUp: unlessDeaf((id) => connection.hangUp(id)),
  }))
  return {
    ...driver,
    deaf() {
      isDeaf = true
      emit?.([{ type: 'lost', at: Date.now(), reason: 'the socket was closed' }])
    },
    hears() {
      isDeaf = false
      emit?.([{ type: 'restored', at: Date.now() }])
    },
  }
}

/** An answered call without an engine lasts three minutes, longer than every gap here, so its length shows who ended it. */
const longPulse = { pulseMs: 180_000, pulsePaisa: 40 }
const longPulses = [longPulse, longPulse, longPulse]

/** Waits until this many of the campaign's calls are answered and not over. */
async function talking(campaignId: number, calls: number): Promise<void> {
  const now = async () => {
    const { rows } = await at.pool.query<{ n: number }>(
      'select count(*)::int as n from attempt_open o join attempt_step s on s.attempt_id = o.id where o.campaign_id = $1',
      [campaignId],
    )
    return rows[0]?.n ?? 0
  }
  while ((await now()) < calls) await at.tick(() => true)
}

/** How many were answered, and whether the engine ended all of them by their flow. */
async function answers(campaignId: number): Promise<{ n: number; all_guided: boolean } | undefined> {
  const { rows } = await at.pool.query<{ n: number; all_guided: boolean }>(
    `select count(*)::int as n, max(bill_ms) < 170000 as all_guided from attempt where campaign_id = $1 and disposition = 'ANSWER'`,
    [campaignId],
  )
  return rows[0]
}

test('nothing is heard of the dialer for a while: no call begins, the campaign says so, and every call goes on or is settled from the record', async () => {
  const fixtures = await newFixtures(at, { cps: 100, channels: 60 })
  const { user } = fixtures
  const driver = deafDriver()
  const engine = at.start({ telephony: [driver], timeScale: 0.1 })
  // 07 rings 8 s, 09 hangs up after 2 s, 12 presses 2, 50 listens, 01 is busy
  const phones = numbersEnding(['07', '09', '12', '50', '01'], 20)
  const price = { pulseMs: 1000, pulsePaisa: 1 }
  const flow = at.flow(1, { menuWaitSeconds: 10, rePrompts: 1 })
  const id = await newCampaign(at, {
    user,
    line: fixtures.line,
    phones,
    flow,
    prices: [price, price, price],
    reservePaisa: 200,
    retries: 0,
  })
  await talking(id, 5)
  driver.deaf()
  const down = await at.tick((report) =>
    report.campaigns.some((one) => /does not answer: the socket was closed/.test(one.reason ?? '')),
  )
  expect(down.dialled).toBe(0)
  await at.status(id, 'onHold')
  driver.hears()
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ done: 100, answered: 80 })
  const { rows } = await at.pool.query<{ disposition: string; n: number }>(
    'select disposition, count(*)::int as n from campaign_contact where campaign_id = $1 group by 1 order by 1',
    [id],
  )
  expect(rows).toEqual([
    { disposition: 'ANSWER', n: 80 },
    { disposition: 'BUSY', n: 20 },
  ])
  await expectSoundFiles(at)
  await engine.stop({ drainMs: 0 })
})

test('an engine whose lease was taken begins no call any more; it adopts its own calls when it has the dialer again', async () => {
  const fixtures = await newFixtures(at, { cps: 50, channels: 20 })
  const { user } = fixtures
  const engine = at.start({ engineId: 'robbed' })
  const { dialerId } = fixtures.line
  await at.pool.query(`update dialer_lease set expires_at = now() - interval '10 seconds' where dialer_id = $1`, [
    dialerId,
  ])
  const id = await newCampaign(at, {
    user,
    line: fixtures.line,
    phones: numbersEnding(['50', '12'], 20),
    flow: at.flow(1, { menuWaitSeconds: 20 }),
    prices: longPulses,
  })
  await talking(id, 5)
  const { rows } = await at.pool.query<{ epoch: number }>(
    `update dialer_lease set engine_id = 'thief', epoch = epoch + 1, expires_at = now() + interval '1 second' where dialer_id = $1 returning epoch`,
    [dialerId],
  )
  const stolen = rows[0]?.epoch ?? 0
  const begun = `select id, epoch from attempt_open where campaign_id = $1 union all select id, epoch from attempt where campaign_id = $1`
  const newest = await at.pool.query<{ id: number }>(`select max(id) as id from (${begun}) t`, [id])
  const last = newest.rows[0]?.id ?? 0
  await at.status(id, 'complete')
  const { rows: epochs } = await at.pool.query(
    `select epoch, min(id) > $2 as first_after, max(id) > $2 as last_after from (${begun}) t group by 1 order by 1`,
    [id, last],
  )
  expect(epochs).toEqual([
    { epoch: stolen - 1, first_after: false, last_after: false },
    { epoch: stolen + 1, first_after: true, last_after: true },
  ])
  expect(await counts(at, id)).toMatchObject({ answered: 40 })
  expect(await answers(id)).toEqual({ n: 40, all_guided: true })
  await expectSoundFiles(at)
  await engine.stop({ drainMs: 0 })
})

test(
  'a dialer that cannot say what lives there is connected anew, under the same lease; calls of before go on over the new connection',
  exhaustive,
  async () => {
    const fixtures = await newFixtures(at, { cps: 50, channels: 40 })
    const { user } = fixtures
    const listeners: ((events: DialerEvent[]) => void)[] = []
    let refusals = 1
    const driver = instead(at.simulator, (connection, { port }) => {
      if (port !== 20_000 + fixtures.line.dialerId) return {}
      return {
        onEvents(listener) {
          listeners.push(listener)
          connection.onEvents(listener)
        },
        live: () => (refusals-- > 0 ? Promise.reject(new TelephonyError('no answer in 5 s')) : connection.live()),
      }
    })
    const engine = at.start({ telephony: [driver] })
    const id = await newCampaign(at, {
      user,
      line: fixtures.line,
      phones: numbersEnding(['50', '12'], 20),
      flow: at.flow(1, { menuWaitSeconds: 10 }),
      prices: longPulses,
    })
    await talking(id, 5)
    refusals = 1
    listeners.at(-1)?.([{ type: 'lost', at: Date.now(), reason: 'the socket was closed' }])
    listeners.at(-1)?.([{ type: 'restored', at: Date.now() }])
    await at.status(id, 'complete')
    expect(listeners).toHaveLength(3)
    const { rows } = await at.pool.query(
      `select disposition, count(distinct epoch)::int as epochs from attempt where campaign_id = $1 and disposition <> 'CANCEL' group by 1`,
      [id],
    )
    expect(rows).toEqual([{ disposition: 'ANSWER', epochs: 1 }])
    expect(await answers(id)).toEqual({ n: 40, all_guided: true })
    await expectSoundFiles(at)
    await engine.stop({ drainMs: 0 })
  },
)
