import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, expect, test } from 'vitest'
import { testSmsc } from '../drivers/sms/smpp/testing.ts'
import { spawnEngine, type EngineProcess } from '../voice/testing/crash/crash.ts'
import { engineDb } from '../voice/testing/db.ts'
import { changeSetting } from '../modules/platform/actions.ts'
import { defaultCallingHours } from '../modules/platform/rules-hours.ts'
import type { SmsEngineOrder } from '../testing/processes/sms-engine-process.ts'
import { expectSoundBooks, money, newSmsCampaign, newSmsFixtures, smsCounts } from './testing/fixtures.ts'
import { until } from '../testing/until.ts'

/**  */
const exhaustive = { tags: ['exhaustive'] }

type Death = { what: string; nth?: number; engineId?: string }
/** In order: an engine dies there, the next one finds what it left. From 'another' on the name is another one. */
const deaths: readonly Death[] = [
  { what: 'sms_takeover done' },
  { what: 'sms_claim sent' },
  { what: 'sms_claim done' },
  { what: 'sms_claim sent', nth: 2 },
  { what: 'submit sent' },
  { what: 'submit sent', nth: 7 },
  { what: 'submit done' },
  { what: 'submit done', nth: 9 },
  { what: 'sms_open_messages done', engineId: 'another' },
  { what: 'sms_settle sent' },
  { what: 'sms_settle done' },
  { what: 'sms_settle sent', nth: 2 },
  { what: 'sms_settle done', nth: 3 },
  { what: 'receipts arrive' },
  { what: 'receipts arrive', nth: 5 },
  { what: 'sms_receipts sent' },
  { what: 'sms_receipts done', nth: 2 },
  { what: 'receipts reported', nth: 3 },
  { what: 'sms_early_receipts done', nth: 2 },
  { what: 'sms_keep_state done', nth: 2, engineId: 'a third' },
  { what: 'sms_progress sent', nth: 2 },
  { what: 'sms_load_campaigns done', nth: 6 },
]
/** One of each kind: while messages are claimed, sent, settled and reported, and under another name. */
const mainDeaths: readonly Death[] = [
  { what: 'sms_claim done' },
  { what: 'submit sent', nth: 7 },
  { what: 'submit done', engineId: 'another' },
  { what: 'sms_settle sent' },
  { what: 'receipts arrive', nth: 5 },
  { what: 'sms_receipts sent' },
]
const rows = 1500
const tpsAtFirst = 50

const at = await engineDb(6)
await at.db.transaction().execute(async (tx) => {
  await changeSetting(tx, 'smsHours', { ...defaultCallingHours, enabled: false }, null)
})
const folder = mkdtempSync(join(tmpdir(), 'ghanti-sms-crash-'))
const smsc = await testSmsc()
const owner = new Client({ connectionString: at.url })
await owner.connect()
const engines: EngineProcess<SmsEngineOrder>[] = []
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.kill()
})
afterAll(async () => {
  await smsc.stop()
  await owner.end()
  rmSync(folder, { recursive: true, force: true })
})

async function waiting(): Promise<EngineProcess<SmsEngineOrder>> {
  const engine = await spawnEngine<SmsEngineOrder>('sms-engine-process.ts')
  engines.push(engine)
  return engine
}

const order = (port: number, killAt: SmsEngineOrder['killAt'], engineId = 'one'): SmsEngineOrder => ({
  databaseUrl: at.url,
  filesFolder: join(folder, 'files'),
  engineId,
  leaseMs: 4000,
  timeScale: 0.02,
  logLevel: 'silent',
  port,
  killAt,
})

async function smppFixtures() {
  const fixtures = await newSmsFixtures(at, { leased: false })
  await setGateway(tpsAtFirst)
  return fixtures
}

/**
 * Of the first gateway, whose route carries the messages of each test. Those of later tests are not bound: the message centre would send them
 * receipts of its messages.
 */
const setGateway = (tps: number) =>
  at.pool.query(
    `update sms_gateway set driver = 'smpp', settings = $1, changed_at = now(), enabled = (id = (select min(id) from sms_gateway))`,
    [JSON.stringify({ tps, window: 20 })],
  )

const complete = (campaignId: number) =>
  until('the campaign to be complete', async () => {
    const row = await at.db
      .selectFrom('sms_campaign')
      .select('status')
      .where('id', '=', campaignId)
      .executeTakeFirstOrThrow()
    return row.status === 'complete'
  })

type Accepted = readonly { to: string }[]

/** Nobody twice; what the message centre took is known here, or unknown; what it did not take is no message that was paid. */
async function expectEachAtMostOnce(campaignId: number, accepted: Accepted): Promise<{ unknown: number }> {
  const times = Map.groupBy(accepted, ({ to }) => to)
  expect([...times].filter(([, these]) => these.length > 1).map(([to]) => to)).toEqual([])
  const { rows: messages } = await at.pool.query<{ phone: number; state: string; paid: boolean }>(
    `select m.phone, m.state, coalesce((select sum(s.accepted) from sms_sent s where s.campaign_id = m.campaign_id and s.no = m.no), 0) > 0 as paid
    from sms_message m where m.campaign_id = $1`,
    [campaignId],
  )
  const wrong = messages.filter(({ phone, state, paid }) => {
    const arrived = times.has(String(phone))
    if (state === 'fresh' || state === 'waiting') return true
    return state === 'unknown' ? paid && !arrived : paid !== arrived
  })
  expect(wrong).toEqual([])
  return { unknown: messages.filter(({ state }) => state === 'unknown').length }
}

/** All kinds of ends, but those that last a minute or slow everybody down. */
const numbers = (from: number): number[] =>
  Array.from(
    { length: rows },
    (_, i) => from + 100 * Math.floor(i / 10) + ([0, 1, 2, 3, 5, 6, 22, 9, 20, 21][i % 10] ?? 0),
  )

async function expectSoundAfter(moments: readonly Death[], firstPhone: number): Promise<void> {
  const { user } = await smppFixtures()
  const before = await money(at, user.userId)
  const campaignId = await newSmsCampaign(at, { user, phones: numbers(firstPhone) })
  let next = await waiting()
  for (const { what, nth = 1, engineId } of moments) {
    const engine = next
    engine.begin(order(smsc.port, { what, nth }, engineId))
    next = await waiting()
    await until(`the death at '${what}' ${nth}`, () => engine.died !== null)
    expect(engine.died).toBe('SIGKILL')
  }
  const { fresh } = await smsCounts(at, campaignId)
  expect(fresh, 'some were still to be sent when the last engine died').toBeGreaterThan(0)
  await setGateway(1000)
  next.begin(order(smsc.port, null))
  await complete(campaignId)
  await until('the last receipts', async () => ((await smsCounts(at, campaignId))['submitted'] ?? 0) === 0)
  const { unknown } = await expectEachAtMostOnce(campaignId, smsc.log().accepted)
  const { cost_paisa: cost = 0 } = await smsCounts(at, campaignId)
  expect(await money(at, user.userId)).toEqual({ owned: before.owned - cost, reserved: unknown * 150 })
  await next.kill()
  await expectSoundBooks(at)
}

test('killed at six moments: nobody gets a message twice, none is lost without being unknown, and every paisa is right', async () => {
  await expectSoundAfter(mainDeaths, 9779841000000)
})

test(
  'killed at twenty-two moments: nobody gets a message twice, none is lost without being unknown, and every paisa is right',
  { tags: ['exhaustive'] },
  async () => {
    await expectSoundAfter(deaths, 9779844000000)
  },
)

// send/down.test.ts and fail-over.test.ts beside it have a gateway that is lost.
test(
  'with the message centre killed and begun again while messages leave, nobody gets one twice',
  { tags: ['exhaustive'] },
  async () => {
    const { user } = await smppFixtures()
    await setGateway(200)
    const first = await testSmsc()
    const campaignId = await newSmsCampaign(at, { user, phones: numbers(9779842000000) })
    const engine = await waiting()
    engine.begin(order(first.port, null))
    const accepted: { to: string }[] = []
    let centre = first
    for (let n = 1; n <= 3; n++) {
      await until('messages to leave', () => centre.log().accepted.length > 60)
      process.kill(centre.pid, 'SIGKILL')
      await centre.ended
      accepted.push(...centre.log().accepted)
      await centre.stop()
      centre = await testSmsc({ port: first.port })
    }
    await complete(campaignId)
    accepted.push(...centre.log().accepted)
    await centre.stop()
    await expectEachAtMostOnce(campaignId, accepted)
    await engine.kill()
    await expectSoundBooks(at)
  },
)

test(
  'with the connections to the database cut again and again, nobody gets a message twice and nothing is stuck',
  exhaustive,
  async () => {
    const { user } = await smppFixtures()
    await setGateway(200)
    const centre = await testSmsc()
    const campaignId = await newSmsCampaign(at, { user, phones: numbers(9779843000000) })
    const engine = await waiting()
    engine.begin(order(centre.port, null))
    for (let n = 1; n <= 6; n++) {
      await until('messages to leave', () => centre.log().accepted.length > 100 * n)
      await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ghanti-sms-crash-test' and datname = current_database()`,
      )
    }
    await complete(campaignId)
    await expectEachAtMostOnce(campaignId, centre.log().accepted)
    await engine.kill()
    await centre.stop()
    await expectSoundBooks(at)
  },
)
