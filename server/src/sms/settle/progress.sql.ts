import { run, statement, type Queryable } from '../../dispatch/statement.ts'

const progressStatement = statement('sms_progress', 'select sms_write_progress($1::int[])')

/** One summed row per campaign for the screens. Needs no fence, because it is derived from the counters. */
export async function writeSmsProgress(db: Queryable, campaignIds: readonly number[]): Promise<void> {
  if (campaignIds.length > 0) await run(db, progressStatement, [campaignIds])
}
