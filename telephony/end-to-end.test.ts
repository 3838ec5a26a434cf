/**
 * Two campaigns of 200 numbers by the real engine over Asterisk to SIPp: every row, key, pulse, paisa and recording is as the numbers determine, and
 * SIPp agrees.
 */
import * as fs from 'node:fs'
import { busyAgainMs } from '@ghanti/callflow/flow.ts'
import { pulsesOf } from '@ghanti/contract/money.ts'
import { beforeAll, expect, test } from 'vitest'
import { expectSoundFiles, newCampaign, threeLevels, type Fixtures } from '../server/src/voice/testing/fixtures.ts'
import { expectPaid, owedFor } from '../server/src/voice/testing/expected-charges.ts'
import {
  attemptsOf,
  byNumber,
  callsIn,
  expectNobodyTwice,
  expectNothingLeft,
  type AttemptRow,
} from './call-log-checks.ts'
import { agentNumber, sipBench, skewMs } from './testing.ts'
import { rangOut } from './testing-crash.ts'

/** By a number's last two digits: how its row ends, and after how many calls. */
type Fate = { disposition: string; calls: number; sip: number | null; keys?: string }
const refused = (sip: number, disposition: string, calls: number): Fate => ({ disposition, calls, sip })
const answered = (keys = ''): Fate => ({ disposition: 'ANSWER', calls: 1, sip: null, keys })
const timedOut = (disposition: string, calls: number): Fate => ({ disposition, calls, sip: null })

/** How many numbers of each kind; those that count against the trunk (06, 38, 39, 42, 44, 45, 49 and 03, 40) are too few to put it on hold. */
const kinds: readonly { suffix: string; numbers: number; fate: Fate }[] = [
  { suffix: '01', numbers: 20, fate: refused(486, 'BUSY', 2) },
  { suffix: '02', numbers: 8, fate: timedOut('NO ANSWER', 2) },
  { suffix: '03', numbers: 4, fate: refused(603, 'REJECTED', 2) },
  { suffix: '04', numbers: 12, fate: refused(404, 'INVALID', 1) },
  { suffix: '05', numbers: 12, fate: refused(480, 'NO ANSWER', 2) },
  { suffix: '06', numbers: 3, fate: refused(503, 'CONGESTION', 7) },
  { suffix: '07', numbers: 4, fate: answered() },
  { suffix: '08', numbers: 4, fate: refused(486, 'BUSY', 2) },
  { suffix: '09', numbers: 16, fate: answered() },
  ...['1', '2', '3'].map((key) => ({ suffix: `1${key}`, numbers: 10, fate: answered(key) })),
  { suffix: '17', numbers: 4, fate: answered() },
  ...['1', '2'].map((key) => ({ suffix: `2${key}`, numbers: 5, fate: answered(key) })),
  { suffix: '30', numbers: 4, fate: answered('*') },
  { suffix: '31', numbers: 3, fate: answered() },
  { suffix: '32', numbers: 4, fate: answered('1') },
  { suffix: '33', numbers: 4, fate: answered() },
  { suffix: '35', numbers: 4, fate: answered() },
  { suffix: '38', numbers: 1, fate: refused(488, 'CONGESTION', 7) },
  { suffix: '39', numbers: 1, fate: refused(500, 'CONGESTION', 7) },
  { suffix: '40', numbers: 2, fate: refused(403, 'REJECTED', 2) },
  { suffix: '42', numbers: 2, fate: refused(408, 'CONGESTION', 7) },
  { suffix: '43', numbers: 4, fate: refused(484, 'INVALID', 1) },
  { suffix: '44', numbers: 2, fate: timedOut('CONGESTION', 7) },
  { suffix: '45', numbers: 2, fate: timedOut('NO ANSWER', 2) },
  { suffix: '46', numbers: 8, fate: answered() },
  { suffix: '47', numbers: 8, fate: answered() },
  { suffix: '48', numbers: 8, fate: answered() },
  { suffix: '49', numbers: 2, fate: refused(503, 'NO ANSWER', 2) },
  { suffix: '99', numbers: 4, fate: answered() },
]
const fates = new Map(kinds.map(({ suffix, fate }) => [suffix, fate]))
const suffixOf = (phone: number): string => String(phone).slice(-2)

/** Mixed in a fixed order, those that take longest first. */
const phones = kinds
  .flatMap(({ suffix, numbers, fate }) =>
    Array.from({ length: numbers }, (_, n) => ({
      phone: 9779800000000 + 100 * n + Number(suffix),
      place: fate.calls === 7 ? n : ((n + 1) * 200) / numbers + Number(suffix) / 100,
    })),
  )
  .toSorted((one, other) => one.place - other.place)
  .map(({ phone }) => phone)

/**
 * Each presses the key of another agent, so that nobody's agent is busy with somebody else. The agent of key 0 is always engaged, and so is rung twice. The
 * others talk for 10 s: of 2 s, a busy machine may record nothing.
 */
const callers = [...'0123456789'].map((key) => 9779810000010 + Number(key))
const agents = ([...'0123456789'] as const).map((key) => ({
  key: key as '0',
  number: agentNumber(key === '0' ? '01' : `${key}37`),
}))

const at = await sipBench()
let fixtures: Fixtures
let menu: number
let patch: number

beforeAll(async () => {
  fixtures = await at.fixtures({ cps: 10, channels: 70 }) // at 20 a second SIPp or the engine are late beside four busy workers
  const { user } = fixtures
  const of = { user, line: fixtures.line, retries: 1, reservePaisa: 1000 }
  expect(phones.length + callers.length).toBe(200)
  menu = await newCampaign(at, { ...of, phones, flow: at.flow(1) })
  patch = await newCampaign(at, { ...of, phones: callers, flow: at.flow(2, { agents }) })
  at.dial()
  const unfinished = () => at.db.selectFrom('campaign').select('id').where('status', '<>', 'complete').execute()
  await at.until('both campaigns complete', async () => (await unfinished()).length === 0)
  await at.until('no recording is to be fetched any more', async () => (await dueRecordings()).length === 0)
}, 240_000)

const dueRecordings = () => at.db.selectFrom('recording_due').selectAll().execute()

/** Calls that left: those that a busy machine could not send in time were given back, and rang nobody. */
const rungOf = async (campaignIds: readonly number[]) =>
  (await attemptsOf(at, campaignIds)).filter(({ disposition }) => disposition !== 'CANCEL')

test('a busy machine gives back at most a tenth of its claims', async () => {
  const attempts = await attemptsOf(at, [menu, patch])
  const givenBack = attempts.filter(({ disposition }) => disposition === 'CANCEL')
  expect(givenBack.length).toBeLessThanOrEqual(attempts.length / 10)
})

const rowsOf = (campaignId: number) =>
  at.db.selectFrom('campaign_contact').selectAll().where('campaign_id', '=', campaignId).orderBy('no').execute()

test('200 numbers: each row ends as its number determines, after the expected calls, with the valid keys', async () => {
  const rung = await rungOf([menu])
  const attempts = Map.groupBy(rung.filter(isNotLate), ({ phone }) => phone)
  const rows = await rowsOf(menu)
  expect(rows.length).toBe(190)
  for (const { phone, state, disposition } of rows) {
    const fate = fates.get(suffixOf(phone))
    const calls = attempts.get(phone) ?? []
    const story = calls.map((call) => `${call.disposition} ${call.ended_by} ${call.sip_status} ${call.q850_cause}`)
    expect({ phone, state, disposition, calls: calls.length }, `${phone}: ${story.join(', ')}`).toEqual({
      phone,
      state: 'done',
      disposition: fate?.disposition,
      calls: fate?.calls,
    })
    for (const call of calls)
      expect(call, `${phone}`).toMatchObject({
        disposition: fate?.disposition,
        sip_status: isFromRecord(call) ? null : fate?.sip,
        keys: fate?.keys || null,
      })
  }
  expect([...attempts.values()].flat().filter(isFromRecord).length).toBeLessThanOrEqual(5)
  expect(rung.filter((call) => !isNotLate(call)).length).toBeLessThanOrEqual(5)
})

/** False: who answers was not heard before the ring timeout, since SIPp on a busy machine answers too late, and was called again. */
const isNotLate = (call: AttemptRow): boolean =>
  !rangOut(call) || (fates.get(suffixOf(call.phone))?.disposition ?? 'ANSWER') !== 'ANSWER'

/** A busy machine got the reply to its dial too late, and its end comes from the dialer's record, which has the cause but no SIP status. */
const isFromRecord = (call: { ended_by: string | null; answered_at: unknown }): boolean =>
  call.ended_by === 'callee' && call.answered_at === null

test('the operator had exactly these calls, and answered those that we charge, for as long', async () => {
  const attempts = await rungOf([menu, patch])
  const charged = attempts.filter(({ bill_ms }) => bill_ms !== null).map(({ phone }) => String(phone))
  const heardOf = () => callsIn(at.sipp.operator.log())
  const answered = () =>
    heardOf().flatMap(({ number, answeredAt }) => (answeredAt === null ? [] : [number.replace('+', '')]))
  // SIPp writes its log with a delay.
  await expect.poll(() => answered().toSorted()).toEqual(charged.toSorted())
  const calls = heardOf()
  expectNobodyTwice(calls)
  await expect.poll(() => at.sipp.operator.invites()).toBe(attempts.length)
  expect(calls.length).toBe(attempts.length)
  const heard = byNumber(calls)
  for (const [phone, made] of Map.groupBy(attempts, (attempt) => attempt.phone)) {
    const theirs = heard.get(String(phone)) ?? []
    expect(theirs.map(({ answeredAt }) => answeredAt !== null)).toEqual(made.map(({ bill_ms }) => bill_ms !== null))
    for (const [n, { bill_ms }] of made.entries()) {
      const { answeredAt, endedAt } = theirs[n] ?? { answeredAt: null, endedAt: null }
      if (bill_ms === null || answeredAt === null || endedAt === null) continue
      expect(Math.abs(endedAt - answeredAt - bill_ms), `${phone} was charged ${bill_ms} ms`).toBeLessThan(skewMs)
    }
  }
})

test('callers are joined to the agents of their keys, one agent is engaged, and SIPp’s agents count the same calls', async () => {
  const attempts = (await rungOf([patch])).filter(isNotLate)
  const calls = byNumber(callsIn(at.sipp.agents.log()))
  expect(attempts.length).toBe(callers.length)
  for (const { phone, keys, agent, agent_missed, bill_ms, patch_bill_ms, disposition, recording } of attempts) {
    const key = String(phone).slice(-1)
    const number = agents.find((one) => one.key === key)?.number ?? ''
    const engaged = key === '0'
    const seen = { phone, disposition, keys, agent, agent_missed, isRecorded: recording !== null }
    expect(seen, JSON.stringify(seen)).toEqual({
      phone,
      disposition: 'ANSWER',
      keys: key,
      agent: engaged ? null : number,
      agent_missed: engaged ? 'busy' : null,
      isRecorded: !engaged,
    })
    const [call, ...more] = calls.get(number.slice(1)) ?? []
    expect(
      more.map(({ at, answeredAt }) => ({ answeredAt, isAfterRinging: at - (call?.at ?? 0) >= busyAgainMs })),
    ).toEqual(engaged ? [{ answeredAt: null, isAfterRinging: true }] : [])
    expect(call?.answeredAt === null).toBe(engaged)
    expect(bill_ms, `${phone} is hung up when all is said`).toBeLessThan(30_000)
    if (patch_bill_ms === null || !call?.answeredAt || !call.endedAt) expect(engaged).toBe(true)
    else expect(Math.abs(call.endedAt - call.answeredAt - patch_bill_ms)).toBeLessThan(skewMs)
  }
  await expect.poll(() => at.sipp.agents.invites()).toBe(callers.length + 1)
})

/** Of 16-bit samples. */
function loudness(wav: Buffer): number {
  let sum = 0
  for (let byte = 44; byte + 1 < wav.length; byte += 2) sum += wav.readInt16LE(byte) ** 2
  return Math.sqrt(sum / ((wav.length - 44) / 2))
}

test('each conversation is recorded in full and audible', async () => {
  const talked = (await rungOf([patch])).filter(({ recording }) => recording !== null)
  expect(talked.length).toBe(callers.length - 1)
  for (const { id, recording, patch_bill_ms } of talked) {
    const row = await at.db.selectFrom('recording').selectAll().where('attempt_id', '=', id).executeTakeFirstOrThrow()
    expect(row.id).toBe(recording)
    expect(Math.abs(row.duration_ms - (patch_bill_ms ?? 0))).toBeLessThan(skewMs)
    expect(loudness(fs.readFileSync(await at.files.pathOf(row.file_hash)))).toBeGreaterThan(1000)
  }
})

test('pulses, costs and every level’s balance follow from the durations', async () => {
  const attempts = await rungOf([menu, patch])
  const [price] = threeLevels
  const pulsesFor = ({ bill_ms, patch_bill_ms }: AttemptRow): number =>
    [bill_ms, patch_bill_ms].reduce<number>((n, ms) => n + (ms === null ? 0 : pulsesOf(ms, price?.pulseMs ?? 0)), 0)
  for (const attempt of attempts) {
    const pulses = pulsesFor(attempt)
    expect(attempt).toMatchObject({ pulses, cost_paisa: pulses * (price?.pulsePaisa ?? 0), uncollected_paisa: 0 })
  }
  const talks = attempts.map(({ bill_ms, patch_bill_ms }) => ({ customerMs: bill_ms, agentMs: patch_bill_ms }))
  await expectPaid(at, fixtures, owedFor(talks))
  await expectSoundFiles(at)
  await expectNothingLeft(at)
  expect(await at.db.selectFrom('alert').selectAll().execute()).toEqual([])
})
