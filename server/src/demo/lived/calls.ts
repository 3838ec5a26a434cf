import type { Flow } from '@ghanti/callflow/flow.ts'
import { pulsesOf } from '@ghanti/contract/money.ts'
import { randomOf, type Random } from '../../lib/random.ts'
import { retryInMs } from '../../voice/model/calls/retry.ts'
import type { Disposition } from '../../db/tables.ts'
import { answeredCall } from './one-call.ts'

/** A prepared campaign. */
export type Called = {
  id: number
  accountId: number
  cliId: number
  trunkId: number
  flow: Flow
  startAt: Date
  retries: number
  retryMs: number
  pulseMs: number
  pulsePaisa: number
  rows: readonly { no: number; phone: number; operator: number }[]
}

/** A row of the table of ended calls, less its id. Times in ISO. */
export type PastCall = {
  claimed_at: string
  started_at: string
  answered_at: string | null
  ended_at: string
  settled_at: string
  alerted_at: string | null
  alerted: boolean
  phone: number
  operator: number
  epoch: number
  campaign_id: number
  account_id: number
  trunk_id: number
  cli_id: number
  kind: 'campaign'
  no: number
  attempt_no: number
  disposition: Disposition
  sip_status: number | null
  q850_cause: number | null
  ended_by: string | null
  bill_ms: number | null
  patch_bill_ms: number | null
  pulses: number
  cost_paisa: number
  uncollected_paisa: number
  keys: string | null
  trail: string | null
  agent: string | null
  agent_missed: string | null
  unheard: boolean
}

export type PastRow = {
  campaign_id: number
  no: number
  state: 'done' | 'waiting'
  disposition: Disposition
  attempts: number
  congestions: number
  failures: number
  /** When it is called again. */
  due_at: string | null
}

/** `next`: the first row that was not called. */
export type PastCalls = { calls: PastCall[]; rows: PastRow[]; next: number }

const settleMs = 400
/** How the calls go that nobody answers: how often, what the network says, and after how long. */
const failures = [
  { share: 0.08, disposition: 'BUSY', sip: 486, cause: 17, rings: false, ms: [800, 2500] },
  { share: 0.02, disposition: 'REJECTED', sip: 603, cause: 21, rings: true, ms: [4000, 14_000] },
  { share: 0.015, disposition: 'INVALID', sip: 404, cause: 1, rings: false, ms: [600, 2000] },
  { share: 0.02, disposition: 'CONGESTION', sip: 503, cause: 34, rings: false, ms: [300, 1500] },
  { share: 0.19, disposition: 'NO ANSWER', sip: 480, cause: 19, rings: true, ms: [28_000, 45_000] },
] as const

const iso = (at: number): string => new Date(at).toISOString()

/** All calls of a campaign that ended by `until`. `gapMs`: between two rows. The same seed gives the same calls. */
export function callsOf(campaign: Called, seed: number, { until, gapMs }: { until: number; gapMs: number }): PastCalls {
  const past: PastCalls = { calls: [], rows: [], next: 0 }
  for (const row of campaign.rows) {
    const random = randomOf(seed, `${campaign.id} ${row.phone}`)
    const claimedAt = campaign.startAt.getTime() + 3000 + Math.round(gapMs * (row.no + 0.8 * random()))
    const ended = callRow(campaign, row, random, { claimedAt, until })
    if (!ended) break
    past.calls.push(...ended.calls)
    past.rows.push(ended.row)
    past.next = row.no + 1
  }
  return past
}

type Row = Called['rows'][number]

/** Null: not even its first call has ended. */
function callRow(
  campaign: Called,
  row: Row,
  random: Random,
  { claimedAt, until }: { claimedAt: number; until: number },
): { calls: PastCall[]; row: PastRow } | null {
  const calls: PastCall[] = []
  const met = { attempts: 0, congestions: 0, failures: 0 }
  for (let at = claimedAt; ;) {
    const call = oneCall(campaign, row, random, { claimedAt: at, attemptNo: met.attempts + 1 })
    const { disposition } = call
    const before = calls.at(-1)
    const retryOf = (last: PastCall) => ({
      campaign_id: campaign.id,
      no: row.no,
      disposition: last.disposition,
      ...met,
    })
    if (Date.parse(call.settled_at) > until)
      return before ? { calls, row: { ...retryOf(before), state: 'waiting', due_at: iso(at) } } : null
    calls.push(call)
    const waitMs = retryInMs(
      { disposition, attemptNo: call.attempt_no, congestions: met.congestions, failures: met.failures },
      { retries: campaign.retries, retryMs: campaign.retryMs, timeScale: 1 },
    )
    if (disposition === 'CONGESTION') met.congestions += 1
    else met.attempts = call.attempt_no
    if (disposition === 'REJECTED' || disposition === 'FAILED') met.failures += 1
    if (waitMs === null) return { calls, row: { ...retryOf(call), state: 'done', due_at: null } }
    at = Date.parse(call.settled_at) + waitMs + Math.round(random() * 4000)
  }
}

function oneCall(
  campaign: Called,
  { no, phone, operator }: Row,
  random: Random,
  { claimedAt, attemptNo }: { claimedAt: number; attemptNo: number },
): PastCall {
  const startedAt = claimedAt + 60
  const { id: campaign_id, accountId: account_id, trunkId: trunk_id, cliId: cli_id } = campaign
  const ids = { campaign_id, account_id, trunk_id, cli_id, no, phone, operator, epoch: 1, kind: 'campaign' } as const
  const unpaid = { bill_ms: null, patch_bill_ms: null, pulses: 0, cost_paisa: 0, uncollected_paisa: 0, unheard: false }
  const silent = { keys: null, trail: null, agent: null, agent_missed: null, answered_at: null }
  const always = {
    ...ids,
    ...unpaid,
    ...silent,
    attempt_no: attemptNo,
    claimed_at: iso(claimedAt),
    started_at: iso(startedAt),
  }
  const rangAt = startedAt + Math.round(900 + random() * 2600)
  let fate = random()
  for (const { share, disposition, sip, cause, rings, ms } of failures) {
    fate -= share
    if (fate >= 0) continue
    const endedAt = rangAt + Math.round(ms[0] + random() * (ms[1] - ms[0]))
    const end = { ended_at: iso(endedAt), settled_at: iso(endedAt + settleMs), ended_by: 'network' }
    const rang = { alerted: rings, alerted_at: rings ? iso(rangAt) : null }
    return { ...always, ...end, ...rang, disposition, sip_status: sip, q850_cause: cause }
  }
  const answeredAt = rangAt + Math.round(2000 + random() * 12_000)
  const heard = answeredCall(campaign.flow, random)
  const pulses = [heard.billMs, heard.patchBillMs]
    .map((ms) => (ms === null ? 0 : pulsesOf(ms, campaign.pulseMs)))
    .reduce((sum, n) => sum + n, 0)
  const endedAt = answeredAt + heard.billMs
  return {
    ...always,
    answered_at: iso(answeredAt),
    ended_at: iso(endedAt),
    settled_at: iso(endedAt + settleMs),
    alerted: true,
    alerted_at: iso(rangAt),
    disposition: 'ANSWER',
    sip_status: 200,
    q850_cause: 16,
    ended_by: heard.endedBy,
    bill_ms: heard.billMs,
    patch_bill_ms: heard.patchBillMs,
    pulses,
    cost_paisa: pulses * campaign.pulsePaisa,
    keys: heard.keys === '' ? null : heard.keys,
    trail: heard.trail,
    agent: heard.agent,
    agent_missed: heard.agentMissed,
  }
}
