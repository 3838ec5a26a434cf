import { campaignActions } from '@ghanti/contract/campaign-status.ts'
import type { Db, Tx } from '../../db/db.ts'
import { onlyStoppedBy } from '../../db/live.ts'
import { goesOnFrom, passingCauses } from './rules-state.ts'

export async function countHeldWith(db: Db, userId: number): Promise<number> {
  const { campaigns } = await db
    .selectFrom('users')
    .innerJoin('campaign', 'campaign.account_id', 'users.id')
    .select((e) => e.fn.countAll<number>().as('campaigns'))
    .where('campaign.is_test', '=', false)
    .where((where) =>
      where.or([
        where('campaign.status', 'in', goesOnFrom),
        where.and([where('campaign.status', '=', 'onHold'), where('campaign.hold_cause', 'in', passingCauses)]),
      ]),
    )
    .where(onlyStoppedBy(userId, 'users.path'))
    .executeTakeFirstOrThrow()
  return campaigns
}

export async function stopAll(tx: Tx, accountIds: readonly number[], reason: string): Promise<number> {
  const { from, to } = campaignActions.stop
  const stopped = await tx
    .updateTable('campaign')
    .set({ status: to, reason, end_now: true, hold_cause: null, held_by: null })
    .where('account_id', 'in', accountIds)
    .where('status', 'in', from)
    .executeTakeFirstOrThrow()
  return Number(stopped.numUpdatedRows)
}
