import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { isStopped } from '../../db/live.ts'
import type { Report, ReportStatus } from '../../db/tables.ts'
import { within, type Scope } from '../../policy.ts'

export type ReportOfCampaign = { campaignId: number; ownerId: number; name: string; status: ReportStatus | null } & {
  [Column in 'zip_hash' | 'cc_hash' | 'dtmf_hash' | 'made_at']: Selectable<Report>[Column] | null
}

/** A campaign in the scope with its report, if it ever had one; a report that lacks calls counts as not made. */
export function find(db: Db, scope: Scope, campaignId: number): Promise<ReportOfCampaign | undefined> {
  return db
    .selectFrom('campaign')
    .innerJoin('campaign_progress as p', 'p.campaign_id', 'campaign.id')
    .leftJoin('report', 'report.campaign_id', 'campaign.id')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'campaign.id')
    .select([
      'campaign.id as campaignId',
      'campaign.account_id as ownerId',
      'd.name',
      'report.zip_hash',
      'report.cc_hash',
      'report.dtmf_hash',
      'report.made_at',
    ])
    .select(
      sql<ReportStatus | null>`case when report.status <> 'ready'
        or report_is_current(report.answered, report.made_at, p.answered, p.finished_at) then report.status end`.as(
        'status',
      ),
    )
    .where('campaign.id', '=', campaignId)
    .where(within(scope, 'campaign.account_id'))
    .executeTakeFirst()
}

export async function countUnfinished(tx: Tx, userId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('report')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('requested_by', '=', userId)
    .where('status', 'in', ['queued', 'making'])
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** False when it is queued or being made. Until the new files are ready, it names the previous ones. */
export async function queue(tx: Tx, request: { campaignId: number; byUserId: number; at: Date }): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('report')
    .values({
      campaign_id: request.campaignId,
      status: 'queued',
      requested_by: request.byUserId,
      requested_at: request.at,
    })
    .onConflict((conflict) =>
      conflict
        .column('campaign_id')
        .doUpdateSet({ status: 'queued', reason: null, requested_by: request.byUserId, requested_at: request.at })
        .where('report.status', 'in', ['ready', 'failed']),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** False when nobody waits for it any more. Accepts 'making' too, for a process that was killed. */
export async function markMaking(db: Db, campaignId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('report')
    .set((set) => ({
      status: 'making',
      answered: set.selectFrom('campaign_progress').select('answered').where('campaign_id', '=', campaignId),
    }))
    .where('campaign_id', '=', campaignId)
    .where('status', 'in', ['queued', 'making'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function isAskerStopped(db: Db, campaignId: number): Promise<boolean> {
  const row = await db
    .selectFrom('report')
    .innerJoin('users', 'users.id', 'report.requested_by')
    .select('users.id')
    .where('campaign_id', '=', campaignId)
    .where(isStopped('users.path'))
    .executeTakeFirst()
  return row !== undefined
}

export type ReportFiles = Record<'zip_hash' | 'cc_hash' | 'dtmf_hash', string>

/** Returns the files it replaces; none, and nothing changes, when it was no longer being made. */
export async function markReady(
  tx: Tx,
  report: { campaignId: number; files: ReportFiles; at: Date },
): Promise<(string | null)[]> {
  const { rows } = await sql<{ old: (string | null)[] }>`
    with before as materialized (
      select array[zip_hash, cc_hash, dtmf_hash] as old from report where campaign_id = ${report.campaignId} and status = 'making' for update
    )
    update report set status = 'ready', reason = null, made_at = ${report.at},
      zip_hash = ${report.files.zip_hash}, cc_hash = ${report.files.cc_hash}, dtmf_hash = ${report.files.dtmf_hash}
      from before where campaign_id = ${report.campaignId} returning before.old`.execute(tx)
  return rows[0]?.old ?? []
}

export async function markFailed(db: Db, campaignId: number, reason: string): Promise<void> {
  await db
    .updateTable('report')
    .set({ status: 'failed', reason })
    .where('campaign_id', '=', campaignId)
    .where('status', 'in', ['queued', 'making'])
    .execute()
}
