import type { TranscriptLine } from '../../../modules/test-calls/rules.ts'
import { run, statement, type Queryable } from '../../../dispatch/statement.ts'

const lineStatement = statement(
  'record_test_call',
  'insert into test_call_line (campaign_id, no, at, seq, line) values ($1, $2, $3, $4, $5)',
)

/** What happened in a test call. `seq` orders what happened at the same time. */
export async function recordTestCall(
  db: Queryable,
  call: { campaignId: number; rowNo: number },
  at: Date,
  seq: number,
  line: TranscriptLine,
): Promise<void> {
  await run(db, lineStatement, [call.campaignId, call.rowNo, at, seq, JSON.stringify(line)])
}
