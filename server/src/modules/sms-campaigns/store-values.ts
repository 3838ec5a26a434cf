import { finishedStatuses } from '@ghanti/contract/campaign-status.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { readPage } from '../../db/lists/list.ts'
import { numberLike } from '../../db/search/numbers.ts'

export function pageOfUnapproved(db: Db, campaignId: number, query: ListQuery) {
  const rows = db
    .selectFrom('sms_unapproved as u')
    .innerJoin('sms_campaign_detail as d', 'd.campaign_id', 'u.campaign_id')
    .select(['u.line', 'u.phone', 'u.vars', 'u.reason', 'd.text'])
    .where('u.campaign_id', '=', campaignId)
    .$if(query.search !== undefined, (found) => found.where(numberLike(sql.ref('u.phone'), query.search ?? '')))
  const line = sql.ref<number>('u.line')
  return readPage(db, rows, query, { keys: { row: line }, id: line, fallback: 'row' })
}

type Decision = { status: 'approved' | 'rejected'; reason: string | null }

/** False when no row waits, it was decided already, or the campaign is over. */
export async function decideValues(tx: Tx, campaignId: number, { status, reason }: Decision): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sms_campaign')
    .set({ values_decision: status, values_reason: reason })
    .where('id', '=', campaignId)
    .where('unapproved', '>', 0)
    .where('values_decision', '=', 'pending')
    .where('status', 'not in', finishedStatuses)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
