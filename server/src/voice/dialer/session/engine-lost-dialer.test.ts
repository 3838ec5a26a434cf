import { expect, test, vi } from 'vitest'
import { TelephonyError, type DialerAddress, type DialerEvent } from '../../../drivers/telephony/driver.ts'
import { changeSetting } from '../../../modules/platform/actions.ts'
import { polling } from '../../../testing/timeouts.ts'
import { busyNumbers, counts, expectSoundFiles, newCampaign, newFixtures } from '../../testing/fixtures.ts'
import type { Engine } from '../../engine.ts'
import { mayLastMs } from './lost-dialer.ts'
import { dialling, instead } from '../../testing/engine.ts'

/** What is lost with a dialer is in the others of this file, an alert’s life in server/src/modules/alerts/. */
const exhaustive = { tags: ['exhaustive'] }

/** A minute takes 0.3 s. */
const goneScale = 0.005
const at = await dialling({ speed: 1, timeScale: 0.005 })
const fixtures = await newFixtures(at, { cps: 50, channels: 100 })
const isItsOwn = ({ port }: DialerAddress): boolean => port === 20_000 + fixtures.line.dialerId
const listeners: ((events: DialerEvent[]) => void)[] = []
const telephone = instead(at.simulator, (connection, address) =>
  isItsOwn(address)
    ? {
        onEvents(listener) {
          listeners.push(listener)
          connection.onEvents(listener)
        },
      }
    : {},
)
await at.db.transaction().execute((tx) => changeSetting(tx, 'dialerWaitMinutes', 2, null))
let isGone = false
const telephony = [
  {
    name: telephone.name,
    connect: (address: DialerAddress) =>
      isGone && isItsOwn(address) ? Promise.reject(new TelephonyError('no route to it')) : telephone.connect(address),
  },
]
const die = (): void => {
  isGone = true
  listeners.at(-1)?.([{ type: 'lost', at: Date.now(), reason: 'no route to it' }])
}
const { line, user } = fixtures
const engines: Engine[] = []
const start = (scale = goneScale): Engine => {
  const engine = at.start({ telephony, goneScale: scale })
  engines.push(engine)
  return engine
}
const campaign = (phones: number[]) =>
  newCampaign(at, { user, line, phones, status: 'ready', flow: at.flow(0), reservePaisa: 40, retries: 0 })
const numbers = (from: number) => Array.from({ length: 10 }, (_, i) => from + 100 * i)
const inCall = async (id: number) => (await counts(at, id))['in_call'] ?? 0
const alerts = async (kind: string) =>
  await at.db
    .selectFrom('alert')
    .select(['subject', 'detail'])
    .where('kind', '=', kind)
    .where('cleared_at', 'is', null)
    .execute()

test('calls of a dialer that never answers again end as lost and uncharged, also after a restart of the engine; channels and money are free, a stop ends, a campaign without rows is complete', async () => {
  const engine = start()
  const [stopped, last] = await Promise.all([campaign(numbers(9779800000002)), campaign(numbers(9779810000002))])
  await vi.waitFor(async () => expect([await inCall(stopped), await inCall(last)]).toEqual([10, 10]), polling)
  die()
  await engine.stop({ drainMs: 0 }) // the next engine knows these calls only from the database
  start()
  await at.db.updateTable('campaign').set({ status: 'cancelling' }).where('id', '=', stopped).execute()
  await at.status(stopped, 'cancelled')
  await at.status(last, 'complete')
  for (const id of [stopped, last]) expect(await counts(at, id)).toMatchObject({ done: 10, in_call: 0, answered: 0 })
  const { rows } = await at.pool.query('select distinct disposition, cost_paisa from attempt')
  expect(rows).toEqual([{ disposition: 'LOST', cost_paisa: 0 }])
  const { reserved_paisa } = await at.db
    .selectFrom('account')
    .select('reserved_paisa')
    .where('id', '=', user.userId)
    .executeTakeFirstOrThrow()
  expect(reserved_paisa).toBe(0)
  expect(await busyNumbers(at)).toEqual([])
  expect(await alerts('dialer_down')).toEqual([
    { subject: `dialer ${line.dialerId}`, detail: expect.stringMatching(/does not answer: no route to it$/) },
  ])
  expect(await alerts('calls_lost')).toHaveLength(2)
  await expectSoundFiles(at)
})

test('calls that the engine itself began end as lost, too, and a row that is left waits for the dialer', async () => {
  isGone = false
  await vi.waitFor(async () => expect(await alerts('dialer_down')).toEqual([]), polling)
  const ids = await Promise.all([campaign(numbers(9779830000002)), campaign([9779840000002, 9779840000002])])
  await vi.waitFor(async () => expect(await Promise.all(ids.map(inCall))).toEqual([10, 1]), polling)
  die()
  await at.status(ids[0] ?? 0, 'complete')
  await vi.waitFor(
    async () => expect(await counts(at, ids[1])).toMatchObject({ in_call: 0, done: 1, fresh: 1 }),
    polling,
  )
  await at.status(ids[1] ?? 0, 'onHold')
  await at.db
    .updateTable('campaign')
    .set({ status: 'cancelling' })
    .where('id', '=', ids[1] ?? 0)
    .execute()
  await at.status(ids[1] ?? 0, 'cancelled')
  expect(await busyNumbers(at)).toEqual([])
  await expectSoundFiles(at)
})

test('a dialer that comes back is no alert any more, and its calls begin again', exhaustive, async () => {
  isGone = false
  listeners.at(-1)?.([{ type: 'restored', at: Date.now() }])
  await vi.waitFor(async () => expect(await alerts('dialer_down')).toEqual([]), polling)
  const id = await campaign([9779820000050])
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ answered: 1 })
  await expectSoundFiles(at)
})

test(
  'the wait and the alert count from when the dialer was lost, whichever engine saw that: the next one does not begin anew',
  exhaustive,
  async () => {
    const id = await campaign(numbers(9779850000002))
    await vi.waitFor(async () => expect(await inCall(id)).toBe(10), polling)
    for (const engine of engines) await engine.stop({ drainMs: 0 })
    isGone = true
    await at.pool.query(`update attempt_open set started_at = started_at - interval '1 hour'`)
    await at.pool.query(
      `update dialer_state set reachable = false, reason = 'no route to it', since = now() - interval '1 hour' where dialer_id = $1`,
      [line.dialerId],
    )
    start(1) // at full scale
    await at.status(id, 'complete')
    expect(await counts(at, id)).toMatchObject({ done: 10, in_call: 0, answered: 0 })
    expect(await alerts('dialer_down')).toHaveLength(1)
    await vi.waitFor(async () => {
      const { rows } = await at.pool.query(
        `select reachable, since < now() - interval '59 minutes' as old from dialer_state where dialer_id = $1 and seen_at > now() - interval '5 seconds'`,
        [line.dialerId],
      )
      expect(rows).toEqual([{ reachable: false, old: true }])
    }, polling)
    await expectSoundFiles(at)
  },
)

const price = { pulseMs: 15_000, pulsePaisa: 40 }
const flow = at.flow(0)
const saved = (agent: object | null) => ({
  flow: { at: 'talking', step: 1, menu: 0, rePrompts: 0 },
  limitMs: 60_000,
  agent: agent && { channelId: 'a', number: '+9779801101137', step: 1, limitMs: 90_000, ...agent },
  patchBillMs: null,
  patchedTo: null,
  recordingId: null,
  legs: [],
  seenAt: 0,
})
const answered_at = new Date()
test.each([
  { why: 'ringing and the first pulse, as long as its trunk lets it ring', of: {}, ringMs: 120_000, ms: 144_750 },
  { why: 'a shorter ring time', of: {}, ringMs: 20_000, ms: 44_750 },
  { why: 'answered: its limit', of: { answered_at, state: saved(null) }, ringMs: 120_000, ms: 70_000 },
  { why: 'an agent who talks', of: { answered_at, state: saved({ beganMs: 5000 }) }, ringMs: 45_000, ms: 105_000 },
  { why: 'an agent who rings', of: { answered_at, state: saved({ beganMs: null }) }, ringMs: 45_000, ms: 160_000 },
])('a call of a dialer that is gone may last so long: $why', ({ of, ringMs, ms }) => {
  const open = { answered_at: null, state: null, reserved_paisa: 40, ...of }
  expect(mayLastMs(open, { price, flow }, ringMs)).toBe(ms)
})
