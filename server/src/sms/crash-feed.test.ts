/** Messages that programs send one by one, while the process that sends them is killed, again and again. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { testSmsc } from '../drivers/sms/smpp/testing.ts'
import { spawnEngine, type EngineProcess } from '../voice/testing/crash/crash.ts'
import { engineDb } from '../voice/testing/db.ts'
import { changeSetting } from '../modules/platform/actions.ts'
import { defaultCallingHours } from '../modules/platform/rules-hours.ts'
import type { SmsEngineOrder } from '../testing/processes/sms-engine-process.ts'
import { endTimes, newFeed, sendTo } from './testing/feeds.ts'
import { expectSoundBooks, money, newSmsFixtures, smsCounts } from './testing/fixtures.ts'
import { until } from '../testing/until.ts'

type Death = { what: string; nth?: number }
/** In order: an engine dies there while programs send, and the next one finds what it left. */
const deaths: readonly Death[] = [
  { what: 'sms_claim sent' },
  { what: 'sms_claim done' },
  { what: 'submit sent', nth: 3 },
  { what: 'submit done', nth: 5 },
  { what: 'sms_settle sent' },
  { what: 'sms_settle done', nth: 2 },
  { what: 'sms_expire_late sent' },
  { what: 'sms_expire_late done' },
  { what: 'receipts arrive', nth: 3 },
  { what: 'sms_receipts done', nth: 2 },
  { what: 'sms_load_campaigns done', nth: 6 },
]
const mainDeaths: readonly Death[] = [{ what: 'sms_claim done' }, { what: 'sms_expire_late done' }]
const sendsEach = 40
/** Of so many that are sent, the first are too late. */
const lateEach = 5

const at = await engineDb(6)
await at.db.transaction().execute(async (tx) => {
  await changeSetting(tx, 'smsHours', { ...defaultCallingHours, enabled: false }, null)
})
const folder = mkdtempSync(join(tmpdir(), 'ghanti-sms-crash-feed-'))
const centre = await testSmsc()
const engines: EngineProcess<SmsEngineOrder>[] = []
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.kill()
})
afterAll(async () => {
  await centre.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function spawned(): Promise<EngineProcess<SmsEngineOrder>> {
  const engine = await spawnEngine<SmsEngineOrder>('sms-engine-process.ts')
  engines.push(engine)
  return engine
}

const order = (killAt: SmsEngineOrder['killAt']): SmsEngineOrder => ({
  databaseUrl: at.url,
  filesFolder: join(folder, 'files'),
  engineId: 'one',
  leaseMs: 4000,
  timeScale: 0.02,
  logLevel: 'silent',
  port: centre.port,
  killAt,
})
const setRate = (tps: number) =>
  at.pool.query(`update sms_gateway set driver = 'smpp', settings = $1, changed_at = now()`, [
    JSON.stringify({ tps, window: 20 }),
  ])

async function expectSoundAfter(moments: readonly Death[], firstPhone: number): Promise<void> {
  const { user } = await newSmsFixtures(at, { leased: false })
  await setRate(50)
  const feed = await newFeed(at, user)
  const before = await money(at, user.userId)
  let sent = 0
  const send = async () => {
    for (let n = 0; n < sendsEach; n++) {
      const phone = firstPhone + 100 * Math.floor(sent / 5) + ([0, 1, 5, 20, 21][sent % 5] ?? 0)
      expect((await sendTo(at, feed, { phone })).no).toBe(sent++)
      if (n === lateEach) await endTimes(at, feed)
    }
  }
  let next = await spawned()
  for (const { what, nth = 1 } of moments) {
    const engine = next
    await send()
    engine.begin(order({ what, nth }))
    next = await spawned()
    await until(`the death at '${what}' ${nth}`, () => engine.died !== null)
    expect(engine.died).toBe('SIGKILL')
  }
  await send()
  await setRate(1000)
  next.begin(order(null))
  await until('the last messages', async () => {
    const { fresh = 0, waiting = 0, in_flight: inFlight = 0, submitted = 0 } = await smsCounts(at, feed)
    return fresh + waiting + inFlight + submitted === 0
  })
  await next.kill()
  const counts = await smsCounts(at, feed)
  expect(counts['expired']).toBeGreaterThanOrEqual(lateEach)
  const times = Map.groupBy(centre.log().accepted, ({ to }) => to)
  expect([...times].filter(([, these]) => these.length > 1).map(([to]) => to)).toEqual([])
  const { rows: messages } = await at.pool.query<{ phone: number; state: string; paid: boolean }>(
    `select m.phone, m.state, exists (select from sms_sent s where s.campaign_id = m.campaign_id and s.no = m.no and s.accepted > 0) as paid
    from sms_message m where m.campaign_id = $1`,
    [feed],
  )
  expect(messages).toHaveLength(sent)
  const wrong = messages.filter(({ phone, state, paid }) => {
    const arrived = times.has(String(phone))
    return state === 'unknown' ? paid && !arrived : paid !== arrived
  })
  expect(wrong).toEqual([])
  const unknown = messages.filter(({ state }) => state === 'unknown').length
  const { cost_paisa: cost = 0 } = counts
  expect(await money(at, user.userId)).toEqual({ owned: before.owned - cost, reserved: unknown * 150 })
  await expectSoundBooks(at)
}

test('with the sending process killed at two moments while programs send, each message ends in one state and every paisa is right', async () => {
  await expectSoundAfter(mainDeaths, 9_779_845_000_000)
})

test(
  'with the sending process killed at eleven moments while programs send, each message ends in one state and every paisa is right',
  { tags: ['exhaustive'], timeout: 240_000 },
  async () => {
    await expectSoundAfter(deaths, 9_779_846_000_000)
  },
)
