/** A campaign during which something dies, and what must hold in the end: SIPp's log shows who was called, how often, and for how long. */
import { expect } from 'vitest'
import { expectSoundFiles, newCampaign, type Fixtures } from '../server/src/voice/testing/fixtures.ts'
import { spawnEngine, type EngineProcess } from '../server/src/voice/testing/crash/crash.ts'
import type { EngineOrder } from '../server/src/testing/processes/engine-process.ts'
import { expectPaid, owedFor } from '../server/src/voice/testing/expected-charges.ts'
import {
  attemptLine,
  attemptsOf,
  byNumber,
  callLine,
  callsIn,
  expectNobodyTwice,
  expectNothingLeft,
  type AttemptRow,
  type Heard,
} from './call-log-checks.ts'
import { agentNumber, ringMs, skewMs, timeScale, type SipBench } from './testing.ts'

/** How rows end, and after how many calls, unless the dialer dies with their call. */
const fates = new Map([
  ['01', 'BUSY 2'],
  ['02', 'NO ANSWER 2'],
  ['03', 'REJECTED 2'],
  ['04', 'INVALID 1'],
  ['05', 'NO ANSWER 2'],
])
const fateOf = (phone: number): string => fates.get(String(phone).slice(-2)) ?? 'ANSWER 1'
const suffixes = ['99', '11', '01', '07', '33', '09', '12', '02', '99', '48', '05', '13', '99', '04', '46', '03', '99']
const rounds = 5
/** Agents who hang up after 10 s. */
const agents = (['1', '2', '3'] as const).map((key) => ({ key, number: agentNumber(`${key}37`) }))

export type Campaign = { id: number; phones: number[] }
/** When the dialer died, at the earliest and at the latest; null when it survived. */
type Death = { from: number; to: number } | null

export class CrashBench {
  readonly #at: SipBench
  readonly #fixtures: Fixtures
  readonly #engines: EngineProcess[] = []
  readonly #campaignIds: number[] = []

  constructor(at: SipBench, fixtures: Fixtures) {
    this.#at = at
    this.#fixtures = fixtures
    at.atEnd(async () => {
      for (const engine of this.#engines) await engine.kill()
    })
  }

  async engine(): Promise<EngineProcess> {
    const engine = await this.load()
    this.begin(engine, 'test')
    return engine
  }

  async load(): Promise<EngineProcess> {
    const engine = await spawnEngine()
    this.#engines.push(engine)
    return engine
  }

  begin(engine: EngineProcess, engineId: string, more: Partial<EngineOrder> = {}): void {
    const { mediaFolder, secret, filesFolder, url } = this.#at
    engine.begin({
      databaseUrl: url,
      filesFolder,
      engineId,
      leaseMs: 10_000,
      timeScale,
      logLevel: process.env['GHANTI_TEST_LOG'] ?? 'silent',
      asterisk: { secret: secret.toString('hex'), mediaFolder, ringMs },
      killAt: null,
      ...more,
    })
  }

  /** Many talk, some ring, and some are still to be called. `also`: what a number after every second one ends in, in turn. */
  async campaignUnderWay(also: readonly string[] = []): Promise<Campaign> {
    const [user = this.#fixtures.top] = this.#fixtures.users
    const first = 9779800000000 + this.#campaignIds.length * 1_000_000
    const all = suffixes.flatMap((suffix, n) => [suffix, n % 2 === 0 ? (also[(n / 2) % also.length] ?? []) : []].flat())
    const phones = Array.from({ length: rounds * all.length }, (_, n) => first + 100 * n + Number(all[n % all.length]))
    const flow = this.#at.flow(2, { agents })
    const of = { user, line: this.#fixtures.line, retries: 1, reservePaisa: 1000 }
    const id = await newCampaign(this.#at, { ...of, phones, flow })
    this.#campaignIds.push(id)
    const answered = () => this.#at.db.selectFrom('attempt_step').select('attempt_id').execute()
    await this.#at.until('many are answered', async () => (await answered()).length >= 15)
    return { id, phones }
  }

  async completed({ id }: Campaign): Promise<void> {
    const campaign = () =>
      this.#at.db.selectFrom('campaign').select('status').where('id', '=', id).executeTakeFirstOrThrow()
    await this.#at.until('the campaign is complete', async () => (await campaign()).status === 'complete')
  }

  /** Checks each row, and the money of all campaigns so far. */
  async expectAsTheOperatorSaw({ id, phones }: Campaign, death: Death): Promise<void> {
    const at = this.#at
    const heard = byNumber(callsIn(at.sipp.operator.log()).filter(({ number }) => phones.includes(Number(number))))
    expectNobodyTwice([...heard.values()].flat())
    const attempts = Map.groupBy(await attemptsOf(at, [id]), ({ phone }) => phone)
    const rows = await at.db.selectFrom('campaign_contact').selectAll().where('campaign_id', '=', id).execute()
    expect(rows.map(({ phone }) => phone).toSorted()).toEqual(phones.toSorted())
    for (const row of rows) expectRow(row, attempts.get(row.phone) ?? [], heard.get(String(row.phone)) ?? [], death)
    expect([...attempts.values()].flat().some(({ patch_bill_ms }) => patch_bill_ms !== null)).toBe(true)
    await expectSoundFiles(at)
    await expectNothingLeft(at)
    const all = await attemptsOf(at, this.#campaignIds)
    const talks = all.map(({ bill_ms, patch_bill_ms }) => ({ customerMs: bill_ms, agentMs: patch_bill_ms }))
    await expectPaid(at, this.#fixtures, owedFor(talks))
  }
}

type Row = { phone: number; state: string; disposition: string | null }

function expectRow({ phone, state, disposition }: Row, attempts: AttemptRow[], calls: Heard[], death: Death): void {
  const dialled = attempts.filter((attempt) => attempt.disposition !== 'CANCEL')
  const surely = dialled.filter((attempt) => attempt.disposition !== 'LOST')
  const story = `${phone}: ${attempts.map(attemptLine).join(', ')}; the operator had ${calls.map(callLine).join(', ')}`
  expect(state, story).toBe('done')
  expect(calls.length, story).toBeLessThanOrEqual(dialled.length)
  expect(calls.length, story).toBeGreaterThanOrEqual(surely.length)
  if (disposition === 'LOST') {
    expect(death, story).not.toBeNull()
    return
  }
  const others = dialled.filter(
    disposition === 'ANSWER' ? rangOut : disposition === 'INVALID' ? isGivenBack : () => false,
  )
  expect(`${disposition} ${dialled.length - others.length}`, story).toBe(fateOf(phone))
  const call = calls.find(({ answeredAt }) => answeredAt !== null)
  const billMs = dialled.find(({ bill_ms }) => bill_ms !== null)?.bill_ms ?? null
  expect(call !== undefined, story).toBe(billMs !== null)
  if (call && billMs !== null) expectBill(call, billMs, death, story)
}

/**
 * It rang for its whole time by the dialer's clock, and the operator's log has no answer: on a busy machine SIPp answers too late. Whoever was cut
 * earlier was cut by us.
 */
export const rangOut = ({ disposition, ended_by, started_at, ended_at }: AttemptRow): boolean =>
  disposition === 'NO ANSWER' && ended_by === 'us' && Number(ended_at) - Number(started_at) >= ringMs

/** The operator did not know the number, and no engine had heard a call ring. */
const isGivenBack = ({ disposition }: AttemptRow): boolean => disposition === 'CONGESTION'

/** Longer than everything that is played and waited for, and shorter than the limit of a call. */
const talkMsMax = 60_000

/** To the operator, a call that died with the dialer is not over. It is charged at most until the dialer is back. */
function expectBill({ answeredAt, endedAt }: Heard, billMs: number, death: Death, story: string): void {
  if (answeredAt === null) throw new Error(`${story}: not answered`)
  expect(billMs, `${story}, waited in silence`).toBeLessThan(talkMsMax)
  if (death && answeredAt < death.to && (endedAt === null || endedAt > death.from)) {
    expect(answeredAt + billMs, story).toBeLessThan(death.to + skewMs)
    return
  }
  expect(endedAt, story).not.toBeNull()
  expect(Math.abs((endedAt ?? 0) - answeredAt - billMs), story).toBeLessThan(skewMs)
}
