import type { Db } from '../../db/db.ts'
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
