// @module-tag exhaustive
import { connectFlow } from '@ghanti/callflow/flow.ts'
import { expect, test } from 'vitest'
import { reservePaisa } from '../../../modules/voice-compose/rules-estimate.ts'
import { customerOf } from '../../../dispatch/channel-names.ts'
import { crashFixtures } from '../../testing/crash/crash-fixtures.ts'
import {
  busyNumbers,
  expectSoundFiles,
  newCampaign,
  newFixtures,
  threeLevels,
  type Fixtures,
} from '../../testing/fixtures.ts'
import { expectPaid, owedFor, type Talk } from '../../testing/expected-charges.ts'

/** An engine dies at each point while calls composed for it are under way; points about the customer's leg start with 'agent '. */
const deaths = [
  'claim done',
  'take_agent sent',
  'take_agent done',
  'dial sent',
  'answered arrives',
  'take_customer sent',
  'take_customer done',
  'agent dial sent',
  'agent dial done',
  'agent ringing arrives',
  'agent answered arrives',
  'bridge done',
  'agent hungUp arrives',
  'settle sent',
  'settle done',
] as const
const timeoutMs = 90_000
const { at, witness, engineInWaiting, orderOf, until, statementsEnded, allComplete, connect } = await crashFixtures({
  name: 'crash-call-now',
  timeoutMs,
})

/** 33 stays until hung up on; 37 hangs up after 10 s; 01 is busy; 02 never answers; 09 hangs up after 2 s. */
const pairs = [
  { agent: 33, customer: 37 },
  { agent: 33, customer: 1 },
  { agent: 2, customer: 37 },
  { agent: 9, customer: 2 },
]
let serial = 0
const customers: number[] = []

/** One campaign per pair of numbers that nobody has called; made `ready` together with what marks it as Call Now. */
async function composed({ users: [user], line }: Fixtures): Promise<void> {
  if (!user) throw new Error('no users')
  for (const { agent, customer } of pairs) {
    serial += 1
    const phone = 9_779_840_000_000 + 100 * serial + customer
    customers.push(phone)
    const flow = connectFlow({ agent: `+${9_779_850_000_000 + 100 * serial + agent}`, customer: `+${phone}` })
    const [level] = threeLevels
    if (!level) throw new Error('no prices')
    const reserve = reservePaisa(flow, level)
    const id = await newCampaign(at, {
      user,
      line,
      flow,
      phones: [phone],
      retries: 0,
      reservePaisa: reserve,
      status: 'paused',
    })
    const isOwn = { is_test: true, is_call_now: true, ring_seconds: 25, status: 'ready' as const }
    await at.db.updateTable('campaign').set(isOwn).where('id', '=', id).execute()
  }
}

async function run(fixtures: Fixtures): Promise<void> {
  let next = engineInWaiting()
  for (const what of deaths) {
    const engine = await next
    next = engineInWaiting()
    await composed(fixtures)
    engine.begin({ ...orderOf('test'), killAt: { what, nth: 1 } })
    await until(what, () => engine.died !== null)
    expect(`${what}: ${engine.died}`).toBe(`${what}: SIGKILL`)
    witness.read()
    await statementsEnded()
    await expectSoundFiles(at)
  }
  const last = await next
  last.begin({ ...orderOf('test'), killAt: null })
  await until('all campaigns complete', allComplete)
  await last.kill()
  witness.read()
}

/** By the agent's channel: how long the agent was on the line, and the customer. */
function talks(): Map<string, Talk> {
  const found = new Map<string, Talk>()
  for (const [channelId, { answeredAt, endedAt }] of witness.channels) {
    const own = customerOf(channelId) ?? channelId
    const talk = found.get(own) ?? { customerMs: null, agentMs: null }
    const ms = answeredAt === null ? null : (endedAt ?? 0) - answeredAt
    if (own === channelId) talk.agentMs = ms
    else talk.customerMs = ms
    found.set(own, talk)
  }
  return found
}

test('an engine killed at fifteen points of Call Now rings no customer twice, and each leg that it saw is charged once, at every level', async () => {
  const fixtures = await newFixtures(at, { users: 1, channels: 300 })
  await connect(fixtures.line.dialerId)
  await run(fixtures)
  await expectSoundFiles(at)
  const started = new Map<string, number>()
  for (const [channelId, { number, starts, endedAt }] of witness.channels) {
    expect({ channelId, starts, ended: endedAt !== null }).toEqual({ channelId, starts: 1, ended: true })
    started.set(number, (started.get(number) ?? 0) + 1)
  }
  for (const customer of customers) expect(started.get(String(customer)) ?? 0, `${customer}`).toBeLessThanOrEqual(1)
  const { rows } = await at.pool.query<{
    channel_id: string
    kind: string
    disposition: string
    bill_ms: number | null
    patch_bill_ms: number | null
  }>(
    `select i.id || '-' || a.epoch || '-' || a.id || '-c' as channel_id, kind, disposition, bill_ms, patch_bill_ms from attempt a, installation i order by a.id`,
  )
  const seen = talks()
  for (const { channel_id, kind, disposition, bill_ms, patch_bill_ms } of rows) {
    const { customerMs, agentMs } = seen.get(channel_id) ?? { customerMs: null, agentMs: null }
    // A leg whose end nobody saw is not charged.
    const is = { kind: 'callNow', bill_ms: disposition === 'LOST' ? null : customerMs, patch_bill_ms: agentMs }
    expect({ channel_id, kind, bill_ms, patch_bill_ms }).toEqual({ channel_id, ...is })
  }
  const lost = rows.filter(({ disposition }) => disposition === 'LOST').length
  expect(lost, 'those that were about to ring when their engine died').toBeLessThanOrEqual(pairs.length * 4)
  // While no engine runs, the dialer's own limit cuts off an agent who waits alone.
  expect(rows.filter(({ disposition }) => disposition === 'ANSWER').length).toBeGreaterThan(2)
  expect(rows.filter(({ disposition }) => disposition === 'BUSY').length).toBeGreaterThan(2)
  await expectPaid(at, fixtures, owedFor(rows.map((row) => ({ customerMs: row.bill_ms, agentMs: row.patch_bill_ms }))))
  for (const table of ['attempt_open', 'attempt_step', 'contact_retry', 'outcome_parked'] as const)
    expect([table, await at.db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
  expect(await busyNumbers(at)).toEqual([])
}, 900_000)
