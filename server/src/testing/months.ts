/** Beginnings of months, and nights in which old calls are archived. */
import { beginMonth, makePartitions } from '../db/schema/partitions.ts'
import type { TestApp } from './app.ts'

/** Keeps calls and messages for this many months. */
export async function keepMonths(app: TestApp, months: number): Promise<void> {
  await app.db
    .insertInto('platform_setting')
    .values({ key: 'history_months', value: String(months) })
    .execute()
}

/** From here on, calls are claimed in a partition of this month. `month`: its first day. */
export async function nextMonth({ db }: Pick<TestApp, 'db'>, month: string): Promise<void> {
  await makePartitions(db)
  await beginMonth(db, month)
  await makePartitions(db)
}

/** Half past one at night in Nepal, this many months from now. */
export function nightIn(months: number): Date {
  const then = new Date()
  then.setUTCMonth(then.getUTCMonth() + months)
  then.setUTCHours(19, 45, 0, 0)
  return then
}
