import { arraysOf, namedParameters, run, statement, type Queryable } from '../../dispatch/statement.ts'
import { fenced, type SmsLease } from '../model/lease.sql.ts'

/**
 * - accepted  the gateway took all of it: paid
 * - refused   final; `accepted` segments were taken before and are paid
 * - unknown   its answer is lost: it keeps its reservation, and `accepted` segments are certain
 * - back      nothing of it was taken: it is retried after `retryInMs`
 * - settled   the end of an unknown message, only by the coordinator's lease: `accepted` segments are paid, the rest is released
 */
export type SmsOutcome = {
  smsId: number
  kind: 'accepted' | 'refused' | 'unknown' | 'back' | 'settled'
  /** Segments to pay for; ignored for 'accepted', which pays all. */
  accepted: number
  /** For 'back'. */
  retryInMs: number
  /** The gateway's fault, which counts against the row. */
  isFault: boolean
  /** For 'unknown': some answer arrived. */
  answered: boolean
  code: string | null
  reason: string | null
  /** The gateway's ids of accepted segments, by idKey. */
  idKeys: readonly string[]
}

const parameters = [
  'gateway',
  'engine',
  'epoch',
  'slot',
  'id',
  'kind',
  'accepted',
  'retry_ms',
  'is_fault',
  'answered',
  'code',
  'reason',
  'ids',
  'key',
  'key_id',
]

/** See `server/sql/settle_messages_1.sql`. One statement, so all of it happens or nothing. */
const settleStatement = statement<{ id: number }>(
  'sms_settle',
  `select settle_messages_1(${namedParameters(parameters)}) as id`,
)

/** Returns the messages whose outcome counted. */
export async function settleMessages(
  db: Queryable,
  lease: SmsLease,
  slot: number,
  outcomes: readonly SmsOutcome[],
): Promise<number[]> {
  if (outcomes.length === 0) return []
  const keys = outcomes.flatMap(({ smsId, idKeys }) => idKeys.map((key) => [key, smsId] as const))
  const columns = [
    ...arraysOf(outcomes, 'smsId', 'kind', 'accepted', 'retryInMs', 'isFault', 'answered', 'code', 'reason'),
    outcomes.map(({ idKeys }) => new Set(idKeys).size),
    ...arraysOf(keys, 0, 1),
  ]
  const rows = await run(db, settleStatement, [...fenced(lease), slot, ...columns])
  return rows.map((row) => row.id)
}
