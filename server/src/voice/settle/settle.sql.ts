import type { Disposition } from '@ghanti/contract/campaign-status.ts'
import type { AgentMissed, CallEnder } from '../../db/tables.ts'
import {
  arraysOf,
  columnsOf,
  namedParameters,
  placedIn,
  run,
  statement,
  type Lease,
  type Queryable,
} from '../../dispatch/statement.ts'

/** How an attempt ended. Times are the dialer's; null where nobody knows. */
export type Outcome = {
  attemptId: number
  disposition: Disposition
  startedAt: Date | null
  answeredAt: Date | null
  endedAt: Date | null
  /** Of the customer's leg. Null: not answered. */
  billMs: number | null
  /** Of the agent's leg. Null: not answered. */
  patchBillMs: number | null
  sipStatus: number | null
  q850Cause: number | null
  endedBy: CallEnder | null
  /** The valid keys in order; '' for none. */
  keys: string
  /** What an answered callee heard and answered, in words of callflow/trail.ts, each of which is counted. */
  trail: string | null
  agent: string | null
  /** Why the customer did not talk to an agent although one was requested. */
  agentMissed: AgentMissed | null
  /** The leg of the agent whose number the call still holds is one of that number's calls of the day. */
  agentCounts: boolean
  recordingId: string | null
  /** A prompt failed: the call is not charged. */
  unheard: boolean
  /** After how long the row may be dialled again, from now. Null: its outcome is final. */
  retryInMs: number | null
  /** The customer's telephone rang, gave early media or was answered. */
  alerted: boolean
  /** When it first did. Null: it did not, or nobody saw when. */
  alertedAt: Date | null
}

/** The parameter of each, as an array of all outcomes of a batch. */
const outcomeColumns = {
  attemptId: 'id',
  disposition: 'disposition',
  startedAt: 'started_at',
  answeredAt: 'answered_at',
  endedAt: 'ended_at',
  billMs: 'bill_ms',
  patchBillMs: 'patch_bill_ms',
  sipStatus: 'sip_status',
  q850Cause: 'q850_cause',
  endedBy: 'ended_by',
  keys: 'keys',
  agent: 'agent',
  recordingId: 'recording',
  retryInMs: 'retry_ms',
  unheard: 'unheard',
  trail: 'trail',
  agentMissed: 'agent_missed',
  agentCounts: 'agent_counts',
  alerted: 'alerted',
  alertedAt: 'alerted_at',
} as const satisfies Record<keyof Outcome, string>
const outcomeKeys = Object.keys(outcomeColumns) as (keyof Outcome)[]
const parameters = [
  'dialers',
  'engines',
  'epochs',
  'waits',
  'slot',
  'follower_ms',
  'lease',
  'account',
  ...outcomeKeys.map((key) => outcomeColumns[key]),
]

/** See `server/sql/settle_calls_2.sql`. One statement, so all of it happens or nothing. */
const settleStatement = statement<{ id: number | null; locked: number | null }>(
  'settle',
  `select unnest(o_done) as id, unnest(o_locked) as locked
from settle_calls_2(${namedParameters(parameters)})`,
)

/** What an engine tells of a call, with the lease of the call's dialer. `accountId`: whose campaign it is. */
export type ReportedOutcome = { lease: Lease; accountId: number; outcome: Outcome }

/** The attempts that counted, and the accounts that were locked, of whose outcomes none was written. */
type Written = { done: number[]; locked: number[] }

/**
 * `slot`: a row of the counters and of what accounts earn. `waits`: for accounts that others have
 * locked. Throws when some outcome is such that no table accepts it; `settle` finds out which.
 */
export async function settleReported(
  db: Queryable,
  slot: number,
  reported: readonly ReportedOutcome[],
  { waits }: { waits: boolean },
): Promise<Written> {
  const { leases, places } = placedIn(reported)
  const rows = await run(db, settleStatement, [
    ...columnsOf(leases),
    waits,
    slot,
    0,
    places,
    reported.map(({ accountId }) => accountId),
    ...arraysOf(
      reported.map(({ outcome }) => outcome),
      ...outcomeKeys,
    ),
  ])
  return {
    done: rows.flatMap(({ id }) => id ?? []),
    locked: rows.flatMap(({ locked }) => locked ?? []),
  }
}

/** Those of one dialer, waiting for whatever is locked. Returns the attempts that counted. */
export async function settleOutcomes(
  db: Queryable,
  lease: Lease,
  slot: number,
  outcomes: readonly Outcome[],
  followerMs = 0,
): Promise<number[]> {
  if (outcomes.length === 0) return []
  const places = outcomes.map(() => 1)
  const values = [...columnsOf([lease]), true, slot, followerMs, places, null, ...arraysOf(outcomes, ...outcomeKeys)]
  const rows = await run(db, settleStatement, values)
  return rows.flatMap(({ id }) => id ?? [])
}

/**
 * Parks the one outcome that the halving of a failing batch found, with its error. Its attempt stays open, with its reservation, until it is
 * reported again or a person closes it as LOST. Hence the alert.
 */
const parkStatement = statement(
  'park',
  `with parking as (
  insert into outcome_parked (attempt_id, error, outcome) values ($1::bigint, $2, $3)
  on conflict (attempt_id) do update set error = excluded.error, outcome = excluded.outcome returning attempt_id
)
insert into alert (kind, subject, detail) select 'outcome_parked', 'attempt ' || attempt_id, $2 from parking`,
)

export async function park(db: Queryable, outcome: Outcome, error: string): Promise<void> {
  await run(db, parkStatement, [outcome.attemptId, error, outcome])
}
