// @module-tag exhaustive
import { expect, test } from 'vitest'
import { testFiles } from '../../../testing/files/test-files.ts'
import { expectAttemptsMatchRecord, expectNobodyTwice } from '../../testing/compare-with-dialer-record.ts'
import { crashFixtures } from '../../testing/crash/crash-fixtures.ts'
import { flowsOver } from '../../testing/engine.ts'
import { callTextsOf } from '../../../sms/testing/calls.ts'
import { expectSoundBooks } from '../../../sms/testing/fixtures.ts'
import { busyNumbers, newCampaign, newFixtures, type Fixtures } from '../../testing/fixtures.ts'
import { expectPaid } from '../../testing/expected-charges.ts'

/**
 * In order: an engine dies at each point, and the next one recovers what it left. From 'another' on, the engine's name differs, so it must
 * wait for the old lease to end.
 */
const deaths: readonly { what: string; nth?: number; engineId?: string }[] = [
  { what: 'move_campaign sent' },
  { what: 'claim sent', nth: 2 },
  { what: 'claim done', nth: 2 },
  { what: 'dial sent', nth: 3 },
  { what: 'dial done', nth: 4 },
  { what: 'ringing arrives', nth: 3 },
  { what: 'open_attempts done' },
  { what: 'answered arrives', nth: 4 },
  { what: 'answered reported', nth: 6, engineId: 'another' },
  { what: 'save_steps done', nth: 3 },
  { what: 'readRecord done' },
  { what: 'digit reported', nth: 3 },
  { what: 'take_agent done' },
  { what: 'extend done' },
  { what: 'agent dial sent' },
  { what: 'agent answered arrives' },
  { what: 'bridge done' },
  { what: 'agent hungUp arrives' },
  { what: 'hungUp arrives', nth: 10 },
  { what: 'settle sent', nth: 2 },
  { what: 'settle done', nth: 3 },
  { what: 'claim of a retry done' },
  { what: 'claim of a congested row done' },
]
/** Slow enough for the rows to last, then fast. */
const callsPerSecond = { atFirst: 14, atLast: 400 }
const rowsEach = 400
const timeoutMs = 150_000
const { at, filesFolder, witness, engineInWaiting, orderOf, until, statementsEnded, allComplete, connect } =
  await crashFixtures({
    name: 'crash',
    timeoutMs,
  })
const flow = await flowsOver(testFiles(filesFolder))

/** Numbers of all kinds, mixed, those that ring longest first. `callers`: additional ones that press a key for an agent, spread evenly. */
function numbers(from: number, callers: number): number[] {
  const rows = Array.from({ length: rowsEach }, (_, i) => {
    const [round, suffix] = [Math.floor(i / 100), (i * 37) % 100]
    const ringsLong = suffix === 2 || suffix === 45
    return { phone: from + 100 * round + suffix, place: ringsLong ? 8 * round : i }
  })
  for (let i = 0; i < callers; i++)
    rows.push({ phone: from + 100_011 + 100 * i + (i % 3), place: (i * rowsEach) / callers })
  return rows.toSorted((one, other) => one.place - other.place).map((row) => row.phone)
}

/** They talk for 10 s, then hang up. */
const agents = (['1', '2', '3'] as const).map((key) => ({ key, number: `+977980110${key}137` }))
const agentsNumbers = agents.map((agent) => agent.number.slice(1))

async function composed(fixtures: Fixtures): Promise<void> {
  const [first, second] = fixtures.users
  if (!first || !second) throw new Error('no users')
  const of = { line: fixtures.line, status: 'ready' as const, channels: 200, reservePaisa: 200 }
  const one = await newCampaign(at, { ...of, user: first, flow: flow(1), phones: numbers(9779800000000, 0) })
  await newCampaign(at, { ...of, user: second, flow: flow(2, { agents }), phones: numbers(9779810000000, 100) })
  const messages = await callTextsOf(at, { campaignId: one, user: first, texts, segments: [1, 2] })
  await at.db.updateTable('sms_campaign').set({ status: 'running' }).where('id', '=', messages).execute()
}

/** Nobody sends them here: each waits with its money, and the check of messages compares them with the calls. */
const texts = [
  { occasion: 'success', key: null, minMs: 1000, text: 'Thanks' },
  { occasion: 'fail', key: null, minMs: 0, text: 'Missed you' },
] as const

let more = 0
/** On a machine so slow that engines call everybody before they die: adds numbers of each kind that a death still needs. */
async function composedMore({ line, users: [, user] }: Fixtures): Promise<void> {
  if (!user) throw new Error('no users')
  const suffixes = [11, 12, 13, 1, 6]
  const phones = Array.from({ length: 50 }, (_, i) => 9779820000000 + 100 * (50 * more + i) + (suffixes[i % 5] ?? 11))
  more += 1
  const of = { line, status: 'ready' as const, channels: 200, reservePaisa: 200 }
  await newCampaign(at, { ...of, user, flow: flow(2, { agents }), phones })
}

/** One engine after the other until its death, the last one until all campaigns are complete. */
async function run(fixtures: Fixtures): Promise<void> {
  let next = engineInWaiting()
  let name = 'test'
  for (const { what, nth = 1, engineId } of deaths) {
    name = engineId ?? name
    const engine = await next
    next = engineInWaiting()
    engine.begin({ ...orderOf(name), killAt: { what, nth } })
    await until(what, async () => {
      if (engine.died === null && (await allComplete())) await composedMore(fixtures)
      return engine.died !== null
    })
    expect(`${what}: ${engine.died}`).toBe(`${what}: SIGKILL`)
    witness.read()
    await statementsEnded()
    await expectSoundBooks(at)
  }
  await at.db.updateTable('dialer').set({ cps: callsPerSecond.atLast }).execute()
  await at.db.updateTable('trunk').set({ cps: callsPerSecond.atLast }).execute()
  const last = await next
  last.begin({ ...orderOf(name), killAt: null })
  await until('all campaigns complete', allComplete)
  await last.kill()
  witness.read()
}

/** The expected result of each kind of number, however often its calls were orphaned. */
const special: Record<string, string> = {
  '01': 'BUSY 3',
  '02': 'NO ANSWER 3',
  '03': 'REJECTED 2',
  '05': 'NO ANSWER 3',
  '06': 'CONGESTION 7',
  '08': 'BUSY 3',
  '38': 'CONGESTION 7',
  '39': 'CONGESTION 7',
  '40': 'REJECTED 2',
}

async function expectFinalRows(): Promise<void> {
  const { rows } = await at.pool.query<{ suffix: string; state: string; outcome: string }>(
    `select distinct right(phone::text, 2) as suffix, state, disposition || ' ' || attempts + congestions as outcome from campaign_contact order by 1`,
  )
  const others: Record<string, RegExp> = {
    // unknown number: final only once a call that rings is heard by an engine
    '04': /^done INVALID [1-5]$/,
    '43': /^done INVALID [1-5]$/,
    // these never ring: without a listener, no answer and congestion cannot be told apart
    '42': /^done (CONGESTION|NO ANSWER) ([3-9]|10)$/,
    '45': /^done (CONGESTION|NO ANSWER) ([3-9]|10)$/,
    // it rings before the operator has no room, which only a listener knows
    '49': /^done (CONGESTION|NO ANSWER) ([3-9]|10)$/,
  }
  const rowsWithEnd = rows.filter((row) => !(row.suffix in others))
  expect(rowsWithEnd.map((row) => `${row.suffix} ${row.state} ${row.outcome}`)).toEqual(
    Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0'))
      .filter((suffix) => !(suffix in others))
      .map((suffix) => `${suffix} done ${special[suffix] ?? 'ANSWER 1'}`),
  )
  for (const { suffix, state, outcome } of rows)
    if (others[suffix]) expect(`${state} ${outcome}`).toMatch(others[suffix])
}

/**
 * Asserts that nothing is left of finished calls, and no alert: only of a talk that ended before the next engine came, when the engine that wrote its
 * recording down was killed before it asked for it.
 */
async function expectNothingLeft(): Promise<void> {
  const tables = ['attempt_open', 'attempt_step', 'contact_retry', 'outcome_parked'] as const
  for (const table of tables) expect([table, await at.db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
  const alerts = await at.db.selectFrom('alert').selectAll().execute()
  const neverBegun = alerts.filter(({ kind, detail }) => kind === 'recording' && detail.startsWith('no recording '))
  expect(alerts).toEqual(neverBegun)
  expect(neverBegun.length).toBeLessThanOrEqual(1)
  expect(await busyNumbers(at)).toEqual([])
}

/** Asserts that each message waits once with its money, then gives it back, so that only the calls' money remains. */
async function expectTextsWaiting(user: number): Promise<void> {
  const { rows } = await at.pool.query<{ messages: number; queued: number; paisa: number }>(
    `select (select count(*) from sms_message)::int as messages, count(*)::int as queued, sum(held_paisa)::int as paisa from sms_retry`,
  )
  const [{ messages, queued, paisa } = { messages: 0, queued: 0, paisa: 0 }] = rows
  expect(messages).toBeGreaterThan(rowsEach / 2)
  expect(queued).toBe(messages)
  const freed = await at.pool.query(
    'update account set reserved_paisa = reserved_paisa - $1 where id = $2 and reserved_paisa = $1 returning id',
    [paisa, user],
  )
  expect(freed.rowCount, 'nothing else is reserved').toBe(1)
}

test('an engine killed at twenty-three points of two campaigns dials nobody twice, loses nobody and charges to the paisa', async () => {
  const fixtures = await newFixtures(at, { users: 2, cps: callsPerSecond.atFirst, channels: 300 })
  await composed(fixtures)
  await connect(fixtures.line.dialerId)
  await run(fixtures)
  await expectSoundBooks(at)
  await expectFinalRows()
  expectNobodyTwice(witness, agentsNumbers)
  await expectTextsWaiting(fixtures.users[0]?.userId ?? 0)
  await expectPaid(at, fixtures, await expectAttemptsMatchRecord(at, witness))
  await expectNothingLeft()
}, 900_000)
