import type { CreditStatement } from '@ghanti/contract/credits.ts'
import type { Db } from '../../db/db.ts'
import type { Viewer } from '../../policy.ts'
import { accountView } from './actions-history.ts'
import { monthOf, statementOfSums } from './rules-statement.ts'
import * as store from './store-statement.ts'

/** Opening balance, movements and closing balance of one month in Nepal. A super admin's own statement is the platform's. */
export async function statementOf(db: Db, viewer: Viewer, userId: number, month: string): Promise<CreditStatement> {
  const { accountId } = await accountView(db, viewer, userId)
  const { from, to } = monthOf(month)
  const sums = await store.sums(db, accountId, from, to)
  return statementOfSums({ userId, username: await store.nameOf(db, userId), month }, sums)
}
