/** Months that begin, and nights in which what is old is archived. */
import { fillAttempts } from '../db/fill-attempts.ts'
import { beginMonth, makePartitions } from '../db/partitions.ts'
import { fillCounters } from '../modules/insight/actions-count.ts'
import type { TestApp } from './app.ts'

/** Calls and messages stay for so many months; whatever an upgrade has to fill is filled. */
export async function keepMonths(app: TestApp, months: number): Promise<void> {
  const { signal } = new AbortController()
  await app.db
    .insertInto('platform_setting')
    .values({ key: 'history_months', value: String(months) })
    .execute()
  await fillAttempts(app.db, { boundaries: [], codes: [] }, signal)
  await fillCounters(app.db, signal)
}

/** What is claimed from here on is in a partition of this month. `month`: its first day. */
export async function nextMonth({ db }: Pick<TestApp, 'db'>, month: string): Promise<void> {
  await makePartitions(db)
  await beginMonth(db, month)
  await makePartitions(db)
}

/** Half past one at night in Nepal, so many months from now. */
export function nightIn(months: number): Date {
  const then = new Date()
  then.setUTCMonth(then.getUTCMonth() + months)
  then.setUTCHours(19, 45, 0, 0)
  return then
}
