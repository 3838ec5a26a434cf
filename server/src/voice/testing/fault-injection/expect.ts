/** What must hold after everything that was killed: books, the dialers' own records and the invariant checker agree. */
import { expect } from 'vitest'
import { defaultCallingHours } from '../../../modules/platform/rules-hours.ts'
import { customerOf, legOf } from '../../../dispatch/channel-names.ts'
import { violationsOf, type CheckedEvent } from '../../invariants/checker.ts'
import { channelPrefix } from '../../../dispatch/lease/lease.sql.ts'
import { trunkName } from '../../model/calls/trunk-data.ts'
import { busyNumbers, expectSoundBooks, threeLevels, type EngineDb } from '../fixtures.ts'
import { expectPaid, owedFor, type Talk } from '../expected-charges.ts'
import { speed, type KillBench } from './bench.ts'
import { callsPerSecond, channelsMax, ofContract, refusedSuffix, type Campaigns } from './campaigns.ts'
import type { KillableDialer, Recorded } from './dialer.ts'

type AttemptRow = {
  id: number
  campaign_id: number
  no: number
  attempt_no: number
  retries: number
  phone: number
  disposition: string
  bill_ms: number | null
  patch_bill_ms: number | null
  trunk_id: number
  dialer_id: number
  cli_id: number
  tried: number[] | null
  operator: number
  claimed_at: Date
  settled_at: Date
  /** Its row is called again later. */
  again: boolean
}

/** An attempt with what the dialers recorded of it: its customer's channels, one for each trunk, and its agents'. */
type Story = { attempt: AttemptRow; customers: Recorded[]; agents: Recorded[]; touched: boolean }

/** A dialer that is younger cannot prove that a call was never sent. */
const witnessFromMs = 6000

/** Asserts it of everything, and returns how many attempts were lost with their dialer. `fastFrom`: when the rates were raised, in Unix ms. */
export async function expectAllAccounted(bench: KillBench, { fixtures }: Campaigns, fastFrom: number): Promise<number> {
  const { at, dialers } = bench
  const channels = dialers.flatMap((dialer) => dialer.channels())
  const stories = await storiesOf(at, dialers, channels)
  await expectSoundBooks(at)
  for (const { channelId, starts, overAt } of channels)
    expect({ channelId, starts, isOver: overAt !== null }).toEqual({ channelId, starts: 1, isOver: true })
  const talks = stories.flatMap(talksOf)
  await expectPaid(at, fixtures, owedFor(talks))
  expectOneCallANumber(channels)
  expectRates(channels.filter(({ startedAt }) => startedAt < fastFrom))
  expect(violationsOf([await routesOf(at), ...eventsOf(stories, bench)])).toEqual([])
  await expectFinal(at, stories)
  return stories.filter(({ attempt }) => attempt.disposition === 'LOST').length
}

async function storiesOf(at: EngineDb, dialers: readonly KillableDialer[], channels: readonly Recorded[]) {
  const { rows } = await at.pool.query<AttemptRow>(
    `select a.id, a.campaign_id, a.no, a.attempt_no, c.retries, a.phone, a.disposition, a.bill_ms, a.patch_bill_ms, a.trunk_id, t.dialer_id, a.cli_id, a.tried, a.operator,
       a.claimed_at, a.settled_at, exists (select from attempt b where b.campaign_id = a.campaign_id and b.no = a.no and b.id > a.id) as again
     from attempt a join trunk t on t.id = a.trunk_id join campaign c on c.id = a.campaign_id order by a.id`,
  )
  const prefix = await channelPrefix(at.pool)
  const byAttempt = Map.groupBy(channels, ({ channelId }) => legOf(prefix, channelId)?.attemptId)
  const stories = rows.map((attempt): Story => {
    const own = byAttempt.get(attempt.id) ?? []
    byAttempt.delete(attempt.id)
    const isAgents = ({ channelId }: Recorded): boolean => customerOf(channelId) !== null
    const customers = own.filter((one) => !isAgents(one)).toSorted((a, b) => a.startedAt - b.startedAt)
    return { attempt, customers, agents: own.filter(isAgents), touched: isTouched(attempt, dialers) }
  })
  expect([...byAttempt.keys()], 'channels without an attempt').toEqual([])
  return stories
}

/** Its dialer died while it was open, or so shortly before that nothing of it could be proven. */
function isTouched({ dialer_id, claimed_at, settled_at }: AttemptRow, dialers: readonly KillableDialer[]): boolean {
  const deaths = dialers.find(({ id }) => id === dialer_id)?.deaths ?? []
  return deaths.some(
    ({ at, backAt }) => claimed_at.getTime() < backAt + witnessFromMs && settled_at.getTime() > at - 1000,
  )
}

const talkOf = (channel: Recorded | undefined): number | null =>
  channel && channel.answeredAt !== null && channel.endedAt !== null ? channel.endedAt - channel.answeredAt : null

/** How long a call is charged for: as the record has it, or, where the dialer died, at most as long as it lived. */
function talksOf({ attempt, customers, agents, touched }: Story): Talk[] {
  const { id, disposition, bill_ms, patch_bill_ms, tried } = attempt
  const answered = customers.filter(({ answeredAt }) => answeredAt !== null)
  const story = JSON.stringify({ attempt, customers, agents })
  expect(answered.length, story).toBeLessThanOrEqual(1)
  for (const [n, channel] of customers.entries()) {
    const before = customers[n - 1]
    if (before) expect(channel.startedAt, story).toBeGreaterThanOrEqual(Math.floor(before.overAt ?? Infinity))
  }
  const patches = agents.map(talkOf).filter((ms) => ms !== null)
  const sum = patches.length === 0 ? null : patches.reduce((all, ms) => all + ms, 0)
  if (!touched) {
    const recorded = (tried?.length ?? 0) + (disposition === 'CANCEL' ? 0 : 1)
    const sent = isRefused(attempt) ? Math.max(recorded, customers.length) : recorded
    expect(sent - recorded, story).toBeLessThanOrEqual(1)
    const customerMs = talkOf(answered[0])
    expect({ id, isAnswer: disposition === 'ANSWER', bill_ms, patch_bill_ms, sent: customers.length }, story).toEqual({
      id,
      isAnswer: customerMs !== null,
      bill_ms: customerMs,
      patch_bill_ms: sum,
      sent,
    })
  } else {
    expect(bill_ms !== null, story).toBe(disposition === 'ANSWER')
    const longest = answered[0] ? longestOf(answered[0]) : 0
    if (bill_ms !== null) expect(bill_ms, story).toBeLessThanOrEqual(longest)
    const longestOfAgents = agents.reduce((all, one) => all + longestOf(one), 0)
    if (patch_bill_ms !== null) expect(patch_bill_ms, story).toBeLessThanOrEqual(longestOfAgents)
    if (disposition === 'CANCEL' && !isRefused(attempt))
      expect(customers.length, story).toBeLessThanOrEqual(tried?.length ?? 0)
  }
  return [{ customerMs: bill_ms, agentMs: patch_bill_ms }]
}

/**
 * Given back after its trunk refused it, since nobody knows whether it is recorded that it goes on over the next one (docs/adr/50). Its number is one that
 * is refused everywhere before it rings.
 */
const isRefused = ({ disposition, phone }: AttemptRow): boolean =>
  disposition === 'CANCEL' && phone % 100 === refusedSuffix

/** In the network's ms. Of one that died with its dialer: until its death, as the test saw it. */
function longestOf(channel: Recorded): number {
  const { startedAt, answeredAt, overAt, died } = channel
  if (answeredAt === null) return 0
  if (!died) return talkOf(channel) ?? 0
  return ((overAt ?? 0) - startedAt) * speed - (answeredAt - startedAt)
}

/** Customers and agents alike, over all dialers. */
function expectOneCallANumber(channels: readonly Recorded[]): void {
  for (const [number, all] of Map.groupBy(channels, (channel) => channel.number)) {
    const inOrder = all.toSorted((a, b) => a.startedAt - b.startedAt)
    for (const [n, channel] of inOrder.entries()) {
      const before = inOrder[n - 1]
      const both = JSON.stringify([before, channel])
      if (before) expect(channel.startedAt, `${number}: ${both}`).toBeGreaterThanOrEqual(Math.floor(before.overAt ?? 0))
    }
  }
}

/** Requests that a network held up come together, so that one second has more than it should; ten seconds have not. */
const rateWindowMs = 10_000

function expectRates(channels: readonly Recorded[]): void {
  const groups: [(channel: Recorded) => string, number][] = [
    [({ dialerId }) => `dialer ${dialerId}`, callsPerSecond.atFirst],
    [({ trunk }) => trunk, callsPerSecond.atFirst],
    [() => 'the contract', ofContract.cps],
  ]
  for (const [group, perSecond] of groups)
    for (const [name, all] of Map.groupBy(channels, group)) {
      const times = all.map(({ startedAt }) => startedAt).toSorted((a, b) => a - b)
      let from = 0
      for (const [n, at] of times.entries()) {
        while (at - (times[from] ?? at) >= rateWindowMs) from += 1
        expect(n - from + 1, `${name} within ten seconds`).toBeLessThanOrEqual((rateWindowMs / 1000) * perSecond * 1.25)
      }
    }
}

/** Nobody changes the routes while dialers and engines are killed. */
async function routesOf({ pool }: EngineDb): Promise<CheckedEvent> {
  const { rows: routes } = await pool.query<Extract<CheckedEvent, { type: 'routes' }>['routes'][number]>(
    `select c.id as "campaignId", json_agg(json_build_object('trunkId', t.id, 'operators', case when c.by_operator then s.operators end,
         'shows', coalesce(t.sip_options -> 'shownClis', '[]'))) as trunks,
       (select json_agg(json_build_object('id', o.id, 'number', o.number)) from cli o
        where o.id = c.cli_id and not o.is_group or o.id in (select m.cli_id from cli_member m where m.group_id = c.cli_id)) as clis
     from campaign c join cli i on i.id = c.cli_id left join call_route_step s on s.route_id = i.route_id join trunk t on t.id = coalesce(s.trunk_id, c.trunk_id)
     group by c.id`,
  )
  return { type: 'routes', at: 0, routes }
}

/** What the dialers recorded, as events for the invariant checker, which knows nothing else. Its engines' own checkers saw the rates. */
function eventsOf(stories: readonly Story[], { dialers }: KillBench): CheckedEvent[] {
  const cap = (id: number) => ({ id, channels: channelsMax, callsPerSecond: Infinity })
  const names = [...new Set(stories.map(({ attempt }) => attempt.trunk_id))]
  const clis = [...new Set(stories.map(({ attempt }) => attempt.cli_id))].map((id) => ({ id, channels: channelsMax }))
  const caps = dialers.map(({ id }): CheckedEvent => {
    const contract = { ...cap(1), channels: ofContract.channels, trunkIds: names }
    return { type: 'caps', at: 0, dialer: cap(id), trunks: names.map(cap), clis, contracts: [contract] }
  })
  const events = stories.flatMap((story) => eventsOfCall(story, names))
  const isBeginning = ({ type }: CheckedEvent): number => (type === 'began' || type === 'legBegan' ? 1 : 0)
  return [...caps, ...events.toSorted((a, b) => a.at - b.at || isBeginning(a) - isBeginning(b))]
}

function eventsOfCall({ attempt, customers, agents }: Story, trunkIds: readonly number[]): CheckedEvent[] {
  const { id: attemptId, campaign_id: campaignId, no: rowNo, dialer_id: dialerId, tried, cli_id: cliId } = attempt
  if (customers.length === 0) return []
  const trunkOf = ({ trunk }: Recorded): number => trunkIds.find((id) => trunkName(id) === trunk) ?? 0
  // Some end in the millisecond in which they begin.
  const over = ({ startedAt, overAt }: Recorded): number => Math.max(Math.floor(overAt ?? 0), startedAt + 0.5)
  const calls = customers.flatMap((channel, n): CheckedEvent[] => [
    {
      type: 'began',
      at: channel.startedAt,
      now: channel.startedAt,
      dialerId,
      attemptId,
      campaignId,
      rowNo,
      phone: `+${channel.number}`,
      attemptNo: attempt.attempt_no,
      retries: attempt.retries,
      trunkId: trunkOf(channel),
      tried: tried?.slice(0, n) ?? [],
      operator: attempt.operator,
      cliId,
      hours: { ...defaultCallingHours, enabled: false },
    },
    { type: 'hungUp', at: over(channel), attemptId },
  ])
  const legs = agents.flatMap((channel): CheckedEvent[] => [
    { type: 'legBegan', at: channel.startedAt, attemptId, trunkId: trunkOf(channel) },
    { type: 'legEnded', at: over(channel), attemptId, trunkId: trunkOf(channel) },
  ])
  const [price] = threeLevels
  const ended: CheckedEvent = {
    type: 'ended',
    at: Math.max(...[...customers, ...agents].map(over)),
    attemptId,
    campaignId,
    rowNo,
    disposition: attempt.disposition as 'ANSWER',
    billMs: attempt.bill_ms,
    patchBillMs: attempt.patch_bill_ms,
    reservedPaisa: Infinity,
    price: price ?? { pulseMs: 1000, pulsePaisa: 0 },
    retryInMs: attempt.again ? 0 : null,
  }
  return [...calls, ...legs, ended]
}

/** Every row has its outcome: the last of its calls, and LOST only where the dialer died. Nothing is left of what ended. */
async function expectFinal(at: EngineDb, stories: readonly Story[]): Promise<void> {
  const { rows } = await at.pool.query<{ campaign_id: number; no: number; state: string; disposition: string | null }>(
    'select campaign_id, no, state, disposition from campaign_contact',
  )
  const calls = Map.groupBy(stories, ({ attempt }) => `${attempt.campaign_id} ${attempt.no}`)
  for (const { campaign_id, no, state, disposition } of rows) {
    const own = calls.get(`${campaign_id} ${no}`) ?? []
    const last = own.findLast(({ attempt }) => attempt.disposition !== 'CANCEL')
    const what = JSON.stringify(own)
    expect([state, disposition], what).toEqual(['done', last?.attempt.disposition])
    if (disposition === 'LOST') expect(last?.touched, what).toBe(true)
  }
  for (const table of ['attempt_open', 'attempt_step', 'contact_retry', 'outcome_parked'] as const)
    expect([table, await at.db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
  expect(await busyNumbers(at)).toEqual([])
}
