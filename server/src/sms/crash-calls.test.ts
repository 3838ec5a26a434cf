// @module-tag exhaustive
/** Texts after calls while the process that sends them is killed, again and again. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { testSmsc } from '../drivers/sms/smpp/testing.ts'
import { settleOutcomes } from '../voice/settle/settle.sql.ts'
import { claimed, newCampaign, newFixtures, outcome, type CallOutcome } from '../voice/testing/fixtures.ts'
import { spawnEngine, type EngineProcess } from '../voice/testing/crash/crash.ts'
import { engineDb } from '../voice/testing/db.ts'
import { changeSetting } from '../modules/platform/actions.ts'
import { defaultCallingHours } from '../modules/platform/rules-hours.ts'
import type { SmsEngineOrder } from '../testing/processes/sms-engine-process.ts'
import { callTextsOf } from './testing/calls.ts'
import { expectSoundBooks, money, newGateway, smsCounts } from './testing/fixtures.ts'
import { until } from '../testing/until.ts'

/** In order: an engine dies there while calls end, and the next one finds what it left. */
const deaths: readonly { what: string; nth?: number }[] = [
  { what: 'sms_claim sent' },
  { what: 'sms_claim done' },
  { what: 'submit sent', nth: 3 },
  { what: 'submit done', nth: 5 },
  { what: 'sms_settle sent' },
  { what: 'sms_settle done', nth: 2 },
  { what: 'receipts arrive', nth: 3 },
  { what: 'sms_receipts done', nth: 2 },
]
const callsEach = 60
const rows = callsEach * (deaths.length + 1)
/** Of one segment: 150 paisa, as callTextsOf has it. */
const textPaisa = 150

const at = await engineDb(6)
await at.db.transaction().execute(async (tx) => {
  await changeSetting(tx, 'smsHours', { ...defaultCallingHours, enabled: false }, null)
})
const folder = mkdtempSync(join(tmpdir(), 'ghanti-sms-crash-calls-'))
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

const answered: CallOutcome = {
  disposition: 'ANSWER',
  billMs: 12_000,
  keys: '',
  answeredAt: new Date(),
  trail: '>done',
}
const missed: CallOutcome = { disposition: 'NO ANSWER', alerted: true }
const texts = [
  { occasion: 'success', key: null, minMs: 10_000, text: 'Thanks' },
  { occasion: 'fail', key: null, minMs: 0, text: 'Missed you' },
] as const

/** All kinds of ends, but those that last a minute or slow everybody down. */
const phones = Array.from(
  { length: rows },
  (_, i) => 9_779_844_000_000 + 100 * Math.floor(i / 10) + ([0, 1, 2, 3, 5, 6, 22, 9, 20, 21][i % 10] ?? 0),
)

async function newCalls() {
  const gatewayId = await newGateway(at)
  const setRate = (tps: number) =>
    at.pool.query(`update sms_gateway set driver = 'smpp', settings = $2, changed_at = now() where id = $1`, [
      gatewayId,
      JSON.stringify({ tps, window: 20 }),
    ])
  const fixtures = await newFixtures(at)
  const { user, line } = fixtures
  const id = await newCampaign(at, { user, line, phones })
  const smsId = await callTextsOf(at, { campaignId: id, user, texts, segments: [1, 1] })
  await at.db.updateTable('sms_campaign').set({ status: 'running' }).where('id', '=', smsId).execute()
  /** Every other call is answered: each brings about one text. */
  const end = async () => {
    const calls = await claimed(at, fixtures, id, callsEach)
    expect(calls).toHaveLength(callsEach)
    const endings = calls.map((call, i) => outcome(call, i % 2 === 0 ? answered : missed))
    await settleOutcomes(at.engine, fixtures.lease, 0, endings)
  }
  return { id, smsId, user, end, setRate }
}

test('with the sending process killed at eight moments while calls end, each text leaves at most once and every paisa is right', async () => {
  const { id, smsId, user, end, setRate } = await newCalls()
  await setRate(50)
  const before = await money(at, user.userId)
  let next = await spawned()
  for (const { what, nth = 1 } of deaths) {
    const engine = next
    await end()
    engine.begin(order({ what, nth }))
    next = await spawned()
    await until(`the death at '${what}' ${nth}`, () => engine.died !== null)
    expect(engine.died).toBe('SIGKILL')
  }
  await end()
  await setRate(1000)
  next.begin(order(null))
  await until('the last texts', async () => {
    const { fresh = 0, waiting = 0, in_flight: inFlight = 0, submitted = 0 } = await smsCounts(at, smsId)
    return fresh + waiting + inFlight + submitted === 0
  })
  await next.kill()

  const accepted = Map.groupBy(centre.log().accepted, ({ to }) => to)
  expect([...accepted].filter(([, times]) => times.length > 1).map(([to]) => to)).toEqual([])
  const { rows: messages } = await at.pool.query<{ phone: number; state: string; paid: boolean }>(
    `select m.phone, m.state, coalesce((select sum(s.accepted) from sms_sent s where s.campaign_id = m.campaign_id and s.no = m.no), 0) > 0 as paid
    from sms_message m where m.campaign_id = $1`,
    [smsId],
  )
  expect(messages).toHaveLength(rows)
  const wrong = messages.filter(({ phone, state, paid }) => {
    const arrived = accepted.has(String(phone))
    return state === 'unknown' ? paid && !arrived : paid !== arrived
  })
  expect(wrong).toEqual([])
  const unknown = messages.filter(({ state }) => state === 'unknown').length
  const { cost_paisa: cost = 0 } = await smsCounts(at, smsId)
  const { rows: calls } = await at.pool.query<{ paisa: number }>(
    'select sum(cost_paisa)::int as paisa from attempt where campaign_id = $1',
    [id],
  )
  const owned = before.owned - cost - (calls[0]?.paisa ?? 0)
  expect(await money(at, user.userId)).toEqual({ owned, reserved: unknown * textPaisa })
  await expectSoundBooks(at)
}, 240_000)
