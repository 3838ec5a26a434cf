import { namedParameters, run, statement, type Queryable } from '../../dispatch/statement.ts'
import { fenced, type SmsLease } from './lease.sql.ts'

const parameters = ['gateway', 'engine', 'epoch', 'campaign', 'rows', 'slot', 'reason']

/** See `server/sql/expire_messages_1.sql`. */
const lateStatement = statement<{ ended: number }>(
  'sms_expire_late',
  `select expire_messages_1(${namedParameters(parameters)}) as ended`,
)

type Batch = { campaignId: number; rows: number; slot: number; reason: string }

/** Ends the messages of a feed whose time is over. Repeat while it answers `rows`. */
export async function expireLate(db: Queryable, lease: SmsLease, batch: Batch): Promise<number> {
  const { campaignId, rows, slot, reason } = batch
  const values = [...fenced(lease), campaignId, rows, slot, reason]
  return (await run(db, lateStatement, values))[0]?.ended ?? 0
}
